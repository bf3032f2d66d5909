/**
 * One terminal as it is drawn on the page: its element, its screen and its line to the daemon. The element can be put from
 * one place of the page into another, and keeps what it shows.
 */
import type { DaemonClient } from '../../client/daemonClient.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Size } from '../../workspace/terminal.ts'
import { deepestFor, type HistoryNote } from './depth.ts'
import { type Place, Viewer } from './viewer.ts'
import { Xterm } from './xterm.ts'

/** What is known of a tile besides its terminal. */
export type TileState = {
  /** The place that this page has for it. */
  readonly place: Place
  /** What is said about the history at the top of it. */
  readonly historyNote: HistoryNote | null
}

export const NEW_TILE: TileState = { place: { size: null, client: null }, historyNote: null }

export type TileOptions = {
  readonly client: DaemonClient
  /** False for a key that the page takes for itself. */
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly onFocus: () => void
  readonly onState: (state: TileState) => void
  /** What is sent for what was typed: soft keys may hold Ctrl or Alt. */
  readonly modify: (bytes: Uint8Array) => Uint8Array
}

/** A key as its bytes, with those that programs want where cursor keys have their other form. */
export type TypedKey = { readonly bytes: string; readonly application?: string }

export class Tile {
  readonly element = document.createElement('div')
  private readonly screen: Xterm
  private readonly viewer: Viewer
  private readonly sizes: ResizeObserver
  private readonly leaving = new AbortController()
  private readonly modify: (bytes: Uint8Array) => Uint8Array
  private state = NEW_TILE

  constructor({ client, onKey, onFocus, onState, modify }: TileOptions, host: HTMLElement) {
    this.modify = modify
    this.element.className = 'host'
    host.append(this.element)
    const change = (changes: Partial<TileState>): void => {
      this.state = { ...this.state, ...changes }
      onState(this.state)
    }
    this.screen = new Xterm({
      host: this.element,
      onTyped: (bytes) => this.viewer.type(modify(bytes)),
      onKey,
      onViewed: (view) => this.viewer.scrollback.viewed(view),
    })
    this.viewer = new Viewer({
      client,
      screen: this.screen,
      isVisible: () => !document.hidden && this.element.isConnected,
      onPlace: (place) => change({ place }),
      scrollback: {
        deepest: deepestFor(memoryGb()),
        onNote: (historyNote) => historyNote !== this.state.historyNote && change({ historyNote }),
      },
    })
    this.sizes = new ResizeObserver(() => this.viewer.placeChanged())
    this.sizes.observe(this.element)
    document.addEventListener('visibilitychange', () => this.viewer.placeChanged(), { signal: this.leaving.signal })
    this.element.addEventListener('focusin', onFocus, { signal: this.leaving.signal })
  }

  /** Called with every change of the record. */
  show(terminal: TerminalView): void {
    this.viewer.show(terminal)
  }

  moveTo(host: HTMLElement): void {
    if (this.element.parentElement !== host) host.append(this.element)
    this.viewer.placeChanged()
  }

  leave(): void {
    this.element.remove()
    this.viewer.placeChanged()
  }

  /** A screen of another size than its place. */
  frame(isFramed: boolean): void {
    this.screen.frame(isFramed)
  }

  focus(): void {
    this.screen.focus()
  }

  /** Gives the terminal the size of this place, for everybody. */
  lead(): void {
    this.viewer.lead()
  }

  measure(): Size | null {
    return this.screen.measure()
  }

  scrollBy(rows: number): void {
    this.screen.scrollBy(rows)
  }

  get rows(): number {
    return this.screen.view.rows
  }

  get selection(): string {
    return this.screen.selection
  }

  /** Everything the drawing holds, oldest line first. */
  text(): string {
    return this.screen.text()
  }

  /** What is seen of it, row by row. */
  seen(): readonly string[] {
    return this.screen.seen()
  }

  typeKey(key: TypedKey): void {
    const text = this.screen.applicationCursor ? (key.application ?? key.bytes) : key.bytes
    this.viewer.type(this.modify(new TextEncoder().encode(text)))
  }

  dispose(): void {
    this.leaving.abort()
    this.sizes.disconnect()
    this.viewer.close()
    this.screen.dispose()
    this.element.remove()
  }
}

/** Browsers tell it, or not. */
const memoryGb = (): number | undefined => (navigator as Navigator & { readonly deviceMemory?: number }).deviceMemory
