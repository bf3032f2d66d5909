/** The daemon's end of the search index's thread. */

import { Worker } from 'node:worker_threads'
import { builtFile } from '../thread/builtFile.ts'
import { ThreadLink } from '../thread/threadLink.ts'
import type {
  Batch,
  FromSearch,
  Hit,
  IndexedRun,
  Lookup,
  Purged,
  SearchAnswers,
  SearchAsk,
  SearchSetup,
  ToSearch,
} from './searchMessages.ts'

export type SearchLink = {
  runs(): Promise<readonly IndexedRun[]>
  add(batch: Batch): Promise<void>
  forget(runs: Batch['run'][]): Promise<void>
  /** As `forget`, and rewrites the file. */
  purge(purged: Purged): Promise<void>
  find(lookup: Lookup): Promise<readonly Hit[]>
  ping(): Promise<void>
  close(): Promise<void>
  /** Whether the thread is no more. */
  hasEnded(): boolean
}

/** A thread needs built JavaScript: run from src/ (by a test), the link takes the one in build/. */
const WORKER = builtFile('store/search/searchWorker.js')

/** `begun` is told when there was no usable index, and why; everything is to be indexed again then. */
export function linkSearch(setup: SearchSetup, begun: (why: string | null) => void): SearchLink {
  const worker = new Worker(WORKER, { workerData: setup, name: 'search', execArgv: [] })
  const thread = new ThreadLink<ToSearch>(worker)
  const request = <Kind extends SearchAsk['kind']>(ask: Extract<SearchAsk, { kind: Kind }>): Promise<SearchAnswers[Kind]> =>
    thread.request((id) => ({ id, ask }))
  worker.on('message', (message: FromSearch) => (message.kind === 'begun' ? begun(message.why) : thread.answered(message)))
  return {
    runs: () => request({ kind: 'runs' }),
    add: async (batch) => void (await request({ kind: 'add', batch })),
    forget: async (runs) => void (await request({ kind: 'forget', runs })),
    purge: async (purged) => void (await request({ kind: 'purge', purged })),
    ping: async () => void (await request({ kind: 'ping' })),
    find: (lookup) => request({ kind: 'find', lookup }),
    async close() {
      await thread.requestLast((id) => ({ id, ask: { kind: 'close' } })).catch(() => null) // a thread that has ended needs no closing
      await thread.ended
    },
    hasEnded: () => thread.hasEnded,
  }
}
