/** What is said before a terminal is closed. Pure, so that every sentence can be read and tested. */
import type { ClosingView } from '../../wire/commands/closing.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Asked } from '../ui/useAsked.ts'
import { commandOf, nameOf } from '../words.ts'

export type ClosingWords = { readonly title: string; readonly sentences: readonly string[]; readonly verb: string }

/** `closing` is null until the daemon has answered: then only what the page knows by itself is said. */
export function closingWords(terminal: TerminalView, closing: ClosingView | null): ClosingWords {
  const isAsleep = terminal.state === 'asleep'
  if (terminal.backend === 'guest' && !isAsleep) return LETTING_GO(nameOf(terminal))
  const conversation = closing?.conversation ?? null
  const stays = conversation === null ? [] : [`Its conversation is still in ${conversation.agent}’s own files.`]
  return {
    title: `${isAsleep ? 'Discard' : 'Close'} “${nameOf(terminal)}”?`,
    sentences: [isAsleep ? discarded(terminal) : ends(terminal, closing), ...stays, 'For five minutes this can be undone.'],
    verb: isAsleep ? 'Discard it' : 'Close terminal',
  }
}

const LETTING_GO = (name: string): ClosingWords => ({
  title: `Let “${name}” go?`,
  sentences: ['It is in your own tmux. Its program goes on there, and nothing is lost.', 'For five minutes this can be undone.'],
  verb: 'Let it go',
})

const discarded = ({ private: isPrivate }: TerminalView): string =>
  isPrivate === true ? 'It sleeps. It is private: nothing that it showed was kept.' : 'It sleeps. Its last screen and its history go.'

function ends(terminal: TerminalView, closing: ClosingView | null): string {
  const others = closing?.others ?? 0
  const more = others === 0 ? '' : `, with ${others} more ${others === 1 ? 'process' : 'processes'}`
  const agent = closing?.agent ?? terminal.agent
  if (agent !== null) return `${agent.label} ${DOES[agent.state]}. It ends${more}.`
  if (closing !== null && closing.program === null) return `Its shell ends${more}.`
  return `Its program (${closing?.program ?? commandOf(terminal)}) ends${more}.`
}

const DOES: Readonly<Record<NonNullable<TerminalView['agent']>['state'], string>> = {
  working: 'is at work in it',
  'needs-you': 'waits for you in it',
  done: 'is done in it',
  idle: 'runs in it',
  unknown: 'may be working in it',
}

/** What the line about the worktree says; null where there is none. */
export type WorktreeLine =
  | { readonly kind: 'looking'; readonly text: string }
  | { readonly kind: 'offer'; readonly text: string; readonly hint: string }
  | { readonly kind: 'stays'; readonly text: string }

export function worktreeLine({ repository, backend }: TerminalView, asked: Asked<ClosingView>): WorktreeLine | null {
  if (backend === 'guest') return null // whatever runs there goes on
  const name = repository?.worktree ?? null
  if (name === null) return null
  if (asked.kind === 'refused') return { kind: 'stays', text: `The worktree ${name} stays: ${asked.refusal.message}` }
  if (asked.kind !== 'answered') return { kind: 'looking', text: `Looking at the worktree ${name}…` }
  const { worktree } = asked.value
  if (worktree === null || worktree.kind === 'main') return { kind: 'stays', text: `The worktree ${name} stays.` }
  if (!worktree.isRemovable) return { kind: 'stays', text: `The worktree ${worktree.name} stays: ${worktree.why}.` }
  const branch = worktree.branch === null ? '' : ` The branch ${worktree.branch} stays.`
  return {
    kind: 'offer',
    text: `Remove the worktree ${worktree.name} too`,
    hint: `It is clean.${branch} Files that git ignores go with it.`,
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
