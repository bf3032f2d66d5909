/** What the page says about health. Pure. */
import { assertNever } from '../../base/assertNever.ts'
import type { HealthView, WatchedView } from '../../wire/healthView.ts'
import { troubleOf as linkTroubleOf, type TerminalView } from '../../wire/view.ts'
import type { Link } from '../state/page.ts'

/** `unknown` is never alarming: no problem was found. */
export type Tone = 'well' | 'unknown' | 'degraded' | 'ill'

/** `word` is for where there is no room for a sentence; null: there is nothing to say. */
export type Standing = { readonly tone: Tone; readonly word: string | null; readonly head: string; readonly sentences: readonly string[] }

/** Without a daemon that answers nothing is known, whatever was known before. */
export function standingOf(health: HealthView | null, link: Link): Standing {
  if (link !== 'live') return { ...NOT_KNOWN, sentences: ['The daemon is away.'] }
  if (health === null) return { ...NOT_KNOWN, sentences: [] }
  const noted = worstFirst(health.watched).filter(({ why }) => why !== null)
  const sentences = [...noted.map(sentenceOf), ...loadSentences(health)]
  const isOnlyChecked = health.load.stage === 0 && noted.every(({ state }) => state === 'verifying' || state === 'unknown')
  switch (health.overall) {
    case 'well': {
      const unchecked = health.watched.filter(({ state }) => state !== 'alive').length
      if (unchecked === 0) return { tone: 'well', word: null, head: 'OK', sentences }
      return { tone: 'well', word: null, head: `No problems found; ${unchecked} of ${health.watched.length} not checked yet`, sentences }
    }
    case 'degraded':
      if (isOnlyChecked) return { tone: 'unknown', word: null, head: 'Checking…', sentences }
      return { tone: 'degraded', word: 'Degraded', head: 'Degraded', sentences }
    case 'ill':
      return { tone: 'ill', word: 'Trouble', head: 'Something is not working', sentences }
  }
  return assertNever(health.overall)
}

const NOT_KNOWN = { tone: 'unknown', word: null, head: 'Health unknown' } as const

const sentenceOf = ({ name, why }: WatchedView): string => `${name}: ${why}`

export const loadSentences = ({ load }: HealthView): string[] =>
  load.stage === 0 ? [] : [[load.why ?? 'The machine is overloaded', ...load.shed].join('; ')]

const RANK: Readonly<Record<WatchedView['state'], number>> = { failed: 0, dead: 1, recovering: 2, verifying: 4, unknown: 5, alive: 6 }

/** What is wrong although it answers comes before what is only being asked. */
const rankOf = ({ state, why }: WatchedView): number => (why === null ? RANK[state] : Math.min(RANK[state], 3))

export const worstFirst = (watched: readonly WatchedView[]): WatchedView[] => watched.toSorted((a, b) => rankOf(a) - rankOf(b))

/** How one does, in a word or two, and how that looks. */
export function stateWordsOf({ state, why }: Pick<WatchedView, 'state' | 'why'>): { readonly tone: Tone; readonly words: string } {
  switch (state) {
    case 'alive':
      return why === null ? { tone: 'well', words: 'OK' } : { tone: 'degraded', words: 'Degraded' }
    case 'unknown':
      return { tone: 'unknown', words: 'Not checked yet' }
    case 'verifying':
      return { tone: 'unknown', words: 'Checking' }
    case 'dead':
      return { tone: 'ill', words: 'Not answering' }
    case 'recovering':
      return { tone: 'ill', words: 'Recovering' }
    case 'failed':
      return { tone: 'ill', words: 'Failed' }
  }
  return assertNever(state)
}

/** Parts of the daemon are called what they are; a terminal's name says nothing of that. */
export const kindWords = ({ kind }: WatchedView): string | null =>
  kind === 'holder' ? 'terminal' : kind === 'session' ? 'terminal in tmux' : null

export type TerminalTrouble = { readonly tone: Tone; readonly words: string; readonly why: string }

/** What is to be said over a terminal whose program cannot be reached; null: nothing. */
export function troubleOf(terminal: TerminalView, health: HealthView | null): TerminalTrouble | null {
  if (terminal.state === 'asleep') return null
  const unreachable = linkTroubleOf(terminal)
  const own = health?.watched.find((watched) => watched.terminal === terminal.id && isSilent(watched))
  if (own !== undefined) return { ...stateWordsOf(own), why: unreachable ?? own.why ?? '' }
  return unreachable === null ? null : { tone: 'degraded', words: 'Not answering', why: unreachable }
}

/** As it is told wherever its state is: what is only being checked is not told there. */
export function withTrouble(terminal: TerminalView, health: HealthView | null): TerminalView {
  if (terminal.state !== 'live' || terminal.trouble !== null) return terminal
  const trouble = troubleOf(terminal, health)
  return trouble === null || trouble.tone === 'unknown' ? terminal : { ...terminal, trouble: `${trouble.words}: ${trouble.why}` }
}

const isSilent = ({ state, why }: WatchedView): boolean =>
  state !== 'alive' && state !== 'unknown' && (state !== 'verifying' || why !== null)
