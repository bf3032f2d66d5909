import type { Handler } from '../connection.ts'

export const applyForgetting: Handler<'forget.apply'> = async (daemon, params) => {
  const forgotten = await daemon.forgetting.apply(params)
  return forgotten.ok ? { ok: true, result: forgotten.value } : forgotten
}
