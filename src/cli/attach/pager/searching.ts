/** Searching page by page, and showing the match. */
import { askFor, settle } from './asking.ts'
import { bottomLine, clamped, endOf, isBefore, lineAt, moved, type PageOfLines } from './loaded.ts'
import { type Direction, isAtEnd, type PagerState, type Scan, type Stepped, still, viewOf } from './pagerState.ts'
import { hasMatch, matchesIn, patternOf } from './pattern.ts'
import { plainText, wrapLine } from './styledLine.ts'

/** A found line is shown a third down, with some lines before it. */
const FOUND_AT = 1 / 3

/** Shows a line that is in memory, with its first match if it is longer than a row. */
export function putInView(state: PagerState, line: number): PagerState {
  const view = viewOf(state)
  const spot = { line, row: matchRow(state, line) }
  const isSeen = !isBefore(spot, state.top) && !isBefore(moved(view, state.top, view.height - 1), spot)
  const top = isSeen ? state.top : clamped(view, moved(view, spot, -Math.floor(view.height * FOUND_AT)))
  return { ...state, top }
}

function matchRow({ loaded, search: wanted, size }: PagerState, number: number): number {
  const line = lineAt(loaded, number)
  const range = wanted === null ? undefined : matchesIn(plainText(line), wanted.pattern)[0]
  if (range === undefined) return 0
  return Math.max(
    0,
    wrapLine(line, size.cols).findLastIndex((row) => (row[0]?.at ?? 0) <= range.from),
  )
}

export function search(state: PagerState, { direction, text }: { readonly direction: Direction; readonly text: string }): Stepped {
  const pattern = text === '' ? state.search?.pattern : patternOf(text)
  if (pattern === undefined) return still(state)
  const view = viewOf(state)
  // At the end no line is below, so the search goes up.
  const way = isAtEnd(state) ? 'up' : direction
  const at = way === 'up' ? bottomLine(view, state.top) + 1 : state.top.line
  return scanOn({ ...state, search: { pattern, direction: way }, match: null }, { pattern, direction: way, at })
}

export function searchAgain(state: PagerState, { reverse }: { readonly reverse: boolean }): Stepped {
  if (state.search === null) return still({ ...state, notice: 'Nothing to search for: type / and a text' })
  const { pattern, direction } = state.search
  const way = reverse ? (direction === 'up' ? 'down' : 'up') : direction
  const view = viewOf(state)
  const bottom = bottomLine(view, state.top)
  const from = state.match !== null && state.match >= state.top.line && state.match <= bottom ? state.match : null
  const at = way === 'up' ? (from ?? bottom + 1) : from === null ? state.top.line : from + 1
  return scanOn(state, { pattern, direction: way, at })
}

function scanOn(state: PagerState, scan: Scan): Stepped {
  const isOver = scan.direction === 'up' ? scan.at <= state.first : scan.at >= state.end
  if (!isOver) return askFor(state, { kind: 'scan', scan })
  const where = scan.direction === 'up' ? 'above' : 'below'
  return settle({ ...state, asking: null, notice: `No match for “${scan.pattern.text}” ${where}` })
}

export function takeScanned(state: PagerState, scan: Scan, page: PageOfLines): Stepped {
  const isMatch = (line: string): boolean => hasMatch(line, scan.pattern)
  const found = scan.direction === 'up' ? page.lines.findLastIndex(isMatch) : page.lines.findIndex(isMatch)
  if (found < 0) return scanOn(state, { ...scan, at: scanned(state, scan, page) })
  const match = page.from + found
  const matched = { ...state, match }
  const isLoaded = match >= state.loaded.from && match < endOf(state.loaded)
  return isLoaded ? settle(putInView({ ...matched, asking: null }, match)) : askFor(matched, { kind: 'around', line: match })
}

/** An empty page ends the search: the lines may be gone. */
function scanned({ first, end }: PagerState, scan: Scan, page: PageOfLines): number {
  if (page.lines.length === 0) return scan.direction === 'up' ? first : end
  return scan.direction === 'up' ? page.from : page.from + page.lines.length
}
