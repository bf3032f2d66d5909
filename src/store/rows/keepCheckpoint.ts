/** From a draft to a checkpoint: finds the screens, decides whether anything has changed, writes it whole. Runs in the worker. */
import type { CheckpointId, TerminalId } from '../../base/ids.ts'
import {
  type Checkpoint,
  type CheckpointSummary,
  type CheckpointTerminal,
  type ScreenRef,
  shownRun,
  stateHashOf,
} from '../../workspace/checkpoint/checkpoint.ts'
import { checkpointsToDrop, type Retention } from '../../workspace/checkpoint/checkpointRetention.ts'
import { blake3 } from '../blake3.ts'
import type { Database } from '../sqlite.ts'
import type { CheckpointDraft, DraftTerminal, KeptSnapshot, NewestGood } from '../store.ts'
import { keepBlob, unpack } from './blobs.ts'
import { insertCheckpoint, loadCheckpoint, summariesOf } from './checkpointRows.ts'

export type KeptCheckpoint = { readonly id: CheckpointId; readonly stateHash: string; readonly checkpoint: Checkpoint | null }

/** `checkpoint` is null when the newest one says the same already. */
export function keepCheckpoint(database: Database, id: CheckpointId, draft: CheckpointDraft): KeptCheckpoint {
  const terminals = draft.terminals.map((entry) => withScreen(database, entry))
  const stateHash = stateHashOf({ topology: draft.topology, terminals }, blake3)
  const newest = database.get('SELECT id, state_hash FROM checkpoints ORDER BY number DESC LIMIT 1')
  if (newest?.['state_hash'] === stateHash && (draft.kind === 'periodic' || draft.kind === 'event'))
    return { id: String(newest['id']) as CheckpointId, stateHash, checkpoint: null }
  const { whole, session, at, kind, note, topology } = draft
  const bytes = screenBytesOf(database, terminals)
  const knownGood = whole && terminals.length > 0
  const checkpoint = insertCheckpoint(database, { id, session, at, kind, note, topology, terminals, stateHash, knownGood, bytes })
  database.run('UPDATE sessions SET last_checkpoint_at = ?, topology = ? WHERE id = ?', at, JSON.stringify(topology), session)
  return { id, stateHash, checkpoint }
}

/** Field by field: an unknown field would make the copy unreadable. */
function withScreen(database: Database, { screen, terminal, cwd, agent, env }: DraftTerminal): CheckpointTerminal {
  const entry = { terminal, cwd, agent, env }
  if (screen === null) return { ...entry, screen: null }
  if (screen === undefined) return { ...entry, screen: keptScreenOf(database, entry) }
  return { ...entry, screen: { run: screen.run, seq: screen.seq, hash: keepBlob(database, screen.bytes) } }
}

/** A blob that could not be unpacked is no picture of anything. */
function keptScreenOf(database: Database, { terminal }: Pick<CheckpointTerminal, 'terminal'>): ScreenRef | null {
  const run = shownRun(terminal)
  const row = run === null ? null : database.get('SELECT seq, blob FROM snapshots WHERE run = ?', run)
  const hash = String(row?.['blob'])
  return run === null || row === null || hash.startsWith('damaged') ? null : { run, seq: Number(row['seq']), hash }
}

export function screenBytesOf(database: Database, terminals: readonly CheckpointTerminal[]): number {
  const hashes = new Set(terminals.flatMap(({ screen }) => (screen === null ? [] : [screen.hash])))
  return [...hashes].reduce((sum, hash) => sum + Number(database.get('SELECT size FROM blobs WHERE hash = ?', hash)?.['size'] ?? 0), 0)
}

export function deleteCheckpoint(database: Database, id: CheckpointId): boolean {
  const existed = database.get('SELECT 1 FROM checkpoints WHERE id = ?', id) !== null
  if (existed) database.run('DELETE FROM checkpoints WHERE id = ?', id)
  return existed
}

export function pruneCheckpoints(
  database: Database,
  { now, retention }: { readonly now: number; readonly retention: Retention },
): readonly CheckpointId[] {
  const dropped = checkpointsToDrop(summariesOf(database), { now, retention })
  for (const id of dropped) deleteCheckpoint(database, id)
  return dropped
}

/** Reports what it had to pass over. */
export function newestGood(database: Database, session: string | null): Pick<NewestGood, 'checkpoint' | 'damaged'> {
  const candidates = summariesOf(database).filter((summary) => isCandidate(summary, session))
  const damaged: { id: CheckpointId; why: string }[] = []
  for (const { id } of candidates) {
    const loaded = loadCheckpoint(database, id)
    if (loaded?.ok) return { checkpoint: loaded.checkpoint, damaged }
    damaged.push({ id, why: loaded?.why ?? 'it is gone' })
  }
  return { checkpoint: null, damaged }
}

const isCandidate = (summary: CheckpointSummary, session: string | null): boolean =>
  summary.knownGood && (session === null || summary.session === session)

export function checkpointScreen(database: Database, id: CheckpointId, terminal: TerminalId): KeptSnapshot | null {
  const row = database.get(
    `SELECT run, seq, hash, blobs.bytes AS bytes FROM checkpoint_terminals
       JOIN checkpoints ON number = checkpoint JOIN blobs ON hash = screen WHERE checkpoints.id = ? AND terminal = ?`,
    id,
    terminal,
  )
  if (row === null) return null
  const packed = { hash: String(row['hash']), bytes: row['bytes'] as Uint8Array }
  return { run: row['run'] as KeptSnapshot['run'], seq: Number(row['seq']), bytes: unpack(packed, `the screen of ${terminal} in ${id}`) }
}
