import { refusals, refused } from '../../base/refusal.ts'
import { findCheckpoint } from '../../workspace/findCheckpoint.ts'
import type { Handler } from '../connection.ts'

export const deleteCheckpoint: Handler<'checkpoint.delete'> = async (daemon, { checkpoint, force }) => {
  const all = await daemon.store.checkpoints()
  const found = findCheckpoint(checkpoint, all)
  if (!found.ok) return found
  const { id } = found.value
  if (!force && all.find(({ knownGood }) => knownGood)?.id === id) return refused(refusals.checkpointNewestGood(id))
  const existed = await daemon.store.deleteCheckpoint(id)
  daemon.log.info({ checkpoint: id }, 'a checkpoint was deleted')
  return existed ? { ok: true, result: { id } } : refused(refusals.checkpointNotFound(checkpoint, all.length))
}
