/** The daemon's own key, by which a page knows that it speaks with its daemon; and how signatures of either side are checked. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import type { Store } from '../../store/store.ts'
import { PUBLIC_KEY_SHAPE, SIGNATURE_SHAPE } from '../../wire/deviceProof.ts'

const SETTING = 'devices.identity'
const HASH = 'sha256'
/** As WebCrypto writes signatures: both numbers at full length, nothing around them. */
const ENCODING = { dsaEncoding: 'ieee-p1363' } as const
const COORDINATE_BYTES = 32
const UNCOMPRESSED = 4

export type Identity = {
  /** The uncompressed point in base64url. */
  readonly publicKey: string
  sign(statement: string): string
}

/** Kept with the devices: where they are lost, so is it, and every browser logs in again. */
export async function openIdentity(store: Pick<Store, 'setting' | 'keepSetting'>): Promise<Identity> {
  const kept = await store.setting(SETTING).catch(() => null)
  const known = kept === null ? null : readKey(kept)
  if (known !== null) return identityOf(known)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const written = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64')
  await store.keepSetting(SETTING, written).catch(() => undefined) // a full disk: it lasts as long as this daemon
  return identityOf(privateKey)
}

function readKey(text: string): KeyObject | null {
  try {
    return createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })
  } catch {
    return null // damaged: a new one is made
  }
}

const identityOf = (key: KeyObject): Identity => ({
  publicKey: pointOf(key),
  sign: (statement) => sign(HASH, Buffer.from(statement), { key, ...ENCODING }).toString('base64url'),
})

function pointOf(key: KeyObject): string {
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(UNCOMPRESSED), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url')
}

/** Null for what is no point of the curve. */
function keyOf(point: string): KeyObject | null {
  const bytes = Buffer.from(point, 'base64url')
  if (!PUBLIC_KEY_SHAPE.test(point) || bytes[0] !== UNCOMPRESSED) return null
  const part = (at: number) => bytes.subarray(1 + at * COORDINATE_BYTES, 1 + (at + 1) * COORDINATE_BYTES).toString('base64url')
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: part(0), y: part(1) }, format: 'jwk' })
  } catch {
    return null
  }
}

export const isPublicKey = (point: string): boolean => keyOf(point) !== null

export function isSignedBy(point: string, statement: string, signature: string): boolean {
  const key = keyOf(point)
  if (key === null || !SIGNATURE_SHAPE.test(signature)) return false
  return verify(HASH, Buffer.from(statement), { key, ...ENCODING }, Buffer.from(signature, 'base64url'))
}
