/**
 * Whether what is found on disk is this user's own. Sockets may stand in /tmp, where anyone can make a directory of any name: nothing
 * is sent before this was asked. Nobody else can change what is in a directory that passes, so the answer holds until the connection.
 */
import { lstatSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'

const WRITABLE_BY_OTHERS = 0o022

/** Null where it is safe, or not there at all; otherwise what is wrong with it. */
export function whyNotOurs(socketPath: string): string | null {
  const directory = found(dirname(socketPath))
  if (directory === null) return null
  if (!directory.isDirectory()) return 'its directory is a link or a file'
  if ((directory.mode & WRITABLE_BY_OTHERS) !== 0) return 'its directory can be changed by other users'
  return foreignOwner(directory, 'its directory') ?? whyNotOurFile(socketPath, 'socket')
}

/** Of something in a directory that only this user can change: its permissions say nothing about who made it. */
export function whyNotOurFile(path: string, kind: 'socket' | 'file'): string | null {
  const stats = found(path)
  if (stats === null) return null
  const isOfKind = kind === 'socket' ? stats.isSocket() : stats.isFile()
  return isOfKind ? foreignOwner(stats, 'it') : `it is not a ${kind}`
}

const foreignOwner = ({ uid }: Stats, subject: string): string | null =>
  uid === (process.getuid?.() ?? uid) ? null : `${subject} belongs to another user (uid ${uid})`

/** What cannot be looked at cannot be connected to either, and that says why. */
function found(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
