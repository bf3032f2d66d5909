/** Takes lines out of the logs of the daemon and of the holders. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Paths } from '../../wire/paths.ts'

export type Unwanted = {
  /** A line with one of these goes. */
  readonly ids: readonly string[]
  /** A line from before this moment goes; null: none does. */
  readonly before: number | null
}

const ROTATED = '.1'

export function removeLogLines({ daemonLog, holdersLog }: Paths, unwanted: Unwanted): void {
  for (const file of [daemonLog, daemonLog + ROTATED, holdersLog]) removeLinesFrom(file, unwanted)
}

/** In place: holders have the file open, and go on at its end. */
function removeLinesFrom(file: string, unwanted: Unwanted): void {
  if (!existsSync(file)) return
  const lines = readFileSync(file, 'utf8').split('\n')
  const left = lines.filter((line) => !isUnwanted(line, unwanted))
  if (left.length < lines.length) writeFileSync(file, left.join('\n'), { mode: 0o600 })
}

const isUnwanted = (line: string, { ids, before }: Unwanted): boolean =>
  ids.some((id) => line.includes(id)) || (before !== null && (timeOf(line) ?? before) < before)

/** Null for a line that does not say when it was written. */
function timeOf(line: string): number | null {
  const [, time = ''] = /"time":"([^"]+)"/.exec(line) ?? []
  const at = Date.parse(time)
  return Number.isNaN(at) ? null : at
}
