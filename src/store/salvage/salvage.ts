/**
 * src/store/salvage: what can be saved of a damaged database into a new one. Every row is judged before it is taken; what the tables
 * no longer tell about terminals and layout comes from the newest good checkpoint, its own or the copy beside the database
 * (mirror.ts). moveAside.ts keeps the damaged file.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { isId } from '../../base/ids.ts'
import type { Checkpoint, CheckpointTerminal } from '../../workspace/checkpoint/checkpoint.ts'
import { explain } from '../failure.ts'
import { decodeDevice, decodeTopology } from '../record.ts'
import { decompressed, keepBlob, unpack } from '../rows/blobs.ts'
import { insertCheckpoint, loadFrom } from '../rows/checkpointRows.ts'
import { newestGood, screenBytesOf } from '../rows/keepCheckpoint.ts'
import { APPLICATION_ID } from '../rows/migrations.ts'
import type { Database, Row, Sqlite, SqlValue } from '../sqlite.ts'
import type { Trip } from '../trip.ts'
import { readMirror } from './mirror.ts'

type Salvage = { readonly aside: string; readonly mirror: string; readonly into: Database; readonly trip: Trip }

/** Returns what was saved, as the end of a sentence. */
export function salvage(sqlite: Sqlite, { aside, mirror, into, trip }: Salvage): string {
  const source = openDamaged(sqlite, aside)
  const areTerminalsWhole = source === null ? false : copyAll(source, into, trip)
  source?.close()
  trip('salvage copied')
  const found = countsIn(into)
  const best = newestOf(newestGood(into, null).checkpoint, readMirror(mirror).checkpoint)
  const filled = best === null ? 0 : fillFrom(into, best, { areTerminalsWhole })
  trip('salvage filled')
  return sentence(found, filled === 0 ? null : best, filled)
}

const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
const APPLICATION_ID_OFFSET = 68

/** Null when there is nothing of ours to read. Only looked at: the damaged file is evidence. */
function openDamaged(sqlite: Sqlite, file: string): Database | null {
  if (!existsSync(file)) return null
  const header = Buffer.alloc(HEADER_BYTES)
  const handle = openSync(file, 'r')
  readSync(handle, header)
  closeSync(handle)
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC || header.readUInt32BE(APPLICATION_ID_OFFSET) !== APPLICATION_ID) return null
  try {
    return sqlite.open(file, { readOnly: true })
  } catch {
    return null // damaged so badly that it is no database any more
  }
}

/** Says whether the table of terminals could be read to its end. */
function copyAll(source: Database, into: Database, trip: Trip): boolean {
  const terminals = readableRows(source, 'terminals')
  for (const row of terminals.rows)
    if (isTerminal(row)) take(into, { table: 'terminals', row, columns: ['id', 'record', 'touched', 'closed'] })
  trip('salvage terminals')
  for (const row of readableRows(source, 'topology').rows)
    if (decodeTopology(String(row['body'])).ok) take(into, { table: 'topology', row, columns: ['only_row', 'body'] })
  for (const row of readableRows(source, 'devices').rows)
    if (isDevice(row)) take(into, { table: 'devices', row, columns: ['id', 'record'] })
  for (const row of readableRows(source, 'auth_log').rows) take(into, { table: 'auth_log', row, columns: AUTH_LOG_COLUMNS })
  for (const row of readableRows(source, 'settings').rows) take(into, { table: 'settings', row, columns: ['key', 'value'] })
  trip('salvage settings')
  copyScreens(source, into)
  trip('salvage screens')
  copyCheckpoints(source, into)
  for (const row of readableRows(source, 'audit').rows)
    take(into, { table: 'audit', row: withKnownSession(into, row), columns: AUDIT_COLUMNS })
  into.exec(
    'DELETE FROM blobs WHERE hash NOT IN (SELECT blob FROM snapshots) AND hash NOT IN (SELECT screen FROM checkpoint_terminals WHERE screen IS NOT NULL)',
  )
  return terminals.isWhole
}

const AUTH_LOG_COLUMNS = ['at', 'what', 'device', 'details']
const AUDIT_COLUMNS = ['at', 'session', 'terminal', 'what', 'details']

/** A record that cannot be decoded is taken too: the boot knows how to show what is left of such a terminal. */
const isTerminal = ({ id, record }: Row): boolean => typeof id === 'string' && isId('terminal', id) && typeof record === 'string'

/** A device that cannot be decoded could not be revoked by name, so it must log in again. */
const isDevice = ({ id, record }: Row): boolean => decodeDevice(String(id), String(record)).ok

function withKnownSession(into: Database, row: Row): Row {
  const isKnown = into.get('SELECT 1 FROM sessions WHERE id = ?', row['session'] ?? null) !== null
  return isKnown ? row : { ...row, session: null }
}

const newestOf = (a: Checkpoint | null, b: Checkpoint | null): Checkpoint | null => (a !== null && (b === null || a.at >= b.at) ? a : b)

/** A table that was read to its end is complete; only what is missing elsewhere is taken from the checkpoint. */
function fillFrom(into: Database, best: Checkpoint, { areTerminalsWhole }: { readonly areTerminalsWhole: boolean }): number {
  const lacksTopology = into.get('SELECT 1 FROM topology') === null
  if (areTerminalsWhole && !lacksTopology) return 0
  if (lacksTopology) into.run('INSERT INTO topology VALUES (1, ?)', JSON.stringify(best.topology))
  insertSalvagedCheckpoint(into, best)
  const missing = areTerminalsWhole ? [] : best.terminals.filter(({ terminal }) => lacks(into, terminal.id))
  for (const { terminal } of missing)
    into.run('INSERT INTO terminals (id, record, touched) VALUES (?, ?, ?)', terminal.id, JSON.stringify(terminal), terminal.touched)
  return missing.length + Number(lacksTopology)
}

const lacks = (into: Database, id: string): boolean => into.get('SELECT 1 FROM terminals WHERE id = ?', id) === null

type Counts = { readonly terminals: number; readonly screens: number; readonly checkpoints: number; readonly settings: number }

function countsIn(into: Database): Counts {
  const count = (table: string): number => Number(into.get(`SELECT count(*) AS n FROM ${table}`)?.['n'])
  return { terminals: count('terminals'), screens: count('snapshots'), checkpoints: count('checkpoints'), settings: count('settings') }
}

function sentence({ terminals, screens, checkpoints, settings }: Counts, filledFrom: Checkpoint | null, filled: number): string {
  const parts = Object.entries({ terminals, screens, checkpoints, settings }).flatMap(([what, n]) =>
    n === 0 ? [] : [`${n} ${n === 1 ? what.slice(0, -1) : what}`],
  )
  const read = parts.length === 0 ? 'nothing of it' : `what could be read of it (${parts.join(', ')})`
  if (filledFrom === null) return read
  return `${read} and what checkpoint ${filledFrom.id} of ${new Date(filledFrom.at).toISOString()} told (${filledFrom.terminals.length} terminals, ${filled} of these facts were missing)`
}

/** Reads what can still be read of a damaged table, row by row: from its beginning, from its end, then what lies between. */

type ReadableRows = {
  readonly rows: readonly Row[]
  /** False when a part of the table could not be read, so that rows may be missing. */
  readonly isWhole: boolean
}

const MOST_PROBES = 50_000 // single look-ups in a gap; each takes microseconds
const MOST_ERRORS = 1_000 // one after another: a damaged page of 4 KB has a few hundred rows at most, so that all beyond is gone too

function readableRows(source: Database, table: string): ReadableRows {
  if (attempt(() => source.get(`SELECT rowid FROM ${table} LIMIT 0`)) === undefined) return { rows: [], isWhole: false } // no such table
  const forward = walk(source, { table, below: Number.MAX_SAFE_INTEGER, above: 0, direction: 'ASC' })
  if (forward.isWhole) return forward
  const above = lastRow(forward.rows) ?? 0
  const backward = walk(source, { table, below: Number.MAX_SAFE_INTEGER, above, direction: 'DESC' })
  const below = lastRow(backward.rows) ?? above + MOST_PROBES
  const between = probe(source, { table, above, below })
  return { rows: [...forward.rows, ...between, ...backward.rows.toReversed()], isWhole: false }
}

type Range = { readonly table: string; readonly above: number; readonly below: number }

function walk(source: Database, { table, above, below, direction }: Range & { readonly direction: 'ASC' | 'DESC' }): ReadableRows {
  const rows: Row[] = []
  const sql = `SELECT rowid AS salvage_row, * FROM ${table} WHERE rowid > ? AND rowid < ? ORDER BY rowid ${direction} LIMIT 1`
  let [from, to] = [above, below]
  for (;;) {
    const row = attempt(() => source.get(sql, from, to))
    if (row === undefined) return { rows, isWhole: false }
    if (row === null) return { rows, isWhole: true }
    rows.push(row)
    if (direction === 'ASC') from = Number(row['salvage_row'])
    else to = Number(row['salvage_row'])
  }
}

function probe(source: Database, { table, above, below }: Range): readonly Row[] {
  const rows: Row[] = []
  const end = Math.min(below, above + MOST_PROBES)
  let errors = 0
  for (let number = above + 1; number < end && errors < MOST_ERRORS; number += 1) {
    const row = attempt(() => source.get(`SELECT rowid AS salvage_row, * FROM ${table} WHERE rowid = ?`, number))
    errors = row === undefined ? errors + 1 : 0
    if (row !== undefined && row !== null) rows.push(row)
  }
  return rows
}

const lastRow = (rows: readonly Row[]): number | null => (rows.length === 0 ? null : Number(rows.at(-1)?.['salvage_row']))

/** Undefined when the disk's contents make no sense there. */
function attempt(read: () => Row | null): Row | null | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A row that does not fit its table is not a row of ours any more; a disk that fails is another matter. */
function take(
  into: Database,
  { table, row, columns }: { readonly table: string; readonly row: Row; readonly columns: readonly string[] },
): void {
  const values: SqlValue[] = columns.map((column) => row[column] ?? null)
  try {
    into.run(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`, ...values)
  } catch (error) {
    if (explain(error).kind !== 'broken') throw error
  }
}

/** Sessions and checkpoints out of a damaged database: those whose seal holds. */

const SESSION_COLUMNS = [
  ...['id', 'created_at', 'last_checkpoint_at', 'ended_at', 'shutdown_clean'],
  ...['recovered_at', 'topology', 'version', 'host_id'],
]

function copyCheckpoints(source: Database, into: Database): void {
  for (const row of readableRows(source, 'sessions').rows)
    if (isId('session', String(row['id']))) take(into, { table: 'sessions', row, columns: SESSION_COLUMNS })
  const entries = readableRows(source, 'checkpoint_terminals').rows
  for (const header of readableRows(source, 'checkpoints').rows) {
    const own = entries.filter(({ checkpoint }) => checkpoint === header['number'])
    const loaded = loadFrom(header, own.toSorted(byTerminal))
    if (loaded.ok) insertSalvagedCheckpoint(into, loaded.checkpoint)
  }
}

const byTerminal = (a: Row, b: Row): number => (String(a['terminal']) < String(b['terminal']) ? -1 : 1)

/** A screen that was not saved is no part of it any more; a session that was not saved is begun again, with what is known of it. */
function insertSalvagedCheckpoint(into: Database, checkpoint: Checkpoint): void {
  if (into.get('SELECT 1 FROM checkpoints WHERE id = ?', checkpoint.id) !== null) return
  const { session, at } = checkpoint
  into.run(
    `INSERT OR IGNORE INTO sessions (id, created_at, last_checkpoint_at, version, host_id) VALUES (?, ?, ?, '', '')`,
    session,
    at,
    at,
  )
  const terminals = checkpoint.terminals.map((entry) => withKnownScreen(into, entry))
  insertCheckpoint(into, { ...checkpoint, terminals, bytes: screenBytesOf(into, terminals) })
}

function withKnownScreen(into: Database, entry: CheckpointTerminal): CheckpointTerminal {
  const isKnown = entry.screen !== null && into.get('SELECT 1 FROM blobs WHERE hash = ?', entry.screen.hash) !== null
  return isKnown ? entry : { ...entry, screen: null }
}

/** Screens out of a damaged database, of either schema: those whose bytes are still what was kept. */

function copyScreens(source: Database, into: Database): void {
  for (const row of readableRows(source, 'blobs').rows) copyBlob(into, row)
  for (const row of readableRows(source, 'snapshots').rows) {
    const blob = 'bytes' in row ? blobOf(into, row) : knownBlob(into, row)
    if (blob !== null && isSnapshot(into, row))
      into.run('INSERT OR IGNORE INTO snapshots VALUES (?, ?, ?, ?)', row['run'] ?? null, row['terminal'] ?? null, row['seq'] ?? null, blob)
  }
}

const isSnapshot = (into: Database, { run, terminal, seq }: Row): boolean =>
  isId('run', String(run)) && typeof seq === 'number' && into.get('SELECT 1 FROM terminals WHERE id = ?', terminal ?? null) !== null

function copyBlob(into: Database, { hash, bytes }: Row): void {
  const unpacked = bytes instanceof Uint8Array ? soundBytes(() => unpack({ hash: String(hash), bytes }, 'a screen')) : null
  if (unpacked !== null) into.run('INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)', String(hash), unpacked.length, bytes as Uint8Array)
}

const knownBlob = (into: Database, { blob }: Row): string | null =>
  into.get('SELECT 1 FROM blobs WHERE hash = ?', blob ?? null) === null ? null : String(blob)

/** Schema 1 had the bytes in the row itself. */
function blobOf(into: Database, { bytes }: Row): string | null {
  const unpacked = bytes instanceof Uint8Array ? soundBytes(() => decompressed(bytes, 'a screen')) : null
  return unpacked === null ? null : keepBlob(into, unpacked)
}

/** Null for bytes that are not what was kept: a screen less. */
function soundBytes(read: () => Uint8Array): Uint8Array | null {
  try {
    return read()
  } catch {
    return null
  }
}
