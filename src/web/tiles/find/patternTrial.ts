/**
 * Whether a regular expression is fast enough for the page: it is tried in a worker first. One such as (a+)+$ may take longer than
 * anyone waits, and the page's own thread cannot be interrupted.
 */
import type { FindQuery } from './finder.ts'
import type { PatternJob } from './patternWorker.ts'

/** The page stands still for about as long once the pattern runs in it. */
const WITHIN_MS = 500

type Trial = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>

export class PatternTrial {
  private readonly start: () => Trial
  private worker: Trial | null = null
  private giveUp: (() => void) | null = null

  constructor(start: () => Trial = startWorker) {
    this.start = start
  }

  /** False where it takes too long, and where another one is tried meanwhile. */
  isQuick({ text: pattern, isCase }: FindQuery, text: string): Promise<boolean> {
    this.giveUp?.()
    return new Promise((resolve) => {
      this.worker ??= this.start()
      const { worker } = this
      const settle = (isQuick: boolean): void => {
        clearTimeout(timer)
        this.giveUp = null
        // One that has not answered is still at it.
        if (!isQuick) this.stop()
        resolve(isQuick)
      }
      const timer = setTimeout(() => settle(false), WITHIN_MS)
      this.giveUp = () => settle(false)
      worker.onmessage = () => settle(true)
      worker.onerror = () => settle(false)
      worker.postMessage({ pattern, isCase, text } satisfies PatternJob)
    })
  }

  stop(): void {
    this.worker?.terminate()
    this.worker = null
  }
}

const startWorker = (): Worker => new Worker(new URL('./patternWorker.ts', import.meta.url), { type: 'module' })
