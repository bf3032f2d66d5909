import {
  BLINK,
  BOLD,
  COLOR_MODE,
  DIM,
  INVERSE,
  INVISIBLE,
  type Internals,
  ITALIC,
  OVERLINE,
  PALETTE_16,
  type RawExtended,
  type RawLine,
  RGB,
  STRIKETHROUGH,
  UNDERLINE,
  underlineColorOf,
  underlineStyleOf,
} from '../engine/internals.ts'
import { cellText, cellWidth, isText, paintedLength, sameAttributes } from './painter.ts'
import { extendedOf, sgrParameters } from './sgr.ts'

/** A palette index, or `#rrggbb`. */
export type Color = number | string
type UnderlineName = 'single' | 'double' | 'curly' | 'dotted' | 'dashed'

/** How text looks; what is absent is as usual. */
export type TextStyle = {
  readonly fg?: Color
  readonly bg?: Color
  readonly bold?: true
  readonly dim?: true
  readonly italic?: true
  readonly underline?: UnderlineName
  readonly underlineColor?: Color
  readonly blink?: true
  readonly inverse?: true
  readonly invisible?: true
  readonly strikethrough?: true
  readonly overline?: true
  readonly link?: string
}

export type Span = { readonly text: string; readonly style: TextStyle /** SGR parameters of the same style. */; readonly sgr: string }

type Links = Internals['_oscLinkService']

/** A row as runs of equally styled text, up to `end` or without the blanks at its end. */
export function spansOf(
  line: RawLine,
  { cols, links, end = paintedLength(line, cols) }: { cols: number; links: Links; end?: number },
): Span[] {
  const spans: Span[] = []
  for (let from = 0, x = 0; from < end; from = x) {
    let text = ''
    while (x < end && sameAttributes(line, from, x)) {
      const wide = isText(line, x, cols) && cellWidth(line, x) === 2
      text += isText(line, x, cols) ? cellText(line, x) : ' '
      x += wide ? 2 : 1
    }
    const [fg, bg] = [line._data[from * 3 + 1] ?? 0, line._data[from * 3 + 2] ?? 0]
    const extended = extendedOf(bg, line._extendedAttrs[from])
    spans.push({ text, style: styleOf({ fg, bg, extended, links }), sgr: sgrParameters(fg, bg, extended) })
  }
  return spans
}

const UNDERLINES: readonly UnderlineName[] = ['single', 'single', 'double', 'curly', 'dotted', 'dashed']

function styleOf({ fg, bg, extended, links }: { fg: number; bg: number; extended: RawExtended | null; links: Links }): TextStyle {
  const color = colorOf(fg)
  const background = colorOf(bg)
  const underlineColor = extended === null ? undefined : colorOf(underlineColorOf(extended))
  const link = extended === null || extended.urlId === 0 ? undefined : links.getLinkData(extended.urlId)?.uri
  const on = <Name extends keyof TextStyle>(flag: number, name: Name) => (flag ? { [name]: true as const } : {})
  return {
    ...(color === undefined ? {} : { fg: color }),
    ...(background === undefined ? {} : { bg: background }),
    ...on(fg & BOLD, 'bold'),
    ...on(bg & DIM, 'dim'),
    ...on(bg & ITALIC, 'italic'),
    ...(fg & UNDERLINE ? { underline: UNDERLINES[extended === null ? 1 : underlineStyleOf(extended)] ?? 'single' } : {}),
    ...(fg & UNDERLINE && underlineColor !== undefined ? { underlineColor } : {}),
    ...on(fg & BLINK, 'blink'),
    ...on(fg & INVERSE, 'inverse'),
    ...on(fg & INVISIBLE, 'invisible'),
    ...on(fg & STRIKETHROUGH, 'strikethrough'),
    ...on(bg & OVERLINE, 'overline'),
    ...(link === undefined ? {} : { link }),
  }
}

function colorOf(word: number): Color | undefined {
  const mode = word & COLOR_MODE
  if (mode === 0) return undefined
  if (mode === RGB) return `#${(word & 0xffffff).toString(16).padStart(6, '0')}`
  return mode === PALETTE_16 ? word & 0xf : word & 0xff
}
