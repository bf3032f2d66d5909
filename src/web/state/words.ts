/** What the page says about a terminal. Pure, so that every sentence can be read and tested in one place. */
import { assertNever } from '../../base/assertNever.ts'
import { lossesIn } from '../../base/refusal.ts'
import { isWebAddress } from '../../base/webAddress.ts'
import type { Access } from '../../wire/capability.ts'
import { type AgentView, agentOf, type Because, becauseOf, type TerminalView, type WakePhase } from '../../wire/view.ts'
import { canTakeLead, isSameSize, sizedText } from '../../workspace/terminal/sizing.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import type { Wish } from './overlay.ts'

/** Each mark has a shape and a colour of its own, so that neither alone has to be told apart. */
export type Mark = 'live' | 'turning' | 'idle' | 'done' | 'asleep' | 'ended' | 'bad' | 'warning'

export type Words = { readonly mark: Mark; readonly state: string }

export function describe(terminal: TerminalView): Words {
  switch (terminal.state) {
    case 'live':
      return terminal.trouble === null ? { mark: 'live', state: 'Live' } : { mark: 'warning', state: terminal.trouble }
    case 'waking':
      return { mark: 'turning', state: 'Starting' }
    case 'settling':
      return { mark: 'turning', state: 'Ending' }
    case 'asleep':
      return describeBecause(terminal.because)
    default:
      return assertNever(terminal)
  }
}

const AGENT_WORDS: Readonly<Record<AgentView['state'], { readonly mark: Mark; readonly does: string }>> = {
  working: { mark: 'live', does: 'working' },
  'needs-you': { mark: 'warning', does: 'needs you' },
  done: { mark: 'done', does: 'done' },
  idle: { mark: 'idle', does: 'idle' },
  unknown: { mark: 'live', does: '' },
}

export type AgentWords = Words & {
  /** What it said last, or what it asks. */
  readonly words: string | null
}

/** The state of the agent in a terminal; null without an agent, or if the state is unknown. */
export function agentWordsOf(terminal: TerminalView, now: number): AgentWords | null {
  const agent = agentOf(terminal)
  if (agent === null || agent.state === 'unknown') return null
  const { mark, does } = AGENT_WORDS[agent.state]
  const age = howLong(agent.since, now)
  return { mark, state: `${agent.label} · ${does}${age === 'now' ? '' : `, ${age}`}`, words: agent.words }
}

/** One mark for all of it: how its agent does, where one runs; else how the terminal does. */
export function markOf(terminal: TerminalView): Mark {
  const { mark } = describe(terminal)
  const agent = agentOf(terminal)
  return mark === 'live' && agent !== null ? AGENT_WORDS[agent.state].mark : mark
}

const failureWords = ({ resumed }: { readonly resumed: string | null }): string => (resumed === null ? 'Did not start' : 'Could not resume')

export type RestWords = {
  readonly head: string
  /** What else is known of it, a line each. */
  readonly facts: readonly string[]
  readonly pullRequest: PullRequest | null
}

type PullRequest = { readonly number: number; readonly title: string; readonly url: string; readonly state: string }

const PRIVATE = 'Private: its output was not kept.'

/** Why a terminal is not running, since when, and what it was. */
export function restWordsOf(terminal: TerminalView, now: number): RestWords {
  const { directory, repository, back } = terminal
  const because = becauseOf(terminal)
  const context = because?.kind === 'slept' ? (because.context ?? null) : null
  const branch = context === null ? (repository?.branch ?? null) : context.branch
  const place = [shortPath(context?.directory ?? directory), ...(branch === null ? [] : [branch])].join(' · ')
  const agent = backWords(back) ?? context?.agent ?? null
  const freed = context?.freedBytes ?? null
  const facts = [
    ...(terminal.private === true ? [terminal.withheld === undefined ? PRIVATE : `${PRIVATE} Its arguments were not stored.`] : []),
    ...(terminal.imported === null ? [] : [`Imported from ${terminal.imported.from || 'another machine'}, never run here`]),
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
  const because = becauseOf(terminal)
  const age = howLong(terminal.since, now)
  const when = age === 'now' ? 'just now' : `${age} ago`
  if (because?.kind === 'failed') return `${failureWords(because)} ${when}: ${because.reason}`
  if (terminal.backend === 'guest' && because?.kind === 'slept') return `Released ${when}: it keeps running in your tmux`
  if (because?.kind === 'lost') return `Interrupted ${when}`
  if (because?.kind !== 'slept') return `${describe(terminal).state}, ${when}`
  const how = because.by === undefined ? '' : because.by === 'idle' ? ': it was idle' : ': memory was low'
  return `${age === 'now' ? 'Fell asleep just now' : `Asleep for ${age}`}${how}`
}

const PHASES: Readonly<Record<WakePhase, string>> = {
  checking: 'Checking what can be resumed…',
  starting: 'Starting…',
  resuming: 'Resuming…',
}

export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** What a refused sleep would lose, as a sentence. */
export const lossWords = (message: string): string => capital(lossesIn(message))

/** How far a wake is; null where none is under way. */
export const wakeWordsOf = ({ state, wakePhase }: TerminalView): string | null =>
  wakePhase === null ? (state === 'waking' ? PHASES.starting : null) : PHASES[wakePhase]

export const megabytes = (bytes: number): string =>
  bytes < 1_000_000_000 ? `${Math.max(1, Math.round(bytes / 1_000_000))} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`

/** Of those that are not held by Holdfast itself, where they are; null otherwise. */
export function homeOf({ backend, tmuxSession }: TerminalView): string | null {
  if (backend === 'guest') return tmuxSession ? `in your tmux: ${tmuxSession}` : 'in your tmux'
  return backend === 'tmux' ? 'in Holdfast’s tmux' : null
}

function describeBecause(because: Because): Words {
  switch (because.kind) {
    case 'slept':
      return { mark: 'asleep', state: 'Asleep' }
    case 'lost':
      return { mark: 'warning', state: 'Lost' }
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
export function wakeChoicesOf(terminal: TerminalView): readonly WakeChoice[] {
  if (terminal.state !== 'asleep') return []
  const { offers, because, backend, imported, withheld, back, command, args } = terminal
  if (withheld !== undefined) return [{ kind: 'withoutArguments', label: 'Run without arguments', text: offers.fresh }]
  const wake = imported === null ? 'Wake' : 'Wake…' // its command is asked about first
  const fresh = { kind: 'fresh', text: offers.fresh } as const
  if (backend === 'guest') return [{ kind: 'resume', label: 'Show again', text: 'If it is still in your tmux' }]
  const hasSlept = because.kind === 'slept'
  if (offers.resume === null) return [{ ...fresh, kind: 'resume', label: hasSlept ? wake : 'Start again' }] // a shell, in the directory it was in
  const hasFailed = because.kind === 'failed'
  const label = hasFailed ? 'Try again' : back?.kind === 'new-conversation' ? 'New conversation' : hasSlept ? 'Wake' : 'Resume'
  const isAsked = offers.unsure !== undefined || imported !== null
  const resume = { kind: 'resume', label: isAsked ? `${label}…` : label, text: offers.unsure?.ran ?? offers.resume } as const
  const other = { kind: 'conversation', label: 'Another conversation…', text: 'By its id' } as const
  // With arguments, a fresh start may continue a conversation: `claude --continue`.
  const isNewConversation = offers.conversation && args.length === 0 && label !== 'New conversation' && runsAgent(command, offers.resume)
  return [
    resume,
    ...(hasFailed && offers.conversation ? [other] : []),
    { ...fresh, label: isNewConversation ? 'New conversation' : 'Restart fresh' },
  ]
}

const runsAgent = (command: string, resume: string): boolean => lastPart(command) === lastPart(resume.split(' ')[0] ?? '')

/** What is above the oldest line that is drawn. */
export type HistoryNote = 'fetching' | 'beginning' | 'gone' | 'deepest'

/** At the top of what can be scrolled to. */
export function historyWords(note: HistoryNote): string {
  switch (note) {
    case 'fetching':
      return 'Fetching older lines…'
    case 'beginning':
      return 'Beginning of history'
    case 'gone':
      return 'Older lines were deleted to save space'
    case 'deepest':
      return 'The page cannot show more; use holdfast attach'
    default:
      return assertNever(note)
  }
}

export const nameOf = ({ name, title, command }: Pick<TerminalView, 'name' | 'title' | 'command'>): string =>
  name ?? (title || lastPart(command))

type Closed = { readonly goesOn?: boolean; readonly worktree: { readonly removed: boolean; readonly why: string | null } | null }

/** What is said when a terminal is gone. */
export function closedText(name: string, { goesOn, worktree }: Closed): string {
  const closed = goesOn === true ? `Released “${name}”; it keeps running in your tmux.` : `Closed “${name}”.`
  if (worktree === null) return closed
  return worktree.removed
    ? `${closed} Its worktree was removed; the branch stays.`
    : `${closed} Its worktree was not removed: ${worktree.why}.`
}

export function commandOf(terminal: TerminalView): string {
  const { command, args } = terminal
  const foreground = terminal.state === 'live' ? terminal.foreground : null
  const started = [lastPart(command), ...args].join(' ')
  return foreground === null || foreground === lastPart(command) ? started : `${started} › ${foreground}`
}

const lastPart = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? path

/** The usual places of a home directory; the page does not know the user's name. */
export const shortPath = (path: string): string => path.replace(/^(\/home\/[^/]+|\/Users\/[^/]+|\/root)(?=\/|$)/, '~')

/** The size of a terminal's tile on this page, and the number by which the daemon knows the page; null until it has said so. */
export type Place = { readonly size: Size | null; readonly client: number | null }

export type SizeNote = { readonly text: string; readonly canLead: boolean }

/** While this page leads, the size is on its way: nothing is to be said. */
export function sizeNoteOf({ state, size, sizedBy }: Pick<TerminalView, 'state' | 'size' | 'sizedBy'>, place: Place): SizeNote | null {
  if (state !== 'live' || place.size === null || isSameSize(size, place.size)) return null
  if (sizedBy.kind === 'client' && sizedBy.client === place.client) return null
  return { text: sizedText(sizedBy, size), canLead: canTakeLead(sizedBy) }
}

const UNITS = [
  { ms: 86_400_000, letter: 'd' },
  { ms: 3_600_000, letter: 'h' },
  { ms: 60_000, letter: 'min' },
] as const

/** As `howLong`, but in seconds below a minute. */
export function waitedFor(since: number, now: number): string {
  const age = howLong(since, now)
  return age === 'now' ? `${Math.max(0, Math.floor((now - since) / 1_000))} s` : age
}

export function howLong(since: number, now: number): string {
  const unit = UNITS.find(({ ms }) => now - since >= ms)
  return unit === undefined ? 'now' : `${Math.floor((now - since) / unit.ms)} ${unit.letter}`
}

/** Said in place of what was typed, pasted or dropped. */
export const ONLY_LOOKS = 'View only: this browser cannot type here.'

export const accessWords = ({ sees }: Access): string =>
  `This browser can see ${sees === 'all' ? 'all terminals' : 'some terminals'} and search their history. It cannot type, start or end programs, or change the layout or the settings.`

/** Said when a page is told that it may do something else than before. */
export const accessNews = (access: Access | null): string =>
  access === null ? 'This browser now has full access.' : 'This browser is now view only.'
