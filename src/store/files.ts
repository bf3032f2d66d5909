/** Directories and files that only their owner can read, and that are still there after a power cut. */
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

const OWNER_ONLY_DIRECTORY = 0o700
const OWNER_ONLY_FILE = 0o600
const PERMISSION_BITS = 0o777

/** An existing directory keeps its permissions: it may be one the user shares on purpose. The file never does. */
export function ensurePrivateFile(file: string): void {
  const directory = dirname(file)
  if (!existsSync(directory)) {
    const first = mkdirSync(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY })
    if (first !== undefined) syncDirectory(dirname(first))
  }
  const isNew = !existsSync(file)
  const handle = openSync(file, 'a', OWNER_ONLY_FILE)
  const { mode } = fstatSync(handle)
  closeSync(handle)
  if ((mode & PERMISSION_BITS) !== OWNER_ONLY_FILE) chmodSync(file, OWNER_ONLY_FILE)
  if (isNew) syncDirectory(directory)
}

/** The files of a database. Its WAL goes first: one left behind beside a new database would be played into it. */
export const DATABASE_FILES = ['-wal', '-shm', ''] as const

export function removeDatabase(file: string): void {
  for (const companion of DATABASE_FILES) rmSync(file + companion, { force: true })
}

/** Under another name until `publish`, so that a file with its own name is always whole. `wx`: where others may write, nothing of theirs is taken for it. */
export function writeWhole(file: string, content: string | Uint8Array, flag: 'w' | 'wx' = 'w'): void {
  const handle = openSync(file, flag, OWNER_ONLY_FILE)
  try {
    writeFileSync(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

export function publish(draft: string, file: string): void {
  renameSync(draft, file)
  syncDirectory(dirname(file))
}

export function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Says later whether the path still leads to the file it leads to now. */
export function watchPlace(file: string): () => boolean {
  const { dev, ino } = statSync(file)
  return () => {
    const now = statSync(file, { throwIfNoEntry: false })
    return now !== undefined && now.dev === dev && now.ino === ino
  }
}
