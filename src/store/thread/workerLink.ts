/** The store's end of its worker thread. */

import { Worker } from 'node:worker_threads'
import { done, type Result, refused } from '../../base/refusal.ts'
import { type Failure, failureOf, refusalOf, StoreFailure } from '../failure.ts'
import { builtFile } from './builtFile.ts'
import type { Deeds } from './deeds.ts'
import type { FromWorker, Given, ToWorker, WorkerSetup } from './messages.ts'
import type { Reads } from './reads.ts'
import { ThreadLink } from './threadLink.ts'
import type { Write } from './writes.ts'

export type WorkerLink = {
  readonly troubles: readonly string[]
  write(writes: readonly Write[]): Promise<readonly (Failure | null)[]>
  ask<Name extends keyof Reads>(name: Name, ...given: Given<Reads[Name]>): Promise<ReturnType<Reads[Name]>>
  act<Name extends keyof Deeds>(name: Name, ...given: Given<Deeds[Name]>): Promise<ReturnType<Deeds[Name]>>
  /** Resolves when the thread has ended. */
  close(): Promise<void>
  /** Whether the thread is no more. */
  hasEnded(): boolean
  readonly ended: Promise<void>
}

/** A thread needs built JavaScript: run from src/ (by a test), the link takes the one in build/. */
const WORKER = builtFile('store/thread/storeWorker.js')

export function openWorker(setup: WorkerSetup): Promise<Result<WorkerLink>> {
  const worker = new Worker(WORKER, { workerData: setup, name: 'store', execArgv: [] }) // the parent's flags are not meant for it
  const thread = new ThreadLink<ToWorker>(worker)
  const link = (troubles: readonly string[]): WorkerLink => ({
    troubles,
    write: (writes) => thread.request((id) => ({ kind: 'write', id, writes }), buffersOf(writes)),
    ask: (name, ...given) => thread.request((id) => ({ kind: 'ask', id, name, given })),
    act: (name, ...given) => thread.request((id) => ({ kind: 'act', id, name, given })),
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

/**
 * A link to a thread that may end, and then to its replacement; users of the link see only failures. A thread that merely does not
 * answer is left alone: ended in the middle of native code, it would take the whole process with it.
 */
export type ReplaceableLink = Omit<WorkerLink, 'ended'> & {
  /** Opens another thread. Returns what that one found wrong; rejects when it cannot be opened, and while the first one lives. */
  replace(): Promise<readonly string[]>
  /** `tell` is called when a thread ends without having been closed. */
  onEnded(tell: () => void): void
}

export async function openReplaceable(open: () => Promise<Result<WorkerLink>>): Promise<Result<ReplaceableLink>> {
  const opened = await open()
  if (!opened.ok) return opened
  let current = opened.value
  let isClosed = false
  let tellEnd = (): void => undefined
  const follow = (link: WorkerLink): void => void link.ended.then(() => isClosed || tellEnd())
  follow(current)
  return done({
    troubles: current.troubles,
    write: (writes) => current.write(writes),
    ask: (...question) => current.ask(...question),
    act: (...deed) => current.act(...deed),
    close: () => {
      isClosed = true
      return current.close()
    },
    hasEnded: () => current.hasEnded(),
    onEnded: (tell) => {
      tellEnd = tell
    },
    async replace() {
      if (!current.hasEnded()) throw new StoreFailure(failureOf('held', 'its thread still lives'))
      const next = isClosed ? null : await open()
      if (next === null) throw new StoreFailure(failureOf('closed'))
      if (!next.ok) throw new StoreFailure(failureOf('broken', next.refusal.message))
      current = next.value
      follow(current)
      return current.troubles
    },
  })
}
