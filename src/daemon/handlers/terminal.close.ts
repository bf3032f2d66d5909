import { isGuest } from '../../workspace/terminal.ts'
import { closeWithWorktree } from '../closeWithWorktree.ts'
import type { Handler } from '../connection.ts'
import { directoryOf } from '../directoryOf.ts'
import { find } from '../find.ts'
import { endAndClose, outOfReach } from '../terminals/endAndClose.ts'

/** What runs in the user's own tmux may be in it. */
const IN_USE = () => ({ path: null, removed: false, why: 'it was a guest, whose program is not ended by Holdfast' })

export const closeTerminal: Handler<'terminal.close'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  const terminal = found.value
  const { id } = terminal
  const unreachable = outOfReach(terminal)
  if (unreachable !== null) return unreachable
  await daemon.agents.look(id) // so that an agent that has just come is shown out
  const directory = directoryOf(terminal, daemon)
  const closed = await endAndClose(daemon, id)
  if (!closed.ok) return closed
  const removal = isGuest(terminal) ? IN_USE : () => closeWithWorktree(daemon, id, directory)
  const worktree = params.removeWorktree === true ? await removal() : null
  const goesOn = isGuest(terminal) && terminal.state !== 'asleep'
  return { ok: true, result: { id, goesOn, until: daemon.closed.get(id)?.until ?? Date.now(), worktree } }
}
