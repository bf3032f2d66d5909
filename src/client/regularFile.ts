/**
 * Reads files outside of our own state directory: regular files only, up to a bound. A pipe, device or socket in the place of a file is
 * neither opened nor waited for.
 */
import { closeSync, constants, type Dirent, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, open, opendir, stat } from 'node:fs/promises'

/**
 * What a path leads to is looked at first, since opening some devices does something; and again once it is open, since it may have been
 * replaced. Opening a pipe would wait for its other end, and a terminal could become ours.
 */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

class NotRegularError extends Error {}

type Bound = {
  /** A longer file is not read at all, unless only its beginning is wanted. */
  readonly mostBytes: number
}

/** Null where the file cannot be read, for whatever reason. */
export async function readRegular(
  path: string,
  read: (handle: FileHandle, found: Stats) => Promise<string | null>,
): Promise<string | null> {
  const handle = await openRegular(path).catch(() => null)
  if (handle === null) return null
  try {
    const found = await handle.stat()
    return found.isFile() ? await read(handle, found) : null
  } catch {
    return null // a disk that fails: as good as not there
  } finally {
    await handle.close().catch(() => undefined)
  }
}

async function openRegular(path: string): Promise<FileHandle | null> {
  return (await stat(path)).isFile() ? await open(path, FLAGS) : null
}

/** The beginning of a file that is short if it is what it seems. */
export const readBeginning = (path: string, { mostBytes }: Bound): Promise<string | null> =>
  readRegular(path, async (handle) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(mostBytes), 0, mostBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  })

/** Throws as `readFileSync` does, and for what is no regular file or too long. */
export const readRegularSync = (path: string, bound: Bound): string => readRegularBytesSync(path, bound).toString('utf8')

export function readRegularBytesSync(path: string, { mostBytes }: Bound): Buffer {
  if (!statSync(path).isFile()) throw new NotRegularError('it is not a regular file')
  const handle = openSync(path, FLAGS)
  try {
    const found = fstatSync(handle)
    if (!found.isFile()) throw new NotRegularError('it is not a regular file')
    if (found.size > mostBytes) throw new NotRegularError(`it has more than ${mostBytes} bytes`)
    const buffer = Buffer.alloc(found.size)
    let length = 0
    for (let read = -1; length < buffer.length && read !== 0; length += read)
      read = readSync(handle, buffer, length, buffer.length - length, length)
    return buffer.subarray(0, length)
  } finally {
    closeSync(handle)
  }
}

/** The first entries of a directory, in no order; none where it cannot be read. `isWhole` is false where there are more. */
export async function listSome(
  directory: string,
  most: number,
): Promise<{ readonly entries: readonly Dirent[]; readonly isWhole: boolean }> {
  const opened = await opendir(directory, { bufferSize: 256 }).catch(() => null)
  const entries: Dirent[] = []
  if (opened === null) return { entries, isWhole: true }
  try {
    for await (const entry of opened) {
      if (entries.length === most) return { entries, isWhole: false }
      entries.push(entry)
    }
  } catch {
    return { entries, isWhole: false }
  }
  return { entries, isWhole: true }
}
