import { inkedLength } from '../cells/formats.ts'
import type { Engine } from '../engine/engine.ts'
import type { RawBuffer, RawLine } from '../engine/internals.ts'

/**
 * The numbers of a run's lines. A line that wraps is one line, so that numbers do not depend on the width; the run's first
 * line is 0. They belong to the normal buffer. What is on the screen may still change; what has scrolled away keeps its
 * number whatever happens, and however much of it is in memory.
 */
export type LineNumbers = {
  /** The oldest line that still exists: programs may erase what is above the screen. */
  readonly first: number
  /** The oldest line that is in memory from its beginning. */
  readonly from: number
  /** The line at the top of the screen. */
  readonly top: number
  /** The line that the cursor is in. */
  readonly cursor: number
  /** The number after the last line that is not blank or has scrolled away. */
  readonly end: number
  /** The numbers of the lines that the buffer's rows, history included, belong to. */
  all(): readonly number[]
  /** The row at which a line begins; the end of the buffer for lines that are not there yet, 0 for those that are gone. */
  rowOf(line: number): number
  /** As many rows of history as this, more or fewer by what it takes to begin with the beginning of a line: `from`. */
  wholeRows(rows: number): { readonly rows: number; readonly from: number }
  /** For a snapshot with this many rows of history. */
  mark(history: number): LineMark
  /** Resizes the screen. What it shows then does not depend on how much history it holds, and nothing leaves unheard. */
  resize(size: { readonly cols: number; readonly rows: number }): void
  /** Told of every row that leaves the memory because others came, just before it does. */
  onLeaving: ((row: LeavingRow) => void) | null
  /** Told when the program has erased what is above its screen, and with it what has left already. */
  onErased: (() => void) | null
  /** The engine was replaced by one that shows what `mark` was made of. */
  restart(engine: Engine, mark: LineMark): void
}

export type LeavingRow = {
  readonly line: RawLine
  readonly number: number
  /** The row after it. */
  readonly next: RawLine | undefined
}

/** Where a screen is in its run's lines. */
export type LineMark = {
  readonly first: number
  readonly top: number
  /** Whether the oldest row is the oldest one that exists. */
  readonly whole: boolean
}

type Watch = { dispose(): void }

export function createLineNumbers(start: Engine): LineNumbers {
  let engine = start
  let first = 0
  /** How many lines began in rows that are no longer in the buffer. */
  let gone = 0
  let whole = true
  /** The oldest row, known only while the buffer is full: then it is above the screen, and nothing but leaving can happen to it. */
  let oldest: RawLine | undefined
  let expected: 'scroll' | 'erase' | 'resize' = 'scroll'
  let watches: Watch[] = []
  let trims: Watch | null = null
  let filling: Watch | null = null
  const normal = (): RawBuffer => engine.internals._bufferService.buffers.normal

  /** A row that continues nothing that exists begins a line all the same. */
  const begins = (row: RawLine | undefined, index: number): boolean => row?.isWrapped === false || (index === 0 && gone <= first)
  const beginningsIn = (from: number, to: number): number => {
    let count = 0
    for (let row = from; row < to; row++) if (begins(normal().lines.get(row), row)) count++
    return count
  }
  const at = (row: number): number => gone + beginningsIn(0, row + 1) - 1

  const lookAtOldest = (): void => {
    const { lines } = normal()
    oldest = lines.length >= lines.maxLength ? lines.get(0) : undefined
    if (oldest === undefined) filling ??= engine.internals._bufferService.onScroll(lookAtOldest)
    else stopFilling()
  }
  const stopFilling = (): void => {
    filling?.dispose()
    filling = null
  }

  const trimmed = (): void => {
    if (expected === 'resize') return
    if (expected === 'scroll') {
      if (begins(oldest, 0)) gone++
      whole = false
      if (oldest !== undefined) numbers.onLeaving?.({ line: oldest, number: gone - 1, next: normal().lines.get(0) })
    }
    expected = 'scroll'
    lookAtOldest()
  }
  /** Erases what is above the screen, just before the engine does. */
  const erase = (): boolean => {
    const { normal: buffer, active } = engine.internals._bufferService.buffers
    const count = buffer.lines.length - engine.terminal.rows
    if (active !== buffer || count <= 0) return false
    gone += beginningsIn(0, count)
    if (buffer.lines.get(count)?.isWrapped) gone -= 1 // what is left of a line begins it now
    first = gone
    whole = true
    expected = 'erase'
    numbers.onErased?.()
    return false
  }
  const reset = (): boolean => {
    gone += beginningsIn(0, normal().ybase)
    first = gone
    whole = true
    numbers.onErased?.()
    return false
  }
  const watchBuffer = (): void => {
    trims?.dispose()
    trims = normal().lines.onTrim(trimmed)
    lookAtOldest()
  }
  const watchEngine = (): void => {
    for (const watch of watches) watch.dispose()
    stopFilling()
    const { parser } = engine.terminal
    watches = [
      parser.registerCsiHandler({ final: 'J' }, ([mode]) => mode === 3 && erase()),
      parser.registerCsiHandler({ prefix: '?', final: 'J' }, ([mode]) => mode === 3 && erase()),
      parser.registerEscHandler({ final: 'c' }, reset),
      engine.internals._inputHandler.onRequestReset(watchBuffer), // which has made new buffers
    ]
    watchBuffer()
  }
  watchEngine()

  const all = (): number[] => {
    const { lines } = normal()
    let number = gone - 1
    return Array.from({ length: lines.length }, (_, row) => {
      if (begins(lines.get(row), row)) number++
      return number
    })
  }
  const rowOf = (wanted: number): number => {
    const row = all().findIndex((number) => number >= wanted)
    return row < 0 ? normal().lines.length : row
  }
  /** A full buffer makes the engine lose its way while it wraps lines anew, so that there is room for all of them meanwhile. */
  const resizeWithRoom = ({ cols, rows }: { readonly cols: number; readonly rows: number }): void => {
    const { rawOptions } = engine.internals.optionsService
    const { scrollback } = rawOptions
    const growth = 2 * Math.ceil(engine.terminal.cols / cols) // twice, because wide characters may leave every other column empty
    rawOptions.scrollback = normal().lines.length * growth
    engine.terminal.resize(cols, rows)
    rawOptions.scrollback = scrollback
  }
  const shrink = (): void => {
    const { scrollback } = engine.internals.optionsService.rawOptions
    const buffer = normal()
    const length = engine.terminal.rows + scrollback
    const count = Math.max(0, buffer.lines.length - length)
    if (count > 0) whole = false
    tellLeaving(count)
    gone += beginningsIn(0, count)
    buffer.lines.trimStart(count)
    buffer.lines.maxLength = length
    for (const row of ['ybase', 'ydisp', 'savedY'] as const) buffer[row] -= count
  }
  const tellLeaving = (count: number): void => {
    const { lines } = normal()
    for (let row = 0, number = gone - 1; row < count; row++) {
      const line = lines.get(row)
      if (begins(line, row)) number++
      if (line !== undefined) numbers.onLeaving?.({ line, number, next: lines.get(row + 1) })
    }
  }
  const firstWhole = (): number => at(0) + (whole || begins(normal().lines.get(0), 0) ? 0 : 1)

  const numbers: LineNumbers = {
    onLeaving: null,
    onErased: null,
    get first() {
      return first
    },
    get from() {
      return firstWhole()
    },
    get top() {
      return at(normal().ybase)
    },
    get cursor() {
      const { ybase, y } = normal()
      return at(ybase + y)
    },
    get end() {
      const { lines, ybase } = normal()
      for (let row = Math.min(lines.length, ybase + engine.terminal.rows) - 1; row >= ybase; row--) {
        const line = lines.get(row)
        if (line !== undefined && inkedLength(line, engine.terminal.cols) > 0) return at(row) + 1
      }
      return at(ybase) + (begins(lines.get(ybase), ybase) ? 0 : 1)
    },
    all,
    rowOf,
    wholeRows(rows) {
      const { ybase, lines } = normal()
      let row = Math.max(0, ybase - rows)
      while (row > 0 && row < ybase && !begins(lines.get(row), row)) row--
      if (row === 0) row = Math.min(ybase, rowOf(firstWhole()))
      return { rows: ybase - row, from: at(row) + (begins(lines.get(row), row) || (row === 0 && whole) ? 0 : 1) }
    },
    mark(history) {
      const { ybase } = normal()
      return { first, top: at(ybase), whole: whole && history >= ybase }
    },
    resize(size) {
      expected = 'resize'
      resizeWithRoom(size) // so that nothing leaves, and every line keeps its number
      shrink()
      expected = 'scroll'
      lookAtOldest()
    },
    restart(next, mark) {
      engine = next
      first = mark.first
      whole = mark.whole
      expected = 'scroll'
      gone = mark.top + 1
      for (let row = 0; row <= normal().ybase; row++) {
        const isWrapped = normal().lines.get(row)?.isWrapped
        if (isWrapped === false || (isWrapped && row === 0 && whole)) gone--
      }
      watchEngine()
    },
  }
  return numbers
}
