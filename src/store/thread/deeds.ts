/** Changes that give something back, one row each. Each is a transaction of its own. Runs in the worker. */
import type { CheckpointId } from '../../base/ids.ts'
import { FORGETTING, type ForgetOrder } from '../forgetOrder.ts'
import { checkpointWithout, forgetRows } from '../rows/forget.ts'
import { deleteCheckpoint, keepCheckpoint, pruneCheckpoints } from '../rows/keepCheckpoint.ts'
import { beginSession, endSession, markRecovered } from '../rows/sessionRows.ts'
import { compact, OVERWRITE_ALL, transact } from '../rows/transaction.ts'
import { changeMirror, writeMirror } from '../salvage/mirror.ts'
import type { Database } from '../sqlite.ts'
import type { CheckpointDraft, CheckpointOutcome } from '../store.ts'
import { noTrip, type Trip } from '../trip.ts'
import { keepRestored } from './writes.ts'

/** `mirror` is the directory beside the database. */
export type Workshop = { readonly database: Database; readonly mirror: string; readonly trip?: Trip }

export const DEEDS = {
  beginSession: inTransaction(beginSession),
  endSession: inTransaction(endSession),
  markRecovered: inTransaction(markRecovered),
  keepCheckpoint: keepWithMirror,
  deleteCheckpoint: inTransaction(deleteCheckpoint),
  pruneCheckpoints: inTransaction(pruneCheckpoints),
  keepRestored: inTransaction(keepRestored),
  forget,
  /** The last step of forgetting: nothing of what was deleted is left in the file. Gives how many bytes the file has lost. */
  compact: ({ database, trip = noTrip }: Workshop) =>
    compact(database, { last: () => database.run('DELETE FROM settings WHERE key = ?', FORGETTING), trip }),
} as const

export type Deeds = typeof DEEDS

function inTransaction<Given extends unknown[], Yield>(deed: (database: Database, ...given: Given) => Yield) {
  return ({ database, trip = noTrip }: Workshop, ...given: Given): Yield => transact(database, () => deed(database, ...given), trip)
}

/** The copies first: until the database has forgotten, its order is to be found there. */
function forget({ database, mirror, trip = noTrip }: Workshop, order: ForgetOrder): null {
  trip('forget begun')
  changeMirror(mirror, (checkpoint) => checkpointWithout(checkpoint, order))
  trip('forget mirror changed')
  database.exec(OVERWRITE_ALL)
  return transact(database, () => forgetRows(database, order), trip)
}

function keepWithMirror({ database, mirror, trip = noTrip }: Workshop, id: CheckpointId, draft: CheckpointDraft): CheckpointOutcome {
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
