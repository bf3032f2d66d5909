/** What can be asked, and its rows as plain data. Runs in the worker. */
import { assertNever } from '../base/assertNever.ts'
import type { CheckpointId, SessionId, TerminalId } from '../base/ids.ts'
import type { AuthLogEntry } from '../wire/deviceView.ts'
import type { CheckpointSummary } from '../workspace/checkpoint.ts'
import { type AuditQuestion, auditOf } from './auditRows.ts'
import { authLogOf } from './authLogRows.ts'
import { unpack } from './blobs.ts'
import { loadCheckpoint, summariesOf } from './checkpointRows.ts'
import { type PastTerminal, pastTerminals, type Traces, tracesOf } from './forget.ts'
import type { ForgetOrder } from './forgetOrder.ts'
import { checkpointScreen, newestGood } from './keepCheckpoint.ts'
import { lastCheckpointAt, lastUncleanSession, sessionBefore, sessionsOf } from './sessionRows.ts'
import type { Database } from './sqlite.ts'
import type { AuditEntry, KeptSnapshot, LoadedCheckpoint, NewestGood, Session } from './store.ts'

export type RecordRow = { readonly id: string; readonly record: string }
export type ClosedRow = RecordRow & { readonly closed: string }
export type SnapshotRow = { readonly seq: number; readonly bytes: Uint8Array }

export type Answers = {
  records: readonly RecordRow[]
  closed: readonly ClosedRow[]
  topology: string | null
  snapshot: SnapshotRow | null
  devices: readonly RecordRow[]
  authLog: readonly AuthLogEntry[]
  setting: string | null
  sessions: readonly Session[]
  lastUncleanSession: Session | null
  sessionBefore: Session | null
  checkpoints: readonly CheckpointSummary[]
  checkpoint: LoadedCheckpoint | null
  newestGood: Pick<NewestGood, 'checkpoint' | 'damaged'>
  lastCheckpointAt: number | null
  checkpointScreen: KeptSnapshot | null
  audit: readonly AuditEntry[]
  traces: Traces
  pastTerminals: readonly PastTerminal[]
}

export type Question =
  | { readonly kind: 'records' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'topology' }
  | { readonly kind: 'snapshot'; readonly run: string }
  | { readonly kind: 'devices' }
  | { readonly kind: 'authLog'; readonly limit: number }
  | { readonly kind: 'setting'; readonly key: string }
  | { readonly kind: 'sessions' }
  | { readonly kind: 'lastUncleanSession'; readonly current: SessionId | null }
  | { readonly kind: 'sessionBefore'; readonly current: SessionId | null }
  | { readonly kind: 'checkpoints' }
  | { readonly kind: 'checkpoint'; readonly id: CheckpointId }
  | { readonly kind: 'newestGood'; readonly session: SessionId | null }
  | { readonly kind: 'lastCheckpointAt' }
  | { readonly kind: 'checkpointScreen'; readonly id: CheckpointId; readonly terminal: TerminalId }
  | { readonly kind: 'audit'; readonly of: AuditQuestion }
  | { readonly kind: 'traces'; readonly order: ForgetOrder }
  | { readonly kind: 'pastTerminals' }

export function answer(database: Database, question: Question): Answers[Question['kind']] {
  switch (question.kind) {
    case 'records':
      return database.all('SELECT id, record FROM terminals WHERE closed IS NULL ORDER BY id') as readonly RecordRow[]
    case 'closed':
      return database.all('SELECT id, record, closed FROM terminals WHERE closed IS NOT NULL ORDER BY id') as readonly ClosedRow[]
    case 'topology':
      return textOf(database.get('SELECT body AS text FROM topology'))
    case 'snapshot':
      return snapshotOf(database, question.run)
    case 'devices':
      return database.all('SELECT id, record FROM devices ORDER BY id') as readonly RecordRow[]
    case 'authLog':
      return authLogOf(database, question.limit)
    case 'setting':
      return textOf(database.get('SELECT value AS text FROM settings WHERE key = ?', question.key))
    case 'sessions':
      return sessionsOf(database)
    case 'lastUncleanSession':
      return lastUncleanSession(database, question.current)
    case 'sessionBefore':
      return sessionBefore(database, question.current)
    case 'checkpoints':
      return summariesOf(database)
    case 'checkpoint':
      return loadCheckpoint(database, question.id)
    case 'newestGood':
      return newestGood(database, question.session)
    case 'lastCheckpointAt':
      return lastCheckpointAt(database)
    case 'checkpointScreen':
      return checkpointScreen(database, question.id, question.terminal)
    case 'audit':
      return auditOf(database, question.of)
    case 'traces':
      return tracesOf(database, question.order)
    case 'pastTerminals':
      return pastTerminals(database)
  }
  return assertNever(question)
}

const textOf = (row: { readonly [column: string]: unknown } | null): string | null => (row === null ? null : String(row['text']))

function snapshotOf(database: Database, run: string): SnapshotRow | null {
  const row = database.get('SELECT seq, hash, bytes FROM snapshots JOIN blobs ON hash = blob WHERE run = ?', run)
  if (row === null) return null
  const packed = { hash: String(row['hash']), bytes: row['bytes'] as Uint8Array }
  return { seq: Number(row['seq']), bytes: unpack(packed, `the snapshot of ${run}`) }
}
