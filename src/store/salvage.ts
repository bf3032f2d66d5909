/**
 * What can be saved of a damaged database into a new one. Every row is judged before it is taken; what its tables no
 * longer tell about terminals and layout comes from the newest good checkpoint, its own or the copy beside it.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { isId } from '../base/ids.ts'
import type { Checkpoint } from '../workspace/checkpoint.ts'
import { newestGood } from './keepCheckpoint.ts'
import { APPLICATION_ID } from './migrations.ts'
import { readMirror } from './mirror.ts'
import { decodeDevice, decodeTopology } from './record.ts'
import { copyCheckpoints, insertSalvagedCheckpoint } from './salvageCheckpoints.ts'
import { readableRows, take } from './salvageRows.ts'
import { copyScreens } from './salvageScreens.ts'
import type { Database, Row, Sqlite } from './sqlite.ts'
import type { Trip } from './trip.ts'

export type Salvage = { readonly aside: string; readonly mirror: string; readonly into: Database; readonly trip: Trip }

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

/** One that cannot be decoded could not be revoked by name: it must log in again. */
const isDevice = ({ id, record }: Row): boolean => decodeDevice(String(id), String(record)).ok

function withKnownSession(into: Database, row: Row): Row {
  const isKnown = into.get('SELECT 1 FROM sessions WHERE id = ?', row['session'] ?? null) !== null
  return isKnown ? row : { ...row, session: null }
}

const newestOf = (a: Checkpoint | null, b: Checkpoint | null): Checkpoint | null => (a !== null && (b === null || a.at >= b.at) ? a : b)

/** A table that was read to its end says who is there; only what it could not say is taken from the checkpoint. */
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
