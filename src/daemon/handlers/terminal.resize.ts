import type { Handler } from '../connection.ts'
import { findLive } from '../find.ts'

export const resizeTerminal: Handler<'terminal.resize'> = async (daemon, params) => {
  const found = findLive(daemon, params.terminal)
  if (!found.ok) return found
  daemon.holders.send(found.value.run, { kind: 'resize', size: params.size })
  await daemon.registry.apply(found.value.id, { kind: 'resized', size: params.size })
  return { ok: true, result: {} }
}
