/** What closing costs, in words. */
import type { ClosingView } from '../wire/commands/closing.ts'
import { agentText } from './format.ts'

/** One line for the terminal, and more below it for what is worth knowing. */
export function closingLines(closing: ClosingView, now: number): readonly string[] {
  const { id, name, agent, conversation } = closing
  const whose = agent?.label ?? conversation?.agent ?? ''
  return [
    `  ${name ?? id}: ${whatGoes(closing, now)}`,
    ...(conversation === null ? [] : [`    Its conversation stays in ${whose}’s own files.`]),
    ...worktreeLine(closing),
  ]
}

function whatGoes({ state, goesOn, agent, program, others }: ClosingView, now: number): string {
  if (goesOn) return 'is let go; its program goes on in your tmux'
  if (state === 'asleep') return 'sleeps; it is discarded, with its last screen and its history'
  const ends = agent === null ? (program ?? 'a shell') : agentText(agent, now)
  return others === 0 ? `${ends} ends` : `${ends} ends, with ${others} more ${others === 1 ? 'process' : 'processes'}`
}

/** The repository's own directory is nobody's to remove, and nothing to speak of. */
function worktreeLine({ worktree }: ClosingView): readonly string[] {
  if (worktree === null || worktree.kind === 'main') return []
  const { name, isRemovable, why } = worktree
  if (isRemovable) return [`    Its worktree ${name} is clean; --remove-worktree removes it too.`]
  return [`    Its worktree ${name} stays: ${why}.`]
}
