/**
 * Which port the page lives on. An open page finds a restarted daemon only under the address it came from, so the
 * port that was used last comes first; then the configured one; then any that is free.
 *
 * A port that another user's program holds is lost: that program can have left scripts in browsers under this address. The
 * daemon says so, takes another port and never comes back to this one by itself.
 */
import { get, type Server } from 'node:http'
import type { Store } from '../../store/store.ts'
import { uidOfListener } from '../devices/peerUser.ts'

const LOOPBACK = '127.0.0.1'
const SETTING = 'web.port'
const STOLEN_SETTING = 'web.stolen-ports'
const STOLEN_LIMIT = 32
const ANY = 0

export type PortStore = Pick<Store, 'setting' | 'keepSetting'>

export type Listening = {
  readonly port: number
  /** Ports that were tried before and are held by another user's program. */
  readonly stolen: readonly StolenPort[]
}
export type StolenPort = { readonly port: number; readonly uid: number }

export async function listen(server: Server, configured: number, store: PortStore): Promise<Listening> {
  const kept = await store.setting(SETTING).catch(() => null)
  const avoided = ((await store.setting(STOLEN_SETTING).catch(() => null)) ?? '').split(' ').filter(Boolean).map(Number)
  const candidates = [...[...rememberedPort(kept, configured), configured].filter((port) => !avoided.includes(port)), ANY]
  const stolen: StolenPort[] = []
  for (const [index, port] of candidates.entries()) {
    try {
      const actual = await bind(server, port)
      if (kept !== written(configured, actual)) await store.keepSetting(SETTING, written(configured, actual)).catch(() => undefined)
      if (stolen.length > 0) await avoid(store, [...avoided, ...stolen.map(({ port }) => port)])
      return { port: actual, stolen }
    } catch (cause) {
      if (index === candidates.length - 1) throw cause
      const uid = await uidOfListener(port)
      if (uid !== null && uid !== process.getuid?.()) stolen.push({ port, uid })
    }
  }
  throw new Error('no port was tried')
}

const avoid = (store: PortStore, ports: readonly number[]): Promise<void> =>
  store.keepSetting(STOLEN_SETTING, ports.slice(-STOLEN_LIMIT).join(' ')).catch(() => undefined)

export const stolenText = ({ port, uid }: StolenPort, url: string): string =>
  `Port ${port} is used by another user's process (uid ${uid}). The page is now at ${url}, and browsers must log in again. Do not use the old address.`

const written = (configured: number, actual: number): string => `${configured} ${actual}`

/** A port is remembered together with the configured one that was taken: a user who configures another port gets that one. */
function rememberedPort(kept: string | null, configured: number): number[] {
  const [before, actual] = (kept ?? '').split(' ').map(Number)
  const usable = before === configured && actual !== undefined && Number.isInteger(actual) && actual > 0 && actual < 65_536
  return usable && actual !== configured ? [actual] : []
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      server.off('error', reject)
      resolve(portOf(server))
    })
  })
}

export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port')
  return address.port
}

/** One request to the page's own server, as a browser would make it, to see that it answers. */
export function pingPage(url: string | null, withinMs: number): Promise<void> {
  if (url === null) return Promise.reject(new Error('it has no port'))
  return new Promise((resolve, reject) => {
    // Not kept open: a server that stopped listening still answers on old connections.
    const request = get(`${url}login`, { agent: false, timeout: withinMs }, (response) => {
      response.resume()
      const { statusCode = 500 } = response
      // A page that has not been built is missing, which is no fault of the server's.
      if (statusCode === 200 || statusCode === 404) resolve()
      else reject(new Error(`it answers with ${statusCode}`))
    })
    request.on('timeout', () => request.destroy(new Error(`it did not answer within ${withinMs} ms`)))
    request.on('error', reject)
  })
}
