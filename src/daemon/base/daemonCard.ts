/** `daemon.json`: who runs here, for people and programs that cannot ask it. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { systemProcesses } from '../../holder/processes.ts'
import type { Paths } from '../../wire/paths.ts'

export type DaemonCard = {
  readonly pid: number
  readonly start: string
  readonly version: string
  readonly startedAt: number
  readonly web: string | null
}

export function writeDaemonCard(paths: Paths, facts: Omit<DaemonCard, 'pid' | 'start'>): void {
  const card: DaemonCard = { pid: process.pid, start: systemProcesses().startOf(process.pid), ...facts }
  const draft = `${paths.daemonCard}.new`
  writeFileSync(draft, `${JSON.stringify(card)}\n`, { mode: 0o600 })
  renameSync(draft, paths.daemonCard)
}

export function readDaemonCard(paths: Paths): DaemonCard | null {
  try {
    return JSON.parse(readFileSync(paths.daemonCard, 'utf8')) as DaemonCard
  } catch {
    return null // absent, or from a start that did not finish
  }
}
