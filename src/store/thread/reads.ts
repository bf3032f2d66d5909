/** What can be asked: one row per question, with its rows as plain data. Runs in the worker. */
import { auditOf, authLogOf } from '../rows/auditRows.ts'
import { unpack } from '../rows/blobs.ts'
import { loadCheckpoint, summariesOf } from '../rows/checkpointRows.ts'
import { pastTerminals, tracesOf } from '../rows/forget.ts'
import { checkpointScreen, newestGood } from '../rows/keepCheckpoint.ts'
import { lastCheckpointAt, lastUncleanSession, sessionBefore, sessionsOf } from '../rows/sessionRows.ts'
import type { Database } from '../sqlite.ts'

type RecordRow = { readonly id: string; readonly record: string }
export type ClosedRow = RecordRow & { readonly closed: string }

export const READS = {
  records: (database: Database) =>
    database.all('SELECT id, record FROM terminals WHERE closed IS NULL ORDER BY id') as readonly RecordRow[],
  closed: (database: Database) =>
    database.all('SELECT id, record, closed FROM terminals WHERE closed IS NOT NULL ORDER BY id') as readonly ClosedRow[],
  topology: (database: Database) => textOf(database.get('SELECT body AS text FROM topology')),
  snapshot: snapshotOf,
  devices: (database: Database) => database.all('SELECT id, record FROM devices ORDER BY id') as readonly RecordRow[],
  authLog: authLogOf,
  setting: (database: Database, key: string) => textOf(database.get('SELECT value AS text FROM settings WHERE key = ?', key)),
  sessions: sessionsOf,
  lastUncleanSession,
  sessionBefore,
  checkpoints: summariesOf,
  checkpoint: loadCheckpoint,
  newestGood,
  lastCheckpointAt,
  checkpointScreen,
  audit: auditOf,
  traces: tracesOf,
  pastTerminals,
} as const

export type Reads = typeof READS

const textOf = (row: { readonly [column: string]: unknown } | null): string | null => (row === null ? null : String(row['text']))

function snapshotOf(database: Database, run: string): { readonly seq: number; readonly bytes: Uint8Array } | null {
  const row = database.get('SELECT seq, hash, bytes FROM snapshots JOIN blobs ON hash = blob WHERE run = ?', run)
  if (row === null) return null
  const packed = { hash: String(row['hash']), bytes: row['bytes'] as Uint8Array }
  return { seq: Number(row['seq']), bytes: unpack(packed, `the snapshot of ${run}`) }
}
