/** Waits for processes to be gone. One that has ended and waits for its parent is gone; a pid alone names nothing. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Processes } from '../../holder/processes.ts'

export type Named = { readonly pid: number; readonly start: string }

const LOOK_EVERY_MS = process.platform === 'linux' ? 10 : 100 // macOS starts a program for each look

/** Those of the pids that are there, with their starts. */
export async function namesOf(processes: Processes, pids: readonly number[]): Promise<readonly Named[]> {
  const found = await Promise.all(pids.map((pid) => processes.find(pid)))
  return found.flatMap((info) => (info === null ? [] : [{ pid: info.pid, start: info.start }]))
}

async function isThere(processes: Processes, { pid, start }: Named): Promise<boolean> {
  return (await processes.find(pid))?.start === start
}

/** False where one of them is still there after that time. */
export async function whenGone(processes: Processes, names: readonly Named[], withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const there = await Promise.all(names.map((name) => isThere(processes, name)))
    if (!there.includes(true)) return true
    if (performance.now() >= deadline) return false
    await delay(LOOK_EVERY_MS)
  }
}
