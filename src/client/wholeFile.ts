/** Replaces a file atomically, with a draft beside it. A link stays a link, and permissions stay. */
import { chmodSync, closeSync, fsyncSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { readRegularSync } from './regularFile.ts'

const OWNER_ONLY = 0o600
const PERMISSION_BITS = 0o777
/** Some agents keep whole histories in their settings. */
const LARGEST_BYTES = 16 << 20

/** Null if it does not exist. */
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
  /** The current text; null if the file does not exist. */
  readonly expected: string | null
  /** Suffix of the draft's name. */
  readonly draft: string
  /** Called between the steps, for tests that stop there. */
  readonly reached?: (step: 'drafted' | 'replaced') => void
}

/** False if the file is no longer as expected: another program has changed it. */
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

/** The target, if it is a link. */
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

/** A new file is only for its owner: settings may hold keys. */
const modeOf = (file: string): number => (statSync(file, { throwIfNoEntry: false })?.mode ?? OWNER_ONLY) & PERMISSION_BITS

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
