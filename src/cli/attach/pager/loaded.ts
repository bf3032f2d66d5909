/** The lines in memory, a part of the history around the view, and where in them the view stands. */
import { type Line, rowCount } from './styledLine.ts'

export type Loaded = { readonly from: number; readonly lines: readonly Line[] }

/** As the daemon sends them. */
export type PageOfLines = { readonly from: number; readonly lines: readonly string[] }

/** Lines of one request, a few screens: quick to fetch, and rarely waited for. */
export const PAGE_LINES = 500
/**
 * Lines further away are fetched again when needed. More than three times the highest window and a page: otherwise lines
 * fetched at one end would be dropped at the other, and fetched again.
 */
export const LOADED_LINES = 5_000

export const NOTHING_LOADED: Loaded = { from: 0, lines: [] }

export const endOf = ({ from, lines }: Loaded): number => from + lines.length

export const lineAt = ({ from, lines }: Loaded, number: number): Line => lines[number - from] ?? EMPTY

const EMPTY: Line = { ansi: '' }

export const loadedFrom = ({ from, lines }: PageOfLines): Loaded => ({ from, lines: lines.map((ansi) => ({ ansi })) })

/** Older lines in front; lines too far below are dropped. A page that does not touch the lines in memory replaces them. */
export function withOlder(loaded: Loaded, page: PageOfLines): Loaded {
  const added = loadedFrom(page)
  if (endOf(added) < loaded.from) return added
  const kept = loaded.lines.slice(Math.max(0, endOf(added) - loaded.from))
  return { from: added.from, lines: [...added.lines, ...kept].slice(0, LOADED_LINES) }
}

/** Newer lines behind; where both have a line, the newer answer wins: the program may have painted over it. */
export function withNewer(loaded: Loaded, page: PageOfLines): Loaded {
  const added = loadedFrom(page)
  if (added.from > endOf(loaded) || added.from < loaded.from) return added
  const lines = [...loaded.lines.slice(0, added.from - loaded.from), ...added.lines]
  const dropped = Math.max(0, lines.length - LOADED_LINES)
  return { from: loaded.from + dropped, lines: lines.slice(dropped) }
}

/** A row of a line. Lines wrap at the width, so moving by rows walks through them. */
export type Spot = { readonly line: number; readonly row: number }
export type View = { readonly loaded: Loaded; readonly cols: number; readonly height: number }

export const isBefore = (a: Spot, b: Spot): boolean => a.line < b.line || (a.line === b.line && a.row < b.row)

const rowsAt = ({ loaded, cols }: View, line: number): number => rowCount(lineAt(loaded, line), cols)

/** That many rows down, or up if negative, as far as lines are in memory. */
export function moved(view: View, spot: Spot, rows: number): Spot {
  return rows < 0 ? movedUp(view, spot, -rows) : movedDown(view, spot, rows)
}

function movedUp(view: View, spot: Spot, rows: number): Spot {
  let { line, row } = spot
  let left = rows - row
  if (left <= 0) return { line, row: row - rows }
  while (left > 0 && line > view.loaded.from) {
    line -= 1
    row = rowsAt(view, line)
    left -= row
  }
  return { line, row: left > 0 ? 0 : -left }
}

function movedDown(view: View, spot: Spot, rows: number): Spot {
  let { line } = spot
  let row = spot.row + rows
  while (line < endOf(view.loaded) - 1 && row >= rowsAt(view, line)) {
    row -= rowsAt(view, line)
    line += 1
  }
  return { line, row: Math.min(row, rowsAt(view, line) - 1) }
}

/** The lowest top of the view: the last row in memory is at its bottom. */
export function lowest(view: View): Spot {
  const last = Math.max(view.loaded.from, endOf(view.loaded) - 1)
  return moved(view, { line: last, row: rowsAt(view, last) - 1 }, 1 - view.height)
}

/** Moved into the lines in memory; a row that a new width removed becomes the last one of its line. */
export function clamped(view: View, spot: Spot): Spot {
  const bottom = lowest(view)
  if (spot.line < view.loaded.from) return { line: view.loaded.from, row: 0 }
  if (isBefore(bottom, spot)) return bottom
  return { line: spot.line, row: Math.min(spot.row, rowsAt(view, spot.line) - 1) }
}

/** The last line that is at least partly visible. */
export const bottomLine = (view: View, top: Spot): number => moved(view, top, view.height - 1).line
