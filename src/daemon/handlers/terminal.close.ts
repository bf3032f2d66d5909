import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'
import { END_MARGIN_MS } from '../daemon.ts'
import { find } from '../find.ts'

export const closeTerminal: Handler<'terminal.close'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  const terminal = found.value
  if (terminal.state === 'live' && terminal.link.kind === 'unreachable')
    return refused(refusals.holderUnreachable(terminal.id, terminal.link.why))
  if (terminal.state === 'live' && terminal.link.kind === 'incompatible')
    return refused(refusals.holderIncompatible(terminal.id, terminal.link.speaks))
  const graceMs = daemon.config.settleMs
  await daemon.agents.look(terminal.id) // so that an agent that has just come is shown out
  await daemon.registry.apply(terminal.id, { kind: 'closeAsked', graceMs })
  const gone = await daemon.ended(terminal.id, (now) => now === null, graceMs + END_MARGIN_MS)
  return gone ? { ok: true, result: {} } : refused(refusals.busy(terminal.id, 'still ending'))
}
