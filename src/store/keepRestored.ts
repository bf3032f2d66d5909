/** What a restore sets: called within one transaction, so that there is all of it or nothing. Runs in the worker. */
import type { Database } from './sqlite.ts'
import type { RestoredScreen } from './store.ts'
import { apply, showBlob, type Write } from './writes.ts'

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
