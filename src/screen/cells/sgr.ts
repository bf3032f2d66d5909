import {
  BLINK,
  BOLD,
  COLOR_BITS,
  COLOR_MODE,
  DIM,
  HAS_EXTENDED,
  INVERSE,
  INVISIBLE,
  ITALIC,
  OVERLINE,
  PALETTE_16,
  type RawExtended,
  RGB,
  STRIKETHROUGH,
  UNDERLINE,
  underlineColorOf,
  underlineStyleOf,
} from '../engine/internals.ts'

/** Parameters of the SGR sequence that turns any pen into this one; they start with a reset. */
export function sgrParameters(fg: number, bg: number, extended: RawExtended | null): string {
  let codes = '0'
  if (fg & BOLD) codes += ';1'
  if (bg & DIM) codes += ';2'
  if (bg & ITALIC) codes += ';3'
  if (fg & UNDERLINE) codes += underlineCode(extended)
  if (fg & BLINK) codes += ';5'
  if (fg & INVERSE) codes += ';7'
  if (fg & INVISIBLE) codes += ';8'
  if (fg & STRIKETHROUGH) codes += ';9'
  if (bg & OVERLINE) codes += ';53'
  codes += colorCodes(fg, 30) + colorCodes(bg, 40)
  return extended === null ? codes : codes + underlineColorCodes(underlineColorOf(extended))
}

/** The extended attributes of a cell or pen whose background word says that it has some. */
export const extendedOf = (bg: number, extended: RawExtended | undefined): RawExtended | null =>
  bg & HAS_EXTENDED && extended !== undefined ? extended : null

function underlineCode(extended: RawExtended | null): string {
  const style = extended === null ? 1 : underlineStyleOf(extended)
  return style > 1 ? `;4:${style}` : ';4'
}

function colorCodes(word: number, base: 30 | 40): string {
  const value = word & 0xff
  switch (word & COLOR_MODE) {
    case 0:
      return ''
    case PALETTE_16:
      return `;${value < 8 ? base + value : base + 60 + value - 8}`
    case RGB:
      return `;${base + 8};2;${(word >> 16) & 0xff};${(word >> 8) & 0xff};${value}`
    default:
      return `;${base + 8};5;${value}`
  }
}

function underlineColorCodes(color: number): string {
  if (color === COLOR_BITS) return ';59' // how the engine keeps "the default underline colour, asked for explicitly"
  const mode = color & COLOR_MODE
  if (mode === 0) return ''
  return mode === RGB ? `;58:2::${(color >> 16) & 0xff}:${(color >> 8) & 0xff}:${color & 0xff}` : `;58:5:${color & 0xff}`
}
