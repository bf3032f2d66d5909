/**
 * Scroll mode as a pure machine: `(state, event) → state + effects`. It shows lines by number, asks for pages as they are
 * needed, and searches page by page. It knows no sockets and no clocks; `scrolling.ts` above it carries out the effects.
 * Start reading here, then pagerState; drawPager turns a state into a picture.
 */
import type { Size } from '../../../workspace/terminal/terminal.ts'
import { askFor, settle } from './asking.ts'
import { clamped, endOf, isBefore, loadedFrom, lowest, moved, NOTHING_LOADED, withNewer, withOlder } from './loaded.ts'
import type { PagerKey } from './pagerKeys.ts'
import {
  type Direction,
  heightOf,
  isAtEnd,
  lineName,
  type Page,
  type PagerEvent,
  type PagerState,
  type Stepped,
  still,
  viewOf,
} from './pagerState.ts'
import { putInView, search, searchAgain, takeScanned } from './searching.ts'

const TYPED_AHEAD_KEYS = 200

export function openPager(size: Size, { up }: { readonly up: boolean }): Stepped {
  const state: PagerState = {
    size,
    first: 0,
    own: 0,
    end: 0,
    answered: false,
    loaded: NOTHING_LOADED,
    top: { line: 0, row: 0 },
    asking: null,
    asked: 0,
    typedAhead: [],
    prompt: null,
    search: null,
    match: null,
    notice: null,
    away: !up,
    behind: false,
    ended: null,
  }
  return settle(state)
}

export function stepPager(state: PagerState, event: PagerEvent): Stepped {
  const stepped = react(state, event)
  const [next, ...later] = stepped.state.typedAhead
  if (next === undefined || isWaitedFor(stepped.state)) return stepped
  const after = stepPager({ ...stepped.state, typedAhead: later }, { kind: 'key', key: next })
  return { state: after.state, effects: [...stepped.effects, ...after.effects] }
}

function react(state: PagerState, event: PagerEvent): Stepped {
  switch (event.kind) {
    case 'key':
      return isWaitedFor(state) ? takeEarlyKey(state, event.key) : takeKey({ ...state, notice: null }, event.key)
    case 'resized': {
      const resized = { ...state, size: event.size }
      return settle({ ...resized, top: clamped(viewOf(resized), state.top) })
    }
    case 'page':
      return event.id === state.asking?.id ? takePage(state, event) : still(state)
    case 'refused':
      return event.id === state.asking?.id ? still({ ...state, asking: null, notice: state.away ? null : event.why }) : still(state)
    case 'link':
      return event.up ? settle({ ...state, away: false }) : still({ ...state, away: true, asking: null })
    case 'output':
      return still({ ...state, behind: true })
    case 'ended':
      return still({ ...state, ended: event.how })
  }
}

/** Prefetching blocks no key; every other request decides where the view goes next. */
function isWaitedFor({ asking }: PagerState): boolean {
  return asking !== null && asking.purpose.kind !== 'older' && asking.purpose.kind !== 'newer'
}

/** Keys wait for the lines that decide the view; q, Escape and Ctrl-C stop waiting. */
function takeEarlyKey(state: PagerState, key: PagerKey): Stepped {
  if (!['escape', '^C', 'q'].includes(nameOf(key))) {
    const isRoom = state.typedAhead.length < TYPED_AHEAD_KEYS
    return still(isRoom ? { ...state, typedAhead: [...state.typedAhead, key] } : state)
  }
  const purpose = state.asking?.purpose
  const stopped = { ...state, asking: null, typedAhead: [] }
  if (purpose?.kind !== 'scan') return { state: stopped, effects: [{ kind: 'leave' }] }
  return settle({ ...stopped, notice: `Search stopped at line ${lineName(state, purpose.scan.at - 1)}` })
}

function takeKey(state: PagerState, key: PagerKey): Stepped {
  if (state.prompt !== null) return takePromptKey(state, state.prompt, key)
  const move = movementOf(key, heightOf(state))
  return move === null ? takeCommand(state, nameOf(key)) : scrollBy(state, move)
}

/** One name per key: `^B`, `g`, `home`. */
const nameOf = (key: PagerKey): string =>
  key.kind === 'character' ? key.character : key.kind === 'control' ? `^${key.letter.toUpperCase()}` : key.kind

const UP = { line: ['up', 'k', '^P', '^Y'], page: ['pageUp', 'b', '^B'], half: ['u', '^U'] }
const DOWN = { line: ['down', 'j', 'enter', '^N', '^E'], page: ['pageDown', 'f', ' ', '^F'], half: ['d', '^D'] }

/** Rows that a key scrolls by, up if negative; null for other keys. */
function movementOf(key: PagerKey, height: number): number | null {
  const name = nameOf(key)
  const rows = { line: 1, page: Math.max(1, height - 1), half: Math.max(1, Math.floor(height / 2)) }
  for (const step of ['line', 'page', 'half'] as const) {
    if (UP[step].includes(name)) return -rows[step]
    if (DOWN[step].includes(name)) return rows[step]
  }
  return null
}

function takeCommand(state: PagerState, name: string): Stepped {
  switch (name) {
    case 'q':
    case 'escape':
    case '^C':
      return { state, effects: [{ kind: 'leave' }] }
    case 'g':
    case 'home':
    case '<':
      return goToFirst(state)
    case 'G':
    case 'end':
    case '>':
      return askFor(state, { kind: 'last' })
    case '/':
      return still({ ...state, prompt: { direction: 'down', text: '' } })
    case '?':
      return still({ ...state, prompt: { direction: 'up', text: '' } })
    case 'n':
      return searchAgain(state, { reverse: false })
    case 'N':
      return searchAgain(state, { reverse: true })
    default:
      return still(state)
  }
}

function takePromptKey(state: PagerState, prompt: { direction: Direction; text: string }, key: PagerKey): Stepped {
  switch (key.kind) {
    case 'character':
      return still({ ...state, prompt: { ...prompt, text: prompt.text + key.character } })
    case 'backspace':
      if (prompt.text === '') return still({ ...state, prompt: null })
      return still({ ...state, prompt: { ...prompt, text: [...prompt.text].slice(0, -1).join('') } })
    case 'control':
      if (key.letter === 'u') return still({ ...state, prompt: { ...prompt, text: '' } })
      return still(key.letter === 'c' || key.letter === 'g' ? { ...state, prompt: null } : state)
    case 'escape':
      return still({ ...state, prompt: null })
    case 'enter':
      return search({ ...state, prompt: null }, prompt)
    default:
      return still(state)
  }
}

function scrollBy(state: PagerState, rows: number): Stepped {
  const view = viewOf(state)
  const bottom = lowest(view)
  const top = moved(view, state.top, rows)
  if (rows > 0 && isAtEnd(state) && state.behind) return askFor(state, { kind: 'refresh', rows })
  return settle({ ...state, top: isBefore(bottom, top) ? bottom : top })
}

/** The top may be outside: a page that does not touch the lines in memory replaces them. */
const inView = (state: PagerState): PagerState => ({ ...state, top: clamped(viewOf(state), state.top) })

function goToFirst(state: PagerState): Stepped {
  if (state.loaded.from > state.first) return askFor(state, { kind: 'first' })
  return settle({ ...state, top: { line: state.loaded.from, row: 0 } })
}

/** An answer without lines of the run before only says that there is one. */
function firstOf({ first, own }: PagerState, page: Page): number {
  return page.own === own && page.first === own - 1 && first < page.first ? first : page.first
}

/** The run has lost lines of its own, so that the numbers of those above it have changed. */
const isShifted = ({ own, loaded }: PagerState, page: Page): boolean => page.own !== own && loaded.from < own

function takePage(before: PagerState, page: Page): Stepped {
  const { asking } = before
  if (asking === null) return still(before)
  const state: PagerState = {
    ...before,
    first: firstOf(before, page),
    own: page.own,
    end: Math.max(page.end, page.from + page.lines.length),
    answered: true,
    asking: null,
    loaded: isShifted(before, page) ? NOTHING_LOADED : before.loaded,
  }
  const { purpose } = asking
  switch (purpose.kind) {
    case 'older':
      // An empty page is the end, whatever `first` says: otherwise it would be asked for again and again.
      if (page.lines.length === 0) return settle({ ...state, first: state.loaded.from })
      return settle(inView({ ...state, loaded: withOlder(state.loaded, page) }))
    case 'newer':
      if (page.lines.length === 0) return settle({ ...state, end: endOf(state.loaded) })
      return settle(inView({ ...state, loaded: withNewer(state.loaded, page) }))
    case 'first':
      if (state.first < before.first) return askFor(state, purpose) // this answer told how far back the history goes
      return settle({ ...state, loaded: loadedFrom(page), top: { line: page.from, row: 0 } })
    case 'last': {
      const loaded = loadedFrom(page)
      return settle({ ...state, loaded, behind: false, top: lowest({ ...viewOf(state), loaded }) })
    }
    case 'refresh': {
      const refreshed = { ...state, loaded: withNewer(state.loaded, page), behind: false }
      return scrollBy({ ...refreshed, top: clamped(viewOf(refreshed), state.top) }, purpose.rows)
    }
    case 'around':
      return settle(putInView({ ...state, loaded: loadedFrom(page) }, purpose.line))
    case 'scan':
      return takeScanned(state, purpose.scan, page)
  }
}
