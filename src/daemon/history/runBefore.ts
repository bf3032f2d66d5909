/**
 * Which run was shown before a run began is written once, beside the run's log. It belongs to the run, not to the terminal's
 * record: what is shown above this run stays the same when the terminal changes.
 */
import { readFile } from 'node:fs/promises'
import { syncDirectory, writeWhole } from '../../store/files.ts'
import { decodeRunBefore, encodeRunBefore } from '../../wire/runBefore.ts'
import type { BeforeWake } from '../../workspace/terminal/beforeWake.ts'

export const BEFORE_FILE = 'before.json'

export function writeRunBefore(directory: string, before: BeforeWake): void {
  writeWhole(`${directory}/${BEFORE_FILE}`, encodeRunBefore(before))
  syncDirectory(directory)
}

/** Null if there was no run before, or it cannot be read: then the run's first line is the first there is. */
export async function readRunBefore(directory: string): Promise<BeforeWake | null> {
  const text = await readFile(`${directory}/${BEFORE_FILE}`, 'utf8').catch(() => null)
  return text === null ? null : decodeRunBefore(text)
}
