/** What is said before a terminal is closed. Pure, so that every sentence can be read and tested. */
import type { ClosingView } from '../../wire/commands/closing.ts'
import type { ForgetPlanView } from '../../wire/commands/forget.ts'
import { type AgentView, agentOf, type TerminalView } from '../../wire/view.ts'
import { commandOf, megabytes, nameOf } from '../state/words.ts'
import type { Asked } from '../ui/useAsked.ts'

export type ClosingWords = { readonly title: string; readonly sentences: readonly string[]; readonly verb: string }

/** `closing` is null until the daemon has answered: then only what the page knows by itself is said. */
export function closingWords(terminal: TerminalView, closing: ClosingView | null): ClosingWords {
  const isAsleep = terminal.state === 'asleep'
  if (terminal.backend === 'guest' && !isAsleep) return LETTING_GO(nameOf(terminal))
  const conversation = closing?.conversation ?? null
  const stays = conversation === null ? [] : [`Its conversation stays in the files of ${conversation.agent}.`]
  return {
    title: `Close “${nameOf(terminal)}”?`,
    sentences: [isAsleep ? discarded(terminal) : ends(terminal, closing), ...stays, 'You can undo this for five minutes.'],
    verb: 'Close',
  }
}

const LETTING_GO = (name: string): ClosingWords => ({
  title: `Release “${name}”?`,
  sentences: ['Its program keeps running in your tmux.', 'You can undo this for five minutes.'],
  verb: 'Release',
})

const discarded = ({ private: isPrivate }: TerminalView): string =>
  isPrivate === true ? 'Not running. It is private: its output was not kept.' : 'Not running. Removes its screen and history.'

function ends(terminal: TerminalView, closing: ClosingView | null): string {
  const others = closing?.others ?? 0
  const more = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'process' : 'processes'}`
  const agent = closing?.agent ?? agentOf(terminal)
  if (agent !== null) return `${agent.label} ${DOES[agent.state]}. Closing ends it${more}.`
  if (closing !== null && closing.program === null) return `Closing ends its shell${more}.`
  return `Closing ends ${closing?.program ?? commandOf(terminal)}${more}.`
}

const DOES: Readonly<Record<AgentView['state'], string>> = {
  working: 'is working',
  'needs-you': 'is waiting for you',
  done: 'is done',
  idle: 'is idle',
  unknown: 'may be working',
}

/** What the line about the worktree says; null where there is none. */
export type WorktreeLine =
  | { readonly kind: 'looking'; readonly text: string }
  | { readonly kind: 'offer'; readonly text: string; readonly hint: string }
  | { readonly kind: 'stays'; readonly text: string }

export function worktreeLine({ repository, backend }: TerminalView, asked: Asked<ClosingView>): WorktreeLine | null {
  if (backend === 'guest') return null // its program keeps running
  const name = repository?.worktree ?? null
  if (name === null) return null
  if (asked.kind === 'refused') return { kind: 'stays', text: `The worktree ${name} stays: ${asked.refusal.message}` }
  if (asked.kind !== 'answered') return { kind: 'looking', text: `Checking the worktree ${name}…` }
  const { worktree } = asked.value
  if (worktree === null || worktree.kind === 'main') return { kind: 'stays', text: `The worktree ${name} stays.` }
  if (!worktree.isRemovable) return { kind: 'stays', text: `The worktree ${worktree.name} stays: ${worktree.why}.` }
  const branch = worktree.branch === null ? '' : ` The branch ${worktree.branch} stays.`
  return {
    kind: 'offer',
    text: `Also remove the worktree ${worktree.name}`,
    hint: `It is clean.${branch} Files that git ignores are deleted.`,
  }
}

type Asking = {
  readonly quick: Asked<ClosingView>
  readonly whole: Asked<ClosingView>
  readonly isInWorktree: boolean
  readonly isLate: boolean
}

/** Whether to ask, or to close at once because nothing would be lost and there is nothing to offer; a daemon that is slow is not waited for. */
export function stageOf({ quick, whole, isInWorktree, isLate }: Asking): 'wait' | 'ask' | 'close' {
  const later = isLate ? 'ask' : 'wait'
  if (quick.kind === 'refused') return 'ask'
  if (quick.kind !== 'answered') return later
  if (quick.value.asks) return 'ask'
  if (!isInWorktree || whole.kind === 'refused') return 'close'
  if (whole.kind !== 'answered') return later
  return whole.value.worktree?.isRemovable === true ? 'ask' : 'close'
}

const counted = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

/** What goes and what stays; `plan` is null until the daemon has answered. */
export function forgetSentences(plan: ForgetPlanView | null): readonly string[] {
  if (plan === null) return ['Counting what would be removed…']
  const parts = [
    ...counted(plan.runs, 'log', 'logs'),
    ...counted(plan.screens, 'screen', 'screens'),
    ...counted(plan.files, 'dropped file', 'dropped files'),
    ...counted(plan.auditEntries, 'audit entry', 'audit entries'),
  ]
  const { changed } = plan.checkpoints
  return [
    `Removes ${['its record', ...parts].join(', ')} (${megabytes(plan.bytes)}) and rewrites the databases.`,
    ...(changed === 0 ? [] : [`${changed} ${changed === 1 ? 'checkpoint stays' : 'checkpoints stay'}, without it.`]),
    ...(plan.copies === 0 ? [] : ['Copies of damaged databases are removed too.']),
    'Backups, exports and the agent’s own files are not touched.',
    'This cannot be undone.',
  ]
}
