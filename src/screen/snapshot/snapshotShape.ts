/**
 * What the header of a snapshot may hold. A checksum only says that it arrived as it was written; its author is not known,
 * so that every number has a range, every list a length, and no cell a control character.
 */
import { isSize, LARGEST } from '../../base/size.ts'
import { CODE_POINT_MASK, COMBINED, WIDTH_SHIFT } from '../engine/internals.ts'
import { MAX_LINK_ID, MAX_LINKS, MAX_URI } from '../engine/linkCaps.ts'
import { MAX_PATCHED_CELLS } from '../engine/patches.ts'
import { MAX_STRING } from '../engine/stringCaps.ts'
import type { HistoryChunk, Snapshot } from './snapshot.ts'

export type SnapshotHeader = Omit<Snapshot, 'history' | 'screen'> & { readonly chunks: number }
export type ChunkHeader = Omit<HistoryChunk, 'ansi'>

type Check = (value: unknown) => boolean

export const MOST_HISTORY_ROWS = 100_000 // twice what an engine may be told to keep
const MOST_ROWS = 2 * LARGEST.rows
const MOST_MODES = 64
const MOST_KEYBOARD = 32
const MOST_COLORS = 512
const MOST_TITLES = 64
const LONGEST_WORD = 64
const LONGEST_CELL = 1_024 // code units: a base character with many combining ones
const UINT32 = 2 ** 32 - 1

const whole: Check = (value) => Number.isSafeInteger(value)
const between =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
const word32 = between(-(2 ** 31), UINT32)
const flag: Check = (value) => typeof value === 'boolean'
const text =
  (longest: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= longest
const list =
  (item: Check, most: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(item)
const tuple =
  (...items: readonly Check[]): Check =>
  (value) =>
    Array.isArray(value) && value.length === items.length && items.every((item, index) => item(value[index]))
const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value))
const oneOf =
  (...names: readonly string[]): Check =>
  (value) =>
    names.some((name) => name === value)
const none: Check = (value) => value === null
const absent: Check = (value) => value === undefined
/** Other fields are ignored. */
const record =
  (shape: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' && value !== null && Object.entries(shape).every(([name, inner]) => inner(Reflect.get(value, name)))

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const harmless =
  (longest: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= longest && !CONTROL.test(value)

const column = between(0, LARGEST.cols)
const row = between(-MOST_HISTORY_ROWS, MOST_ROWS)
const pen = tuple(word32, word32, word32, between(0, UINT32))
const charset = text(LONGEST_WORD)

const buffer = record({
  cursor: tuple(column, between(0, MOST_ROWS)),
  margins: tuple(between(0, MOST_ROWS), between(0, MOST_ROWS)),
  tabs: list(column, LARGEST.cols + 1),
  saved: record({ x: column, y: between(-MOST_HISTORY_ROWS, MOST_ROWS), pen, charset }),
  lines: between(0, MOST_ROWS),
  continued: flag,
})

const modes: Check = (value) =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length <= MOST_MODES &&
  Object.values(value).every(either(flag, none, text(LONGEST_WORD)))

const engine = record({
  alternate: flag,
  normalBuffer: buffer,
  alternateBuffer: buffer,
  pen,
  charsets: tuple(charset, between(0, 3), list(charset, 4)),
  modes,
  // The engine throws at any other name.
  mouse: tuple(oneOf('NONE', 'X10', 'VT200', 'DRAG', 'ANY'), oneOf('DEFAULT', 'SGR', 'SGR_PIXELS')),
  titleStack: list(text(MAX_STRING), MOST_TITLES),
  joinState: word32,
})

const byte = between(0, 255)
const program = record({
  modes: list(tuple(between(0, UINT32), flag), MOST_MODES),
  keyboard: record({ main: list(between(0, 31), MOST_KEYBOARD), alternate: list(between(0, 31), MOST_KEYBOARD) }),
  modifyOtherKeys: word32,
  colors: list(tuple(between(0, MOST_COLORS), tuple(byte, byte, byte)), MOST_COLORS),
  cwd: text(MAX_STRING),
  status: either(absent, text(MAX_STRING)),
})

const linkRows = list(row, MOST_HISTORY_ROWS)
const links = record({
  next: between(0, Number.MAX_SAFE_INTEGER),
  links: list(
    record({
      number: between(0, UINT32),
      id: either(none, harmless(MAX_LINK_ID)),
      uri: harmless(MAX_URI),
      normal: linkRows,
      alternate: linkRows,
    }),
    MAX_LINKS,
  ),
})

/** A cell of one code point, or none. */
const cell: Check = (value) => {
  if (!word32(value)) return false
  const word = (value as number) >>> 0
  if (word >>> WIDTH_SHIFT > 2) return false
  const point = word & CODE_POINT_MASK
  return (word & COMBINED) !== 0 || point === 0 || (point >= 0x20 && point <= 0x10ffff && (point < 0x7f || point > 0x9f))
}
const content = either(cell, tuple(cell, harmless(LONGEST_CELL)))
const run = tuple(column, word32, word32, either(none, tuple(word32, between(0, UINT32))), list(content, LARGEST.cols))
const patch = record({ row, cells: column, wrapped: flag, runs: list(run, LARGEST.cols) })

const patchList: Check = (value) => list(patch, MOST_HISTORY_ROWS)(value) && cellsOf(value as Patches) <= MAX_PATCHED_CELLS
type Patches = readonly { readonly runs: readonly (readonly [unknown, unknown, unknown, unknown, readonly unknown[]])[] }[]
const cellsOf = (patches: Patches): number =>
  patches.reduce((sum, { runs }) => sum + runs.reduce((count, [, , , , contents]) => count + contents.length, 0), 0)

const header = record({
  version: (value) => value === 2,
  seq: between(0, Number.MAX_SAFE_INTEGER),
  chunks: between(0, MOST_HISTORY_ROWS),
  pending: text(2 * MAX_STRING),
  title: text(MAX_STRING),
  lines: record({ first: whole, top: whole, whole: flag }),
  engine,
  program,
  links,
  patches: record({ normal: patchList, alternate: patchList }),
})
const chunk = record({ rows: between(0, MOST_HISTORY_ROWS), continued: flag, patches: patchList })

export const isSnapshotHeader = (value: unknown): value is SnapshotHeader => header(value) && isSize(value as SnapshotHeader)
export const isChunkHeader = (value: unknown): value is ChunkHeader => chunk(value)
