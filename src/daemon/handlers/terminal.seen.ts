import type { Handler } from '../connection.ts'
import { find } from '../find.ts'
import { viewOf } from '../view.ts'

export const seeTerminal: Handler<'terminal.seen'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  if (params.entered === true) daemon.agents.entered(found.value.id)
  await daemon.registry.apply(found.value.id, { kind: 'looked' })
  return { ok: true, result: viewOf(daemon.registry.get(found.value.id) ?? found.value, daemon) }
}
