import { refusals, refused } from '../../base/refusal.ts'
import { isGuest } from '../../workspace/terminal.ts'
import { closeWithWorktree } from '../closeWithWorktree.ts'
import type { Handler } from '../connection.ts'
import { END_MARGIN_MS } from '../daemon.ts'
import { directoryOf } from '../directoryOf.ts'
import { find } from '../find.ts'

/** What runs in the user's own tmux may be in it. */
const IN_USE = () => ({ path: null, removed: false, why: 'it was a guest, whose program is not ended by Holdfast' })

export const closeTerminal: Handler<'terminal.close'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  const terminal = found.value
  const { id } = terminal
  if (terminal.state === 'live' && terminal.link.kind === 'unreachable') return refused(refusals.holderUnreachable(id, terminal.link.why))
  if (terminal.state === 'live' && terminal.link.kind === 'incompatible')
    return refused(refusals.holderIncompatible(id, terminal.link.speaks))
  const graceMs = daemon.config.settleMs
  await daemon.agents.look(id) // so that an agent that has just come is shown out
  const directory = directoryOf(terminal, daemon)
  await daemon.registry.apply(id, { kind: 'closeAsked', graceMs })
  const gone = await daemon.ended(id, (now) => now === null, graceMs + END_MARGIN_MS)
  if (!gone) return refused(refusals.busy(id, 'still ending'))
  const removal = isGuest(terminal) ? IN_USE : () => closeWithWorktree(daemon, id, directory)
  const worktree = params.removeWorktree === true ? await removal() : null
  const goesOn = isGuest(terminal) && terminal.state !== 'asleep'
  return { ok: true, result: { id, goesOn, until: daemon.closed.get(id)?.until ?? Date.now(), worktree } }
}
