import { refusals, refused } from '../../base/refusal.ts'
import { isGuest } from '../../workspace/terminal.ts'
import type { Handler } from '../connection.ts'
import { findLive } from '../find.ts'
import { viewOf } from '../view.ts'

export const resizeTerminal: Handler<'terminal.resize'> = (daemon, { terminal: ref, size }) => {
  const found = findLive(daemon, ref)
  if (!found.ok) return found
  const { id, state } = found.value
  if (isGuest(found.value)) return refused(refusals.guestSize(found.value.name ?? id))
  if (!daemon.sizes.setByHand(id, size)) return refused(refusals.busy(id, state))
  return { ok: true, result: viewOf(daemon.registry.get(id) ?? found.value, daemon) }
}
