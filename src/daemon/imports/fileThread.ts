/** Starts the thread that reads or writes one export, and waits for it as long as is sensible. */
import { Worker } from 'node:worker_threads'
import type { Exported } from '../../store/exportFile.ts'
import type { KeptSnapshot } from '../../store/store.ts'
import { builtFile } from '../../store/thread/builtFile.ts'

/** Beside the daemon's own file, wherever that was built to. */
const WORKER = builtFile('daemon/imports/fileWorker.js')
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
    worker.once('exit', () => end({ kind: 'failed', why: 'the worker thread ended' }))
  })
}

/** What the thread for files is asked, and what it answers, once. */
export type FileJob =
  | { readonly kind: 'read'; readonly file: string; readonly passphrase: string | null }
  | {
      readonly kind: 'write'
      readonly file: string
      readonly exported: Exported
      /** Replaces a file that is there. */
      readonly force: boolean
      /** Null: it is not sealed. */
      readonly passphrase: string | null
    }
  | { readonly kind: 'repaint'; readonly snapshots: readonly KeptSnapshot[] }

export type FileOutcome =
  | { readonly kind: 'read'; readonly exported: Exported }
  | { readonly kind: 'written'; readonly bytes: number }
  /** Without those that are no snapshots. */
  | { readonly kind: 'repainted'; readonly snapshots: readonly KeptSnapshot[] }
  | { readonly kind: 'exists' }
  /** It is sealed, and no passphrase was given. */
  | { readonly kind: 'sealed' }
  | { readonly kind: 'passphraseWrong' }
  | { readonly kind: 'failed'; readonly why: string }
