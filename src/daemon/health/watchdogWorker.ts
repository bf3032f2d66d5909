/**
 * Watches the main thread from another one. A main thread that does not move for longer than anything could excuse will not come back;
 * then the process ends, and its supervisor or the next command starts another. Only time that really passed counts: while the machine sleeps or the
 * process is stopped, this thread does not run either.
 */
import { appendFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { BEATS, IS_OVER, MISSED, type WatchdogSetup } from './watchdogSetup.ts'

function watch({ shared, tickMs, fatalTicks, logFile }: WatchdogSetup): void {
  let seen = -1
  let missed = 0
  while (waited(shared, tickMs) !== 'over') {
    const beats = Atomics.load(shared, BEATS)
    missed = beats === seen ? missed + 1 : 0
    seen = beats
    if (missed > Atomics.load(shared, MISSED)) Atomics.store(shared, MISSED, missed)
    if (missed < fatalTicks) continue
    note(logFile, missed * tickMs)
    process.kill(process.pid, 'SIGKILL')
  }
}

/** A wait that took much longer than it should says nothing about the main thread: it is waited once more. */
function waited(shared: Int32Array<SharedArrayBuffer>, tickMs: number): 'tick' | 'over' {
  for (;;) {
    const began = performance.now()
    if (Atomics.wait(shared, IS_OVER, 0, tickMs) !== 'timed-out') return 'over'
    if (performance.now() - began < tickMs * 2) return 'tick'
  }
}

function note(logFile: string, ms: number): void {
  const time = new Date().toISOString()
  const line = { level: 60, time, pid: process.pid, ms, msg: 'the daemon was blocked for too long and restarts; programs keep running' }
  try {
    appendFileSync(logFile, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  } catch {
    // A failing disk may be the very reason; it ends all the same.
  }
}

watch(workerData as WatchdogSetup)
