/** What a restore sets, as rows: called within one transaction, so that there is all of it or nothing. Runs in the worker. */
import { type AuditRow, appendAudit } from './auditRows.ts'
import type { Database } from './sqlite.ts'
import type { RestoredScreen } from './store.ts'

export type RestoredRows = {
  readonly terminals: readonly { readonly id: string; readonly record: string; readonly touched: number }[]
  readonly forgotten: readonly string[]
  readonly topology: string
  readonly screens: readonly RestoredScreen[]
  readonly audit: readonly AuditRow[]
}

export function keepRestored(database: Database, { terminals, forgotten, topology, screens, audit }: RestoredRows): null {
  for (const id of forgotten) database.run('DELETE FROM terminals WHERE id = ?', id)
  for (const { id, record, touched } of terminals)
    database.run(
      'INSERT INTO terminals VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record, touched = excluded.touched',
      id,
      record,
      touched,
    )
  database.run('INSERT INTO topology VALUES (1, ?) ON CONFLICT (only_row) DO UPDATE SET body = excluded.body', topology)
  for (const screen of screens) showScreen(database, screen)
  for (const row of audit) appendAudit(database, row)
  return null
}

/** The checkpoint's own bytes are shared, not copied. Where they are gone (a copy without screens), the log has to do. */
function showScreen(database: Database, { terminal, run, seq, hash }: RestoredScreen): void {
  if (database.get('SELECT 1 FROM blobs WHERE hash = ?', hash) === null) return
  database.run(
    `INSERT INTO snapshots VALUES (?, ?, ?, ?)
     ON CONFLICT (run) DO UPDATE SET terminal = excluded.terminal, seq = excluded.seq, blob = excluded.blob`,
    run,
    terminal,
    seq,
    hash,
  )
}
