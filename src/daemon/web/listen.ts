/**
 * Which port the page lives on. An open page finds a restarted daemon only under the address it came from, so the
 * port that was used last comes first; then the configured one; then any that is free.
 */
import type { Server } from 'node:http'
import type { Store } from '../../store/store.ts'

const LOOPBACK = '127.0.0.1'
const SETTING = 'web.port'
const ANY = 0

export type PortStore = Pick<Store, 'setting' | 'keepSetting'>

export async function listen(server: Server, configured: number, store: PortStore): Promise<number> {
  const kept = await store.setting(SETTING).catch(() => null)
  const candidates = [...rememberedPort(kept, configured), configured, ANY]
  for (const [index, port] of candidates.entries()) {
    try {
      const actual = await bind(server, port)
      if (kept !== written(configured, actual)) await store.keepSetting(SETTING, written(configured, actual)).catch(() => undefined)
      return actual
    } catch (cause) {
      if (index === candidates.length - 1) throw cause
    }
  }
  throw new Error('no port was tried')
}

const written = (configured: number, actual: number): string => `${configured} ${actual}`

/** A port is remembered for the configuration it was a way out of: whoever configures another port gets that one. */
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
