import { charsetDesignator } from '../../../src/screen/engine.ts'
import {
  COLOR_BITS,
  CONTENT_MASK,
  HAS_EXTENDED,
  INVERSE,
  OVERLINE,
  type RawAttributes,
  type RawBuffer,
  type RawLine,
  STRIKETHROUGH,
  UNDERLINE,
  underlineColorOf,
  underlineStyleOf,
  WIDTH_SHIFT,
} from '../../../src/screen/internals.ts'
import { cellText, isBareMark } from '../../../src/screen/painter.ts'
import { engineOf, type Screen } from '../../../src/screen/screen.ts'
import { extendedOf } from '../../../src/screen/sgr.ts'

/**
 * Everything about a screen that can be seen now or come to light later, as comparable text: cells of both buffers with
 * all attributes, soft wraps, cursor, pen, saved cursors, margins, tab stops, character sets, modes, title.
 */
export type Dump = Readonly<Record<string, unknown>>

/** `look` counts two cells as equal when nobody could see the difference: an empty one and a space. Links are not looked at. */
export type Strictness = 'exact' | 'look'

export function dump(screen: Screen, strictness: Strictness = 'exact'): Dump {
  const { internals, terminal } = engineOf(screen)
  const { buffers } = internals._bufferService
  const { cols, rows } = terminal
  const { _charsetService: sets, coreService, coreMouseService, optionsService, _inputHandler: input } = internals
  const lines = (buffer: RawBuffer, count: number) =>
    Array.from({ length: Math.min(count, buffer.lines.length) }, (_, y) => dumpLine(screen, buffer.lines.get(y), { cols, strictness }))
  return {
    size: [cols, rows],
    normal: lines(buffers.normal, buffers.normal.ybase + rows),
    alternate: buffers.active === buffers.alt ? lines(buffers.alt, rows) : [],
    active: terminal.buffer.active.type,
    cursor: [buffers.active.x, buffers.active.y],
    pen: dumpPen(screen, input._curAttrData, strictness),
    saved: [dumpSaved(buffers.normal, cols), dumpSaved(buffers.alt, cols)],
    margins: (buffers.active === buffers.alt ? [buffers.normal, buffers.alt] : [buffers.normal]).map((b) => [b.scrollTop, b.scrollBottom]),
    tabs: (buffers.active === buffers.alt ? [buffers.normal, buffers.alt] : [buffers.normal]).map((b) =>
      Object.keys(b.tabs).filter((column) => b.tabs[Number(column)] && Number(column) < cols),
    ),
    charsets: [sets.glevel, charsetDesignator(sets.charset), [0, 1, 2, 3].map((level) => charsetDesignator(sets._charsets[level]))],
    modes: { ...coreService.decPrivateModes, ...coreService.modes, hidden: coreService.isCursorHidden },
    mouse: [coreMouseService.activeProtocol, coreMouseService.activeEncoding],
    options: [optionsService.rawOptions.convertEol, optionsService.rawOptions.cursorBlink],
    input: screen.modes,
    title: screen.title,
    titles: [...input._windowTitleStack],
    cwd: screen.cwd,
  }
}

/** The names of the parts in which two dumps differ. */
export function differences(a: Dump, b: Dump): string[] {
  return Object.keys(a).filter((part) => JSON.stringify(a[part]) !== JSON.stringify(b[part]))
}

/** In a word whose colour is a palette index the engine leaves bits of an earlier colour behind. */
function tidy(word = 0): number {
  const mode = word & 0x3000000
  return mode === 0x1000000 || mode === 0x2000000 ? word & ~0xffff00 : word
}

function dumpSaved(buffer: RawBuffer, cols: number): unknown {
  const { fg, bg } = buffer.savedCurAttrData
  return [
    Math.min(buffer.savedX, cols - 1),
    Math.max(0, buffer.savedY - buffer.ybase),
    tidy(fg),
    tidy(bg & ~HAS_EXTENDED),
    charsetDesignator(buffer.savedCharset),
  ]
}

function dumpPen(screen: Screen, { fg, bg, extended }: RawAttributes, strictness: Strictness): unknown {
  const link = strictness === 'look' ? '' : linkOf(screen, extended.urlId)
  return [tidy(fg), tidy(bg & ~HAS_EXTENDED), underlineStyleOf(extended), tidy(underlineColorOf(extended)), link]
}

const linkOf = (screen: Screen, id: number): string =>
  id === 0 ? '' : (engineOf(screen).internals._oscLinkService.getLinkData(id)?.uri ?? '')

type LineOptions = { cols: number; strictness: Strictness }

function dumpLine(screen: Screen, line: RawLine | undefined, { cols, strictness }: LineOptions): string {
  if (line === undefined) return 'absent'
  const cells = Array.from({ length: cols }, (_, x) => dumpCell(screen, line, x, strictness))
  const blank = dumpCell(screen, BLANK, 0, strictness)
  while (cells.at(-1) === blank) cells.pop()
  return `${line.isWrapped ? '↳' : ''}${cells.join(' ')}`
}

const BLANK: RawLine = { _data: Uint32Array.of(1 << WIDTH_SHIFT, 0, 0), _combined: {}, _extendedAttrs: {}, length: 1, isWrapped: false }
const SHOWS_ON_BLANKS = INVERSE | UNDERLINE | STRIKETHROUGH

function dumpCell(screen: Screen, line: RawLine, x: number, strictness: Strictness): string {
  const [word = 0, fg = 0, bg = 0] = [line._data[x * 3], tidy(line._data[x * 3 + 1]), tidy(line._data[x * 3 + 2])]
  const empty = (word & CONTENT_MASK) === 0 || (strictness === 'look' && isBareMark(line, x))
  const text = empty ? '' : cellText(line, x)
  const blank = empty || (strictness === 'look' && text.startsWith(' '))
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
