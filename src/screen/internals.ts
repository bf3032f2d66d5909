/**
 * The parts of the engine that its public interface does not show and a faithful snapshot needs.
 * They are why the engine's version is pinned; `internalsOf` fails loudly should they ever move.
 */
export type RawExtended = { readonly _ext: number; readonly urlId: number }
export type RawAttributes = { readonly fg: number; readonly bg: number; readonly extended: RawExtended }

/** Cells share the pen's extended attributes: they are replaced, never changed. */
export type RawPen = { readonly fg: number; readonly bg: number; extended: PenExtended }
export type PenExtended = RawExtended & { underlineStyle: number; clone(): PenExtended }

export type RawLine = {
  /** Three words per cell: content, foreground, background. */
  readonly _data: Uint32Array
  readonly _combined: Readonly<Record<number, string>>
  readonly _extendedAttrs: Readonly<Record<number, RawExtended | undefined>>
  isWrapped: boolean
}

export type RawLines = {
  readonly length: number
  maxLength: number
  trimStart(count: number): void
  get(index: number): RawLine | undefined
  onTrim(listener: (count: number) => void): { dispose(): void }
}

export type RawCharset = Readonly<Record<string, string>>

export type RawBuffer = {
  readonly lines: RawLines
  ybase: number
  ydisp: number
  readonly x: number
  readonly y: number
  readonly scrollTop: number
  readonly scrollBottom: number
  readonly tabs: Readonly<Record<number, boolean | undefined>>
  readonly savedX: number
  savedY: number
  readonly savedCurAttrData: RawAttributes
  readonly savedCharset: RawCharset | undefined
}

export type RawModes = {
  readonly applicationCursorKeys: boolean
  readonly applicationKeypad: boolean
  readonly bracketedPasteMode: boolean
  readonly cursorBlink: boolean | undefined
  readonly cursorStyle: 'block' | 'underline' | 'bar' | undefined
  readonly origin: boolean
  readonly reverseWraparound: boolean
  readonly sendFocus: boolean
  readonly synchronizedOutput: boolean
  readonly wraparound: boolean
}

export type Internals = {
  readonly _bufferService: {
    readonly buffers: { readonly normal: RawBuffer; readonly alt: RawBuffer; readonly active: RawBuffer }
    onScroll(listener: () => void): { dispose(): void }
  }
  readonly coreService: {
    readonly decPrivateModes: RawModes
    readonly modes: { readonly insertMode: boolean }
    readonly isCursorHidden: boolean
  }
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string }
  readonly optionsService: { readonly rawOptions: { readonly convertEol: boolean; readonly cursorBlink: boolean; scrollback: number } }
  readonly _charsetService: {
    charset: RawCharset | undefined
    readonly glevel: number
    readonly _charsets: readonly (RawCharset | undefined)[]
  }
  readonly _oscLinkService: { getLinkData(id: number): { readonly id?: string; readonly uri: string } | undefined }
  readonly _inputHandler: {
    readonly _curAttrData: RawPen
    readonly _parser: { readonly currentState: number; precedingJoinState: number }
    readonly _windowTitleStack: string[]
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

export const underlineStyleOf = (extended: RawExtended): number => (extended._ext & 0x1c000000) >>> 26
export const underlineColorOf = (extended: RawExtended): number => extended._ext & COLOR_BITS

/** The parser's ground state; 1 to 6 are the states inside an escape or control sequence, the rest are strings. */
export const GROUND = 0
export const LAST_SEQUENCE_STATE = 6

const PATHS = [
  '_bufferService.buffers.normal.lines.get',
  '_bufferService.buffers.normal.lines.onTrim',
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
  '_inputHandler._curAttrData.extended._ext',
  '_inputHandler._parser.currentState',
  '_inputHandler._parser.precedingJoinState',
  '_inputHandler._windowTitleStack',
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
