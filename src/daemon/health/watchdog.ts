/** The main thread's side of the watchdog: moves a counter that another thread watches, and learns from it how long it stood still. */

import { Worker } from 'node:worker_threads'
import { builtFile } from '../../store/thread/builtFile.ts'
import { BEATS, IS_OVER, MISSED, SHARED_BYTES, type WatchdogSetup } from './watchdogSetup.ts'

const TICK_MS = 1_000
/** No collection of garbage and no synchronous disk takes a minute. */
const FATAL_TICKS = 60
/** One missed tick is chance. */
const STALL_TICKS = 2

/** A thread needs built JavaScript: run from src/ (by a test), the one in build/ is taken. */
const WORKER = builtFile('daemon/health/watchdogWorker.js')

export type WatchdogOptions = {
  readonly logFile: string
  stalled(ms: number): void
  readonly tickMs?: number
  readonly fatalTicks?: number
}

export function startWatchdog({ logFile, stalled, tickMs = TICK_MS, fatalTicks = FATAL_TICKS }: WatchdogOptions): () => void {
  const shared = new Int32Array(new SharedArrayBuffer(SHARED_BYTES))
  const setup: WatchdogSetup = { shared, tickMs, fatalTicks, logFile }
  const worker = new Worker(WORKER, {
    workerData: setup,
    name: 'watchdog',
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, stackSizeMb: 1 },
  })
  worker.on('error', () => undefined) // everything works without it, but a daemon that hangs would not be ended
  worker.unref()
  const beat = (): void => {
    Atomics.add(shared, BEATS, 1)
    const missed = Atomics.exchange(shared, MISSED, 0)
    if (missed >= STALL_TICKS) stalled(missed * tickMs)
  }
  const timer = setInterval(beat, tickMs).unref()
  return () => {
    clearInterval(timer)
    Atomics.store(shared, IS_OVER, 1)
    Atomics.notify(shared, IS_OVER)
  }
}
