/** What the page says about a terminal. Pure, so that every sentence can be read and tested in one place. */
import { assertNever } from '../base/assertNever.ts'
import { isWebAddress } from '../base/webAddress.ts'
import type { AgentView, TerminalView, WakePhase } from '../wire/view.ts'
import { canTakeLead, sizedText } from '../workspace/sizedText.ts'
import { isSameSize } from '../workspace/sizing.ts'
import type { Wish } from './page.ts'
import type { HistoryNote } from './tiles/depth.ts'
import type { Place } from './tiles/viewer.ts'

/** Each mark has a shape and a colour of its own, so that neither alone has to be told apart. */
export type Mark = 'live' | 'turning' | 'idle' | 'done' | 'asleep' | 'ended' | 'bad' | 'warning'

export type Words = { readonly mark: Mark; readonly state: string }

export function describe(terminal: TerminalView): Words {
  if (terminal.trouble !== null) return { mark: 'warning', state: terminal.trouble }
  switch (terminal.state) {
    case 'live':
      return { mark: 'live', state: 'Live' }
    case 'waking':
      return { mark: 'turning', state: 'Starting' }
    case 'settling':
      return { mark: 'turning', state: 'Ending' }
    case 'asleep':
      return describeBecause(terminal.because)
    default:
      return assertNever(terminal.state)
  }
}

const AGENT_WORDS: Readonly<Record<AgentView['state'], { readonly mark: Mark; readonly does: string }>> = {
  working: { mark: 'live', does: 'works' },
  'needs-you': { mark: 'warning', does: 'needs you' },
  done: { mark: 'done', does: 'is done' },
  idle: { mark: 'idle', does: 'is idle' },
  unknown: { mark: 'live', does: '' },
}

export type AgentWords = Words & {
  /** What it said last, or what it asks. */
  readonly words: string | null
}

/** How the agent in a terminal does; null where there is none, or where nobody knows. */
export function agentWordsOf({ agent }: TerminalView, now: number): AgentWords | null {
  if (agent === null || agent.state === 'unknown') return null
  const { mark, does } = AGENT_WORDS[agent.state]
  const age = howLong(agent.since, now)
  return { mark, state: `${agent.label} ${does}${age === 'now' ? '' : `, ${age}`}`, words: agent.words }
}

/** One mark for all of it: how its agent does, where one runs; else how the terminal does. */
export function markOf(terminal: TerminalView): Mark {
  const { mark } = describe(terminal)
  return mark === 'live' && terminal.agent !== null ? AGENT_WORDS[terminal.agent.state].mark : mark
}

const failureWords = ({ resumed }: { readonly resumed: string | null }): string => (resumed === null ? 'Did not start' : 'Could not resume')

export type RestWords = {
  readonly head: string
  /** What else is known of it, a line each. */
  readonly facts: readonly string[]
  readonly pullRequest: PullRequest | null
}

type PullRequest = { readonly number: number; readonly title: string; readonly url: string; readonly state: string }

const PRIVATE = 'Private: nothing of it was kept.'

/** Why a terminal is not running, since when, and what it was. */
export function restWordsOf(terminal: TerminalView, now: number): RestWords {
  const { because, directory, repository, back } = terminal
  const context = because?.kind === 'slept' ? (because.context ?? null) : null
  const branch = context === null ? (repository?.branch ?? null) : context.branch
  const place = [shortPath(context?.directory ?? directory), ...(branch === null ? [] : [branch])].join(' · ')
  const agent = backWords(back) ?? context?.agent ?? null
  const freed = context?.freedBytes ?? null
  const facts = [
    ...(terminal.private === true ? [terminal.withheld === undefined ? PRIVATE : `${PRIVATE} Its arguments were not stored.`] : []),
    ...(terminal.imported === null ? [] : [`Imported from ${terminal.imported.from || 'another machine'}, not run here yet`]),
    place,
    ...(agent === null ? [] : [agent]),
    ...(freed === null ? [] : [`${megabytes(freed)} of memory freed`]),
  ]
  return { head: headOf(terminal, now), facts, pullRequest: linkable(context?.pullRequest ?? null) }
}

/** What a wake brings back, unless it is only the program itself. */
const backWords = (back: TerminalView['back']): string | null =>
  back === null || back.kind === 'started' ? null : [...(back.agent === null ? [] : [back.agent]), back.text].join(', ')

/** What cannot be a link of the web is not made one. */
const linkable = (pullRequest: PullRequest | null): PullRequest | null =>
  pullRequest !== null && isWebAddress(pullRequest.url) ? pullRequest : null

function headOf(terminal: TerminalView, now: number): string {
  const { because } = terminal
  const age = howLong(terminal.since, now)
  const when = age === 'now' ? 'just now' : `${age} ago`
  if (because?.kind === 'failed') return `${failureWords(because)} ${when}: ${because.reason}`
  if (terminal.backend === 'guest' && because?.kind === 'slept') return `Let go ${when}: it goes on in your tmux`
  if (because?.kind !== 'slept') return `${describe(terminal).state}, ${when}`
  const how = because.by === undefined ? '' : because.by === 'idle' ? ': it was idle' : ': memory was short'
  return `${age === 'now' ? 'Fell asleep just now' : `Asleep for ${age}`}${how}`
}

const PHASES: Readonly<Record<WakePhase, string>> = {
  checking: 'Checking what can be resumed…',
  starting: 'Starting…',
  resuming: 'Resuming…',
}

/** How far a wake is; null where none is under way. */
export const wakeWordsOf = ({ state, wakePhase }: TerminalView): string | null =>
  wakePhase === null ? (state === 'waking' ? PHASES.starting : null) : PHASES[wakePhase]

export const megabytes = (bytes: number): string =>
  bytes < 1_000_000_000 ? `${Math.max(1, Math.round(bytes / 1_000_000))} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`

/** Of those that are not held by Holdfast itself, where they are; null otherwise. */
export function homeOf({ backend, tmuxSession }: TerminalView): string | null {
  if (backend === 'guest') return tmuxSession ? `in your tmux: ${tmuxSession}` : 'in your tmux'
  return backend === 'tmux' ? 'held by tmux' : null
}

function describeBecause(because: TerminalView['because']): Words {
  if (because === null) return { mark: 'asleep', state: 'Asleep' }
  switch (because.kind) {
    case 'slept':
      return { mark: 'asleep', state: 'Asleep' }
    case 'lost':
      return { mark: 'warning', state: 'Lost with the machine or its holder' }
    case 'failed':
      return { mark: 'bad', state: `${failureWords(because)}: ${because.reason}` }
    case 'exited': {
      if ('signal' in because.status) return { mark: 'bad', state: `Ended by ${because.status.signal}` }
      return because.status.code === 0
        ? { mark: 'ended', state: 'Ended' }
        : { mark: 'bad', state: `Ended with code ${because.status.code}` }
    }
    default:
      return assertNever(because)
  }
}

export type WakeChoice = {
  readonly kind: 'resume' | 'conversation' | 'fresh' | 'withoutArguments'
  readonly label: string
  readonly text: string
}

/** What is asked of the daemon; a conversation has to be named first. */
export const wishOf = (kind: Exclude<WakeChoice['kind'], 'conversation'>): Wish =>
  kind === 'withoutArguments' ? { mode: 'fresh', withoutArguments: true } : { mode: kind }

/** How an asleep terminal can be woken, the likeliest first. Where a resume would be the same as a fresh start there is one way. */
export function wakeChoicesOf({ offers, because, backend, imported, withheld, back }: TerminalView): readonly WakeChoice[] {
  if (offers === null) return []
  if (withheld !== undefined) return [{ kind: 'withoutArguments', label: 'Run without arguments', text: offers.fresh }]
  const wake = imported === null ? 'Wake' : 'Wake…' // its command is asked about first
  const fresh = { kind: 'fresh', text: offers.fresh } as const
  if (backend === 'guest') return [{ kind: 'resume', label: 'Show again', text: 'if it is still in your tmux' }]
  const hasSlept = because?.kind === 'slept'
  if (offers.resume === null) return [{ ...fresh, kind: 'resume', label: hasSlept ? wake : 'Start again' }] // a shell, in the directory it was in
  const hasFailed = because?.kind === 'failed'
  const label = hasFailed ? 'Try again' : back?.kind === 'new-conversation' ? 'New conversation' : hasSlept ? 'Wake' : 'Resume'
  const isAsked = offers.unsure !== undefined || imported !== null
  const resume = { kind: 'resume', label: isAsked ? `${label}…` : label, text: offers.unsure?.ran ?? offers.resume } as const
  const other = { kind: 'conversation', label: 'Another conversation…', text: 'by its id' } as const
  return [resume, ...(hasFailed && offers.conversation ? [other] : []), { ...fresh, label: 'Restart fresh' }]
}

/** At the top of what can be scrolled to. */
export function historyWords(note: HistoryNote): string {
  switch (note) {
    case 'fetching':
      return 'Fetching older lines…'
    case 'beginning':
      return 'Beginning of history'
    case 'gone':
      return 'Older lines are gone: only the newest output is kept'
    case 'deepest':
      return 'There is more than a page can hold: holdfast attach shows all of it'
    default:
      return assertNever(note)
  }
}

export const nameOf = ({ name, title, command }: Pick<TerminalView, 'name' | 'title' | 'command'>): string =>
  name ?? (title || lastPart(command))

type Closed = { readonly goesOn?: boolean; readonly worktree: { readonly removed: boolean; readonly why: string | null } | null }

/** What is said when a terminal is gone. */
export function closedText(name: string, { goesOn, worktree }: Closed): string {
  const closed = goesOn === true ? `“${name}” was let go; it goes on in your tmux.` : `“${name}” was closed.`
  if (worktree === null) return closed
  return worktree.removed ? `${closed} Its worktree was removed; the branch stays.` : `${closed} Its worktree was left: ${worktree.why}.`
}

export function commandOf({ command, args, foreground }: TerminalView): string {
  const started = [lastPart(command), ...args].join(' ')
  return foreground === null || foreground === lastPart(command) ? started : `${started} › ${foreground}`
}

const lastPart = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? path

/** The usual places of a home directory; the page does not know the user's name. */
export const shortPath = (path: string): string => path.replace(/^(\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/, '~')

export type SizeNote = { readonly text: string; readonly canLead: boolean }

/** While this page leads, the size is on its way: nothing is to be said. */
export function sizeNoteOf({ state, size, sizedBy }: TerminalView, place: Place): SizeNote | null {
  if (state !== 'live' || place.size === null || isSameSize(size, place.size)) return null
  if (sizedBy.kind === 'client' && sizedBy.client === place.client) return null
  return { text: sizedText(sizedBy, size), canLead: canTakeLead(sizedBy) }
}

const UNITS = [
  { ms: 86_400_000, letter: 'd' },
  { ms: 3_600_000, letter: 'h' },
  { ms: 60_000, letter: 'min' },
] as const

export function howLong(since: number, now: number): string {
  const unit = UNITS.find(({ ms }) => now - since >= ms)
  return unit === undefined ? 'now' : `${Math.floor((now - since) / unit.ms)} ${unit.letter}`
}
