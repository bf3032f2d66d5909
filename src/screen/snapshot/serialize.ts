import {
  cellText,
  cellWidth,
  createPainter,
  eraseCells,
  isBareMark,
  isText,
  isWideTail,
  type Painter,
  paintedLength,
  paintRow,
  penOfCell,
  showsOnBlank,
} from '../cells/painter.ts'
import { charsetDesignator, type Engine } from '../engine/engine.ts'
import type { RawAttributes, RawBuffer, RawLine } from '../engine/internals.ts'
import { BACKGROUND, CURSOR, FOREGROUND, type ProgramState } from '../engine/programState.ts'
import { joinsCell } from '../engine/widths.ts'
import type { HistoryChunk } from './snapshot.ts'

/** The whole terminal as ANSI for a fresh terminal of the same size: first what has scrolled away, then all the rest. */
export type Serialized = { readonly history: readonly PaintedRows[]; readonly screen: string }
type PaintedRows = Pick<HistoryChunk, 'rows' | 'ansi' | 'continued'>

export function serialize(engine: Engine, state: ProgramState, { history }: { history: number }): Serialized {
  const { terminal, internals } = engine
  const { normal, alt, active } = internals._bufferService.buffers
  const painter = createPainter(internals._oscLinkService)
  const size = { cols: terminal.cols, rows: terminal.rows }
  const past = paintHistory(painter, normal, { ...size, from: normal.ybase - history, to: normal.ybase })

  paintLines(painter, normal, { ...size, from: normal.ybase, to: normal.ybase + size.rows, stale: past.stale })
  if (active === alt) {
    paintSetup(painter, normal, size)
    paintKeyboard(painter, state.keyboard.main)
    paintSavedCursor(painter, normal, '\x1b[?1049h')
    painter.plain()
    painter.raw('\x1b[2J\x1b[H')
    paintLines(painter, alt, { ...size, from: 0, to: size.rows, stale: false })
  } else if (hasSavedCursor(alt)) {
    painter.raw('\x1b[?1047h')
    paintSavedCursor(painter, alt, '\x1b7')
    painter.plain()
    painter.raw('\x1b[?1047l')
  }
  paintSetup(painter, active, size)
  if (hasSavedCursor(active)) paintSavedCursor(painter, active, '\x1b7')
  paintCursor(painter, engine)
  paintCharsets(painter, engine)
  paintModes(painter, engine)
  paintProgramState(painter, engine, state)
  return { history: past.chunks, screen: painter.take() }
}

/** In pieces that begin and end with a plain pen, so that the oldest can be left away. */
function paintHistory(
  painter: Painter,
  buffer: RawBuffer,
  { from, to, ...size }: Omit<Rows, 'stale'>,
): { chunks: PaintedRows[]; stale: boolean } {
  const chunks: PaintedRows[] = []
  let stale = false
  // Only the newest piece is cut short: the older ones stay the same from snapshot to snapshot.
  for (let at = from; at < to; at += CHUNK_ROWS) {
    const end = Math.min(to, at + CHUNK_ROWS)
    stale = paintLines(painter, buffer, { ...size, from: at, to: end, stale })
    painter.plain()
    chunks.push({ rows: end - at, continued: buffer.lines.get(at)?.isWrapped === true, ansi: painter.take() })
  }
  return { chunks, stale }
}

const CHUNK_ROWS = 250 // a fraction of a millisecond to parse, some ten kilobytes

type Rows = { readonly cols: number; readonly rows: number; readonly from: number; readonly to: number; readonly stale: boolean }

/** Returns whether the row after the last one is already begun (and must be painted over) by a soft wrap. */
function paintLines(painter: Painter, buffer: RawBuffer, { cols, rows, from, to, stale }: Rows): boolean {
  const last = Math.min(buffer.lines.length, buffer.ybase + rows) - 1
  let begun = stale
  for (let y = from; y < to && y <= last; y++) {
    const line = buffer.lines.get(y)
    if (line === undefined) continue
    const next = y < last ? buffer.lines.get(y + 1) : undefined
    if (next?.isWrapped) begun = paintWrapped(painter, line, next, { cols, stale: begun })
    else {
      paintRow(painter, line, { cols, end: paintedLength(line, cols), stale: begun })
      begun = false
      if (y === last) continue
      painter.plain() // a coloured pen would colour the row that scrolls in
      painter.raw('\r\n')
    }
  }
  return begun
}

/**
 * A soft wrap happens only when a character is printed beyond a full row. Where the row is no longer full, or the next one
 * no longer starts with a character, it is filled for the moment of the wrap and blanked afterwards.
 */
function paintWrapped(painter: Painter, line: RawLine, next: RawLine, { cols, stale }: { cols: number; stale: boolean }): boolean {
  const full = isText(line, cols - 1, cols) || isWideTail(line, cols - 1)
  const nextStarts = isText(next, 0, cols) && !isBareMark(next, 0)
  const nextColor = backgroundWord(next, 0)
  const hole = !full && nextStarts && isWrapHole(line, next, cols)
  if (nextStarts && (full || hole)) {
    const end = full ? cols : cols - 1
    paintRow(painter, line, { cols, end, stale })
    if (!full) padTo(painter, line, cols)
    if (wouldJoin(line, end, next)) painter.breakJoin()
    return nextColor !== 0
  }
  const end = full ? cols : paintedText(line, cols)
  paintRow(painter, line, { cols, end, stale })
  painter.plain()
  painter.raw(`${' '.repeat(cols - end)} `)
  if (end < cols) {
    painter.raw(`\x1b[A\x1b[${end + 1}G`)
    eraseCells(painter, line, { from: end, to: cols, cols })
    painter.raw('\x1b[B')
    painter.plain()
  }
  painter.raw('\r')
  return true
}

/** Whether the next row's first character would join the last one before column `end`, printed right after it. */
function wouldJoin(line: RawLine, end: number, next: RawLine): boolean {
  const last = isWideTail(line, end - 1) ? end - 2 : end - 1
  return last >= 0 && joinsCell(cellText(line, last), cellText(next, 0).codePointAt(0) ?? 0)
}

/** Whether the last column is empty because the wide character after it did not fit; that leaves the column in its colours. */
function isWrapHole(line: RawLine, next: RawLine, cols: number): boolean {
  if (cellWidth(next, 0) !== 2 || backgroundWord(line, cols - 1) !== backgroundWord(next, 0)) return false
  return showsOnBlank(line, cols - 1) === showsOnBlank(next, 0)
}

/** Moves to the last column, from which a wide character wraps by itself. */
function padTo(painter: Painter, line: RawLine, cols: number): void {
  const end = cols - 1
  let text = end
  while (text > 0 && !isText(line, text - 1, cols) && !isWideTail(line, text - 1)) text--
  if (text < end) painter.raw(`\x1b[${cols}G`)
}

function paintedText(line: RawLine, cols: number): number {
  let end = cols
  while (end > 0 && !isText(line, end - 1, cols) && !isWideTail(line, end - 1)) end--
  return end
}

const backgroundWord = (line: RawLine, x: number): number => (line._data[x * 3 + 2] ?? 0) & 0x3ffffff

function paintSetup(painter: Painter, buffer: RawBuffer, { cols, rows }: { cols: number; rows: number }): void {
  const stops = Object.entries(buffer.tabs).flatMap(([column, set]) => (set && Number(column) < cols ? [Number(column)] : []))
  const usual = Array.from({ length: Math.ceil(cols / 8) }, (_, index) => index * 8)
  if (stops.join() !== usual.join()) painter.raw(`\x1b[3g${stops.map((column) => `\x1b[${column + 1}G\x1bH`).join('')}`)
  if (buffer.scrollTop !== 0 || buffer.scrollBottom !== rows - 1) painter.raw(`\x1b[${buffer.scrollTop + 1};${buffer.scrollBottom + 1}r`)
}

const isPlain = (attributes: RawAttributes): boolean => attributes.fg === 0 && attributes.bg === 0

const hasSavedCursor = (buffer: RawBuffer): boolean =>
  buffer.savedX !== 0 || buffer.savedY > buffer.ybase || buffer.savedCharset !== undefined || !isPlain(buffer.savedCurAttrData)

function paintSavedCursor(painter: Painter, buffer: RawBuffer, save: string): void {
  const charset = charsetDesignator(buffer.savedCharset)
  painter.pen(buffer.savedCurAttrData.fg, buffer.savedCurAttrData.bg, null)
  painter.raw(`\x1b[${Math.max(0, buffer.savedY - buffer.ybase) + 1};${buffer.savedX + 1}H`)
  painter.raw(charset === 'B' ? save : `\x1b(${charset}${save}\x1b(B`)
}

function paintCursor(painter: Painter, { terminal, internals }: Engine): void {
  const buffer = internals._bufferService.buffers.active
  const { origin } = internals.coreService.decPrivateModes
  const row = buffer.y + 1 - (origin ? buffer.scrollTop : 0)
  if (origin) painter.raw('\x1b[?6h') // before the cursor is placed: it moves the cursor
  const line = buffer.lines.get(buffer.ybase + buffer.y)
  if (buffer.x < terminal.cols || line === undefined) painter.raw(`\x1b[${row};${buffer.x + 1}H`)
  else paintPendingWrap(painter, line, { row, cols: terminal.cols })
  const pen = internals._inputHandler._curAttrData
  painter.pen(pen.fg, pen.bg, pen.extended)
}

/** The cursor stands behind the last column only right after a character was printed there: print it again. */
function paintPendingWrap(painter: Painter, line: RawLine, { row, cols }: { row: number; cols: number }): void {
  const x = isWideTail(line, cols - 1) ? cols - 2 : cols - 1
  painter.raw(`\x1b[${row};${x + 1}H`)
  penOfCell(painter, line, x)
  painter.raw(isText(line, x, cols) ? cellText(line, x) : ' ')
}

function paintCharsets(painter: Painter, { internals }: Engine): void {
  const { glevel, _charsets } = internals._charsetService
  _charsets.forEach((charset, index) => {
    if (charset !== undefined) painter.raw(`\x1b${'()*+'[index]}${charsetDesignator(charset)}`)
  })
  painter.raw(['', '\x0e', '\x1bn', '\x1bo'][glevel] ?? '')
}

const MOUSE_PROTOCOLS: Readonly<Record<string, number>> = { X10: 9, VT200: 1000, DRAG: 1002, ANY: 1003 }
const MOUSE_ENCODINGS: Readonly<Record<string, number>> = { SGR: 1006, SGR_PIXELS: 1016 }
const CURSOR_STYLES = { block: 1, underline: 3, bar: 5 } as const

function paintModes(painter: Painter, { internals }: Engine): void {
  const { decPrivateModes: modes, modes: ansi, isCursorHidden } = internals.coreService
  const { convertEol, cursorBlink } = internals.optionsService.rawOptions
  const mouse = internals.coreMouseService
  const set = (mode: number | undefined, on: boolean) => {
    if (on && mode !== undefined) painter.raw(`\x1b[?${mode}h`)
  }
  set(1, modes.applicationCursorKeys)
  if (modes.applicationKeypad) painter.raw('\x1b=')
  if (!modes.wraparound) painter.raw('\x1b[?7l')
  set(45, modes.reverseWraparound)
  if (ansi.insertMode) painter.raw('\x1b[4h')
  if (convertEol) painter.raw('\x1b[20h')
  set(MOUSE_PROTOCOLS[mouse.activeProtocol], true)
  set(MOUSE_ENCODINGS[mouse.activeEncoding], true)
  set(1004, modes.sendFocus)
  set(2004, modes.bracketedPasteMode)
  set(12, cursorBlink)
  if (modes.cursorStyle !== undefined) {
    painter.raw(`\x1b[${CURSOR_STYLES[modes.cursorStyle] + (modes.cursorBlink === false ? 1 : 0)} q`)
  }
  if (isCursorHidden) painter.raw('\x1b[?25l')
  set(2026, modes.synchronizedOutput)
}

function paintKeyboard(painter: Painter, [base = 0, ...pushed]: readonly number[]): void {
  if (base !== 0) painter.raw(`\x1b[=${base};1u`)
  for (const flags of pushed) painter.raw(`\x1b[>${flags}u`)
}

function paintProgramState(painter: Painter, engine: Engine, state: ProgramState): void {
  const { buffers } = engine.internals._bufferService
  for (const [mode, on] of state.modes) painter.raw(`\x1b[?${mode}${on ? 'h' : 'l'}`)
  paintKeyboard(painter, buffers.active === buffers.alt ? state.keyboard.alternate : state.keyboard.main)
  if (state.modifyOtherKeys !== 0) painter.raw(`\x1b[>4;${state.modifyOtherKeys}m`)
  for (const [index, rgb] of state.colors) {
    const hex = rgb.map((value) => value.toString(16).padStart(2, '0')).join('/')
    const target = index === FOREGROUND ? '10' : index === BACKGROUND ? '11' : index === CURSOR ? '12' : `4;${index}`
    painter.raw(`\x1b]${target};rgb:${hex}\x1b\\`)
  }
}
