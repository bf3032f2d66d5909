/** The daemon's own parts, as they are watched. */
import { rm, writeFile } from 'node:fs/promises'
import { systemReason } from '../../base/systemReason.ts'
import type { Store } from '../../store/store.ts'
import type { Paths } from '../../wire/paths.ts'
import { writeDaemonCard } from '../base/daemonCard.ts'
import type { Log } from '../base/log.ts'
import type { LoadWatch } from './loadWatch.ts'
import { answered, gone, inTime, type Sight, silent, type Watched } from './watched.ts'

/** A store that is only slow comes back in its own time. By then it has been silent for more than a minute. */
const LAST_ATTEMPT = 5
const PROBE_BYTES = 4_096 // the least that a file takes

export type StoreWorld = {
  /** A sentence while something that was asked for cannot be kept; `keepAgain` tries. */
  writingTrouble(): string | null
  keepAgain(): void
  /** Ends the daemon at once: what it cannot mend by itself, a new start can. */
  end(why: string): void
}

export function storeWatch(
  { store, log }: { readonly store: Store; readonly log: Log },
  { writingTrouble, keepAgain, end }: StoreWorld,
): Watched {
  const kept = (): string | null => {
    const trouble = writingTrouble()
    if (trouble !== null) keepAgain()
    return trouble
  }
  return {
    ...{ id: 'store', kind: 'store', terminal: null },
    name: () => 'store',
    async check({ withinMs }) {
      const ended = gone('its thread ended; nothing is saved')
      return await askThread(store, { withinMs, ended, answer: () => answered(kept()) })
    },
    async recover(attempt) {
      if (!store.hasEnded()) {
        if (attempt >= LAST_ATTEMPT) end('the store does not answer')
        throw new Error('it does not answer; it may be waiting for the disk')
      }
      const { sound } = await store.reopen()
      if (!sound) end('the database was found damaged while it was in use')
      log.warn('the store continues with a new thread')
    },
  }
}

type Thread = { hasEnded(): boolean; ping(): Promise<void> }
type Question = { readonly withinMs: number; readonly ended: Sight; answer(): Sight }

/** A thread that ends while it is asked is known to be gone: that is no silence. */
async function askThread(thread: Thread, { withinMs, ended, answer }: Question): Promise<Sight> {
  if (thread.hasEnded()) return ended
  try {
    await inTime(thread.ping(), withinMs)
    return answer()
  } catch (error) {
    if (thread.hasEnded()) return ended
    throw error
  }
}

export function searchWatch({
  indexer,
}: {
  readonly indexer: Thread & { readonly trouble: string | null; reopen(): Promise<void> }
}): Watched {
  return {
    ...{ id: 'search', kind: 'search', terminal: null },
    name: () => 'search index',
    async check({ withinMs }) {
      const ended = gone('its thread ended; new output is not searchable')
      return await askThread(indexer, { withinMs, ended, answer: () => answered(indexer.trouble) })
    },
    recover: () => indexer.reopen(),
  }
}

export const screensId = (worker: number): string => `screens:${worker}`

export function screensWatch(
  { screens }: { readonly screens: { readonly count: number; ping(worker: number): Promise<void>; end(worker: number): Promise<void> } },
  worker: number,
): Watched {
  return {
    ...{ id: screensId(worker), kind: 'screens', terminal: null },
    name: () => (screens.count === 1 ? 'screens' : `screens ${worker + 1}`),
    async check({ withinMs }) {
      await inTime(screens.ping(worker), withinMs)
      return answered()
    },
    recover: () => screens.end(worker),
  }
}

type Serving = {
  readonly web: Promise<{
    readonly url: string | null
    readonly trouble: string | null
    ping(withinMs: number): Promise<void>
    listenAgain(): Promise<void>
  } | null>
  readonly paths: Paths
  readonly version: string
  readonly startedAt: number
}

export function webWatch(daemon: Serving): Watched {
  return {
    ...{ id: 'web', kind: 'web', terminal: null },
    name: () => 'page',
    async check({ withinMs }) {
      const web = await daemon.web
      if (web === null) return answered()
      if (web.url === null) return gone('it has no port')
      await web.ping(withinMs)
      return answered(web.trouble)
    },
    async recover() {
      const web = await daemon.web
      await web?.listenAgain()
      writeDaemonCard(daemon.paths, { version: daemon.version, startedAt: daemon.startedAt, web: web?.url ?? null })
    },
  }
}

export const loopWatch = (load: LoadWatch): Watched => ({
  ...{ id: 'loop', kind: 'loop', terminal: null, recover: null },
  name: () => 'event loop',
  async check() {
    await load.look()
    return answered(load.why('stall'))
  },
})

export const memoryWatch = (load: LoadWatch): Watched => ({
  ...{ id: 'memory', kind: 'memory', terminal: null, recover: null },
  name: () => 'memory',
  async check() {
    await load.look()
    return answered(load.why('heap', 'own', 'available'))
  },
})

export const diskWatch = (load: LoadWatch, home: string): Watched => ({
  ...{ id: 'disk', kind: 'disk', terminal: null, recover: null },
  name: () => 'disk',
  async check() {
    await load.look()
    const why = load.why('disk')
    if (why === null) return answered()
    const failure = await tryToWrite(home)
    return failure === null ? answered(why) : silent(`cannot write to disk: ${failure}`)
  },
})

/** Only when little is free: an idle daemon writes nothing. */
async function tryToWrite(home: string): Promise<string | null> {
  const probe = `${home}/.probe-${process.pid}`
  try {
    await writeFile(probe, Buffer.alloc(PROBE_BYTES), { mode: 0o600 })
    return null
  } catch (error) {
    return systemReason(error)
  } finally {
    await rm(probe, { force: true }).catch(() => undefined) // tried again with the next look
  }
}
