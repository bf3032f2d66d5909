/** The daemon's end of a thread: questions with answers, and one reason for all of them once the thread is gone. */
import type { Worker } from 'node:worker_threads'
import { type Failure, failureOf, StoreFailure } from '../failure.ts'

export type Answer =
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure }

type Waiting = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void }

export class ThreadLink<Message> {
  readonly ended: Promise<void>
  hasEnded = false
  private readonly waiting = new Map<number, Waiting>()
  private lastId = 0
  private gone: Failure | null = null

  constructor(private readonly worker: Worker) {
    this.ended = new Promise((resolve) => worker.once('exit', () => resolve()))
    worker.on('error', (error) => this.fail(failureOf('broken', String(error))))
    worker.on('exit', () => {
      this.hasEnded = true
      this.fail(failureOf('closed'))
    })
  }

  request<Value>(make: (id: number) => Message, transfer: ArrayBuffer[] = []): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.gone !== null) return reject(new StoreFailure(this.gone))
      this.lastId += 1
      this.waiting.set(this.lastId, { resolve, reject })
      this.worker.postMessage(make(this.lastId), transfer)
    })
  }

  /** The last request: later ones are refused as closed. */
  requestLast(make: (id: number) => Message): Promise<null> {
    const answer = this.request<null>(make)
    this.gone ??= failureOf('closed')
    return answer
  }

  answered(answer: Answer): void {
    const asked = this.waiting.get(answer.id)
    this.waiting.delete(answer.id)
    if (answer.kind === 'done') asked?.resolve(answer.value as never)
    else asked?.reject(new StoreFailure(answer.failure))
  }

  private fail(failure: Failure): void {
    this.gone ??= failure
    for (const { reject } of this.waiting.values()) reject(new StoreFailure(this.gone))
    this.waiting.clear()
  }
}
