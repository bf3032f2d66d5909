import { done } from '../../base/refusal.ts'
import { checkNameFree } from '../../workspace/name.ts'
import type { Handler } from '../connection.ts'
import { find } from '../find.ts'
import { viewOf } from '../view.ts'

export const renameTerminal: Handler<'terminal.rename'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  const { id } = found.value
  const name = params.name === '' ? done(null) : checkNameFree(params.name, { terminals: daemon.registry.all(), self: id })
  if (!name.ok) return name
  await daemon.registry.apply(id, { kind: 'renamed', name: name.value })
  return { ok: true, result: viewOf(daemon.registry.get(id) ?? found.value, daemon) }
}
