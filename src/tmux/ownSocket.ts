/**
 * Whether a tmux socket is the user's own. The server behind it is shown as a terminal and gets what is typed into it, so it must be a
 * server of the same user, at a path that only this user can write.
 */
import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'

const WRITABLE_BY_GROUP = 0o020
const WRITABLE_BY_ALL = 0o002

/** Why it is not used, as the end of a sentence; null where it may be, or is not there: tmux says so itself. */
export function socketObstacle(socket: string, ids = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }): string | null {
  const found = lstatSync(socket, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (found.isSymbolicLink()) return 'it is a link'
  if (!found.isSocket()) return 'it is not a socket'
  if (found.uid !== ids.uid) return 'it belongs to another user'
  const around = statSync(dirname(socket))
  if (around.uid !== ids.uid && around.uid !== 0) return 'its directory belongs to another user'
  return isWritableByOthers(around, ids.gid) ? 'other users can write to its directory' : null
}

/** A group of the user's own is he himself, as with the umask 002. */
const isWritableByOthers = ({ mode, gid }: Stats, own: number): boolean =>
  (mode & WRITABLE_BY_ALL) !== 0 || ((mode & WRITABLE_BY_GROUP) !== 0 && gid !== own)

/** Of a command line of tmux, which begins with the socket. */
export function obstacleIn([flag, socket]: readonly string[]): string | null {
  if (flag !== '-S' || socket === undefined) return null
  try {
    const why = socketObstacle(socket)
    return why === null ? null : `${socket} is not used: ${why}`
  } catch (error) {
    return `${socket} is not used: ${(error as Error).message}`
  }
}
