/** The git worktree that a terminal is in, and whether it could go with it. */
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { type InWorktree, lookAtWorktree } from '../places/worktreeFacts.ts'
import { directoriesOf, directoryOf, type Seeing } from './directoryOf.ts'
import type { Terminals } from './find.ts'

export function worktreeOf(daemon: Terminals & Seeing, terminal: Terminal): Promise<InWorktree | null> {
  return worktreeAt(daemon, directoryOf(terminal, daemon), terminal.id)
}

/** Terminals that sleep count, too: they would not find where they were. */
export function worktreeAt(daemon: Terminals & Seeing, directory: string, except: Terminal['id']): Promise<InWorktree | null> {
  const others = daemon.registry.all().filter(({ id }) => id !== except)
  const neighbours = others.map((other) => ({ name: other.name ?? other.id, directories: directoriesOf(other, daemon) }))
  return lookAtWorktree(directory, neighbours)
}
