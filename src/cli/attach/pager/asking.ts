/** Which lines the pager asks for and when, and how line numbers of the daemon become those of the pager. */
import type { Outcome } from '../../../wire/commands/commands.ts'
import { endOf, PAGE_LINES } from './loaded.ts'
import { type Ask, heightOf, type Page, type PagerState, type Purpose, type Stepped, still } from './pagerState.ts'

/** Plain text for a search is small: fewer, larger pages than for reading. */
const SCAN_LINES = 2_000
/** Lines, or a window's height if that is more, that are fetched before they are reached. */
const AHEAD_LINES = 300

/** A later request replaces an earlier one, whose answer is then ignored. */
export function askFor(state: PagerState, purpose: Purpose): Stepped {
  if (state.away) return still({ ...state, asking: null })
  const id = state.asked + 1
  return { state: { ...state, asked: id, asking: { id, purpose } }, effects: [{ kind: 'ask', ask: { id, ...rangeOf(state, purpose) } }] }
}

function rangeOf(state: PagerState, purpose: Purpose): Omit<Ask, 'id'> {
  const { loaded, first, own, end } = state
  switch (purpose.kind) {
    case 'older':
      return { before: loaded.from, count: PAGE_LINES, format: 'ansi' }
    case 'newer':
      return { ...linesFrom(state, endOf(loaded), PAGE_LINES), format: 'ansi' }
    case 'first':
      return first < own
        ? { before: Math.min(own, first + PAGE_LINES), count: PAGE_LINES, format: 'ansi' }
        : { before: Math.min(end, first + PAGE_LINES), count: PAGE_LINES, format: 'ansi' }
    case 'last':
    case 'refresh':
      return { count: PAGE_LINES, format: 'ansi' }
    case 'around':
      return { before: Math.min(purpose.line < own ? own : end, purpose.line + PAGE_LINES / 2), count: PAGE_LINES, format: 'ansi' }
    case 'scan': {
      const { direction, at } = purpose.scan
      if (direction === 'up') return { before: at, count: SCAN_LINES, format: 'text' }
      return { ...linesFrom(state, at, SCAN_LINES), format: 'text' }
    }
  }
}

/** A page has lines of one run only: it ends where the next run begins. */
function linesFrom({ own, end }: PagerState, from: number, count: number): { readonly before: number; readonly count: number } {
  const before = Math.min(from < own ? own : end, from + count)
  return { before, count: Math.max(1, before - from) }
}

/** Asks for lines that will be needed soon, unless a request is under way. */
export function settle(state: PagerState): Stepped {
  if (state.asking !== null || state.away) return still(state)
  if (!state.answered) return askFor(state, { kind: 'last' })
  const { loaded, top } = state
  const ahead = Math.max(AHEAD_LINES, heightOf(state))
  if (loaded.from > state.first && top.line - loaded.from < ahead) return askFor(state, { kind: 'older' })
  if (endOf(loaded) < state.end && endOf(loaded) - top.line < heightOf(state) + ahead) return askFor(state, { kind: 'newer' })
  return still(state)
}

/**
 * The pager numbers the lines of two runs without a gap. The daemon numbers those of the run before from -1 down, and a run may
 * have lost its first lines, so that there would be numbers without lines between the two. `own` is the first line of the run.
 */
export const askedOf = ({ before, ...ask }: Ask, own: number): Ask =>
  before === undefined ? ask : { ...ask, before: before > own ? before : before - own }

export function pageOf({ first: own, oldest = own, from, end, lines }: Outcome<'terminal.history'>): Page {
  const joined = (number: number): number => (number < 0 ? number + own : number)
  return { first: joined(oldest), own, from: joined(from), end, lines }
}
