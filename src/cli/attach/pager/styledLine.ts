/**
 * A line of history as the daemon sends it, styled with SGR and OSC 8: its plain text, and how it wraps at a width. Any
 * other control is dropped: old output is data, and only its text and colors reach the user's terminal.
 */
import { widths } from '../../../screen/engine/widths.ts'

export type Line = { readonly ansi: string }

export type Cell = {
  readonly text: string
  readonly width: number
  /** Parameters of SGR on top of a reset; empty is plain. */
  readonly pen: string
  /** The text between `OSC 8 ;` and its end; empty is no link. */
  readonly link: string
  /** Where the text begins in the line's plain text. */
  readonly at: number
}

const CONTROL =
  /\x1b\[(?<sgr>[\d;:]*)m|\x1b\]8;(?<link>[^\x07\x1b]*)(?:\x07|\x1b\\)|\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])?|[\0-\x1f\x7f-\x9f]/g
const PLAIN = /^[\x20-\x7e]*$/

export const plainText = (line: Line): string => line.ansi.replaceAll(CONTROL, '')

const counts = new WeakMap<Line, { readonly cols: number; readonly rows: number }>()

/** How many rows the line takes; cached, because scrolling asks often. */
export function rowCount(line: Line, cols: number): number {
  const known = counts.get(line)
  if (known?.cols === cols) return known.rows
  const rows = PLAIN.test(line.ansi) ? Math.max(1, Math.ceil(line.ansi.length / cols)) : wrapLine(line, cols).length
  counts.set(line, { cols, rows })
  return rows
}

/** At least one row, as a terminal would wrap it: a wide character that does not fit begins the next one. */
export function wrapLine(line: Line, cols: number): readonly (readonly Cell[])[] {
  const wrapper = new Wrapper(cols)
  let from = 0
  for (const found of line.ansi.matchAll(CONTROL)) {
    wrapper.text(line.ansi.slice(from, found.index))
    from = found.index + found[0].length
    const { sgr, link } = found.groups ?? {}
    if (sgr !== undefined) wrapper.pen = penAfter(wrapper.pen, sgr)
    if (link !== undefined) wrapper.link = link.endsWith(';') ? '' : link
  }
  wrapper.text(line.ansi.slice(from))
  return wrapper.rows
}

function penAfter(pen: string, sgr: string): string {
  const fresh = /^0*(?:;|$)(.*)$/.exec(sgr)
  if (fresh !== null) return fresh[1] ?? ''
  return pen === '' ? sgr : `${pen};${sgr}`
}

class Wrapper {
  readonly rows: Cell[][] = [[]]
  pen = ''
  link = ''
  private readonly cols: number
  private column = 0
  private state = 0
  private at = 0

  constructor(cols: number) {
    this.cols = cols
  }

  text(text: string): void {
    for (const character of text) {
      this.state = widths.charProperties(character.codePointAt(0) ?? 0, this.state)
      const width = (this.state >> 1) & 3
      if ((this.state & 1) === 1) this.join(character, width)
      else this.put({ text: character, width, pen: this.pen, link: this.link, at: this.at })
      this.at += character.length
    }
  }

  private put(cell: Cell): void {
    if (this.column > 0 && this.column + cell.width > this.cols) {
      this.rows.push([])
      this.column = 0
    }
    this.rows.at(-1)?.push(cell)
    this.column += cell.width
  }

  /** A mark or selector that belongs to the cell before, and may make it wider. */
  private join(character: string, width: number): void {
    const last = this.rows.at(-1)?.pop()
    if (last === undefined) return
    this.column -= last.width
    this.put({ ...last, text: last.text + character, width })
  }
}

/** The cells of a text that fit into one row. */
export const firstRow = (ansi: string, cols: number): readonly Cell[] =>
  (wrapLine({ ansi }, cols)[0] ?? []).filter(({ width }) => width <= cols)

export const widthOfRow = (cells: readonly Cell[]): number => cells.reduce((sum, { width }) => sum + width, 0)

/** The bytes of a row, in its own pens or in others. */
export function rowText(cells: readonly Cell[], penOf = (cell: Cell): string => cell.pen): string {
  let text = ''
  let pen = ''
  let link = ''
  for (const cell of cells) {
    const wanted = penOf(cell)
    if (wanted !== pen) text += wanted === '' ? '\x1b[0m' : `\x1b[0;${wanted}m`
    if (cell.link !== link) text += `\x1b]8;${cell.link === '' ? ';' : cell.link}\x1b\\`
    pen = wanted
    link = cell.link
    text += cell.text
  }
  return `${text}${link === '' ? '' : '\x1b]8;;\x1b\\'}${pen === '' ? '' : '\x1b[0m'}`
}
