import type { Handler } from '../connection.ts'
import { find } from '../find.ts'
import { viewOf } from '../view.ts'

export const pinTerminal: Handler<'terminal.pin'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  await daemon.registry.apply(found.value.id, { kind: 'pinnedSet', pinned: params.pinned })
  return { ok: true, result: viewOf(daemon.registry.get(found.value.id) ?? found.value, daemon) }
}
