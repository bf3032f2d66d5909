/** All of a change or nothing of it. */

import { failureOf, StoreFailure } from '../failure.ts'
import type { Database } from '../sqlite.ts'
import { noTrip, type Trip } from '../trip.ts'

export function transact<Value>(database: Database, change: () => Value, trip: Trip = noTrip): Value {
  try {
    database.exec('BEGIN IMMEDIATE')
    trip('begun')
    const value = change()
    trip('applied')
    database.exec('COMMIT')
    trip('committed')
    return value
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite has rolled back by itself, as it does when the disk is full, or the transaction never began.
  }
}

/** Rewrites a database so that nothing of what was deleted is left in its file or in its WAL. */

/** Overwrites what is deleted from now on, also where that costs writes of its own. */
export const OVERWRITE_ALL = 'PRAGMA secure_delete = ON'
/** As long as that costs no write of its own: what is freed in a page that is written anyway is overwritten. */
export const OVERWRITE_CHEAPLY = 'PRAGMA secure_delete = FAST'

/** Returns how many bytes the file has lost. `last` is done when the rest is: what it deletes is gone, too. */
export function compact(database: Database, { last, trip = noTrip }: { readonly last?: () => void; readonly trip?: Trip } = {}): number {
  const before = bytesOf(database)
  database.exec(OVERWRITE_ALL)
  try {
    emptyWal(database)
    trip('compact begun')
    database.exec('VACUUM')
    trip('compact vacuumed')
    emptyWal(database)
    trip('compact written')
    last?.()
    emptyWal(database)
    return Math.max(0, before - bytesOf(database))
  } finally {
    database.exec(OVERWRITE_CHEAPLY)
  }
}

/** Old pages stay in the WAL for as long as another program reads the file. */
function emptyWal(database: Database): void {
  const isBusy = database.get('PRAGMA wal_checkpoint(TRUNCATE)')?.['busy'] !== 0
  if (isBusy) throw new StoreFailure(failureOf('held', 'another program is reading it'))
}

function bytesOf(database: Database): number {
  const pragma = (name: 'page_count' | 'page_size'): number => Number(database.get(`PRAGMA ${name}`)?.[name] ?? 0)
  return pragma('page_count') * pragma('page_size')
}
