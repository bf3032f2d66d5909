import { charsetDesignator } from '../../../src/screen/engine/engine.ts'
import type { RawAttributes, RawBuffer } from '../../../src/screen/engine/internals.ts'
import { HAS_EXTENDED, underlineColorOf, underlineStyleOf } from '../../../src/screen/engine/internals.ts'
import { engineOf, type Screen, wholeOf } from '../../../src/screen/screen.ts'
import { dumpLine, linkOf, type Strictness, tidy } from './dumpLine.ts'

/**
 * Everything about a screen that can be seen now or come to light later, as comparable text: cells of both buffers with
 * all attributes, soft wraps, cursor, pen, saved cursors, margins, tab stops, character sets, modes, title, colours,
 * keyboard, the parser.
 */
export type Dump = Readonly<Record<string, unknown>>

export function dump(screen: Screen, strictness: Strictness = 'exact'): Dump {
  const lines = linesOf(screen)
  const text = (which: 'normal' | 'alternate') => lines[which].map((line) => dumpLine(screen, line, strictness))
  return { normal: text('normal'), alternate: text('alternate'), ...dumpState(screen, strictness) }
}

/** The names of the parts in which two dumps differ. */
export function differences(a: Dump, b: Dump): string[] {
  return Object.keys(a).filter((part) => JSON.stringify(a[part]) !== JSON.stringify(b[part]))
}

/** The alternate buffer begins blank whenever it is shown: what it holds while it is not says nothing. */
export function linesOf(screen: Screen) {
  const { internals, terminal } = engineOf(screen)
  const { normal, alt, active } = internals._bufferService.buffers
  const lines = (buffer: RawBuffer, count: number) =>
    Array.from({ length: Math.min(count, buffer.lines.length) }, (_, y) => buffer.lines.get(y))
  return { normal: lines(normal, normal.ybase + terminal.rows), alternate: active === alt ? lines(alt, terminal.rows) : [] }
}

/** All but the lines. */
export function dumpState(screen: Screen, strictness: Strictness): Dump {
  const { internals, terminal } = engineOf(screen)
  const { normal, alt, active } = internals._bufferService.buffers
  const { cols, rows } = terminal
  const { _charsetService: sets, coreService, coreMouseService, optionsService, _inputHandler: input } = internals
  const inUse = active === alt ? [normal, alt] : [normal]
  return {
    size: [cols, rows],
    history: normal.ybase,
    active: terminal.buffer.active.type,
    cursor: [active.x, active.y],
    pen: dumpPen(screen, input._curAttrData, strictness),
    saved: [dumpSaved(normal, cols, strictness), dumpSaved(alt, cols, strictness)],
    margins: inUse.map((buffer) => [buffer.scrollTop, buffer.scrollBottom]),
    tabs: inUse.map((buffer) => Object.keys(buffer.tabs).filter((column) => buffer.tabs[Number(column)] && Number(column) < cols)),
    charsets: [sets.glevel, charsetDesignator(sets.charset), [0, 1, 2, 3].map((level) => charsetDesignator(sets._charsets[level]))],
    modes: { ...coreService.decPrivateModes, ...coreService.modes, hidden: coreService.isCursorHidden },
    mouse: [coreMouseService.activeProtocol, coreMouseService.activeEncoding],
    options: [optionsService.rawOptions.convertEol, optionsService.rawOptions.cursorBlink],
    input: screen.modes,
    title: screen.title,
    titles: [...input._windowTitleStack],
    cwd: screen.cwd,
    ...(strictness === 'look' ? {} : dumpHidden(screen)),
  }
}

/** What no picture shows: how the parser goes on, and what only answers to queries tell. */
function dumpHidden(screen: Screen): Dump {
  const { modes, keyboard, modifyOtherKeys, colors } = wholeOf(screen).state
  const parser = engineOf(screen).internals._inputHandler._parser
  return {
    parser: [parser.currentState, parser.precedingJoinState],
    carried: [...modes].sort(([a], [b]) => a - b),
    keyboard: [keyboard.main, keyboard.alternate, modifyOtherKeys],
    palette: [...colors].sort(([a], [b]) => a - b),
  }
}

function dumpSaved(buffer: RawBuffer, cols: number, strictness: Strictness): unknown {
  const { fg, bg } = buffer.savedCurAttrData
  const [x, y] = [buffer.savedX, buffer.savedY - buffer.ybase]
  return [
    // A place that is no longer on the screen is moved onto it when it is restored; but another size may bring it back.
    ...(strictness === 'look' ? [Math.min(x, cols - 1), Math.max(0, y)] : [x, y]),
    tidy(fg),
    tidy(bg & ~HAS_EXTENDED),
    charsetDesignator(buffer.savedCharset),
  ]
}

function dumpPen(screen: Screen, { fg, bg, extended }: RawAttributes, strictness: Strictness): unknown {
  const link = strictness === 'look' ? '' : linkOf(screen, extended.urlId)
  return [tidy(fg), tidy(bg & ~HAS_EXTENDED), underlineStyleOf(extended), tidy(underlineColorOf(extended)), link]
}
