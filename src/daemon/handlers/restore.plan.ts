import type { Handler } from '../connection.ts'
import { checkpointFor } from '../findCheckpoint.ts'
import { planFor, planView } from '../restorePlan.ts'

export const planRestoreOf: Handler<'restore.plan'> = async (daemon, { checkpoint: ref, only }) => {
  const checkpoint = await checkpointFor(daemon, ref)
  if (!checkpoint.ok) return checkpoint
  const plan = await planFor(daemon, { checkpoint: checkpoint.value, only })
  return plan.ok ? { ok: true, result: planView(plan.value, daemon) } : plan
}
