/**
 * The engine throws for some input that is perfectly legal, takes minutes for some, and draws some differently depending on
 * how the bytes were cut. These guards stand before its own handlers and do the same work safely. They fit the headless
 * engine and the page's alike.
 */
import { capLinks, type LinkTarget } from './linkCaps.ts'
import { holdSavedCursor, type SavedCursorTarget } from './savedCursor.ts'
import { capStrings, type StringTarget } from './stringCaps.ts'

export type GuardTarget = SavedCursorTarget & {
  readonly cols: number
  readonly rows: number
  readonly parser: {
    registerCsiHandler(id: CsiId, callback: (params: (number | number[])[]) => boolean): { dispose(): void }
    registerOscHandler(code: number, callback: (data: string) => boolean): { dispose(): void }
    registerEscHandler(id: { final: string }, callback: () => boolean): { dispose(): void }
  }
}

type CsiId = { prefix?: string; intermediates?: string; final: string }
type Params = { readonly params: readonly number[]; readonly length: number }
type Command = (params: Params) => boolean
type InputHandler = {
  eraseInDisplay(params: Params, respectProtection: boolean): boolean
  eraseInLine(params: Params, respectProtection: boolean): boolean
  readonly cursorForwardTab: Command
  readonly cursorBackwardTab: Command
  readonly insertLines: Command
  readonly deleteLines: Command
  readonly scrollUp: Command
  readonly scrollDown: Command
  readonly repeatPrecedingCharacter: Command
  print(data: Uint32Array, start: number, end: number): void
  readonly _parser: StringTarget & { setPrintHandler(print: (data: Uint32Array, start: number, end: number) => void): void }
}
type Lines = { readonly length: number; maxLength: number; get(index: number): { isWrapped: boolean } | undefined }
type CursorBuffer = { x: number; y: number; readonly ybase: number; readonly lines: Lines }
type Core = LinkTarget & {
  readonly _inputHandler: InputHandler
  readonly _bufferService: {
    readonly buffers: { readonly active: CursorBuffer; readonly normal: CursorBuffer; readonly alt: CursorBuffer }
    resize(cols: number, rows: number): void
  }
  readonly coreService: { readonly decPrivateModes: { readonly wraparound: boolean } }
}

export function guardEngine(terminal: GuardTarget): void {
  holdSavedCursor(terminal)
  const core = Reflect.get(terminal, '_core') as Core
  guardErase(terminal, core)
  guardCounts(terminal, core._inputHandler)
  guardColors(terminal)
  guardMargin(core)
  guardRing(core)
  guardReflow(core)
  guardHiddenAlternate(core)
  capStrings(core._inputHandler._parser)
  capLinks(terminal, core)
}

const one = (value: number): Params => ({ params: [value], length: 1 })

const MAX_COLORS_STRING = 16_384 // characters; all colours of the palette in their longest form are 7,000

/** The engine takes a list of colours apart from its front, which for a long one takes minutes. */
function guardColors({ parser }: GuardTarget): void {
  parser.registerOscHandler(4, (data) => data.length > MAX_COLORS_STRING)
}

/**
 * Erasing upwards from the last column, the engine takes a row of the history for the one after the cursor's, and does not
 * ask whether there is one.
 */
function guardErase(terminal: GuardTarget, { _bufferService: service, _inputHandler: input }: Core): void {
  const eraseAbove = (respectProtection: boolean) => {
    const buffer = service.buffers.active
    const { x } = buffer
    if (x < terminal.cols - 1) return false
    buffer.x = terminal.cols - 2
    input.eraseInDisplay(one(1), respectProtection)
    buffer.x = terminal.cols - 1
    input.eraseInLine(one(0), respectProtection)
    buffer.x = x
    const next = buffer.ybase + buffer.y + 1
    const continued = next < buffer.lines.length ? buffer.lines.get(next) : undefined
    if (continued !== undefined) continued.isWrapped = false
    return true
  }
  terminal.parser.registerCsiHandler({ final: 'J' }, ([mode]) => mode === 1 && eraseAbove(false))
  terminal.parser.registerCsiHandler({ prefix: '?', final: 'J' }, ([mode]) => mode === 1 && eraseAbove(true))
}

const MAX_REPEATED = 65_535 // characters; the engine would make an array of as many as asked for, up to two thousand million

/** Moving by more lines or stops than there are does no more than by all of them, but the engine goes one by one. */
function guardCounts(terminal: GuardTarget, input: InputHandler): void {
  const limit = (final: string, most: () => number, command: keyof InputHandler & `${string}`) => {
    terminal.parser.registerCsiHandler({ final }, ([count]) => {
      if (typeof count !== 'number' || count <= most()) return false
      return (input[command] as Command).call(input, one(most()))
    })
  }
  const rows = () => terminal.rows
  const cols = () => terminal.cols
  limit('L', rows, 'insertLines')
  limit('M', rows, 'deleteLines')
  limit('S', rows, 'scrollUp')
  limit('T', rows, 'scrollDown')
  limit('I', cols, 'cursorForwardTab')
  limit('Z', cols, 'cursorBackwardTab')
  limit('b', () => MAX_REPEATED, 'repeatPrecedingCharacter')
}

/**
 * Without wrapping, a wide character that does not fit is dropped at the right margin, and the engine then treats what stands
 * there differently at the start of a chunk than in the middle of one. Character by character every chunk is the same.
 */
function guardMargin({ _inputHandler: input, coreService }: Core): void {
  input._parser.setPrintHandler((data, start, end) => {
    if (coreService.decPrivateModes.wraparound) return input.print(data, start, end)
    for (let at = start; at < end; at++) input.print(data, at, at + 1)
  })
}

const COMBINED = 0x200000
type CopiedCells = [source: CopyingLine, from: number, to: number, length: number, reverse: boolean]
type CopyingLine = {
  readonly _data: Uint32Array
  readonly _combined: Record<number, string>
  copyCellsFrom: (this: CopyingLine, ...cells: CopiedCells) => void
}

const guarded = new WeakSet<object>()

/** The prototype of something of the engine's, unless it has been guarded already: all engines share it. */
function unguarded<Type extends object>(thing: object | undefined): Type | null {
  const prototype = thing === undefined ? null : (Object.getPrototypeOf(thing) as Type)
  if (prototype === null || guarded.has(prototype)) return null
  guarded.add(prototype)
  return prototype
}

/**
 * When a full history is wrapped anew, the engine also puts lines before the first place of its ring, which is the last one:
 * the line of the cursor.
 */
function guardRing({ _bufferService: { buffers } }: Core): void {
  const ring = unguarded<{ set(index: number, line: unknown): void }>(buffers.normal.lines)
  if (ring === null) return
  const { set } = ring
  ring.set = function (index, line) {
    if (index >= 0) set.call(this, index, line)
  }
}

/**
 * When lines are wrapped anew, the engine copies the texts of combined characters from the first copied cell to the end of the
 * line, over those of cells that are not copied, and also texts that were overwritten long ago.
 */
function guardReflow({ _bufferService: { buffers } }: Core): void {
  const prototype = unguarded<CopyingLine>(buffers.normal.lines.get(0))
  if (prototype === null) return
  const copy = prototype.copyCellsFrom
  prototype.copyCellsFrom = function (...cells) {
    const [source, from, to, length] = cells
    const texts: [column: number, text: string][] = []
    for (const name in source._combined) {
      const column = Number(name)
      const isCopied = column >= from && column < from + length && ((source._data[column * 3] ?? 0) & COMBINED) !== 0
      if (isCopied) texts.push([to + column - from, source._combined[column] ?? ''])
    }
    const before = { ...this._combined }
    copy.call(this, ...cells)
    for (const name in this._combined) delete this._combined[Number(name)]
    Object.assign(this._combined, before)
    for (const [column, text] of texts) this._combined[column] = text
  }
}

/** An alternate screen that is not shown keeps its old height when there are fewer rows, and would then scroll into a history of its own. */
function guardHiddenAlternate({ _bufferService: service }: Core): void {
  const resize = service.resize.bind(service)
  service.resize = (cols, rows) => {
    resize(cols, rows)
    const { lines } = service.buffers.alt
    if (lines.length === 0) lines.maxLength = rows
  }
}
