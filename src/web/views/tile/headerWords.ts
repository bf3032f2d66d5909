/** What the title bar of a tile says. Pure. */
import type { TerminalView } from '../../../wire/view.ts'
import { agentWordsOf, commandOf, describe, homeOf, shortPath, type Words } from '../../state/words.ts'

/** How its agent does, where one runs, or what became of it; null: that it lives is not news. */
export function newsOf(terminal: TerminalView, now: number): Words | null {
  const own = describe(terminal)
  return own.mark === 'live' ? agentWordsOf(terminal, now) : own
}

export const stateOf = (terminal: TerminalView, now: number): Words => newsOf(terminal, now) ?? describe(terminal)

const PARTS_SHOWN = 2

/** The last parts of a long path: the beginning is what all of them have in common. */
export function shortDirectory(path: string): string {
  const parts = shortPath(path).split('/')
  return parts.length <= PARTS_SHOWN + 1 ? shortPath(path) : `…/${parts.slice(-PARTS_SHOWN).join('/')}`
}

/** The branch comes first: it is what tells worktrees apart. */
export function whereOf(terminal: TerminalView): string {
  const { repository, directory, private: isPrivate, backend } = terminal
  const guest = backend === 'guest' ? [homeOf(terminal) ?? ''] : []
  return [
    ...(isPrivate === true ? ['private'] : []),
    ...guest,
    ...(repository?.branch ? [repository.branch] : []),
    shortDirectory(directory),
  ].join(' · ')
}

/** All of it, for those who point at it. */
export function whereInFull(terminal: TerminalView): string {
  const { repository, directory } = terminal
  const home = homeOf(terminal)
  const facts = [commandOf(terminal), shortPath(directory), ...(home === null ? [] : [home])]
  if (repository === null) return facts.join('\n')
  const worktree = repository.worktree === null ? '' : `, worktree ${repository.worktree}`
  return [...facts, `${repository.name}${repository.branch === null ? '' : ` on ${repository.branch}`}${worktree}`].join('\n')
}
