/**
 * Whether a socket or file belongs to this user. Sockets may be in /tmp, where every user can create a directory of any name, so
 * this is checked before anything is sent. Other users cannot change a directory that passes, so the answer stays true.
 */
import { lstatSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'

const WRITABLE_BY_OTHERS = 0o022

/** Null if it is safe or does not exist; else the reason. */
export function whyNotOurs(socketPath: string): string | null {
  const directory = found(dirname(socketPath))
  if (directory === null) return null
  if (!directory.isDirectory()) return 'its directory is a link or a file'
  if ((directory.mode & WRITABLE_BY_OTHERS) !== 0) return 'its directory can be changed by other users'
  return foreignOwner(directory, 'its directory') ?? whyNotOurFile(socketPath, 'socket')
}

/** For a file in a directory that only this user can change; its permissions do not matter. */
export function whyNotOurFile(path: string, kind: 'socket' | 'file'): string | null {
  const stats = found(path)
  if (stats === null) return null
  const isOfKind = kind === 'socket' ? stats.isSocket() : stats.isFile()
  return isOfKind ? foreignOwner(stats, 'it') : `it is not a ${kind}`
}

const foreignOwner = ({ uid }: Stats, subject: string): string | null =>
  uid === (process.getuid?.() ?? uid) ? null : `${subject} belongs to another user (uid ${uid})`

/** If it cannot be examined, connecting fails too, with a reason. */
function found(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
