/**
 * What is said of terminals that were put to sleep by themselves while the page was open. Pure: what was known and what is
 * known go in, what is to be shown comes out. A page that opens later shows nothing: the terminals themselves say it.
 */
import { becauseOf, type TerminalView } from '../../wire/view.ts'
import { nameOf } from '../state/words.ts'

export type SleepNews = {
  /** Those that were awake when they were last seen. */
  readonly awake: ReadonlySet<string>
  /** What is shown; the newest last. */
  readonly slept: readonly string[]
}

export const NO_NEWS: SleepNews = { awake: new Set(), slept: [] }

export function stepNews(news: SleepNews, terminals: readonly TerminalView[]): SleepNews {
  const awake = new Set(terminals.flatMap(({ id, state }) => (state === 'asleep' ? [] : [id])))
  const stay = new Set(terminals.filter(isSleptByItself).map(({ id }) => id))
  const fresh = [...stay].filter((id) => news.awake.has(id))
  // It was woken or closed: no longer news.
  const slept = [...news.slept.filter((id) => stay.has(id) && !fresh.includes(id)), ...fresh]
  return { awake, slept }
}

export const dismissed = (news: SleepNews): SleepNews => ({ ...news, slept: [] })

const sleptBy = (terminal: TerminalView): 'idle' | 'memory' | undefined => {
  const because = becauseOf(terminal)
  return because?.kind === 'slept' ? because.by : undefined
}

const isSleptByItself = (terminal: TerminalView): boolean => sleptBy(terminal) !== undefined

export type ToastWords = { readonly text: string; readonly wake: string }

/** Null where there is nothing to say. */
export function toastWordsOf({ slept }: SleepNews, terminals: readonly TerminalView[]): ToastWords | null {
  const shown = slept.flatMap((id) => terminals.find((terminal) => terminal.id === id) ?? [])
  const [first] = shown
  if (first === undefined) return null
  if (shown.length > 1) return { text: `${shown.length} terminals were put to sleep${commonReason(shown)}.`, wake: 'Wake all' }
  return { text: `“${nameOf(first)}” was put to sleep: ${reasonOf(first)}.`, wake: 'Wake' }
}

function commonReason(shown: readonly TerminalView[]): string {
  const kinds = new Set(shown.map(sleptBy))
  if (kinds.size > 1) return ''
  return kinds.has('memory') ? ': memory is low' : ': they were idle'
}

function reasonOf(terminal: TerminalView): string {
  const { activeAt, since } = terminal
  if (sleptBy(terminal) === 'memory') return 'memory is low'
  const span = activeAt === null ? '' : spanText(since - activeAt)
  return span === '' ? 'it was idle' : `idle for ${span}`
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** The largest whole unit; empty for less than a second. */
function spanText(ms: number): string {
  const [unit, length] = UNITS.find(([, each]) => ms >= each) ?? ['', 0]
  return unit === '' ? '' : `${Math.floor(ms / length)} ${unit}`
}
