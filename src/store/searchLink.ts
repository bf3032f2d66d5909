/** The daemon's end of the search index's thread. */
import { Worker } from 'node:worker_threads'
import { failureOf, StoreFailure } from './failure.ts'
import type { Batch, FromSearch, Hit, IndexedRun, Lookup, SearchAnswers, SearchAsk, SearchSetup, ToSearch } from './searchMessages.ts'

export type SearchLink = {
  runs(): Promise<readonly IndexedRun[]>
  add(batch: Batch): Promise<void>
  forget(runs: Batch['run'][]): Promise<void>
  find(lookup: Lookup): Promise<readonly Hit[]>
  close(): Promise<void>
}

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }

/** A thread needs built JavaScript: run from src/ (by a test), the link takes the one in build/. */
const WORKER = new URL('../store/searchWorker.js', import.meta.url.replace('/src/store/', '/build/store/'))

/** `begun` is told when there was no usable index, and why; everything is to be indexed again then. */
export function linkSearch(setup: SearchSetup, begun: (why: string | null) => void): SearchLink {
  const worker = new Worker(WORKER, { workerData: setup, name: 'search', execArgv: [] })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let gone: StoreFailure | null = null

  const fail = (failure: StoreFailure): void => {
    gone ??= failure
    for (const { reject } of waiting.values()) reject(gone)
    waiting.clear()
  }
  const request = <Kind extends SearchAsk['kind']>(ask: Extract<SearchAsk, { kind: Kind }>): Promise<SearchAnswers[Kind]> =>
    new Promise((resolve, reject) => {
      if (gone !== null) return reject(gone)
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      worker.postMessage({ id: lastId, ask } satisfies ToSearch)
    })

  worker.on('message', (message: FromSearch) => {
    if (message.kind === 'begun') return begun(message.why)
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'done') asked?.resolve(message.value as never)
    else asked?.reject(new StoreFailure(message.failure))
  })
  worker.on('error', (error) => fail(new StoreFailure(failureOf('broken', String(error)))))
  worker.on('exit', () => fail(new StoreFailure(failureOf('closed'))))

  return {
    runs: () => request({ kind: 'runs' }),
    add: async (batch) => void (await request({ kind: 'add', batch })),
    forget: async (runs) => void (await request({ kind: 'forget', runs })),
    find: (lookup) => request({ kind: 'find', lookup }),
    async close() {
      const closing = request({ kind: 'close' }).catch(() => null) // a thread that has ended needs no closing
      gone ??= new StoreFailure(failureOf('closed'))
      await closing
      await ended
    },
  }
}
