/**
 * The only file that knows the terminal library: a screen that draws bytes and tells what was typed, and nothing more. The other files
 * of this folder are parts of that screen (links, pointer, touch, letter widths, graphics) and how it looks (appearance, schemes, cell).
 * What it is given comes from stream/; it knows no channel and no page.
 */
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import './screen.css'
import type { Piece } from '../../../client/stream.ts'
import { guardEngine } from '../../../screen/engine/engineGuards.ts'
import { createCharacterAligner, joinBytes } from '../../../screen/engine/safeCut.ts'
import { registerWidths } from '../../../screen/engine/widths.ts'
import { muteQueries } from '../../../screen/queries/queries.ts'
import type { Size } from '../../../workspace/terminal/terminal.ts'
import { LastOnly } from '../../state/lastOnly.ts'
import { Finder, type FindQuery, type Hits, type Mark } from '../find/finder.ts'
import { HELD_ROWS, type View } from '../stream/depth.ts'
import type { Output } from '../stream/pace.ts'
import { clipboardTextOf } from '../transfer/osc52.ts'
import type { Appearance } from './appearance.ts'
import { type Cell, LINE_HEIGHT } from './cell.ts'
import { seenOf, textOf } from './drawnText.ts'
import { drawByGraphics } from './graphics.ts'
import { shareLetterWidths } from './letterWidths.ts'
import { scalePointer, showLinks } from './pointer.ts'
import { scrollByTouch } from './touchScroll.ts'

/** Taken from the drawing, never from the place: what is measured must not depend on whether something is said about it. */
const LINE_BELOW_PX = 40
/** A program may print a thousand clipboards a second; each would ask the user, or write the clipboard. */
const CLIPBOARD_EVERY_MS = 500
const RESET = '\x18\x1bc' // ends a sequence that was cut off, then forgets everything

export type XtermOptions = {
  readonly host: HTMLElement
  readonly appearance: Appearance
  readonly onTyped: (bytes: Uint8Array) => void
  /** False for a key that the page takes for itself. */
  readonly onKey: (event: KeyboardEvent) => boolean
  /** After everything that may have changed what is seen. */
  readonly onViewed: (view: View) => void
  /** What is pointed at; null when it is not any more. */
  readonly onLink: (target: string | null) => void
  /** A program wants to put a text into the clipboard, now. */
  readonly onCopyAsked: (text: string) => void
  readonly onHits: (hits: Hits) => void
  /** What was above the screen is gone from the drawing. */
  readonly onErased: () => void
  /** The user scrolls up at the top. */
  readonly onPulled: () => void
}

export class Xterm {
  private readonly terminal: Terminal
  private readonly fit = new FitAddon()
  private readonly finder: Finder
  private readonly host: HTMLElement
  private isFramed = false
  private readonly aligner = createCharacterAligner()
  private readonly leaving = new AbortController()
  private measured: { readonly place: string; readonly size: Size } | null = null
  private appearance: Appearance
  private graphics: { dispose(): void } | null = null
  private hadGraphics = false
  /** Whether what is being read is said now; what is replayed does nothing but draw. */
  private isLive = false
  private willBeLive = false
  private readonly onPulled: () => void
  private readonly copies: LastOnly<string>

  constructor(options: XtermOptions) {
    const { host, appearance, onTyped, onKey, onViewed, onLink, onHits } = options
    this.host = host
    this.appearance = appearance
    this.onPulled = options.onPulled
    this.terminal = new Terminal({
      allowProposedApi: true, // character widths, decorations
      scrollback: HELD_ROWS,
      lineHeight: LINE_HEIGHT,
      cursorBlink: false,
      macOptionIsMeta: true,
      ...drawingOf(appearance),
    })
    this.terminal.loadAddon(this.fit)
    registerWidths(this.terminal)
    guardEngine(this.terminal)
    muteQueries(this.terminal) // the daemon has answered already: a second answer would be typed into the program
    this.copies = new LastOnly(CLIPBOARD_EVERY_MS, options.onCopyAsked)
    this.terminal.parser.registerOscHandler(52, (data) => this.takeClipboard(data))
    this.terminal.parser.registerCsiHandler({ final: 'J' }, ([mode]) => mode === 3 && tell(options.onErased))
    this.terminal.parser.registerEscHandler({ final: 'c' }, () => tell(options.onErased))
    this.terminal.attachCustomWheelEventHandler((event) => this.takeWheel(event))
    this.terminal.onData((text) => onTyped(new TextEncoder().encode(text)))
    this.terminal.onBinary((text) => onTyped(Uint8Array.from(text, (character) => character.charCodeAt(0))))
    this.terminal.attachCustomKeyEventHandler(onKey)
    this.finder = new Finder(this.terminal, { palette: () => this.appearance.palette, onHits })
    showLinks(this.terminal, onLink)
    this.terminal.open(host)
    shareLetterWidths(this.terminal)
    scalePointer(this.terminal, host, this.leaving.signal)
    this.terminal.onRender(() => onViewed(this.view))
    scrollByTouch(host, {
      rowHeight: () => host.clientHeight / this.terminal.rows,
      scroll: (rows) => this.scrollBy(rows),
      signal: this.leaving.signal,
    })
  }

  get view(): View {
    const { active } = this.terminal.buffer
    const { rows, options } = this.terminal
    return {
      above: active.viewportY,
      below: active.baseY - active.viewportY,
      rows,
      isAlternate: active.type === 'alternate',
      isFull: active.baseY >= (options.scrollback ?? 0),
    }
  }

  /** Whether the user has scrolled up in it, or selected text. */
  get isRead(): boolean {
    return this.view.below > 0 || this.terminal.hasSelection()
  }

  /** True where it has changed how large the letters are. */
  dress(appearance: Appearance): boolean {
    const before = this.appearance
    this.appearance = appearance
    const isOtherFont = before.fontSize !== appearance.fontSize || before.fontFamily !== appearance.fontFamily
    if (JSON.stringify(before) === JSON.stringify(appearance)) return false
    this.terminal.options = drawingOf(appearance)
    if (isOtherFont) this.measured = null
    return isOtherFont
  }

  /** False where the browser cannot, or has taken it away; `onLost` tells the latter. */
  startGraphics(onLost: () => void): boolean {
    this.graphics ??= drawByGraphics(this.terminal, () => {
      this.graphics = null
      onLost()
    })
    // Its cells are whole pixels wide. Once measured so, the size stays: a program is not resized because it was out of view.
    if (this.graphics !== null && !this.hadGraphics) this.measured = null
    this.hadGraphics ||= this.graphics !== null
    return this.graphics !== null
  }

  stopGraphics(): void {
    this.graphics?.dispose()
    this.graphics = null
  }

  get isDrawnByGraphics(): boolean {
    return this.graphics !== null
  }

  scrollBy(rows: number): void {
    if (rows < 0) this.pull()
    this.terminal.scrollLines(rows)
  }

  get selection(): string {
    return this.terminal.getSelection()
  }

  text(): string {
    return textOf(this.terminal.buffer.active)
  }

  seen(): readonly string[] {
    return seenOf(this.terminal.buffer.active, this.terminal.rows)
  }

  /** Whether programs want arrow keys in their other form. */
  get applicationCursor(): boolean {
    return this.terminal.modes.applicationCursorKeysMode
  }

  /** Whether the program takes a paste as such, so that lines in it do not run. */
  get takesPastes(): boolean {
    return this.terminal.modes.bracketedPasteMode
  }

  /** As if it had been typed, but for what the program is told around it. */
  paste(text: string): void {
    this.terminal.paste(text)
  }

  /**
   * The size that would fill the host; null while it cannot be measured. The library's cells are rounded so that their width
   * depends on how many there are: measured anew at each size, one place would be 75 columns wide now and 76 after that.
   */
  measure(): Size | null {
    const place = `${this.host.clientWidth} ${this.host.clientHeight} ${devicePixelRatio}`
    if (place !== this.measured?.place) {
      const size = this.fit.proposeDimensions()
      const usable = size !== undefined && size.cols >= 2 && size.rows >= 1
      this.measured = usable ? { place, size: { cols: size.cols, rows: size.rows } } : null
    }
    return this.measured?.size ?? null
  }

  /** How large its cells are, whatever it is scaled by; null while that is not known. */
  get cell(): Cell | null {
    const { width = 0, height = 0 } = (this.terminal as unknown as Measured)._core?._renderService?.dimensions?.css?.cell ?? {}
    return width > 0 && height > 0 ? { width, height } : null
  }

  /** A picture: what is old. */
  write(bytes: Uint8Array, consumed?: () => void): void {
    this.output({ bytes, isLive: false, consumed: consumed ?? NOTHING })
  }

  output({ bytes, isLive, consumed }: Output): void {
    this.readAs(isLive)
    const chunks = this.aligner.push(bytes)
    for (const [index, chunk] of chunks.entries()) this.terminal.write(chunk, index === chunks.length - 1 ? consumed : undefined)
    if (chunks.length === 0) consumed() // the start of a character, which is not credit to be held back
  }

  /** In order with what is written: what comes before is wrapped at the old size, what follows at the new one. */
  resize({ cols, rows }: Size): void {
    this.terminal.write('', () => {
      this.terminal.resize(cols, rows)
      this.scale()
    })
  }

  /** In order with what is written, too. */
  clear(): void {
    this.aligner.reset()
    this.terminal.write(RESET)
  }

  /**
   * Draws the same with more above it. What is seen stays where it is: the bytes are written in one piece, which the library
   * takes in without drawing in between, and the place is counted from the end.
   */
  replace({ bytes, size }: { readonly bytes: Uint8Array; readonly size: Size }, since: readonly Piece[], drawn: () => void): void {
    let mark: Mark = { below: this.terminal.rows, selected: null }
    this.readAs(false)
    this.terminal.write('', () => {
      this.resizeInPlace(size)
      mark = this.mark()
    })
    this.aligner.reset()
    const whole = [new TextEncoder().encode(RESET), bytes]
    for (const piece of since) {
      if (piece.kind === 'output') whole.push(...this.aligner.push(piece.bytes))
      else {
        this.terminal.write(joinBytes(...whole.splice(0)))
        this.resize(piece.size)
      }
    }
    this.terminal.write(joinBytes(...whole), () => {
      this.goTo(mark)
      drawn()
    })
  }

  /** In order with what is written: how many rows above the screen it may hold from now on. */
  holdRows(count: number): void {
    this.terminal.write('', () => {
      if (this.terminal.options.scrollback !== count) this.terminal.options.scrollback = count
    })
  }

  /** In what is drawn; goes round at its ends. */
  find(query: FindQuery, way: 'up' | 'down'): boolean {
    return this.finder.find(query, way)
  }

  stopFinding(): void {
    this.finder.clear()
  }

  clearSelection(): void {
    this.terminal.clearSelection()
  }

  mark(): Mark {
    const { length: rows, viewportY } = this.terminal.buffer.active
    const marked = this.terminal.getSelectionPosition()
    if (marked === undefined) return { below: rows - viewportY, selected: null }
    const { start, end } = marked
    const length = (end.y - start.y) * this.terminal.cols + end.x - start.x
    return { below: rows - viewportY, selected: { column: start.x, row: start.y - rows, length } }
  }

  goTo({ below, selected }: Mark): void {
    const { length: rows } = this.terminal.buffer.active
    this.terminal.scrollToLine(Math.max(0, rows - below))
    if (selected !== null) this.terminal.select(selected.column, Math.max(0, rows + selected.row), selected.length)
  }

  focus(): void {
    this.terminal.focus()
  }

  dispose(): void {
    this.leaving.abort()
    this.copies.close()
    this.terminal.dispose()
  }

  /** A screen of another size than its place has a visible edge, and room below it for a line that says why. */
  frame(isFramed: boolean): void {
    if (isFramed === this.isFramed) return
    this.isFramed = isFramed
    this.host.dataset['framed'] = String(isFramed)
    this.scale()
  }

  /** A screen larger than its place, because another client leads, is shown whole and smaller. */
  scale(): void {
    const element = this.terminal.element
    const screen = element?.querySelector<HTMLElement>('.xterm-screen')
    if (element === undefined || !screen) return
    const height = this.host.clientHeight - (this.isFramed ? LINE_BELOW_PX : 0)
    const ratio = Math.min(1, this.host.clientWidth / screen.offsetWidth, height / screen.offsetHeight)
    element.style.transform = ratio < 1 ? `scale(${ratio})` : ''
    element.style.width = ratio < 1 ? `${this.host.clientWidth / ratio}px` : ''
  }

  /** True: it scrolls as ever. */
  private takeWheel({ deltaY }: WheelEvent): true {
    if (deltaY < 0 && this.terminal.modes.mouseTrackingMode === 'none') this.pull()
    return true
  }

  private pull(): void {
    const { above, isAlternate } = this.view
    if (above === 0 && !isAlternate) this.onPulled()
  }

  /** In order with what is written. */
  private readAs(isLive: boolean): void {
    if (isLive === this.willBeLive) return
    this.willBeLive = isLive
    this.terminal.write('', () => {
      this.isLive = isLive
    })
  }

  /** Stops every other handler. */
  private takeClipboard(data: string): true {
    const text = this.isLive ? clipboardTextOf(data) : null
    if (text !== null) this.copies.take(text)
    return true
  }

  /** Fewer rows push everything up; a scrolled-up viewport keeps the row at its top. */
  private resizeInPlace({ cols, rows }: Size): void {
    const { viewportY, baseY } = this.terminal.buffer.active
    this.terminal.resize(cols, rows)
    if (viewportY < baseY) this.terminal.scrollToLine(viewportY)
  }
}

/** The library tells it nowhere else; what is not there is not known. */
type Measured = {
  readonly _core?: { readonly _renderService?: { readonly dimensions?: { readonly css?: { readonly cell?: Partial<Cell> } } } }
}

const NOTHING = (): void => undefined

/** The library does the rest. */
const tell = (hear: () => void): false => {
  hear()
  return false
}

const drawingOf = ({ palette, minimumContrast, fontFamily, fontSize }: Appearance) => ({
  theme: palette,
  minimumContrastRatio: minimumContrast,
  fontFamily,
  fontSize,
})
