import type { Handler } from '../connection.ts'
import { planForget } from '../forget/plan.ts'

export const planForgetting: Handler<'forget.plan'> = async (daemon, params) => {
  const planned = await planForget(daemon, params)
  return planned.ok ? { ok: true, result: planned.value.view } : planned
}
