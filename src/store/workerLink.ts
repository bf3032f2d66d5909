/** The store's end of its worker thread. */
import { Worker } from 'node:worker_threads'
import { type Result, refused } from '../base/refusal.ts'
import type { Deed, Yields } from './deeds.ts'
import { type Failure, failureOf, refusalOf } from './failure.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts'
import type { Answers, Question } from './reads.ts'
import { ThreadLink } from './threadLink.ts'
import type { Write } from './writes.ts'

export type WorkerLink = {
  readonly troubles: readonly string[]
  write(writes: readonly Write[]): Promise<readonly (Failure | null)[]>
  ask<Kind extends Question['kind']>(question: Extract<Question, { kind: Kind }>): Promise<Answers[Kind]>
  act<Kind extends Deed['kind']>(deed: Extract<Deed, { kind: Kind }>): Promise<Yields[Kind]>
  /** Resolves when the thread has ended. */
  close(): Promise<void>
  /** Whether the thread is no more. */
  hasEnded(): boolean
  readonly ended: Promise<void>
}

/** A thread needs built JavaScript: run from src/ (by a test), the link takes the one in build/. */
const WORKER = new URL('../store/storeWorker.js', import.meta.url.replace('/src/store/', '/build/store/'))

export function openWorker(setup: WorkerSetup): Promise<Result<WorkerLink>> {
  const worker = new Worker(WORKER, { workerData: setup, name: 'store', execArgv: [] }) // the parent's flags are not meant for it
  const thread = new ThreadLink<ToWorker>(worker)
  const link = (troubles: readonly string[]): WorkerLink => ({
    troubles,
    write: (writes) => thread.request((id) => ({ kind: 'write', id, writes }), buffersOf(writes)),
    ask: (question) => thread.request((id) => ({ kind: 'ask', id, question })),
    act: (deed) => thread.request((id) => ({ kind: 'act', id, deed })),
    async close() {
      await thread.requestLast((id) => ({ kind: 'close', id }))
      await thread.ended
    },
    hasEnded: () => thread.hasEnded,
    ended: thread.ended,
  })

  return new Promise((resolve) => {
    worker.on('message', (message: FromWorker) => {
      switch (message.kind) {
        case 'opened':
          return resolve({ ok: true, value: link(message.troubles) })
        case 'refused':
          return resolve(refused(message.refusal))
        default:
          return thread.answered(message)
      }
    })
    const stopped = (failure: Failure): void => resolve(refused(refusalOf(setup.file, failure)))
    worker.on('error', (error) => stopped(failureOf('broken', String(error))))
    worker.on('exit', () => stopped(failureOf('closed')))
  })
}

const buffersOf = (writes: readonly Write[]): ArrayBuffer[] =>
  writes.flatMap((write) => (write.kind === 'snapshot' ? [write.bytes.buffer] : []))
