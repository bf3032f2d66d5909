import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'
import { findLive } from '../find.ts'
import { putToSleep } from '../sleep/putToSleep.ts'
import { END_MARGIN_MS } from '../terminals/endAndClose.ts'
import { viewOf } from '../view.ts'

export const sleepTerminal: Handler<'terminal.sleep'> = async (daemon, params) => {
  const found = findLive(daemon, params.terminal)
  if (!found.ok) return found
  const { id } = found.value
  const asked = await putToSleep(daemon, found.value, { force: params.force === true })
  if (!asked.ok) return asked
  const ended = await daemon.ended(id, (now) => now === null || now.state === 'asleep', daemon.config.settleMs + END_MARGIN_MS)
  const terminal = daemon.registry.get(id)
  if (terminal === null) return refused(refusals.terminalNotFound(params.terminal)) // closed by somebody else meanwhile
  return ended ? { ok: true, result: viewOf(terminal, daemon) } : refused(refusals.busy(id, 'still ending'))
}
