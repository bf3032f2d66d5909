/**
 * One instance per state directory. The lock is an open exclusive transaction on an empty SQLite file, that is, a file
 * lock of the kernel: two can never get it at once, and kill -9 gives it back.
 *
 * The kernel drops such a lock when the process closes any handle of the file: never open it by other means.
 */

import { truncateSync } from 'node:fs'
import { resolve } from 'node:path'
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import { explain, refusalOf } from './failure.ts'
import { ensurePrivateFile } from './files.ts'
import { type Database, loadSqlite, type Sqlite } from './sqlite.ts'

export type Lock = { release(): void }

/** Also keeps the connections from being collected, which would end them. */
const heldHere = new Map<string, Database>()

/** Does not wait: refuses with `lock-held` when anyone else has it. */
export async function acquireLock(path: string): Promise<Result<Lock>> {
  const file = resolve(path)
  const sqlite = await loadSqlite()
  if (heldHere.has(file)) return refused(refusals.lockHeld(file))
  try {
    ensurePrivateFile(file)
    const database = lockOrMend(sqlite, file)
    heldHere.set(file, database)
    return done({ release: () => release(file, database) })
  } catch (error) {
    const failure = explain(error)
    return refused(failure.kind === 'held' ? refusals.lockHeld(file) : refusalOf(file, failure))
  }
}

function release(file: string, database: Database): void {
  if (heldHere.get(file) !== database) return
  heldHere.delete(file)
  database.close()
}

function lockOrMend(sqlite: Sqlite, file: string): Database {
  try {
    return lock(sqlite, file)
  } catch (error) {
    if (explain(error).kind !== 'damaged') throw error
    truncateSync(file) // another program wrote into it; the file never holds anything of ours
    return lock(sqlite, file)
  }
}

function lock(sqlite: Sqlite, file: string): Database {
  const database = sqlite.open(file)
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
