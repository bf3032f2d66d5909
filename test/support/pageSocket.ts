/** The page's WebSocket to the daemon of a home, opened by a test instead of a browser. */
import { deviceOf, makeKeys, type OpenSocket, openProved } from './device.ts'
import { json } from './holdfast.ts'

export type PageSocket = { readonly origin: string; connect(): Promise<OpenSocket> }

/** Logs in once, by the link that these words print; each `connect` is another tab. */
export async function openPageSocket(home: { readonly path: string }, link: readonly string[] = ['--no-open']): Promise<PageSocket> {
  const { url } = await json<{ url: string }>(home, [...link])
  const { origin, hash } = new URL(url)
  const keys = makeKeys()
  const reply = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: hash.slice(1), key: keys.publicKey }),
  })
  const device = deviceOf(keys, (await reply.json()) as { device: string; daemon: string })
  return { origin, connect: () => openProved(origin, device) }
}
