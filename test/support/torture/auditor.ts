/** Asks the thread that looks into databases, and takes a new one now and then: only its end closes all that it opened. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export type Audited = {
  readonly faults: readonly string[]
  readonly terminals?: readonly { readonly id: string; readonly name: string | null }[]
}

const QUESTIONS_PER_THREAD = 50

let thread: { readonly worker: Worker; left: number } | null = null

export async function audit(question: { readonly file: string; readonly isAtRest: boolean }): Promise<Audited> {
  thread ??= { worker: new Worker(new URL('audit.mjs', import.meta.url), { execArgv: [] }), left: QUESTIONS_PER_THREAD }
  const { worker } = thread
  const ended = new AbortController()
  worker.postMessage(question)
  const answer = await Promise.race([
    once(worker, 'message', { signal: ended.signal }).then(([audited]) => audited as Audited),
    once(worker, 'exit', { signal: ended.signal }).then(() => Promise.reject(new Error('the audit ended early'))),
  ]).finally(() => ended.abort())
  thread.left -= 1
  if (thread.left === 0) await endAudit()
  return answer
}

export async function endAudit(): Promise<void> {
  const ending = thread
  thread = null
  await ending?.worker.terminate()
}
