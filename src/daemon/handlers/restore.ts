/** Going back: to a checkpoint, and to what was running before a crash. */
import { refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import { restoreNote } from '../../workspace/checkpoint/checkpoint.ts'
import { checkpointFor } from '../checkpoints/findCheckpoint.ts'
import { restore } from '../checkpoints/restore.ts'
import { planFor, planView } from '../checkpoints/restorePlan.ts'
import { planWakesOf } from '../life/recovery.ts'
import type { Handlers, Of, Parts } from './world.ts'

type Restoring = Pick<Parts, 'store'> & Parameters<typeof restore>[0] & Parameters<typeof planFor>[0]
type Waking = Pick<Parts, 'lost' | 'registry' | 'wakes'> & Parameters<typeof planWakesOf>[0]

export const restoreHandlers: Handlers<'restore.plan' | 'restore.apply', Restoring> & Handlers<Of<'recovery'>, Waking> = {
  'restore.plan': async (daemon, { checkpoint: ref, only }) => {
    const checkpoint = await checkpointFor(daemon, ref)
    if (!checkpoint.ok) return checkpoint
    const plan = await planFor(daemon, { checkpoint: checkpoint.value, only })
    return plan.ok ? { ok: true, result: planView(plan.value, daemon) } : plan
  },

  'restore.apply': async (daemon, { checkpoint: ref, only }) => {
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
  },

  'recovery.show': ({ lost }) => ({ ok: true, result: lost.open }),

  /** The answer is kept before anything starts: a daemon that crashes meanwhile leaves the rest asleep and does not ask again. */
  'recovery.answer': async (daemon, { wake, mode = 'resume' }) => {
    const { open } = daemon.lost
    if (open === null) return refused(refusals.recoveryAnswered())
    const stranger = wake.find((id) => daemon.registry.all().every((terminal) => terminal.id !== id))
    if (stranger !== undefined) return refused(refusals.terminalNotFound(stranger))
    const chosen = open.terminals.filter((id) => wake.includes(id))
    const wakes = await planWakesOf(daemon, chosen, mode)
    try {
      await daemon.lost.answer()
    } catch (error) {
      return refused(refusals.diskFailed(systemReason(error)))
    }
    daemon.wakes.order(wakes)
    return { ok: true, result: { wakes: wakes.map(({ id }) => id) } }
  },
}
