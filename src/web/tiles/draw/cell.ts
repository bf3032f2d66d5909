/** How large the cells of a terminal are in a font. A drawing measures its own; where there is none it is worked out as the drawing would. */
import type { Size } from '../../../workspace/terminal/terminal.ts'
import type { Appearance } from './appearance.ts'

export const LINE_HEIGHT = 1.2
/** The room at the right that a drawing leaves for its scrollbar. */
const SCROLLBAR_PX = 14

export type Cell = { readonly width: number; readonly height: number }

/** `height` is that of the letters alone; `baseline` how far below its top they stand. */
export type FontBox = { readonly width: number; readonly height: number; readonly ascent: number; readonly descent: number }

type Font = Pick<Appearance, 'fontFamily' | 'fontSize'>

const measured = new Map<string, FontBox>()

export function fontBoxOf({ fontFamily, fontSize }: Font): FontBox {
  const font = `${fontSize}px ${fontFamily}`
  const known = measured.get(font)
  if (known !== undefined) return known
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return { width: fontSize * 0.6, height: fontSize * 1.2, ascent: fontSize, descent: fontSize * 0.2 }
  context.font = font
  const { width, fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = context.measureText('W')
  const box = { width, height: ascent + descent, ascent, descent }
  measured.set(font, box)
  return box
}

/** A drawing is a whole number of pixels wide and high, and its cells share that. */
export function cellOf({ width, height }: FontBox, { cols, rows }: Size, density: number): Cell {
  const cellHeight = Math.floor(Math.ceil(height * density) * LINE_HEIGHT)
  return {
    width: Math.round((width * density * cols) / density) / cols,
    height: Math.round((cellHeight * rows) / density) / rows,
  }
}

/** Letters stand in the middle of their row, as in any line of text. */
export const baselineOf = ({ ascent, descent }: FontBox, { height }: Cell): number =>
  (height - Math.round(ascent) - Math.round(descent)) / 2 + Math.round(ascent)

/** The size that would fill a place; null where it has none. */
export function sizeIn(place: { readonly width: number; readonly height: number }, cell: Cell): Size | null {
  const cols = Math.floor((place.width - SCROLLBAR_PX) / cell.width)
  const rows = Math.floor(place.height / cell.height)
  return cols >= 2 && rows >= 1 ? { cols, rows } : null
}
