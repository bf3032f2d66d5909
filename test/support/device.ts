import { createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import { WebSocket } from 'ws'
import { type OwnDevice, proveLink } from '../../src/client/deviceLink.ts'

/** A browser's keys without a browser. */
export type TestKeys = { readonly publicKey: string; sign(statement: string): string }

const ENCODING = { dsaEncoding: 'ieee-p1363' } as const

export function makeKeys(): TestKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString('base64url')
  return {
    publicKey: point,
    sign: (statement) => sign('sha256', Buffer.from(statement), { key: privateKey, ...ENCODING }).toString('base64url'),
  }
}

/** A device that is logged in. */
export type TestDevice = OwnDevice & { readonly keys: TestKeys; readonly daemon: string }

export function deviceOf(keys: TestKeys, { device, daemon }: { readonly device: string; readonly daemon: string }): TestDevice {
  const point = Buffer.from(daemon, 'base64url')
  const part = (from: number) => point.subarray(from, from + 32).toString('base64url')
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: part(1), y: part(33) }, format: 'jwk' })
  return {
    ...{ device, daemon, keys },
    sign: (statement) => Promise.resolve(keys.sign(statement)),
    isSignedByDaemon: (statement, signature) =>
      Promise.resolve(verify('sha256', Buffer.from(statement), { key, ...ENCODING }, Buffer.from(signature, 'base64url'))),
  }
}

export const makeNonce = (): string => randomBytes(32).toString('base64url')

export type OpenSocket = {
  readonly socket: WebSocket
  /** With which the server has closed it. */
  readonly code: Promise<number>
  readonly bearer: string
}

/** Proves itself as the page does; rejects where it is not let in. */
export async function openProved(origin: string, own: OwnDevice): Promise<OpenSocket> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { origin })
  const code = new Promise<number>((resolve) => socket.on('close', resolve))
  const texts: string[] = []
  let wake = (): void => undefined
  socket.on('message', (data, isBinary) => {
    if (!isBinary) texts.push(String(data))
    wake()
  })
  socket.on('error', () => undefined) // 'close' follows
  const lost = code.then((number) => Promise.reject(new Error(`closed with ${number}`)))
  lost.catch(() => undefined)
  const hear = async (): Promise<string> => {
    for (;;) {
      const text = texts.shift()
      if (text !== undefined) return text
      await Promise.race([
        lost,
        new Promise<void>((resolve) => {
          wake = resolve
        }),
      ])
    }
  }
  await Promise.race([lost, new Promise((resolve) => socket.on('open', resolve))])
  const link = { say: (text: string) => socket.send(text), hear }
  const { bearer } = await proveLink(link, own, { origin, nonce: makeNonce(), onProved: () => undefined })
  return { socket, code, bearer }
}
