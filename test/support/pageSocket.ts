/** The page's WebSocket to the daemon of a home, opened by a test instead of a browser. */
import { WebSocket } from 'ws'
import { json } from './holdfast.ts'

export type PageSocket = { connect(): Promise<WebSocket> }

/** Logs in once; each `connect` is another tab. */
export async function openPageSocket(home: { readonly path: string }): Promise<PageSocket> {
  const { url } = await json<{ url: string }>(home, ['--no-open'])
  const { origin, host, hash } = new URL(url)
  const reply = await fetch(`${origin}/api/login`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: hash.slice(1) }),
  })
  const cookie = String(reply.headers.get('set-cookie')).split(';')[0] ?? ''
  return {
    connect: () =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://${host}/ws`, { headers: { Cookie: cookie }, origin })
        socket.on('open', () => resolve(socket))
        socket.on('error', reject)
      }),
  }
}
