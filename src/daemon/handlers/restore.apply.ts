import { restoreNote } from '../../workspace/restoreNote.ts'
import type { Handler } from '../connection.ts'
import { checkpointFor } from '../findCheckpoint.ts'
import { restore } from '../restore.ts'
import { planFor, planView } from '../restorePlan.ts'

export const applyRestore: Handler<'restore.apply'> = async (daemon, { checkpoint: ref, only }) => {
  const checkpoint = await checkpointFor(daemon, ref)
  if (!checkpoint.ok) return checkpoint
  const planned = () => planFor(daemon, { checkpoint: checkpoint.value, only })
  const restored = await restore(daemon, {
    ...{ what: 'restore', checkpoint: checkpoint.value, prepare: planned, plan: planned },
    note: restoreNote(checkpoint.value.id),
  })
  if (!restored.ok) return restored
  const { plan, undo } = restored.value
  return { ok: true, result: { plan: planView(plan, daemon), undo } }
}
