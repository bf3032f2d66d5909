/** Starts the thread that reads or writes one export, and waits for it as long as is sensible. */
import { Worker } from 'node:worker_threads'
import type { FileJob, FileOutcome } from './messages.ts'

/** Beside the daemon's own file, wherever that was built to. */
const WORKER = new URL('../daemon/imports/fileWorker.js', import.meta.url.replace(/\/(?:src|build)\/daemon\/.*$/, '/build/daemon/main.js'))
/** A thousand full screens take half of it; what takes longer means harm. */
const WITHIN_MS = 60_000
const MOST_HEAP_MB = 512

export function perform(job: FileJob, { withinMs = WITHIN_MS }: { readonly withinMs?: number } = {}): Promise<FileOutcome> {
  const worker = new Worker(WORKER, {
    workerData: job,
    name: 'export',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
  })
  return new Promise((resolve) => {
    const end = (outcome: FileOutcome): void => {
      clearTimeout(timer)
      resolve(outcome)
      void worker.terminate()
    }
    const timer = setTimeout(() => end({ kind: 'failed', why: 'it takes too long' }), withinMs)
    worker.once('message', end)
    worker.once('error', (error: NodeJS.ErrnoException) =>
      end({ kind: 'failed', why: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it takes too much memory' : error.message }),
    )
    worker.once('exit', () => end({ kind: 'failed', why: 'the thread that works on it has ended' }))
  })
}
