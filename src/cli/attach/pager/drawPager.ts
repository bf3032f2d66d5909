/** The pager as a picture: the rows of the view and a status line; and the bytes that turn one picture into the next. */
import { bottomLine, endOf, lineAt } from './loaded.ts'
import { heightOf, isAtEnd, lineName, numberName, type PagerState, viewOf } from './pagerState.ts'
import { matchesIn, type Range } from './pattern.ts'
import { type Cell, firstRow, plainText, rowText, widthOfRow, wrapLine } from './styledLine.ts'

export type Picture = {
  /** As many as the window has; each ends with a plain pen. */
  readonly rows: readonly string[]
  /** Null where no text is being typed. */
  readonly cursor: { readonly row: number; readonly col: number } | null
}

const MATCH_PEN = '30;43'
const FOUND_PEN = '1;30;103'
const RUNNING = 'live output continues'
const KEYS = ['q back', '↑↓ PgUp PgDn', '/ ? search', 'n N', 'g G'] as const

export function drawPager(state: PagerState): Picture {
  const status = statusOf(state)
  const line = cutAt(status.text, state.size.cols)
  return {
    rows: [...drawLines(state), `\x1b[7m${line}${' '.repeat(state.size.cols - columns(line))}\x1b[0m`],
    cursor: status.typing ? { row: state.size.rows - 1, col: Math.min(columns(line), state.size.cols - 1) } : null,
  }
}

function drawLines(state: PagerState): string[] {
  const height = heightOf(state)
  const rows: string[] = []
  let skip = state.top.row
  for (let number = state.top.line; rows.length < height && number < endOf(state.loaded); number += 1) {
    rows.push(...drawLine(state, number).slice(skip))
    skip = 0
  }
  return [...rows.slice(0, height), ...Array<string>(Math.max(0, height - rows.length)).fill('')]
}

function drawLine({ loaded, size, search, match }: PagerState, number: number): string[] {
  const line = lineAt(loaded, number)
  const found = search === null ? [] : matchesIn(plainText(line), search.pattern)
  const pen = number === match ? FOUND_PEN : MATCH_PEN
  return wrapLine(line, size.cols).map((row) => rowText(row, (cell) => (found.some((range) => isIn(cell, range)) ? pen : cell.pen)))
}

const isIn = ({ at }: Cell, { from, to }: Range): boolean => at >= from && at < to

type Status = { readonly text: string; readonly typing: boolean }

function statusOf(state: PagerState): Status {
  if (state.prompt !== null) return { text: `${state.prompt.direction === 'up' ? '?' : '/'}${state.prompt.text}`, typing: true }
  const room = state.size.cols - 1
  const [urgent = '', ...rest] = wordsOf(state).filter((words) => words !== '')
  const place = placeOf(state)
  // In a narrow window the words matter more than the numbers.
  const first = columns(`${place} · ${urgent}`) > room && urgent !== RUNNING ? [urgent] : [place, urgent]
  return { text: ` ${fitting([...first, ...rest, ...KEYS], room)}`, typing: false }
}

/** The first parts, as many as fit. */
function fitting(parts: readonly string[], cols: number): string {
  let text = ''
  for (const part of parts.filter((each) => each !== '')) {
    const longer = text === '' ? part : `${text} · ${part}`
    if (text !== '' && columns(longer) > cols) break
    text = longer
  }
  return text
}

function placeOf(state: PagerState): string {
  if (!state.answered) return state.away ? '' : 'Reading…'
  if (state.loaded.lines.length === 0) return 'No lines yet'
  const last = bottomLine(viewOf(state), state.top)
  return `Lines ${lineName(state, state.top.line)}–${lineName(state, last)} of ${numberName(state.end)}`
}

/** The most important first. */
function wordsOf(state: PagerState): readonly string[] {
  const { purpose } = state.asking ?? {}
  if (purpose?.kind === 'scan')
    return [`searching “${purpose.scan.pattern.text}” at line ${lineName(state, purpose.scan.at - 1)}`, 'Ctrl-C stops']
  return [
    awayWords(state),
    state.notice ?? '',
    isAtTop(state) ? (state.first === 0 || state.first < state.own ? 'beginning of history' : 'older lines were dropped') : '',
    purpose?.kind === 'first' || (purpose?.kind === 'older' && state.top.line === state.loaded.from) ? 'fetching older lines…' : '',
    state.ended === null ? (state.behind && isAtEnd(state) ? 'new output below' : RUNNING) : state.ended,
  ]
}

function awayWords({ away, answered }: PagerState): string {
  if (!away) return ''
  return answered ? 'daemon away' : 'The daemon is away. Lines appear when it is back.'
}

const isAtTop = ({ answered, loaded, top, first }: PagerState): boolean =>
  answered && loaded.from <= first && top.line <= first && top.row === 0

const columns = (text: string): number => widthOfRow(firstRow(text, Number.MAX_SAFE_INTEGER))

const cutAt = (text: string, cols: number): string => rowText(firstRow(text, cols))

/** Draws only the rows that changed, in one update. */
export function repaintBytes(picture: Picture, before: Picture | null): string {
  const rows = picture.rows.map((row, at) => (row === before?.rows[at] ? '' : `\x1b[${at + 1};1H\x1b[0m\x1b[2K${row}`)).join('')
  const { cursor } = picture
  const shown = cursor === null ? '\x1b[?25l' : `\x1b[${cursor.row + 1};${cursor.col + 1}H\x1b[?25h`
  return `\x1b[?2026h${rows}${shown}\x1b[?2026l`
}
