/**
 * All tiles of the page: one for each terminal that is in view, put into whatever place the views offer. A tile that leaves
 * the page is kept for a while, so that going back and forth repaints nothing.
 */
import type { DaemonClient } from '../../client/daemonClient.ts'
import { scrollOf } from '../keys.ts'
import type { Page } from '../page.ts'
import { sizeNoteOf } from '../words.ts'
import { NEW_TILE, Tile, type TileState } from './tile.ts'

const KEPT_MS = 10_000 // back and forth is quick; a screen in memory takes some megabytes

type Held = { readonly tile: Tile; host: HTMLElement | null; timer: ReturnType<typeof setTimeout> | undefined }

export type TilesOptions = {
  readonly page: Page
  readonly client: DaemonClient
  /** True when the page has taken the key for itself. */
  readonly onKey: (event: KeyboardEvent) => boolean
  /** What is sent for what was typed: soft keys may hold Ctrl or Alt. */
  readonly modify: (bytes: Uint8Array) => Uint8Array
}

export class Tiles {
  private readonly options: TilesOptions
  private readonly held = new Map<string, Held>()
  private readonly states = new Map<string, TileState>()
  private readonly listeners = new Set<() => void>()
  private followed: string | null = null

  constructor(options: TilesOptions) {
    this.options = options
    options.page.subscribe(() => this.follow())
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  stateOf(id: string): TileState {
    return this.states.get(id) ?? NEW_TILE
  }

  get(id: string | null): Tile | null {
    return id === null ? null : (this.held.get(id)?.tile ?? null)
  }

  /** The tile of the terminal that has the keyboard. */
  get focused(): Tile | null {
    return this.get(this.options.page.state.focused)
  }

  /** Puts a terminal's tile into a place of the page; what is returned takes it away again. */
  mount(id: string, host: HTMLElement): () => void {
    const held = this.held.get(id) ?? this.make(id, host)
    clearTimeout(held.timer)
    held.host = host
    held.tile.moveTo(host)
    this.follow()
    return () => this.unmount(id, host)
  }

  /**
   * Not on a phone, whose keyboard would cover half of what is to be read; nor away from a field that is being typed into:
   * what asked for it may have taken a while.
   */
  focus(): void {
    const at = document.activeElement
    if (at instanceof HTMLInputElement || this.options.page.state.overlay !== null) return
    if (!matchMedia('(pointer: coarse)').matches) this.focused?.focus()
  }

  /** True when the terminal shall have the key. */
  takeKey(event: KeyboardEvent): boolean {
    const tile = this.focused
    const rows = scrollOf(event, { isLive: this.options.page.focused?.state === 'live', rows: tile?.rows ?? 0 })
    if (rows === null || tile === null) return !this.options.onKey(event)
    event.preventDefault()
    tile.scrollBy(rows)
    return false
  }

  private make(id: string, host: HTMLElement): Held {
    const { page, client, modify } = this.options
    const tile = new Tile(
      {
        client,
        modify,
        onKey: (event) => this.takeKey(event),
        onFocus: () => page.state.focused !== id && page.focus(id),
        onState: (state) => this.takeState(id, state),
      },
      host,
    )
    const held: Held = { tile, host, timer: undefined }
    this.held.set(id, held)
    return held
  }

  private unmount(id: string, host: HTMLElement): void {
    const held = this.held.get(id)
    if (held === undefined || held.host !== host) return // it has been put into another place already
    held.host = null
    held.tile.leave()
    held.timer = setTimeout(() => this.drop(id), KEPT_MS)
  }

  private drop(id: string): void {
    const held = this.held.get(id)
    this.held.delete(id)
    this.states.delete(id)
    clearTimeout(held?.timer)
    held?.tile.dispose()
  }

  private takeState(id: string, state: TileState): void {
    this.states.set(id, state)
    for (const listener of this.listeners) listener()
    this.follow()
  }

  private follow(): void {
    const { page } = this.options
    for (const [id, { tile }] of this.held) {
      const terminal = page.mirror.terminal(id)
      if (terminal === null) {
        if (page.state.terminals !== null) this.drop(id)
        continue
      }
      tile.show(terminal)
      tile.frame(sizeNoteOf(terminal, this.stateOf(id).place) !== null)
    }
    const { focused } = page.state
    const isHere = focused !== null && this.held.get(focused)?.host != null
    if (isHere && focused !== this.followed) this.focus()
    this.followed = isHere ? focused : null
  }
}
