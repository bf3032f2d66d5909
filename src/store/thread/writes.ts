/** What can be written, and how a batch of it becomes one transaction. Runs in the worker. */
import { assertNever } from '../../base/assertNever.ts'
import type { AuthLogEntry } from '../../wire/deviceView.ts'
import { explain, type Failure } from '../failure.ts'
import { type AuditRow, appendAudit, appendAuthLog } from '../rows/auditRows.ts'
import { keepBlob } from '../rows/blobs.ts'
import { transact } from '../rows/transaction.ts'
import type { Database } from '../sqlite.ts'
import type { RestoredScreen } from '../store.ts'
import { noTrip, type Trip } from '../trip.ts'

/** Plain data: it crosses into the worker, with records already as JSON. */
export type Write =
  | { readonly kind: 'terminal'; readonly id: string; readonly record: string; readonly touched: number }
  /** As `terminal`, and a closed terminal is reopened. */
  | { readonly kind: 'bringBack'; readonly id: string; readonly record: string; readonly touched: number }
  | { readonly kind: 'closeTerminal'; readonly id: string; readonly record: string; readonly touched: number; readonly closed: string }
  | { readonly kind: 'forgetTerminal'; readonly id: string }
  | { readonly kind: 'topology'; readonly body: string }
  | { readonly kind: 'setTopologyAside'; readonly key: string }
  | {
      readonly kind: 'snapshot'
      readonly run: string
      readonly terminal: string
      readonly seq: number
      readonly bytes: Uint8Array<ArrayBuffer>
    }
  | { readonly kind: 'device'; readonly id: string; readonly record: string }
  | { readonly kind: 'forgetDevice'; readonly id: string }
  /** `number` tells entries of one store apart. */
  | { readonly kind: 'authLog'; readonly number: number; readonly entry: AuthLogEntry }
  | { readonly kind: 'setting'; readonly key: string; readonly value: string }
  /** `number` tells entries of one store apart; every one is written. */
  | { readonly kind: 'audit'; readonly number: number; readonly row: AuditRow }

/** One outcome per write, null for done. A write that cannot be kept costs itself, never those that were asked for with it. */
export function commit(database: Database, writes: readonly Write[], trip: Trip = noTrip): readonly (Failure | null)[] {
  const failure = attempt(database, writes, trip)
  if (failure === null || writes.length === 1) return writes.map(() => failure)
  return writes.map((write) => attempt(database, [write], trip))
}

function attempt(database: Database, writes: readonly Write[], trip: Trip): Failure | null {
  try {
    transact(
      database,
      () => {
        for (const write of writes) apply(database, write)
      },
      trip,
    )
    return null
  } catch (error) {
    return explain(error)
  }
}

/** Within a transaction of the caller's. */
function apply(database: Database, write: Write): void {
  switch (write.kind) {
    case 'terminal':
      // Not REPLACE: that deletes the old row, and with it the terminal's snapshots.
      // What was closed stays closed, however late a write of before comes.
      return keepRecord(database, write, 'record = excluded.record, touched = excluded.touched WHERE closed IS NULL')
    case 'bringBack':
      return keepRecord(database, write, 'record = excluded.record, touched = excluded.touched, closed = NULL')
    case 'closeTerminal':
      keepRecord(database, write, 'record = excluded.record, touched = excluded.touched')
      return database.run('UPDATE terminals SET closed = ? WHERE id = ?', write.closed, write.id)
    case 'forgetTerminal':
      return database.run('DELETE FROM terminals WHERE id = ?', write.id)
    case 'topology':
      return database.run('INSERT INTO topology VALUES (1, ?) ON CONFLICT (only_row) DO UPDATE SET body = excluded.body', write.body)
    case 'setTopologyAside':
      database.run('INSERT OR IGNORE INTO settings SELECT ?, body FROM topology', write.key)
      return database.run('DELETE FROM topology')
    case 'snapshot':
      return keepSnapshot(database, write)
    case 'device':
      return database.run('INSERT OR REPLACE INTO devices VALUES (?, ?)', write.id, write.record)
    case 'forgetDevice':
      return database.run('DELETE FROM devices WHERE id = ?', write.id)
    case 'authLog':
      return appendAuthLog(database, write.entry)
    case 'setting':
      return database.run('INSERT OR REPLACE INTO settings VALUES (?, ?)', write.key, write.value)
    case 'audit':
      return appendAudit(database, write.row)
  }
  return assertNever(write)
}

type RecordWrite = { readonly id: string; readonly record: string; readonly touched: number }

function keepRecord(database: Database, { id, record, touched }: RecordWrite, onConflict: string): void {
  database.run(
    `INSERT INTO terminals (id, record, touched) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET ${onConflict}`,
    ...[id, record, touched],
  )
}

/** A snapshot that arrives after its terminal was forgotten is dropped, as if it had come just before. */
function keepSnapshot(database: Database, { run, terminal, seq, bytes }: Extract<Write, { kind: 'snapshot' }>): void {
  if (database.get('SELECT 1 FROM terminals WHERE id = ?', terminal) === null) return
  showBlob(database, { run, terminal, seq }, keepBlob(database, bytes))
  // The run before the newest is what a failed start shows again, and what the record names is shown, however many failed since.
  database.run(
    `DELETE FROM snapshots WHERE terminal = ?1
     AND run NOT IN (SELECT run FROM snapshots WHERE terminal = ?1 ORDER BY rowid DESC LIMIT 2)
     AND NOT EXISTS (
       SELECT 1 FROM terminals WHERE id = ?1 AND json_valid(record) AND run IN (record ->> 'lastRun', record ->> 'previousRun')
     )`,
    terminal,
  )
}

/** From now on the blob is the run's snapshot. */
function showBlob(
  database: Database,
  { run, terminal, seq }: { readonly run: string; readonly terminal: string; readonly seq: number },
  blob: string,
): void {
  database.run(
    `INSERT INTO snapshots VALUES (?, ?, ?, ?)
     ON CONFLICT (run) DO UPDATE SET terminal = excluded.terminal, seq = excluded.seq, blob = excluded.blob`,
    run,
    terminal,
    seq,
    blob,
  )
}

/** What a restore sets: called within one transaction, so that there is all of it or nothing. Runs in the worker. */

export type RestoredRows = { readonly writes: readonly Write[]; readonly screens: readonly RestoredScreen[] }

export function keepRestored(database: Database, { writes, screens }: RestoredRows): null {
  for (const write of writes) apply(database, write)
  for (const screen of screens) showScreen(database, screen)
  return null
}

/** The checkpoint's own bytes are shared, not copied. Where they are gone (a copy without screens), the log has to do. */
function showScreen(database: Database, { terminal, run, seq, hash }: RestoredScreen): void {
  if (database.get('SELECT 1 FROM blobs WHERE hash = ?', hash) !== null) showBlob(database, { terminal, run, seq }, hash)
}
