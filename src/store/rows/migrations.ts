/**
 * src/store/rows: the tables of the database, each with its SQL. Called within the worker thread, with a database and plain values.
 * This file is the ladder from an empty file to the newest schema. A rung is never edited once it has shipped: add the next one, and
 * freeze a database of the version before it in test/fixtures/databases.
 */
import { StoreFailure } from '../failure.ts'
import type { Database } from '../sqlite.ts'
import { noTrip, type Trip } from '../trip.ts'
import { version2 } from './schema2.ts'

export type Rung = (database: Database) => void

/** "HLDF": marks a database as ours. */
export const APPLICATION_ID = 0x484c4446

const version1: Rung = (database) =>
  database.exec(`
    PRAGMA application_id = ${APPLICATION_ID};
    CREATE TABLE terminals (id TEXT PRIMARY KEY, record TEXT NOT NULL, touched REAL NOT NULL) STRICT;
    CREATE TABLE topology (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), body TEXT NOT NULL) STRICT;
    CREATE TABLE snapshots (
      run TEXT PRIMARY KEY,
      terminal TEXT NOT NULL REFERENCES terminals (id) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      bytes BLOB NOT NULL -- brotli
    ) STRICT;
    CREATE INDEX snapshots_of_terminal ON snapshots (terminal);
    CREATE TABLE web_sessions (hash TEXT PRIMARY KEY, created REAL NOT NULL, expires REAL NOT NULL, label TEXT NOT NULL) STRICT;
    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `)

/** What is needed to reopen a closed terminal; null for a terminal that is not closed. */
const version3: Rung = (database) => database.exec('ALTER TABLE terminals ADD COLUMN closed TEXT')

/** Browsers prove themselves with a key; the cookies of before open nothing any more, so nothing of them stays. */
const version4: Rung = (database) =>
  database.exec(`
    DROP TABLE web_sessions;
    CREATE TABLE devices (id TEXT PRIMARY KEY, record TEXT NOT NULL) STRICT;
    CREATE TABLE auth_log (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      at REAL NOT NULL,
      what TEXT NOT NULL,
      device TEXT,
      details TEXT NOT NULL
    ) STRICT;
  `)

export const LADDER: readonly Rung[] = [version1, version2, version3, version4]

/**
 * Climbs what is missing in one transaction: after a power cut the file has its old version or the newest, none between.
 * What `fill` puts into the newest schema is part of it.
 */
export function migrate(database: Database, ladder: readonly Rung[] = LADDER, trip: Trip = noTrip, fill: Rung = () => undefined): void {
  const version = versionOf(database)
  if (version > 0 && pragma(database, 'application_id') !== APPLICATION_ID) {
    throw new StoreFailure({ kind: 'damaged', message: 'it belongs to another program' })
  }
  if (version >= ladder.length) return
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const [index, rung] of ladder.entries()) {
      if (index < version) continue
      rung(database)
      trip(`rung ${index + 1}`)
    }
    fill(database)
    trip('filled')
    database.exec(`PRAGMA user_version = ${ladder.length}; COMMIT`)
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
  trip('migrated')
}

export const versionOf = (database: Database): number => pragma(database, 'user_version')

const pragma = (database: Database, name: 'user_version' | 'application_id'): number => Number(database.get(`PRAGMA ${name}`)?.[name] ?? 0)
