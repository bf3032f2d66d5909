/** A file that is whole at every moment: a draft beside it takes its place. A link stays a link, permissions stay as they are. */
import { chmodSync, closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readRegularSync } from './regularFile.ts'

const OWNER_ONLY = 0o600
const PERMISSION_BITS = 0o777
/** Settings of agents, which some of them fill with histories. */
const LARGEST_BYTES = 16 << 20

/** Null where there is none. */
export function readIfThere(file: string): string | null {
  try {
    return readRegularSync(file, { mostBytes: LARGEST_BYTES })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export type Replacement = {
  readonly text: string
  /** What it is to replace; null: nothing. */
  readonly expected: string | null
  /** What the draft is called, behind the file's own name. */
  readonly draft: string
  /** Between the steps, for tests that stop there. */
  readonly reached?: (step: 'drafted' | 'replaced') => void
}

/** False when it is not what was expected any more: somebody else has changed it meanwhile. */
export function replaceFile(file: string, { text, expected, draft, reached }: Replacement): boolean {
  const target = realPlace(file)
  const path = target + draft
  try {
    writeSynced(path, text, modeOf(target))
    reached?.('drafted')
    if (readIfThere(file) !== expected) return false
    renameSync(path, target)
  } finally {
    rmSync(path, { force: true })
  }
  syncDirectory(dirname(target))
  reached?.('replaced')
  return true
}

/** Where it really is, should it be a link. */
export const realPlace = (file: string): string => (readIfThere(file) === null ? file : realpathSync(file))

export function writeSynced(file: string, text: string, mode: number): void {
  const handle = openSync(file, 'w', mode)
  try {
    chmodSync(file, mode)
    writeFileSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Of a file that is not there: only its owner's, since settings may hold keys. */
const modeOf = (file: string): number => (statSync(file, { throwIfNoEntry: false })?.mode ?? OWNER_ONLY) & PERMISSION_BITS

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
