/**
 * A screen as a picture: an SVG whose every character stands in its cell, so that it can lie exactly over the drawing that it
 * replaces, and is crisp at any size. It holds no script, no link and no reference to anything outside.
 */

import type { ScreenJson } from '../cells/formats.ts'
import { hexOf, rgbOf } from '../cells/palette.ts'
import type { TextStyle } from '../cells/spans.ts'
import { widths } from '../engine/widths.ts'
import { inkOf, readable, type StillTheme } from './stillColors.ts'

export type StillLook = {
  readonly theme: StillTheme
  /** What every colour must at least stand out by; 1 leaves them as they are. */
  readonly contrast: number
  /** As in CSS. */
  readonly font: string
  readonly fontSize: number
  readonly cell: { readonly width: number; readonly height: number }
  /** From the top of a row down to where its letters stand. */
  readonly baseline: number
}

type Row = ScreenJson['lines'][number]
type Place = { readonly column: number; readonly row: number }
/** Characters of the same width, or a single one of another width. */
type Piece = { readonly column: number; readonly columns: number; readonly text: string }

export function stillOf({ cols, rows, lines }: Pick<ScreenJson, 'cols' | 'rows' | 'lines'>, look: StillLook): string {
  const { cell, theme, font, fontSize } = look
  const [width, height] = [number(cols * cell.width), number(rows * cell.height)]
  const drawn = lines.slice(-rows).map((line, row) => drawRow(line, row, look))
  const style = `font-family="${escaped(font)}" font-size="${number(fontSize)}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    '<style>text{white-space:pre;font-variant-ligatures:none}</style>', // browsers give every text a rule of its own: it would not be inherited
    `<rect width="100%" height="100%" fill="${hexOf(theme.background)}"/>`,
    `<g shape-rendering="crispEdges">${drawn.map(({ papers }) => papers).join('')}</g>`,
    `<g ${style}>${drawn.map(({ letters }) => letters).join('\n')}</g>`,
    '</svg>',
  ].join('\n')
}

function drawRow({ spans }: Row, row: number, look: StillLook): { readonly papers: string; readonly letters: string } {
  let papers = ''
  let letters = ''
  let column = 0
  for (const { text, style } of spans) {
    const pieces = piecesOf(text, column)
    const last = pieces.at(-1)
    const end = last === undefined ? column : last.column + last.columns
    papers += paperOf({ column, row, columns: end - column }, style, look)
    if (!style.invisible) letters += pieces.map((piece) => letterOf(piece, row, { style, look })).join('')
    column = end
  }
  return { papers, letters }
}

function paperOf({ column, row, columns }: Place & { readonly columns: number }, style: TextStyle, { theme, cell }: StillLook): string {
  const { paper } = inkOf(style, theme)
  if (paper === null) return ''
  const box = `x="${number(column * cell.width)}" y="${number(row * cell.height)}" width="${number(columns * cell.width)}"`
  return `<rect ${box} height="${number(cell.height)}" fill="${hexOf(paper)}"/>`
}

type Written = { readonly style: TextStyle; readonly look: StillLook }

function letterOf({ column, columns, text }: Piece, row: number, { style, look }: Written): string {
  const { theme, cell, baseline, contrast } = look
  const decoration = decorationOf(style, theme)
  if (text.trim() === '' && decoration === '') return ''
  const { ink, paper } = inkOf(style, theme)
  const fill = DRAWN.test(text) ? ink : readable(ink, paper ?? theme.background, contrast)
  const attributes = [
    `x="${number(column * cell.width)}" y="${number(row * cell.height + baseline)}"`,
    // One alone may be wider than its cell in a font that it was borrowed from; it stands where its cell begins.
    text.length > 1 && PLAIN.test(text) && `textLength="${number(columns * cell.width)}"`,
    `fill="${hexOf(fill)}"`,
    style.dim && 'fill-opacity=".5"',
    style.bold && 'font-weight="bold"',
    style.italic && 'font-style="italic"',
    decoration !== '' && `style="text-decoration:${decoration}"`,
  ]
  return `<text ${attributes.filter(Boolean).join(' ')}>${escaped(text)}</text>`
}

const LINES = { single: 'solid', double: 'double', curly: 'wavy', dotted: 'dotted', dashed: 'dashed' } as const

function decorationOf(style: TextStyle, theme: StillTheme): string {
  const lines = [style.underline && 'underline', style.overline && 'overline', style.strikethrough && 'line-through'].filter(Boolean)
  if (lines.length === 0) return ''
  const shape = style.underline === undefined ? '' : ` ${LINES[style.underline]}`
  const color = style.underlineColor === undefined ? null : rgbOf(style.underlineColor, theme)
  return `${lines.join(' ')}${shape}${color === null ? '' : ` ${hexOf(color)}`}`
}

/** Lines, blocks and powerline shapes: pictures, not letters. */
const DRAWN = /^[\u2500-\u259f\ue0a0-\ue0d6]+$/
/** What every monospaced font has in one width. */
const PLAIN = /^[\x20-\x7e]+$/

/** Plain letters in one piece; every other character alone, at the column where it is. */
function piecesOf(text: string, from: number): readonly Piece[] {
  const pieces: Piece[] = []
  let column = from
  for (const { text: letter, columns } of cellsOf(text)) {
    const last = pieces.at(-1)
    if (last !== undefined && PLAIN.test(letter) && PLAIN.test(last.text))
      pieces[pieces.length - 1] = { column: last.column, columns: last.columns + 1, text: last.text + letter }
    else pieces.push({ column, columns, text: letter })
    column += columns
  }
  return pieces
}

function cellsOf(text: string): readonly { readonly text: string; readonly columns: number }[] {
  const cells: { text: string; columns: number }[] = []
  let state = 0
  for (const character of text) {
    state = widths.charProperties(character.codePointAt(0) ?? 0, state)
    const columns = (state >> 1) & 3
    const last = cells.at(-1)
    if (last !== undefined && (state & 1) === 1) Object.assign(last, { text: last.text + character, columns })
    else cells.push({ text: character, columns })
  }
  return cells
}

const number = (value: number): string => String(Math.round(value * 1000) / 1000)

/** Characters that XML knows no way to write are left out. */
const escaped = (text: string): string =>
  text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
