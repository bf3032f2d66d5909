/** Makes the state directory usable, or says in one sentence why it is not. Nothing in it is ever readable by others. */
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import type { Paths } from '../wire/paths.ts'

const PRIVATE = 0o700

export function prepareHome(paths: Paths): Result<Paths> {
  try {
    mkdirSync(paths.home, { recursive: true, mode: PRIVATE })
    for (const directory of [paths.home, paths.logs, paths.runs, paths.sockets]) ownDirectory(directory)
    const probe = `${paths.home}/.probe-${process.pid}`
    writeFileSync(probe, '', { mode: 0o600 })
    rmSync(probe)
    return done(paths)
  } catch (error) {
    return refused(refusals.homeUnusable(paths.home, reasonOf(error)))
  }
}

/** The sockets may live in a shared temporary directory, where someone else could have put a link in our place. */
function ownDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: PRIVATE })
  const found = lstatSync(directory)
  if (found.isSymbolicLink() || !found.isDirectory()) throw new Error(`${directory} is not a directory`)
  if (process.getuid !== undefined && found.uid !== process.getuid()) throw new Error(`${directory} belongs to another user`)
  if ((found.mode & 0o777) !== PRIVATE) chmodSync(directory, PRIVATE)
  accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
  EROFS: 'it is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file is in its place',
  ENOENT: 'it cannot be created',
}

export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  return (code === undefined ? undefined : REASONS[code]) ?? (error instanceof Error ? error.message : String(error))
}
