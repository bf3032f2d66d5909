import { cellText, isBareMark } from '../../../src/screen/cells/painter.ts'
import { extendedOf } from '../../../src/screen/cells/sgr.ts'
import {
  COLOR_BITS,
  CONTENT_MASK,
  HAS_EXTENDED,
  INVERSE,
  OVERLINE,
  type RawLine,
  STRIKETHROUGH,
  UNDERLINE,
  underlineColorOf,
  underlineStyleOf,
  WIDTH_SHIFT,
} from '../../../src/screen/engine/internals.ts'
import { engineOf, type Screen } from '../../../src/screen/screen.ts'

/**
 * `bits`   empty cells must have the same colours although nobody sees them; a combining mark that joins one brings them to light
 * `exact`  the same but for such colours
 * `look`   counts two cells as equal when nobody could see the difference: an empty one and a space; links are not looked at
 */
export type Strictness = 'bits' | 'exact' | 'look'

/** In a word whose colour is a palette index the engine leaves bits of an earlier colour behind. */
export function tidy(word = 0): number {
  const mode = word & 0x3000000
  return mode === 0x1000000 || mode === 0x2000000 ? word & ~0xffff00 : word
}

export function linkOf(screen: Screen, urlId: number): string {
  const link = urlId === 0 ? undefined : engineOf(screen).internals._oscLinkService.getLinkData(urlId)
  return link === undefined ? '' : `${link.id ?? ''};${link.uri}`
}

export function dumpLine(screen: Screen, line: RawLine | undefined, strictness: Strictness): string {
  if (line === undefined) return 'absent'
  const cells = Array.from({ length: screen.size.cols }, (_, x) => dumpCell(screen, line, x, strictness))
  const blank = dumpCell(screen, BLANK, 0, strictness)
  while (cells.at(-1) === blank) cells.pop()
  return `${line.isWrapped ? '↳' : ''}${cells.join(' ')}`
}

const BLANK: RawLine = { _data: Uint32Array.of(1 << WIDTH_SHIFT, 0, 0), _combined: {}, _extendedAttrs: {}, length: 1, isWrapped: false }
const SHOWS_ON_BLANKS = INVERSE | UNDERLINE | STRIKETHROUGH

export function dumpCell(screen: Screen, line: RawLine, x: number, strictness: Strictness): string {
  const [word = 0, fg = 0, bg = 0] = [line._data[x * 3], tidy(line._data[x * 3 + 1]), tidy(line._data[x * 3 + 2])]
  const empty = (word & CONTENT_MASK) === 0 || (strictness === 'look' && isBareMark(line, x))
  const text = empty ? '' : cellText(line, x)
  const blank = (empty && strictness !== 'bits') || (strictness === 'look' && text.startsWith(' '))
  // An empty cell has no glyph: of its colours only the background is seen, and what is drawn on blanks too.
  const fgSeen = blank ? (fg & SHOWS_ON_BLANKS ? fg : 0) : fg
  const bgSeen = blank ? (fg & SHOWS_ON_BLANKS ? bg & ~HAS_EXTENDED : bg & (COLOR_BITS | OVERLINE)) : bg & ~HAS_EXTENDED
  const extended = blank && !(fg & SHOWS_ON_BLANKS) ? null : extendedOf(bg, line._extendedAttrs[x])
  const style = extended === null ? 0 : Math.max(underlineStyleOf(extended), fg & UNDERLINE ? 1 : 0)
  const color = extended === null || (strictness === 'look' && style === 0) ? 0 : tidy(underlineColorOf(extended))
  // The engine forgets a link with the last line it thinks it is on; that may differ. A dead link is no link.
  const link = extended === null || strictness === 'look' ? '' : linkOf(screen, extended.urlId)
  const extra = style === 0 && color === 0 && link === '' ? '' : `u${style}.${color}${link}`
  const width = strictness === 'look' && empty ? '' : String(word >> WIDTH_SHIFT)
  return `${strictness === 'look' && blank ? '' : text}|${width && (strictness === 'look' && blank ? '' : width)}|${(fgSeen >>> 0).toString(16)}|${(bgSeen >>> 0).toString(16)}${extra}`
}
