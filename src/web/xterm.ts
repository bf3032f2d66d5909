/** The only file that knows the terminal library: a screen that draws bytes and tells what was typed, and nothing more. */
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { registerWidths } from '../screen/widths.ts'
import type { Size } from '../workspace/terminal.ts'
import { DARK, LIGHT } from './palette.ts'

const SCROLLBACK_LINES = 5_000 // about 16 MB when full; older history stays with the daemon
const READABLE_CONTRAST = 4.5 // programs choose colours for backgrounds they do not know
const RESET = '\x18\x1bc' // ends a sequence that was cut off, then forgets everything

export type XtermOptions = {
  readonly host: HTMLElement
  readonly onTyped: (bytes: Uint8Array) => void
  /** False for a key that the page takes for itself. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

export class Xterm {
  private readonly terminal: Terminal
  private readonly fit = new FitAddon()
  private readonly host: HTMLElement
  private readonly leaving = new AbortController()

  constructor({ host, onTyped, onKey }: XtermOptions) {
    this.host = host
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const colours = () => (dark.matches ? DARK : LIGHT)
    this.terminal = new Terminal({
      allowProposedApi: true, // character widths
      scrollback: SCROLLBACK_LINES,
      minimumContrastRatio: READABLE_CONTRAST,
      fontFamily: '"JetBrains Mono", "SF Mono", ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace',
      fontSize: 13,
      lineHeight: 1.2,
      cursorBlink: false,
      macOptionIsMeta: true,
      theme: colours(),
    })
    const recolour = () => {
      this.terminal.options.theme = colours()
    }
    dark.addEventListener('change', recolour, { signal: this.leaving.signal })
    this.terminal.loadAddon(this.fit)
    registerWidths(this.terminal)
    this.terminal.onData((text) => onTyped(new TextEncoder().encode(text)))
    this.terminal.onBinary((text) => onTyped(Uint8Array.from(text, (character) => character.charCodeAt(0))))
    this.terminal.attachCustomKeyEventHandler(onKey)
    this.terminal.open(host)
  }

  get selection(): string {
    return this.terminal.getSelection()
  }

  /** Whether programs want arrow keys in their other form. */
  get applicationCursor(): boolean {
    return this.terminal.modes.applicationCursorKeysMode
  }

  /** The size that would fill the host; null while it cannot be measured. */
  measure(): Size | null {
    const size = this.fit.proposeDimensions()
    return size === undefined || !(size.cols >= 2) || !(size.rows >= 1) ? null : { cols: size.cols, rows: size.rows }
  }

  write(bytes: Uint8Array, consumed?: () => void): void {
    this.terminal.write(bytes, consumed)
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
    this.terminal.write(RESET)
  }

  focus(): void {
    this.terminal.focus()
  }

  dispose(): void {
    this.leaving.abort()
    this.terminal.dispose()
  }

  /** A screen larger than its place, because another client leads, is shown whole and smaller. */
  scale(): void {
    const element = this.terminal.element
    const screen = element?.querySelector<HTMLElement>('.xterm-screen')
    if (element === undefined || !screen) return
    const ratio = Math.min(1, this.host.clientWidth / screen.offsetWidth, this.host.clientHeight / screen.offsetHeight)
    element.style.transform = ratio < 1 ? `scale(${ratio})` : ''
  }
}
