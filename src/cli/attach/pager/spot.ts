/** Where the view stands: a row of a line. Lines wrap at the width, so moving by rows walks through them. */
import { endOf, type Loaded, lineAt } from './loaded.ts'
import { rowCount } from './styledLine.ts'

export type Spot = { readonly line: number; readonly row: number }
export type View = { readonly loaded: Loaded; readonly cols: number; readonly height: number }

export const isBefore = (a: Spot, b: Spot): boolean => a.line < b.line || (a.line === b.line && a.row < b.row)

const rowsAt = ({ loaded, cols }: View, line: number): number => rowCount(lineAt(loaded, line), cols)

/** So many rows further down, or up if negative, as far as there are lines in memory. */
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

/** The lowest place of the view: the last row in memory is at its bottom. */
export function lowest(view: View): Spot {
  const last = Math.max(view.loaded.from, endOf(view.loaded) - 1)
  return moved(view, { line: last, row: rowsAt(view, last) - 1 }, 1 - view.height)
}

/** Kept within what is in memory; a row that a new width has taken away becomes the last one of its line. */
export function clamped(view: View, spot: Spot): Spot {
  const bottom = lowest(view)
  if (spot.line < view.loaded.from) return { line: view.loaded.from, row: 0 }
  if (isBefore(bottom, spot)) return bottom
  return { line: spot.line, row: Math.min(spot.row, rowsAt(view, spot.line) - 1) }
}

/** The last line of which something is seen. */
export const bottomLine = (view: View, top: Spot): number => moved(view, top, view.height - 1).line
