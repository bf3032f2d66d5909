import { refusals, refused } from '../../base/refusal.ts'
import type { Handler } from '../connection.ts'
import { findLive } from '../find.ts'
import { viewOf } from '../view.ts'

export const attachTerminal: Handler<'terminal.attach'> = async (daemon, params) => {
  const found = findLive(daemon, params.terminal)
  if (!found.ok) return found
  const terminal = found.value
  await daemon.holders.ensure(terminal.run)
  const card = daemon.holders.card(terminal.run)
  if (card === null) return refused(refusals.busy(terminal.id, terminal.state))
  const run = await daemon.showable(terminal)
  if (run === null) return refused(refusals.busy(terminal.id, terminal.state))
  // A real terminal has its own scrollback: only the visible screen is painted into it.
  const paint = await daemon.earlier.paint({ terminal, run }, { history: params.history ?? 0, since: params.since })
  const result = {
    terminal: viewOf(terminal, daemon),
    socketPath: card.socketPath,
    run,
    seq: paint.seq,
    size: paint.size,
    lines: paint.lines,
  }
  return { ok: true, result, blob: paint.bytes }
}
