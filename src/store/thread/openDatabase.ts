/** From a path to a connection that can be trusted: private, checked, of the newest schema, durable at every commit. */
import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { explain, failureOf, refusalOf, StoreFailure } from '../failure.ts'
import { ensurePrivateFile } from '../files.ts'
import { LADDER, migrate, type Rung, versionOf } from '../rows/migrations.ts'
import { OVERWRITE_CHEAPLY } from '../rows/transaction.ts'
import { mirrorOf } from '../salvage/mirror.ts'
import {
  asideNameFor,
  moveAside,
  readSalvageOrder,
  removeSalvageOrder,
  type SalvageOrder,
  writeSalvageOrder,
} from '../salvage/moveAside.ts'
import { salvage } from '../salvage/salvage.ts'
import type { Database, Sqlite } from '../sqlite.ts'
import { noTrip, type Trip } from '../trip.ts'

export type Opened = { readonly database: Database; readonly troubles: readonly string[] }
export type Opening = { readonly file: string; readonly now: number; readonly trip?: Trip }

const BUSY_TIMEOUT_MS = 2_000 // another program that only looks (a backup, sqlite3) is done by then
const WAL_LIMIT_BYTES = 8 << 20 // what a burst of snapshots leaves on disk at most

const TABLES = [
  ...['terminals', 'topology', 'snapshots', 'settings', 'devices', 'auth_log'],
  ...['blobs', 'sessions', 'checkpoints', 'checkpoint_terminals', 'audit'],
]

/** FULL syncs at every commit; the two `fullfsync` do the same on macOS, where fsync alone stops at the drive's cache. */
const SETTINGS = `
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = ON;
  PRAGMA checkpoint_fullfsync = ON;
  PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES};
  PRAGMA foreign_keys = ON;
  ${OVERWRITE_CHEAPLY};
  PRAGMA trusted_schema = OFF;
`

export function openDatabase(sqlite: Sqlite, opening: Opening): Result<Opened> {
  const { file, now, trip = noTrip } = opening
  try {
    const interrupted = readSalvageOrder(file)
    if (interrupted !== null) return beginAnew(sqlite, opening, interrupted)
    ensurePrivateFile(file)
    if (peekVersion(sqlite, file) > LADDER.length) return refused(refusals.storeNewer(file))
    return done({ database: connect(sqlite, { file, trip }), troubles: [] })
  } catch (error) {
    const failure = explain(error)
    if (failure.kind !== 'damaged') return refused(refusalOf(file, failure))
    return setAside(sqlite, opening, { aside: asideNameFor(file, now), why: failure.message })
  }
}

function setAside(sqlite: Sqlite, opening: Opening, order: SalvageOrder): Result<Opened> {
  try {
    return beginAnew(sqlite, opening, order)
  } catch (error) {
    return refused(refusalOf(opening.file, explain(error)))
  }
}

/**
 * The order is on disk before anything moves, and what is salvaged comes with the first transaction of the new database:
 * killed anywhere, the next opening continues where this one was.
 */
function beginAnew(sqlite: Sqlite, { file, trip = noTrip }: Opening, order: SalvageOrder): Result<Opened> {
  const { aside, why } = order
  if (!existsSync(aside)) {
    writeSalvageOrder(file, order, trip)
    moveAside(file, aside, trip)
  }
  ensurePrivateFile(file)
  if (peekVersion(sqlite, file) > LADDER.length) return refused(refusals.storeNewer(file))
  let found = 'had been begun'
  const fill = (into: Database): void => {
    found = `was begun with ${salvage(sqlite, { aside, mirror: mirrorOf(file), into, trip })}`
  }
  const database = connect(sqlite, { file, trip, fill })
  removeSalvageOrder(file)
  trip('salvage done')
  const trouble = `${basename(file)} could not be read: ${why}. It was set aside as ${basename(aside)}, and a new one ${found}.`
  return done({ database, troubles: [trouble] })
}

type Connecting = { readonly file: string; readonly trip: Trip; readonly fill?: Rung }

function connect(sqlite: Sqlite, { file, trip, fill }: Connecting): Database {
  const database = sqlite.open(file)
  try {
    database.exec(SETTINGS)
    check(database)
    migrate(database, LADDER, trip, fill)
    for (const table of TABLES) database.get(`SELECT 1 FROM ${table}`)
    return database
  } catch (error) {
    database.close()
    throw hasNoSuchTable(error) ? new StoreFailure(failureOf('damaged', String(error)), { cause: error }) : error
  }
}

/** Finds torn and foreign pages at boot, where something can still be done about them. */
function check(database: Database): void {
  const found = database.get('PRAGMA quick_check(1)')?.['quick_check']
  if (found !== 'ok') throw new StoreFailure(failureOf('damaged', String(found)))
}

const hasNoSuchTable = (error: unknown): boolean =>
  error instanceof Error && /^(no such (table|column)|table \w+ already exists)/.test(error.message)

const HEADER_BYTES = 100
const VERSION_OFFSET = 60
const MAGIC = 'SQLite format 3\0'

/**
 * The schema version, found without changing a byte of what may belong to a newer Holdfast: a writing connection
 * would already play the WAL into the file.
 */
function peekVersion(sqlite: Sqlite, file: string): number {
  if (statSync(file).size === 0) return 0
  const header = readHeader(file)
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new StoreFailure(failureOf('damaged', 'it is not an SQLite database'))
  return sizeOf(`${file}-wal`) === 0 ? header.readUInt32BE(VERSION_OFFSET) : peekThroughWal(sqlite, file)
}

function peekThroughWal(sqlite: Sqlite, file: string): number {
  const shm = `${file}-shm`
  const hadShm = existsSync(shm)
  const database = sqlite.open(file, { readOnly: true })
  try {
    const version = versionOf(database)
    // Only where the file is not opened afterwards: a connection of ours would share the index without its file.
    if (version > LADDER.length && !hadShm) rmSync(shm, { force: true })
    return version
  } finally {
    database.close()
  }
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  const handle = openSync(file, 'r')
  try {
    readSync(handle, header)
  } finally {
    closeSync(handle)
  }
  return header
}

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0
