/** Makes the state directory usable, or says in one sentence why it is not. Nothing in it is ever readable by others. */
import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Paths } from '../../wire/paths.ts'

const PRIVATE = 0o700

export function prepareHome(paths: Paths): Result<Paths> {
  try {
    mkdirSync(paths.home, { recursive: true, mode: PRIVATE })
    for (const directory of [paths.home, paths.logs, paths.runs, paths.sockets])
      ownDirectory(directory, { mayBeLink: directory === paths.home })
    const probe = `${paths.home}/.probe-${process.pid}`
    writeFileSync(probe, '', { mode: 0o600 })
    rmSync(probe, { force: true }) // a daemon that runs already takes it for a leftover
    return done(paths)
  } catch (error) {
    return refused(refusals.homeUnusable(paths.home, systemReason(error)))
  }
}

/**
 * People move their state elsewhere with a link, and that is theirs to do. The sockets may live in a shared temporary
 * directory, where a link could be someone else's.
 */
function ownDirectory(directory: string, { mayBeLink }: { mayBeLink: boolean }): void {
  // Not recursive: on a read-only disk that would complain of a missing directory instead.
  if (!existsSync(directory)) mkdirSync(directory, { mode: PRIVATE })
  const found = mayBeLink ? statSync(directory) : lstatSync(directory)
  if (!found.isDirectory()) throw new Error(`${directory} is not a directory`)
  if (process.getuid !== undefined && found.uid !== process.getuid()) throw new Error(`${directory} belongs to another user`)
  if ((found.mode & 0o777) !== PRIVATE) chmodSync(directory, PRIVATE)
  accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
}
