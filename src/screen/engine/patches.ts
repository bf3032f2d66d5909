import {
  COMBINED,
  HAS_EXTENDED,
  type Internals,
  type LivingLine,
  type PenExtended,
  type RawBuffer,
  type RawExtended,
  type RawLine,
  withoutLeftovers,
} from './internals.ts'

/**
 * What is left to do on a line after the snapshot's ANSI was parsed: cells that no ANSI can bring about, such as half of a
 * wide character, or columns of the alternate screen that a narrower size hides.
 */
export type LinePatch = {
  /** Counted from the top of the screen; negative in the history. */
  readonly row: number
  readonly cells: number
  readonly wrapped: boolean
  readonly runs: readonly CellRun[]
}

/** Neighbours with the same attributes. The extended ones are null where the cells have none. */
type CellRun = readonly [
  column: number,
  fg: number,
  bg: number,
  extended: readonly [ext: number, link: number] | null,
  contents: readonly CellContent[],
]

/** The engine's word, and the text of a cell of several code points. */
type CellContent = number | readonly [word: number, text: string]

/** Half of a very large screen may be hidden. With more than this the snapshot's ANSI is wrong, not odd. */
export const MAX_PATCHED_CELLS = 32_768

export type Rows = { readonly from: number; readonly to: number }

/** Null when there are more than can be sensible. */
export function diffLines(wanted: RawBuffer, painted: RawBuffer, { from, to }: Rows): LinePatch[] | null {
  const patches: LinePatch[] = []
  let budget = MAX_PATCHED_CELLS
  for (let row = from; row < to; row++) {
    const line = lineAt(wanted, row)
    const other = lineAt(painted, row)
    if (line === undefined || other === undefined) return line === other ? patches : null
    const runs = line.length > other.length ? diffCells(grown(line, other), line) : diffCells(other, line)
    if (runs.length === 0 && line.length === other.length && line.isWrapped === other.isWrapped) continue
    budget -= runs.reduce((sum, [, , , , contents]) => sum + contents.length, 1)
    if (budget < 0) return null
    patches.push({ row, cells: line.length, wrapped: line.isWrapped, runs })
  }
  return patches
}

export function lineAt(buffer: RawBuffer, row: number): LivingLine | undefined {
  const index = buffer.ybase + row
  return index >= 0 && index < buffer.lines.length ? buffer.lines.get(index) : undefined
}

const EMPTY_CELL = 1 << 22 // nothing, one column wide

/** A shorter line as it will be when it has the cells of the longer one: applying a patch fills it with empty cells. */
function grown(line: RawLine, shorter: RawLine): RawLine {
  const _data = new Uint32Array(line.length * 3)
  _data.set(shorter._data.subarray(0, shorter.length * 3))
  for (let cell = shorter.length; cell < line.length; cell++) _data[cell * 3] = EMPTY_CELL
  return { ...shorter, _data, _combined: shorter._combined, _extendedAttrs: shorter._extendedAttrs, length: line.length }
}

function diffCells(painted: RawLine, wanted: RawLine): CellRun[] {
  const runs: CellRun[] = []
  let contents: CellContent[] = []
  let last = -2
  for (let x = firstDifference(wanted, painted, 0); x >= 0; x = firstDifference(wanted, painted, x + 1)) {
    if (x !== last + 1 || !sameAttributes(wanted, x, last)) {
      contents = []
      const bg = wanted._data[x * 3 + 2] ?? 0
      const extended = bg & HAS_EXTENDED ? wanted._extendedAttrs[x] : undefined
      runs.push([x, wanted._data[x * 3 + 1] ?? 0, bg, extended === undefined ? null : [extended._ext, extended.urlId], contents])
    }
    const word = wanted._data[x * 3] ?? 0
    contents.push(word & COMBINED ? [word, wanted._combined[x] ?? ''] : word)
    last = x
  }
  return runs
}

function sameAttributes(line: RawLine, a: number, b: number): boolean {
  const bg = line._data[a * 3 + 2] ?? 0
  if (line._data[a * 3 + 1] !== line._data[b * 3 + 1] || bg !== line._data[b * 3 + 2]) return false
  return (bg & HAS_EXTENDED) === 0 || sameExtended(line._extendedAttrs[a], line._extendedAttrs[b])
}

export function applyPatches(internals: Internals, buffer: RawBuffer, patches: readonly LinePatch[]): void {
  for (const { row, cells, wrapped, runs } of patches) {
    const line = lineAt(buffer, row)
    if (line === undefined) continue
    line.isWrapped = wrapped
    if (line.length !== cells) line.resize(cells, buffer.getNullCell())
    for (const run of runs) applyRun(internals, line, run)
  }
}

function applyRun({ _inputHandler: input }: Internals, line: LivingLine, [column, fg, bg, extended, contents]: CellRun): void {
  const shared: PenExtended | undefined = extended === null ? undefined : input._curAttrData.extended.clone()
  if (shared !== undefined && extended !== null) [shared._ext, shared.urlId] = extended
  contents.forEach((content, index) => {
    const x = column + index
    if (x >= line.length) return
    const [word, text] = typeof content === 'number' ? [content, null] : content
    line._data[x * 3] = word
    line._data[x * 3 + 1] = fg
    line._data[x * 3 + 2] = bg
    if (text !== null) line._combined[x] = text
    if (bg & HAS_EXTENDED) line._extendedAttrs[x] = shared
  })
}

/** Whether cells are the same to the bit, apart from bits that mean nothing. Quick: whole screens are compared with it. */
export function firstDifference(a: RawLine, b: RawLine, from: number): number {
  const cells = Math.min(a.length, b.length)
  const [one, other] = [a._data, b._data]
  for (let cell = from, at = from * 3; cell < cells; cell++, at += 3) {
    const word = one[at] ?? 0
    const bg = one[at + 2] ?? 0
    const same = word === other[at] && one[at + 1] === other[at + 1] && bg === other[at + 2]
    if (same && (word & COMBINED) === 0 && (bg & HAS_EXTENDED) === 0) continue
    if (!sameCell(a, b, cell)) return cell
  }
  return -1
}

function sameCell(a: RawLine, b: RawLine, x: number): boolean {
  const word = a._data[x * 3] ?? 0
  const bg = a._data[x * 3 + 2] ?? 0
  if (word !== b._data[x * 3]) return false
  if (withoutLeftovers(a._data[x * 3 + 1] ?? 0) !== withoutLeftovers(b._data[x * 3 + 1] ?? 0)) return false
  if (withoutLeftovers(bg) !== withoutLeftovers(b._data[x * 3 + 2] ?? 0)) return false
  if (word & COMBINED && a._combined[x] !== b._combined[x]) return false
  return (bg & HAS_EXTENDED) === 0 || sameExtended(a._extendedAttrs[x], b._extendedAttrs[x])
}

function sameExtended(a: RawExtended | undefined, b: RawExtended | undefined): boolean {
  if (a === b) return true
  return a !== undefined && b !== undefined && a.urlId === b.urlId && withoutLeftovers(a._ext) === withoutLeftovers(b._ext)
}
