/** The page's WebSocket to the daemon of a home, opened by a test instead of a browser. */
import type { WebSocket } from 'ws'
import { deviceOf, makeKeys, openProved } from './device.ts'
import { json } from './holdfast.ts'

export type PageSocket = { connect(): Promise<WebSocket> }

/** Logs in once; each `connect` is another tab. */
export async function openPageSocket(home: { readonly path: string }): Promise<PageSocket> {
  const { url } = await json<{ url: string }>(home, ['--no-open'])
  const { origin, hash } = new URL(url)
  const keys = makeKeys()
  const reply = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: hash.slice(1), key: keys.publicKey }),
  })
  const device = deviceOf(keys, (await reply.json()) as { device: string; daemon: string })
  return { connect: async () => (await openProved(origin, device)).socket }
}
