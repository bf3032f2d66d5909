/** Changes that give something back. Each is a transaction of its own. Runs in the worker. */
import { assertNever } from '../base/assertNever.ts'
import type { CheckpointId, SessionId } from '../base/ids.ts'
import type { Retention } from '../workspace/checkpointRetention.ts'
import { compact, OVERWRITE_ALL } from './compact.ts'
import { checkpointWithout, forgetRows } from './forget.ts'
import { FORGETTING, type ForgetOrder } from './forgetOrder.ts'
import { deleteCheckpoint, keepCheckpoint, pruneCheckpoints } from './keepCheckpoint.ts'
import { keepRestored, type RestoredRows } from './keepRestored.ts'
import { changeMirror, writeMirror } from './mirror.ts'
import { beginSession, endSession, markRecovered, type SessionStart } from './sessionRows.ts'
import type { Database } from './sqlite.ts'
import type { CheckpointDraft, CheckpointOutcome } from './store.ts'
import { transact } from './transaction.ts'
import { noTrip, type Trip } from './trip.ts'
import type { Write } from './writes.ts'

export type Deed =
  | { readonly kind: 'beginSession'; readonly start: SessionStart }
  | { readonly kind: 'endSession'; readonly id: SessionId; readonly at: number; readonly clean: boolean }
  | { readonly kind: 'markRecovered'; readonly id: SessionId; readonly at: number }
  | { readonly kind: 'keepCheckpoint'; readonly id: CheckpointId; readonly draft: CheckpointDraft }
  | { readonly kind: 'deleteCheckpoint'; readonly id: CheckpointId }
  | { readonly kind: 'pruneCheckpoints'; readonly now: number; readonly retention: Retention }
  | { readonly kind: 'keepRestored'; readonly rows: RestoredRows }
  | { readonly kind: 'forget'; readonly order: ForgetOrder }
  /** The last step of forgetting: nothing of what was deleted is left in the file. */
  | { readonly kind: 'compact' }
  /** All of them or none. */
  | { readonly kind: 'keepTogether'; readonly writes: readonly Write[] }

export type Yields = {
  beginSession: null
  endSession: null
  markRecovered: null
  keepCheckpoint: CheckpointOutcome
  deleteCheckpoint: boolean
  pruneCheckpoints: readonly CheckpointId[]
  keepRestored: null
  forget: null
  /** How many bytes the file has lost. */
  compact: number
  keepTogether: null
}

/** `mirror` is the directory beside the database. */
export type Workshop = { readonly database: Database; readonly mirror: string; readonly trip?: Trip }

export function perform({ database, mirror, trip = noTrip }: Workshop, deed: Deed): Yields[Deed['kind']] {
  switch (deed.kind) {
    case 'beginSession':
      return transact(database, () => beginSession(database, deed.start), trip)
    case 'endSession':
      return transact(database, () => endSession(database, deed), trip)
    case 'markRecovered':
      return transact(database, () => markRecovered(database, deed), trip)
    case 'keepCheckpoint':
      return keepWithMirror({ database, mirror, trip }, deed)
    case 'deleteCheckpoint':
      return transact(database, () => deleteCheckpoint(database, deed.id), trip)
    case 'pruneCheckpoints':
      return transact(database, () => pruneCheckpoints(database, deed), trip)
    case 'keepRestored':
      return transact(database, () => keepRestored(database, deed.rows), trip)
    case 'forget':
      return forget({ database, mirror, trip }, deed.order)
    case 'compact':
      return compact(database, { last: () => database.run('DELETE FROM settings WHERE key = ?', FORGETTING), trip })
    case 'keepTogether':
      return transact(database, () => keepRestored(database, { writes: deed.writes, screens: [] }), trip)
  }
  return assertNever(deed)
}

/** The copies first: until the database has forgotten, its order is to be found there. */
function forget({ database, mirror, trip = noTrip }: Workshop, order: ForgetOrder): null {
  trip('forget begun')
  changeMirror(mirror, (checkpoint) => checkpointWithout(checkpoint, order))
  trip('forget mirror changed')
  database.exec(OVERWRITE_ALL)
  return transact(database, () => forgetRows(database, order), trip)
}

function keepWithMirror(
  { database, mirror, trip = noTrip }: Workshop,
  { id, draft }: Extract<Deed, { kind: 'keepCheckpoint' }>,
): CheckpointOutcome {
  const kept = transact(database, () => keepCheckpoint(database, id, draft), trip)
  const outcome = { id: kept.id, isNew: kept.checkpoint !== null, stateHash: kept.stateHash }
  if (kept.checkpoint === null || !kept.checkpoint.knownGood) return { ...outcome, trouble: null }
  try {
    writeMirror(mirror, kept.checkpoint, trip)
    return { ...outcome, trouble: null }
  } catch (error) {
    return { ...outcome, trouble: `The copy of checkpoint ${id} beside the database could not be written: ${String(error)}.` }
  }
}
