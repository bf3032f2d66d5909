/** From what the user typed to a checkpoint: an id, the unique beginning of one, `latest`, or `latest~2` for two before it. */
import type { CheckpointId } from '../base/ids.ts'
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import type { Checkpoint, CheckpointSummary } from '../workspace/checkpoint.ts'
import type { Daemon } from './daemon.ts'

const MOST_MATCHES_SHOWN = 5

/** `newestFirst` as the store lists them. */
export function checkpointNamed(ref: string, newestFirst: readonly CheckpointSummary[]): Result<CheckpointSummary> {
  const back = /^latest(?:~(\d{1,6}))?$/.exec(ref)
  const matches =
    back === null
      ? newestFirst.filter(({ id }) => ref !== '' && id.startsWith(ref))
      : newestFirst.slice(Number(back[1] ?? 0), Number(back[1] ?? 0) + 1)
  const [only] = matches
  if (only === undefined) return refused(refusals.checkpointNotFound(ref))
  const ids = matches.map(({ id }) => id)
  return matches.length === 1 ? done(only) : refused(refusals.checkpointAmbiguous(ref, ids.slice(0, MOST_MATCHES_SHOWN)))
}

/** Without a reference: the newest good one. */
export async function findCheckpoint({ store }: Daemon, ref: string | undefined): Promise<Result<Checkpoint>> {
  if (ref === undefined) {
    const { checkpoint } = await store.newestGoodCheckpoint()
    return checkpoint === null ? refused(refusals.checkpointNotFound('latest')) : done(checkpoint)
  }
  const named = checkpointNamed(ref, await store.checkpoints())
  return named.ok ? loadCheckpoint({ store }, named.value.id) : named
}

async function loadCheckpoint({ store }: Pick<Daemon, 'store'>, id: CheckpointId): Promise<Result<Checkpoint>> {
  const loaded = await store.checkpoint(id)
  if (loaded === null) return refused(refusals.checkpointNotFound(id))
  return loaded.ok ? done(loaded.checkpoint) : refused(refusals.checkpointDamaged(id, loaded.why))
}
