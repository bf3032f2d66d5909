import { charsetByDesignator, charsetDesignator, type Engine } from '../engine/engine.ts'
import type { Internals, RawAttributes, RawBuffer, RawModes } from '../engine/internals.ts'

/**
 * The state of the engine outside of its cells, as plain data. A snapshot's ANSI brings most of it about in any terminal; in
 * an engine of ours all of it is put back as it was, to the bit.
 */
export type EngineState = {
  readonly alternate: boolean
  readonly normalBuffer: BufferState
  readonly alternateBuffer: BufferState
  readonly pen: PenState
  /** The active character set, the level shifted in, and the four sets; ASCII is `B`. */
  readonly charsets: readonly [active: string, level: number, sets: readonly string[]]
  readonly modes: Readonly<Record<string, boolean | string | null>>
  readonly insertMode: boolean
  readonly cursorHidden: boolean
  readonly newlineMode: boolean
  readonly cursorBlink: boolean
  readonly mouse: readonly [protocol: string, encoding: string]
  readonly titleStack: readonly string[]
  /** What the last character would join with, in the terms of the width provider. */
  readonly joinState: number
}

type PenState = readonly [fg: number, bg: number, extended: number, link: number]

type BufferState = {
  readonly cursor: readonly [x: number, y: number]
  readonly margins: readonly [top: number, bottom: number]
  readonly tabs: readonly number[]
  /** The row is counted from the top of the screen, and is negative for a place that has scrolled away since. */
  readonly saved: { readonly x: number; readonly y: number; readonly pen: PenState; readonly charset: string }
  /** Lines from the top of the screen on: as many as there are rows, or none in an alternate buffer that is not shown. */
  readonly lines: number
  /** Whether the first row on the screen continues the one before it. */
  readonly continued: boolean
}

export function readEngineState({ internals }: Engine): EngineState {
  const { _bufferService: service, _charsetService: sets, _inputHandler: input, coreService, coreMouseService: mouse } = internals
  const { normal, alt, active } = service.buffers
  const { rawOptions } = internals.optionsService
  return {
    alternate: active === alt,
    normalBuffer: readBuffer(normal),
    alternateBuffer: readBuffer(alt),
    pen: readPen(input._curAttrData),
    charsets: [charsetDesignator(sets.charset), sets.glevel, [0, 1, 2, 3].map((level) => charsetDesignator(sets._charsets[level]))],
    modes: Object.fromEntries(Object.entries(coreService.decPrivateModes).map(([name, value]) => [name, value ?? null])),
    insertMode: coreService.modes.insertMode,
    cursorHidden: coreService.isCursorHidden,
    newlineMode: rawOptions.convertEol,
    cursorBlink: rawOptions.cursorBlink,
    mouse: [mouse.activeProtocol, mouse.activeEncoding],
    titleStack: [...input._windowTitleStack],
    joinState: input._parser.precedingJoinState,
  }
}

/** After the snapshot's ANSI was parsed; which buffer is shown is up to that. */
export function applyEngineState({ internals, terminal }: Engine, state: EngineState): void {
  const { _bufferService: service, _charsetService: sets, _inputHandler: input, coreService, coreMouseService: mouse } = internals
  applyBuffer(service.buffers.normal, state.normalBuffer)
  applyBuffer(service.buffers.alt, state.alternateBuffer)
  applyPen(input._curAttrData, state.pen)
  const [active, level, levels] = state.charsets
  sets._charsets = levels.map(charsetByDesignator)
  sets.glevel = level
  sets.charset = charsetByDesignator(active)
  applyModes(internals, state.modes)
  coreService.modes.insertMode = state.insertMode
  coreService.isCursorHidden = state.cursorHidden
  terminal.options.convertEol = state.newlineMode
  terminal.options.cursorBlink = state.cursorBlink
  mouse.activeProtocol = state.mouse[0]
  mouse.activeEncoding = state.mouse[1]
  input._windowTitleStack.splice(0, Number.POSITIVE_INFINITY, ...state.titleStack)
  input._parser.precedingJoinState = state.joinState
}

function applyModes({ coreService }: Internals, modes: EngineState['modes']): void {
  const target: RawModes = coreService.decPrivateModes
  for (const name of Object.keys(target)) if (name in modes) Reflect.set(target, name, modes[name] ?? undefined)
}

const readPen = ({ fg, bg, extended }: RawAttributes): PenState => [fg, bg, extended._ext, extended.urlId]

function applyPen(pen: RawAttributes, [fg, bg, ext, link]: PenState): void {
  const extended = pen.extended.clone() // cells share the old one
  extended._ext = ext
  extended.urlId = link
  pen.fg = fg
  pen.bg = bg
  pen.extended = extended
}

function readBuffer(buffer: RawBuffer): BufferState {
  return {
    cursor: [buffer.x, buffer.y],
    margins: [buffer.scrollTop, buffer.scrollBottom],
    tabs: Object.entries(buffer.tabs).flatMap(([column, set]) => (set ? [Number(column)] : [])),
    saved: {
      x: buffer.savedX,
      y: buffer.savedY - buffer.ybase,
      pen: readPen(buffer.savedCurAttrData),
      charset: charsetDesignator(buffer.savedCharset),
    },
    lines: buffer.lines.length - buffer.ybase,
    continued: buffer.lines.length > buffer.ybase && buffer.lines.get(buffer.ybase)?.isWrapped === true,
  }
}

function applyBuffer(buffer: RawBuffer, state: BufferState): void {
  ;[buffer.x, buffer.y] = state.cursor
  ;[buffer.scrollTop, buffer.scrollBottom] = state.margins
  buffer.tabs = Object.fromEntries(state.tabs.map((column) => [column, true]))
  buffer.savedX = state.saved.x
  buffer.savedY = buffer.ybase + state.saved.y
  applyPen(buffer.savedCurAttrData, state.saved.pen)
  buffer.savedCharset = charsetByDesignator(state.saved.charset)
  const missing = buffer.ybase + state.lines - buffer.lines.length
  const plain = { fg: 0, bg: 0, extended: buffer.savedCurAttrData.extended }
  for (let count = missing; count < 0; count++) buffer.lines.pop()
  for (let count = missing; count > 0; count--) buffer.lines.push(buffer.getBlankLine(plain))
  const first = state.lines > 0 ? buffer.lines.get(buffer.ybase) : undefined
  if (first !== undefined) first.isWrapped = state.continued
}
