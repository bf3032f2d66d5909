import type { Handler } from '../connection.ts'

export const showHealth: Handler<'health.show'> = async (daemon, { check = false }) => {
  if (check) await daemon.health.monitor.checkAll()
  return { ok: true, result: daemon.health.view() }
}
