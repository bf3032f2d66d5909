import { PICTOGRAPHS, WIDE, ZERO_WIDTH } from './widthTables.ts'

/**
 * How many columns a character takes, and which characters share a cell.
 *
 * The daemon's screen and the page register this one provider, so both put every character into the same column:
 * an emoji is two columns wide however many code points it is made of, a combining mark takes none.
 */
export type WidthProvider = {
  readonly version: string
  wcwidth(codePoint: number): 0 | 1 | 2
  charProperties(codePoint: number, preceding: number): number
}

/** What `@xterm/headless` and `@xterm/xterm` terminals have in common here. */
export type WidthsTarget = { readonly unicode: { register(provider: WidthProvider): void; activeVersion: string } }

const WIDTHS_VERSION = 'holdfast-17'

export function registerWidths(terminal: WidthsTarget): void {
  terminal.unicode.register(widths)
  terminal.unicode.activeVersion = WIDTHS_VERSION
}

// The engine hands the properties of one character to the next: bit 0 joins the preceding cell, bits 1-2 are the width of
// the cell so far, the rest is ours: bits 3-5 the kind of the cell so far, bits 6 and up how many code points joined it.
const KIND_SHIFT = 3
const COUNT_SHIFT = 6
const PLAIN = 0
const KEYCAP = 1 // # * and digits: wide once a variation selector asks for the emoji
const PICTOGRAPH = 2
const PICTOGRAPH_JOINER = 3 // a pictograph and a zero-width joiner: the next pictograph joins
const FLAG_HALF = 4 // one regional indicator: the next one completes the flag

/** A cell takes no more code points than this, so that a flood of marks cannot grow one cell without bound. */
const MAX_JOINED = 40

// Classes whose properties depend on what came before; every other table entry is the finished value.
const CONTEXT = 0x80
const ZERO = 0x80
const JOINER = 0x81
const EMOJI_SELECTOR = 0x82
const SKIN_TONE = 0x83
const REGIONAL = 0x84
const NARROW_PICTOGRAPH = 0x85
const WIDE_PICTOGRAPH = 0x86

const NARROW = 1 << 1
const DOUBLE = 2 << 1
const TABLE_SIZE = 0x20000 // above are only ideographs (wide) and the tags and selectors of plane 14

const TABLE = buildTable()

export const widths: WidthProvider = {
  version: WIDTHS_VERSION,
  wcwidth(codePoint) {
    const width = (widths.charProperties(codePoint, 0) >> 1) & 3
    return width === 0 ? 0 : width === 1 ? 1 : 2
  },
  charProperties(codePoint, preceding) {
    const entry = codePoint < TABLE_SIZE ? (TABLE[codePoint] ?? NARROW) : beyondTable(codePoint)
    return entry < CONTEXT ? entry : inContext(entry, preceding)
  },
}

/** Whether a character printed right after a cell holding `text` would be drawn into that cell. */
export function joinsCell(text: string, codePoint: number): boolean {
  if (codePoint < 0x300) return false
  let state = 0
  for (const character of text) state = widths.charProperties(character.codePointAt(0) ?? 0, state)
  return (widths.charProperties(codePoint, state) & 1) === 1
}

function inContext(entry: number, preceding: number): number {
  const kind = (preceding >> KIND_SHIFT) & 7
  const width = (preceding >> 1) & 3
  switch (entry) {
    case ZERO:
      return join(preceding, kind === PICTOGRAPH ? PICTOGRAPH : PLAIN, width)
    case JOINER:
      return join(preceding, kind === PICTOGRAPH ? PICTOGRAPH_JOINER : PLAIN, width)
    case EMOJI_SELECTOR:
      return join(preceding, kind === PICTOGRAPH ? PICTOGRAPH : PLAIN, kind === PICTOGRAPH || kind === KEYCAP ? 2 : width)
    case SKIN_TONE:
      return kind === PICTOGRAPH ? join(preceding, PICTOGRAPH, 2) : DOUBLE
    case REGIONAL:
      return kind === FLAG_HALF ? join(preceding, PLAIN, 2) : (FLAG_HALF << KIND_SHIFT) | DOUBLE
    default: {
      const own = entry === WIDE_PICTOGRAPH ? 2 : 1
      return kind === PICTOGRAPH_JOINER ? join(preceding, PICTOGRAPH, Math.max(own, width)) : (PICTOGRAPH << KIND_SHIFT) | (own << 1)
    }
  }
}

function join(preceding: number, kind: number, width: number): number {
  const count = (preceding >> COUNT_SHIFT) + 1
  return count > MAX_JOINED ? NARROW : (count << COUNT_SHIFT) | (kind << KIND_SHIFT) | (width << 1) | 1
}

function beyondTable(codePoint: number): number {
  if (codePoint >= 0xe0000 && codePoint <= 0xe0fff) return ZERO
  return codePoint <= 0x3fffd && (codePoint & 0xffff) <= 0xfffd ? DOUBLE : NARROW
}

function buildTable(): Uint8Array {
  const table = new Uint8Array(TABLE_SIZE).fill(NARROW)
  const paint = (ranges: string, value: number) => {
    for (const [first, end] of bounds(ranges)) table.fill(value, first, end)
  }
  paint('0-1f 7f-9f', 0)
  paint(WIDE, DOUBLE)
  for (const [first, end] of bounds(PICTOGRAPHS))
    for (let at = first; at < end; at++) table[at] = table[at] === DOUBLE ? WIDE_PICTOGRAPH : NARROW_PICTOGRAPH
  paint(ZERO_WIDTH, ZERO)
  paint('23 2a 30-39', (KEYCAP << KIND_SHIFT) | NARROW)
  paint('1f1e6-1f1ff', REGIONAL)
  paint('1f3fb-1f3ff', SKIN_TONE)
  paint('200d', JOINER)
  paint('fe0f', EMOJI_SELECTOR)
  return table
}

/** Where each range begins, and where it has ended. */
function bounds(ranges: string): [number, number][] {
  return ranges
    .trim()
    .split(/\s+/)
    .map((range) => {
      const [first = 0, last = first] = range.split('-').map((hex) => Number.parseInt(hex, 16))
      return [Math.min(first, TABLE_SIZE), Math.min(last + 1, TABLE_SIZE)]
    })
}
