/** What can be asked, and its rows as plain data. Runs in the worker. */
import { brotliDecompressSync } from 'node:zlib'
import { assertNever } from '../base/assertNever.ts'
import { failureOf, StoreFailure } from './failure.ts'
import type { Database } from './sqlite.ts'
import type { WebSession } from './store.ts'

export type RecordRow = { readonly id: string; readonly record: string }
export type SnapshotRow = { readonly seq: number; readonly bytes: Uint8Array }

export type Answers = {
  records: readonly RecordRow[]
  topology: string | null
  snapshot: SnapshotRow | null
  webSessions: readonly WebSession[]
  setting: string | null
}

export type Question =
  | { readonly kind: 'records' }
  | { readonly kind: 'topology' }
  | { readonly kind: 'snapshot'; readonly run: string }
  | { readonly kind: 'webSessions' }
  | { readonly kind: 'setting'; readonly key: string }

export function answer(database: Database, question: Question): Answers[Question['kind']] {
  switch (question.kind) {
    case 'records':
      return database.all('SELECT id, record FROM terminals ORDER BY id') as readonly RecordRow[]
    case 'topology':
      return textOf(database.get('SELECT body AS text FROM topology'))
    case 'snapshot':
      return snapshotOf(database, question.run)
    case 'webSessions':
      return database.all('SELECT hash, created, expires, label FROM web_sessions ORDER BY created, hash') as readonly WebSession[]
    case 'setting':
      return textOf(database.get('SELECT value AS text FROM settings WHERE key = ?', question.key))
  }
  return assertNever(question)
}

const textOf = (row: { readonly [column: string]: unknown } | null): string | null => (row === null ? null : String(row['text']))

function snapshotOf(database: Database, run: string): SnapshotRow | null {
  const row = database.get('SELECT seq, bytes FROM snapshots WHERE run = ?', run)
  if (row === null) return null
  try {
    return { seq: Number(row['seq']), bytes: brotliDecompressSync(row['bytes'] as Uint8Array) }
  } catch (cause) {
    throw new StoreFailure(failureOf('damaged', `the snapshot of ${run} cannot be unpacked: ${String(cause)}`), { cause })
  }
}
