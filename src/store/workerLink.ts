/** The store's end of its worker thread: questions with answers, and one reason for all of them once the thread is gone. */
import { Worker } from 'node:worker_threads'
import { type Result, refused } from '../base/refusal.ts'
import type { Deed, Yields } from './deeds.ts'
import { type Failure, failureOf, refusalOf, StoreFailure } from './failure.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts'
import type { Answers, Question } from './reads.ts'
import type { Write } from './writes.ts'

export type WorkerLink = {
  readonly troubles: readonly string[]
  write(writes: readonly Write[]): Promise<readonly (Failure | null)[]>
  ask<Kind extends Question['kind']>(question: Extract<Question, { kind: Kind }>): Promise<Answers[Kind]>
  act<Kind extends Deed['kind']>(deed: Extract<Deed, { kind: Kind }>): Promise<Yields[Kind]>
  /** Resolves when the thread has ended. */
  close(): Promise<void>
}

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }

/** A thread needs built JavaScript: run from src/ (by a test), the link takes the one in build/. */
const WORKER = new URL('../store/storeWorker.js', import.meta.url.replace('/src/store/', '/build/store/'))

export function openWorker(setup: WorkerSetup): Promise<Result<WorkerLink>> {
  const worker = new Worker(WORKER, { workerData: setup, name: 'store', execArgv: [] }) // the parent's flags are not meant for it
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let gone: Failure | null = null

  const fail = (failure: Failure): void => {
    gone ??= failure
    for (const { reject } of waiting.values()) reject(new StoreFailure(gone))
    waiting.clear()
  }

  const request = <Value>(make: (id: number) => ToWorker, transfer: ArrayBuffer[] = []): Promise<Value> =>
    new Promise((resolve, reject) => {
      if (gone !== null) return reject(new StoreFailure(gone))
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      worker.postMessage(make(lastId), transfer)
    })

  const link = (troubles: readonly string[]): WorkerLink => ({
    troubles,
    write: (writes) => request((id) => ({ kind: 'write', id, writes }), buffersOf(writes)),
    ask: (question) => request((id) => ({ kind: 'ask', id, question })),
    act: (deed) => request((id) => ({ kind: 'act', id, deed })),
    async close() {
      const closing = request<null>((id) => ({ kind: 'close', id }))
      gone ??= failureOf('closed')
      await closing
      await ended
    },
  })

  return new Promise((resolve) => {
    worker.on('message', (message: FromWorker) => {
      switch (message.kind) {
        case 'opened':
          return resolve({ ok: true, value: link(message.troubles) })
        case 'refused':
          return resolve(refused(message.refusal))
        case 'done':
          waiting.get(message.id)?.resolve(message.value as never)
          return waiting.delete(message.id)
        case 'failed':
          waiting.get(message.id)?.reject(new StoreFailure(message.failure))
          return waiting.delete(message.id)
      }
    })
    const stopped = (failure: Failure): void => {
      fail(failure)
      resolve(refused(refusalOf(setup.file, failure)))
    }
    worker.on('error', (error) => stopped(failureOf('broken', String(error))))
    worker.on('exit', () => stopped(failureOf('closed')))
  })
}

const buffersOf = (writes: readonly Write[]): ArrayBuffer[] =>
  writes.flatMap((write) => (write.kind === 'snapshot' ? [write.bytes.buffer] : []))
