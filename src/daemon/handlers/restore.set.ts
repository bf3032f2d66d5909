import type { Handler } from '../connection.ts'
import { find } from '../find.ts'
import { viewOf } from '../view.ts'

export const setOnRestore: Handler<'restore.set'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  const { id } = found.value
  await daemon.registry.apply(id, { kind: 'onRestoreSet', onRestore: params.onRestore })
  return { ok: true, result: viewOf(daemon.registry.get(id) ?? found.value, daemon) }
}
