/** From what the user typed to the checkpoint that is meant, whole and checked. */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Store } from '../../store/store.ts'
import type { CheckpointSummaryView } from '../../wire/checkpointView.ts'
import type { Checkpoint, CheckpointSummary } from '../../workspace/checkpoint/checkpoint.ts'
import { findCheckpoint as findIn } from '../../workspace/checkpoint/findCheckpoint.ts'

type Checkpoints = { readonly store: Pick<Store, 'checkpoint' | 'checkpoints' | 'newestGoodCheckpoint'> }

export async function findCheckpoint(daemon: Checkpoints, ref: string): Promise<Result<CheckpointSummary>> {
  return findIn(ref, await daemon.store.checkpoints())
}

/** Without a reference: the newest good one. */
export async function checkpointFor(daemon: Checkpoints, ref: string | undefined): Promise<Result<Checkpoint>> {
  if (ref !== undefined) return loadCheckpoint(daemon, ref)
  const { checkpoint } = await daemon.store.newestGoodCheckpoint()
  return checkpoint === null ? refused(refusals.checkpointNotFound('latest', 0)) : done(checkpoint)
}

export async function loadCheckpoint(daemon: Checkpoints, ref: string): Promise<Result<Checkpoint>> {
  const found = await findCheckpoint(daemon, ref)
  if (!found.ok) return found
  const loaded = await daemon.store.checkpoint(found.value.id)
  if (loaded === null) return refused(refusals.checkpointNotFound(ref, 1)) // it went between the two looks
  return loaded.ok ? done(loaded.checkpoint) : refused(refusals.checkpointDamaged(loaded.id, loaded.why))
}

export function summaryView(summary: CheckpointSummary): CheckpointSummaryView {
  const { id, at, kind, note, knownGood, terminalCount, bytes, stateHash, session } = summary
  return { id, at, kind, note, knownGood, terminalCount, bytes, stateHash, session }
}
