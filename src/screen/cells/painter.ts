import {
  CODE_POINT_MASK,
  COLOR_BITS,
  COMBINED,
  CONTENT_MASK,
  HAS_EXTENDED,
  INVERSE,
  type Internals,
  OVERLINE,
  PROTECTED,
  type RawExtended,
  type RawLine,
  STRIKETHROUGH,
  UNDERLINE,
  WIDTH_SHIFT,
} from '../engine/internals.ts'
import { paintedId } from '../engine/links.ts'
import { joinsCell, widths } from '../engine/widths.ts'
import { extendedOf, sgrParameters } from './sgr.ts'

/** Collects ANSI and remembers the pen that it leaves behind, so that only changes are written. */
export type Painter = {
  raw(ansi: string): void
  pen(fg: number, bg: number, extended: RawExtended | null): void
  plain(): void
  /** Keeps the next character from joining the cell before it. */
  breakJoin(): void
  take(): string
}

export function createPainter(links: Internals['_oscLinkService']): Painter {
  let parts: string[] = []
  let sgr = '0'
  let guarded = 0
  let link = ''
  const setLink = (extended: RawExtended | null) => {
    const data = extended === null || extended.urlId === 0 ? undefined : links.getLinkData(extended.urlId)
    const next = data === undefined || extended === null ? '' : `id=${paintedId(extended.urlId, data)};${data.uri}`
    if (next === link) return
    parts.push(`\x1b]8;${next === '' ? ';' : next}\x1b\\`)
    link = next
  }
  const painter: Painter = {
    raw: (ansi) => void parts.push(ansi),
    pen(fg, bg, extended) {
      const next = sgrParameters(fg, bg, extended)
      if (next !== sgr || (bg & PROTECTED) !== guarded) {
        parts.push(next === '0' ? '\x1b[m' : `\x1b[${next}m`)
        if (bg & PROTECTED) parts.push('\x1b[1"q') // SGR 0 takes the protection away
        sgr = next
        guarded = bg & PROTECTED
      }
      setLink(extended)
    },
    plain: () => painter.pen(0, 0, null),
    breakJoin: () => void parts.push(`\x1b[${sgr}m${guarded ? '\x1b[1"q' : ''}`),
    take() {
      const ansi = parts.join('')
      parts = []
      return ansi
    },
  }
  return painter
}

const FG_SHOWS_ON_BLANKS = INVERSE | UNDERLINE | STRIKETHROUGH
const SAME_ATTRIBUTES = ~HAS_EXTENDED // the flag itself says nothing; what it points at is compared

/** Paints one row from column 0. `stale` means that its cells may already hold something. */
export function paintRow(painter: Painter, line: RawLine, { cols, end, stale }: { cols: number; end: number; stale: boolean }): void {
  let column = 0
  const goTo = (x: number) => {
    if (column < x) painter.raw(`\x1b[${x - column}C`)
    column = x
  }
  for (let x = 0, stop = 0; x < end; x = stop) {
    const text = isText(line, x, cols)
    stop = text ? endOfTextRun(line, x, { cols, end }) : endOfBlankRun(line, x, { cols, end })
    const mark = !text && isBareMark(line, x) && cellWidth(line, x) > 0 && stop < cols
    const inked = text || showsOnBlank(line, x)
    if (inked || stale || background(line, x) !== 0) goTo(x)
    if (text) paintText(painter, line, { from: x, to: stop })
    else if (inked) paintInkedBlank(painter, line, { from: x, to: stop })
    else if (stale || background(line, x) !== 0) erase(painter, background(line, x), stop - x)
    if (inked) column = stop
    if (!mark) continue
    goTo(stop) // from here the mark joins the empty cell before
    painter.raw(cellText(line, x))
  }
  if (!stale || end >= cols) return
  goTo(end)
  erase(painter, 0, cols - end)
}

const EMPTY_CELL = 1 << WIDTH_SHIFT

/** Where the last cell ends that does not look like a blank of a fresh screen. */
export function paintedLength(line: RawLine, cols: number): number {
  const data = line._data
  let end = cols
  // Most of a history is this.
  while (end > 0 && data[end * 3 - 3] === EMPTY_CELL && data[end * 3 - 2] === 0 && data[end * 3 - 1] === 0) end--
  while (end > 0 && !isText(line, end - 1, cols) && !blankShows(line, end - 1) && !isWideTail(line, end - 1) && !isBareMark(line, end - 1))
    end--
  return end
}

/** Blanks cells from `from` to `to` as they were, cell `from` being under the cursor. */
export function eraseCells(painter: Painter, line: RawLine, { from, to, cols }: { from: number; to: number; cols: number }): void {
  for (let x = from, stop = from; x < to; x = stop) {
    stop = endOfBlankRun(line, x, { cols, end: to })
    if (showsOnBlank(line, x)) paintInkedBlank(painter, line, { from: x, to: stop })
    else {
      erase(painter, background(line, x), stop - x)
      if (stop < to) painter.raw(`\x1b[${stop - x}C`)
    }
  }
}

const content = (line: RawLine, x: number): number => line._data[x * 3] ?? 0
const isCombined = (line: RawLine, x: number): boolean => (content(line, x) & COMBINED) !== 0
const background = (line: RawLine, x: number): number => (line._data[x * 3 + 2] ?? 0) & COLOR_BITS

export const isWideTail = (line: RawLine, x: number): boolean =>
  content(line, x) === 0 && x > 0 && content(line, x - 1) >> WIDTH_SHIFT === 2

/** Whether the cell holds a character that can be printed there again: a wide one needs its second half. */
export function isText(line: RawLine, x: number, cols: number): boolean {
  const word = content(line, x)
  if ((word & CONTENT_MASK) === 0) return false
  if (isBareMark(line, x)) return x === 0 && word >> WIDTH_SHIFT === 0
  return word >> WIDTH_SHIFT < 2 || (x + 1 < cols && content(line, x + 1) === 0)
}

/** A combining mark without anything to combine with: it joined an empty cell, or stands at the start of a line. */
export function isBareMark(line: RawLine, x: number): boolean {
  const word = content(line, x)
  const first = word & COMBINED ? (line._combined[x]?.codePointAt(0) ?? 0) : word & CODE_POINT_MASK
  return first >= 0x300 && widths.wcwidth(first) === 0
}

export const cellText = (line: RawLine, x: number): string => {
  const word = content(line, x)
  return word & COMBINED ? (line._combined[x] ?? ' ') : String.fromCodePoint(word & CODE_POINT_MASK)
}

export const cellWidth = (line: RawLine, x: number): number => content(line, x) >> WIDTH_SHIFT

export function penOfCell(painter: Painter, line: RawLine, x: number): void {
  const bg = line._data[x * 3 + 2] ?? 0
  painter.pen(line._data[x * 3 + 1] ?? 0, bg, extendedOf(bg, line._extendedAttrs[x]))
}

function blankShows(line: RawLine, x: number): boolean {
  return background(line, x) !== 0 || showsOnBlank(line, x)
}

export function showsOnBlank(line: RawLine, x: number): boolean {
  return ((line._data[x * 3 + 1] ?? 0) & FG_SHOWS_ON_BLANKS) !== 0 || ((line._data[x * 3 + 2] ?? 0) & OVERLINE) !== 0
}

/** An empty cell cannot be given an underline or inverse video, a space can. The two look the same. */
function paintInkedBlank(painter: Painter, line: RawLine, { from, to }: { from: number; to: number }): void {
  penOfCell(painter, line, from)
  painter.raw(' '.repeat(to - from))
}

function erase(painter: Painter, color: number, count: number): void {
  painter.pen(0, color, null)
  painter.raw(`\x1b[${count}X`)
}

function paintText(painter: Painter, line: RawLine, { from, to }: { from: number; to: number }): void {
  penOfCell(painter, line, from)
  let text = ''
  let before = ''
  for (let x = from; x < to; x += Math.max(1, cellWidth(line, x))) {
    const word = content(line, x)
    if (isSimple(word)) {
      before = String.fromCharCode(word & CODE_POINT_MASK)
      text += before
      continue
    }
    const cell = cellText(line, x)
    if (before !== '' && joinsCell(before, cell.codePointAt(0) ?? 0)) {
      painter.raw(text)
      painter.breakJoin()
      text = ''
    }
    if (isCombined(line, x) && printedWidth(cell) !== cellWidth(line, x)) {
      painter.raw(text)
      paintInPieces(painter, cell)
      text = ''
    } else text += cell
    before = cell
  }
  painter.raw(text)
}

/**
 * For a cell whose code points arrived one by one, with something between them that kept the cell from getting wider. One that
 * has a width of its own cannot be brought into the cell any more, and must not be printed beside it.
 */
function paintInPieces(painter: Painter, cell: string): void {
  ;[...cell].forEach((character, index) => {
    if (index > 0 && widths.wcwidth(character.codePointAt(0) ?? 0) > 0) return
    painter.breakJoin()
    painter.raw(character)
  })
}

function printedWidth(text: string): number {
  let state = 0
  for (const character of text) state = widths.charProperties(character.codePointAt(0) ?? 0, state)
  return (state >> 1) & 3
}

/** One column and one code point that joins nothing: nearly all text. */
const isSimple = (word: number): boolean => (word & ~0xff) === EMPTY_CELL && (word & 0xff) !== 0

function endOfTextRun(line: RawLine, from: number, { cols, end }: { cols: number; end: number }): number {
  const data = line._data
  const [fg, bg] = [data[from * 3 + 1] ?? 0, data[from * 3 + 2] ?? 0]
  let x = from
  if ((bg & HAS_EXTENDED) === 0) while (x < end && isSimple(data[x * 3] ?? 0) && data[x * 3 + 1] === fg && data[x * 3 + 2] === bg) x++
  while (x < end && isText(line, x, cols) && sameAttributes(line, from, x)) x += Math.max(1, cellWidth(line, x))
  return x
}

function endOfBlankRun(line: RawLine, from: number, { cols, end }: { cols: number; end: number }): number {
  let x = from + 1
  if (isBareMark(line, from)) return x
  while (x < end && !isText(line, x, cols) && !isBareMark(line, x) && sameAttributes(line, from, x)) x++
  return x
}

export function sameAttributes(line: RawLine, a: number, b: number): boolean {
  const data = line._data
  if (data[a * 3 + 1] !== data[b * 3 + 1]) return false
  const bgA = data[a * 3 + 2] ?? 0
  const bgB = data[b * 3 + 2] ?? 0
  if ((bgA & SAME_ATTRIBUTES) !== (bgB & SAME_ATTRIBUTES)) return false
  if (((bgA | bgB) & HAS_EXTENDED) === 0) return true
  const extA = extendedOf(bgA, line._extendedAttrs[a])
  const extB = extendedOf(bgB, line._extendedAttrs[b])
  return extA === extB || (extA !== null && extB !== null && extA._ext === extB._ext && extA.urlId === extB.urlId)
}
