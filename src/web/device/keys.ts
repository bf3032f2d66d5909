/** Keys of this browser, by WebCrypto. The private one cannot be read by any script, this page's included: it can only sign. */
import type { OwnDevice } from '../../client/deviceLink.ts'
import { PROOF_ALGORITHM } from '../../wire/deviceProof.ts'
import type { KeptDevice } from './keptDevice.ts'

/** Undefined over plain HTTP from another machine: browsers give keys to safe addresses only. */
const subtle = crypto.subtle as SubtleCrypto | undefined

export const hasKeys = (): boolean => subtle !== undefined

export const makeKeys = (): Promise<CryptoKeyPair> => needed().generateKey(PROOF_ALGORITHM, false, ['sign', 'verify'])

export const publicPart = async ({ publicKey }: CryptoKeyPair): Promise<string> =>
  base64url(new Uint8Array(await needed().exportKey('raw', publicKey)))

export function ownDevice({ device, keys, daemon }: KeptDevice): OwnDevice {
  return {
    device,
    sign: async (statement) => base64url(new Uint8Array(await needed().sign(PROOF_ALGORITHM, keys.privateKey, encoded(statement)))),
    async isSignedByDaemon(statement, signature) {
      const key = await needed().importKey('raw', decoded(daemon), PROOF_ALGORITHM, false, ['verify'])
      return needed().verify(PROOF_ALGORITHM, key, decoded(signature), encoded(statement))
    },
  }
}

const NONCE_BYTES = 32
export const makeNonce = (): string => base64url(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)))

function needed(): SubtleCrypto {
  if (subtle === undefined) throw new Error('this browser does not allow keys at this address')
  return subtle
}

const encoded = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const decoded = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
