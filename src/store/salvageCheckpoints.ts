/** Sessions and checkpoints out of a damaged database: those whose seal holds. */
import { isId } from '../base/ids.ts'
import type { Checkpoint, CheckpointTerminal } from '../workspace/checkpoint.ts'
import { insertCheckpoint, loadFrom } from './checkpointRows.ts'
import { screenBytesOf } from './keepCheckpoint.ts'
import { readableRows, take } from './salvageRows.ts'
import type { Database, Row } from './sqlite.ts'

const SESSION_COLUMNS = [
  ...['id', 'created_at', 'last_checkpoint_at', 'ended_at', 'shutdown_clean'],
  ...['recovered_at', 'topology', 'version', 'host_id'],
]

export function copyCheckpoints(source: Database, into: Database): void {
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
export function insertSalvagedCheckpoint(into: Database, checkpoint: Checkpoint): void {
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
