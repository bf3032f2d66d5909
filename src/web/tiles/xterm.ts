/** The only file that knows the terminal library: a screen that draws bytes and tells what was typed, and nothing more. */
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { guardEngine } from '../../screen/engineGuards.ts'
import { muteQueries } from '../../screen/queries.ts'
import { createCharacterAligner, joinBytes } from '../../screen/safeCut.ts'
import { registerWidths } from '../../screen/widths.ts'
import type { Size } from '../../workspace/terminal.ts'
import type { Piece } from './deepChannel.ts'
import { HELD_ROWS, type View } from './depth.ts'
import { DARK, LIGHT } from './schemes.ts'
import { scrollByTouch } from './touchScroll.ts'

const LIGHT_CONTRAST = 4.5 // most programs choose their colours for a dark background, where they are left as they are
/** Taken from the drawing, never from the place: what is measured must not depend on whether something is said about it. */
const LINE_BELOW_PX = 40
const RESET = '\x18\x1bc' // ends a sequence that was cut off, then forgets everything

export type XtermOptions = {
  readonly host: HTMLElement
  readonly onTyped: (bytes: Uint8Array) => void
  /** False for a key that the page takes for itself. */
  readonly onKey: (event: KeyboardEvent) => boolean
  /** After everything that may have changed what is seen. */
  readonly onViewed: (view: View) => void
}

/** Where the user looks and what is marked, counted from the end, which stays the same when older rows come. */
type Place = {
  readonly below: number
  readonly selected: { readonly column: number; readonly row: number; readonly length: number } | null
}

export class Xterm {
  private readonly terminal: Terminal
  private readonly fit = new FitAddon()
  private readonly host: HTMLElement
  private isFramed = false
  private readonly aligner = createCharacterAligner()
  private readonly leaving = new AbortController()
  private measured: { readonly place: string; readonly size: Size } | null = null

  constructor({ host, onTyped, onKey, onViewed }: XtermOptions) {
    this.host = host
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const colours = () => (dark.matches ? { theme: DARK, minimumContrastRatio: 1 } : { theme: LIGHT, minimumContrastRatio: LIGHT_CONTRAST })
    this.terminal = new Terminal({
      allowProposedApi: true, // character widths
      scrollback: HELD_ROWS,
      fontFamily: '"JetBrains Mono", "SF Mono", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
      fontSize: 13,
      lineHeight: 1.2,
      cursorBlink: false,
      macOptionIsMeta: true,
      ...colours(),
    })
    const recolour = () => {
      this.terminal.options = colours()
    }
    dark.addEventListener('change', recolour, { signal: this.leaving.signal })
    this.terminal.loadAddon(this.fit)
    registerWidths(this.terminal)
    guardEngine(this.terminal)
    muteQueries(this.terminal) // the daemon has answered already: a second answer would be typed into the program
    this.terminal.onData((text) => onTyped(new TextEncoder().encode(text)))
    this.terminal.onBinary((text) => onTyped(Uint8Array.from(text, (character) => character.charCodeAt(0))))
    this.terminal.attachCustomKeyEventHandler(onKey)
    this.terminal.open(host)
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

  scrollBy(rows: number): void {
    this.terminal.scrollLines(rows)
  }

  get selection(): string {
    return this.terminal.getSelection()
  }

  /** Lines that were wrapped at the edge are joined again. */
  text(): string {
    const { active } = this.terminal.buffer
    const rows = Array.from({ length: active.length }, (_, index) => active.getLine(index))
    return rows
      .map((row) => `${row?.isWrapped ? '' : '\n'}${row?.translateToString(true) ?? ''}`)
      .join('')
      .slice(1)
  }

  /** The rows that are seen, as they are. */
  seen(): readonly string[] {
    const { active } = this.terminal.buffer
    return Array.from({ length: this.terminal.rows }, (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? '')
  }

  /** Whether programs want arrow keys in their other form. */
  get applicationCursor(): boolean {
    return this.terminal.modes.applicationCursorKeysMode
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

  write(bytes: Uint8Array, consumed?: () => void): void {
    const chunks = this.aligner.push(bytes)
    for (const [index, chunk] of chunks.entries()) this.terminal.write(chunk, index === chunks.length - 1 ? consumed : undefined)
    if (chunks.length === 0) consumed?.() // the start of a character, which is not credit to be held back
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
    let place: Place = { below: this.terminal.rows, selected: null }
    this.terminal.write('', () => {
      this.resizeInPlace(size)
      place = this.place()
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
      this.goTo(place)
      drawn()
    })
  }

  /** In order with what is written: how many rows above the screen it may hold from now on. */
  holdRows(count: number): void {
    this.terminal.write('', () => {
      if (this.terminal.options.scrollback !== count) this.terminal.options.scrollback = count
    })
  }

  focus(): void {
    this.terminal.focus()
  }

  dispose(): void {
    this.leaving.abort()
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

  /** Fewer rows push everything up; who has scrolled up keeps the row at the top. */
  private resizeInPlace({ cols, rows }: Size): void {
    const { viewportY, baseY } = this.terminal.buffer.active
    this.terminal.resize(cols, rows)
    if (viewportY < baseY) this.terminal.scrollToLine(viewportY)
  }

  private place(): Place {
    const { length: rows, viewportY } = this.terminal.buffer.active
    const marked = this.terminal.getSelectionPosition()
    if (marked === undefined) return { below: rows - viewportY, selected: null }
    const { start, end } = marked
    const length = (end.y - start.y) * this.terminal.cols + end.x - start.x
    return { below: rows - viewportY, selected: { column: start.x, row: start.y - rows, length } }
  }

  private goTo({ below, selected }: Place): void {
    const { length: rows } = this.terminal.buffer.active
    this.terminal.scrollToLine(Math.max(0, rows - below))
    if (selected !== null) this.terminal.select(selected.column, Math.max(0, rows + selected.row), selected.length)
  }
}
