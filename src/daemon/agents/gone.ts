/** Waits for processes to be gone, or sees to it. One that has ended and waits for its parent is gone; a pid alone names nothing. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Processes } from '../../holder/processes.ts'
import type { ProcessName } from './processLook.ts'

const LOOK_EVERY_MS = process.platform === 'linux' ? 10 : 100 // macOS starts a program for each look

type Finder = { find(pid: number): Promise<ProcessName | null> }

/** Those of the pids that are there, with their starts. */
export async function namesOf(processes: Finder, pids: readonly number[]): Promise<readonly ProcessName[]> {
  const found = await Promise.all(pids.map((pid) => processes.find(pid)))
  return found.flatMap((info) => (info === null ? [] : [{ pid: info.pid, start: info.start }]))
}

async function isThere(processes: Processes, { pid, start }: ProcessName): Promise<boolean> {
  return (await processes.find(pid))?.start === start
}

/** False where one of them is still there after that time. */
export async function whenGone(processes: Processes, names: readonly ProcessName[], withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const there = await Promise.all(names.map((name) => isThere(processes, name)))
    if (!there.includes(true)) return true
    if (performance.now() >= deadline) return false
    await delay(LOOK_EVERY_MS)
  }
}

/** A process that was killed is gone within this time, on a busy machine too. */
export const DYING_WITHIN_MS = 500

/** Those that do not go by themselves are asked to, and then killed. True where nobody is left. */
export async function endAll(
  processes: Processes,
  names: readonly ProcessName[],
  { termAfterMs, killAfterMs }: { readonly termAfterMs: number; readonly killAfterMs: number },
): Promise<boolean> {
  if (await whenGone(processes, names, termAfterMs)) return true
  await send(processes, names, 'SIGTERM')
  if (await whenGone(processes, names, killAfterMs - termAfterMs)) return true
  await send(processes, names, 'SIGKILL')
  return await whenGone(processes, names, DYING_WITHIN_MS)
}

async function send(processes: Processes, names: readonly ProcessName[], signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  for (const name of names) if (await isThere(processes, name)) sendOne(name, signal)
}

function sendOne({ pid }: ProcessName, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile, or is another user's.
  }
}
