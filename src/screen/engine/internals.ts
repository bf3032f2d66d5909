/**
 * The parts of the engine that its public interface does not show and a faithful snapshot needs.
 * They are why the engine's version is pinned; `internalsOf` fails loudly should they ever move.
 */
import type { StringTarget } from './stringCaps.ts'

export type RawExtended = { readonly _ext: number; readonly urlId: number }
export type RawAttributes = { fg: number; bg: number; extended: PenExtended }

/** Cells share the pen's extended attributes: they are replaced, never changed. */
export type PenExtended = { _ext: number; urlId: number; clone(): PenExtended }

export type RawLine = {
  /** Three words per cell: content, foreground, background. May be longer than the screen is wide: see `length`. */
  readonly _data: Uint32Array
  readonly _combined: Record<number, string>
  readonly _extendedAttrs: Record<number, RawExtended | undefined>
  /** Cells; on the alternate screen those that a narrower size hides are still there. */
  readonly length: number
  isWrapped: boolean
}

/** What a line can do beside being looked at. */
export type LivingLine = RawLine & { resize(cells: number, fill: unknown): void }

export type RawLines = {
  readonly length: number
  maxLength: number
  trimStart(count: number): void
  get(index: number): LivingLine | undefined
  push(line: LivingLine): void
  pop(): LivingLine | undefined
  onTrim(listener: (count: number) => void): { dispose(): void }
}

export type RawCharset = Readonly<Record<string, string>>

export type RawMarker = { readonly line: number; dispose(): void; onDispose(listener: () => void): unknown }

export type RawBuffer = {
  readonly lines: RawLines
  ybase: number
  ydisp: number
  readonly markers: readonly RawMarker[]
  x: number
  y: number
  scrollTop: number
  scrollBottom: number
  tabs: Record<number, boolean | undefined>
  savedX: number
  savedY: number
  readonly savedCurAttrData: RawAttributes
  savedCharset: RawCharset | undefined
  addMarker(line: number): RawMarker
  getNullCell(): unknown
  getBlankLine(attributes: RawAttributes): LivingLine
}

export type RawModes = {
  applicationCursorKeys: boolean
  applicationKeypad: boolean
  bracketedPasteMode: boolean
  cursorBlink: boolean | undefined
  cursorStyle: 'block' | 'underline' | 'bar' | undefined
  origin: boolean
  reverseWraparound: boolean
  sendFocus: boolean
  synchronizedOutput: boolean
  wraparound: boolean
}

export type LinkData = { readonly id?: string | undefined; readonly uri: string }
export type LinkEntry = { readonly id: number; readonly key?: string; readonly data: LinkData; readonly lines: RawMarker[] }

/** A link lives as long as a line on which the engine believes it to be. */
export type LinkService = {
  _nextId: number
  readonly _dataByLinkId: Map<number, LinkEntry>
  readonly _entriesWithId: Map<string, LinkEntry>
  getLinkData(id: number): LinkData | undefined
  addLineToLink(id: number, line: number): void
  registerLink(data: LinkData): number
  _removeMarkerFromLink(entry: LinkEntry, marker: RawMarker): void
}

export type Internals = {
  readonly _bufferService: {
    readonly buffers: { readonly normal: RawBuffer; readonly alt: RawBuffer; readonly active: RawBuffer }
    onScroll(listener: () => void): { dispose(): void }
  }
  readonly coreService: {
    readonly decPrivateModes: RawModes
    readonly modes: { insertMode: boolean }
    isCursorHidden: boolean
  }
  readonly coreMouseService: { activeProtocol: string; activeEncoding: string }
  readonly optionsService: { readonly rawOptions: { readonly convertEol: boolean; readonly cursorBlink: boolean; scrollback: number } }
  readonly _charsetService: {
    charset: RawCharset | undefined
    glevel: number
    _charsets: (RawCharset | undefined)[]
  }
  readonly _oscLinkService: LinkService
  readonly _inputHandler: {
    readonly _curAttrData: RawAttributes
    readonly _parser: StringTarget & {
      readonly currentState: number
      precedingJoinState: number
      setExecuteHandler(control: string, handler: () => boolean): void
      /** The engine's public one calls no handler of window requests unless their options allow them. */
      registerCsiHandler(id: { readonly final: string }, handler: () => boolean): void
    }
    readonly _windowTitleStack: string[]
    _windowTitle: string
    setTitle(title: string): boolean
    setHyperlink(data: string): boolean
    onRequestReset(listener: () => void): { dispose(): void }
  }
}

// Cell words
export const CONTENT_MASK = 0x3fffff // code point, or the mark that the text is in `_combined`
export const CODE_POINT_MASK = 0x1fffff
export const COMBINED = 0x200000
export const WIDTH_SHIFT = 22

// Colours: two bits of mode above 24 bits of value, the same in foreground, background and underline words
export const COLOR_MODE = 0x3000000
export const COLOR_BITS = 0x3ffffff
export const PALETTE_16 = 0x1000000
const PALETTE_256 = 0x2000000
export const RGB = 0x3000000

// Flags in the foreground word
export const INVERSE = 0x4000000
export const BOLD = 0x8000000
export const UNDERLINE = 0x10000000
export const BLINK = 0x20000000
export const INVISIBLE = 0x40000000
export const STRIKETHROUGH = 0x80000000

// Flags in the background word
export const ITALIC = 0x4000000
export const DIM = 0x8000000
export const HAS_EXTENDED = 0x10000000
export const PROTECTED = 0x20000000
export const OVERLINE = 0x40000000

/** In a word whose colour is a palette index the engine leaves bits of an earlier colour behind; they mean nothing. */
export function withoutLeftovers(word: number): number {
  const mode = word & COLOR_MODE
  return mode === PALETTE_16 || mode === PALETTE_256 ? (word & ~0xffff00) >>> 0 : word
}

export const underlineStyleOf = (extended: RawExtended): number => (extended._ext & 0x1c000000) >>> 26
export const underlineColorOf = (extended: RawExtended): number => extended._ext & COLOR_BITS

/** The parser's ground state; 1 to 6 are the states inside an escape or control sequence, the rest are strings. */
export const GROUND = 0
export const LAST_SEQUENCE_STATE = 6

const PATHS = [
  '_bufferService.buffers.normal.lines.get',
  '_bufferService.buffers.normal.lines.onTrim',
  '_bufferService.buffers.normal.lines.push',
  '_bufferService.buffers.normal.lines.trimStart',
  '_bufferService.buffers.normal.ydisp',
  '_bufferService.buffers.normal.markers',
  '_bufferService.buffers.normal.addMarker',
  '_bufferService.buffers.normal.getBlankLine',
  '_bufferService.buffers.normal.lines.maxLength',
  '_bufferService.buffers.normal.lines.trimStart',
  '_bufferService.buffers.normal.ydisp',
  '_bufferService.onScroll',
  '_bufferService.buffers.alt.tabs',
  '_bufferService.buffers.active.savedCurAttrData.extended._ext',
  'coreService.decPrivateModes.wraparound',
  'coreService.modes.insertMode',
  'coreService.isCursorHidden',
  'coreMouseService.activeProtocol',
  'coreMouseService.activeEncoding',
  'optionsService.rawOptions.convertEol',
  'optionsService.rawOptions.scrollback',
  '_charsetService._charsets',
  '_charsetService.glevel',
  '_oscLinkService.getLinkData',
  '_oscLinkService._nextId',
  '_oscLinkService._dataByLinkId',
  '_oscLinkService._entriesWithId',
  '_oscLinkService.registerLink',
  '_oscLinkService._removeMarkerFromLink',
  '_inputHandler._curAttrData.extended._ext',
  '_inputHandler._parser.currentState',
  '_inputHandler._parser.precedingJoinState',
  '_inputHandler._parser.setExecuteHandler',
  '_inputHandler._parser.registerCsiHandler',
  '_inputHandler._windowTitleStack',
  '_inputHandler._windowTitle',
  '_inputHandler.setTitle',
  '_inputHandler.setHyperlink',
  '_inputHandler.onRequestReset',
]

export function internalsOf(terminal: object): Internals {
  const core: unknown = Reflect.get(terminal, '_core')
  for (const path of PATHS) {
    let at: unknown = core
    for (const name of path.split('.')) at = typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined
    if (at === undefined) throw new Error(`the terminal engine has no ${path}: its version is not the pinned one`)
  }
  return core as Internals
}
