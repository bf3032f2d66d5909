import { refusals, refused } from '../../base/refusal.ts'
import { isSchemeName, SCHEME_NAMES } from '../../wire/schemeNames.ts'
import type { Handler } from '../connection.ts'
import { find } from '../find.ts'
import { viewOf } from '../view.ts'

export const themeTerminal: Handler<'terminal.theme'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  if (params.theme !== null && !isSchemeName(params.theme)) return refused(refusals.schemeNotFound(params.theme, SCHEME_NAMES))
  await daemon.registry.apply(found.value.id, { kind: 'themed', theme: params.theme })
  return { ok: true, result: viewOf(daemon.registry.get(found.value.id) ?? found.value, daemon) }
}
