/** Removes the worktree of a terminal that has just been closed, if nothing would be lost with it by now. */
import type { TerminalId } from '../../base/ids.ts'
import type { Outcome } from '../../wire/commands/commands.ts'
import { trip } from '../base/trip.ts'
import { commitOf, removeWorktree } from '../places/removeWorktree.ts'
import type { ClosedTerminals } from './closedTerminals.ts'
import type { Seeing } from './directoryOf.ts'
import type { Terminals } from './find.ts'
import { worktreeAt } from './worktreeOf.ts'

type Closing = Terminals & Seeing & { readonly closed: Pick<ClosedTerminals, 'removeWith'> }
type Removal = NonNullable<Outcome<'terminal.close'>['worktree']>

export async function closeWithWorktree(daemon: Closing, id: TerminalId, directory: string): Promise<Removal> {
  const found = await worktreeAt(daemon, directory, id)
  if (found === null) return { path: null, removed: false, why: 'it was in no git worktree' }
  const { path } = found.worktree
  const left = (why: string): Removal => ({ path, removed: false, why })
  if (found.verdict !== null) return left(found.verdict.why)
  const commit = await commitOf(path)
  if (!commit.ok) return left(commit.refusal.message)
  const worktree = { ...found.worktree, commit: commit.value }
  try {
    const removed = await daemon.closed.removeWith(id, worktree, () => removeWorktree(worktree))
    trip('worktree:removed')
    if (removed === null) return left('the terminal is open again')
    return removed.ok ? { path, removed: true, why: null } : left(removed.refusal.message.replace(/\.$/, ''))
  } catch (error) {
    return left((error as Error).message)
  }
}
