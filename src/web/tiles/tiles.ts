/**
 * All tiles of the page: one for each terminal that is in view, moved into the place that a view offers. A tile that leaves
 * the page is kept for a while, so that going back and forth repaints nothing. This folder draws terminals without React:
 * tile.ts is one terminal; stream/ feeds it, draw/ is its screen, find/ searches it, transfer/ copies, pastes and uploads, still/ is
 * the picture of one that sleeps. Views mount tiles through hooks/; nothing here imports a view.
 */
import type { DaemonClient } from '../../client/daemonClient.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import { scrollOf } from '../state/keys.ts'
import type { Wish } from '../state/overlay.ts'
import type { Page } from '../state/page.ts'
import { sizeNoteOf } from '../state/words.ts'
import { type Appearance, appearanceOf } from './draw/appearance.ts'
import { type Cell, cellOf, fontBoxOf, sizeIn } from './draw/cell.ts'
import { isAtRest } from './draw/frost.ts'
import { hasGraphics } from './draw/graphics.ts'
import { GraphicsSeats } from './draw/graphicsSeats.ts'
import type { Look } from './look.ts'
import { type Attention, Pace } from './stream/pace.ts'
import { Tile } from './tile.ts'
import { refuseStrayFiles } from './tileEvents.ts'
import { NEW_TILE, type TileState } from './tileState.ts'
import { pickFiles } from './transfer/sendFile.ts'

const KEPT_MS = 10_000 // back and forth is quick; a screen in memory takes some megabytes

type Held = {
  readonly tile: Tile
  host: HTMLElement | null
  isInView: boolean
  /** Whether its program was running when it was last heard of. */
  wasAwake: boolean
  timer: ReturnType<typeof setTimeout> | undefined
}

export type TilesOptions = {
  readonly page: Page
  readonly look: Look
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
  private readonly pace = new Pace({ now: () => performance.now(), after: later, idle: whenIdle })
  private readonly inView = new IntersectionObserver((entries) => this.takeInView(entries))
  private readonly graphics = new GraphicsSeats({
    isPossible: hasGraphics,
    apply: (id, renderer) => this.get(id)?.drawBy(renderer, () => this.graphics.lost(id)) ?? true,
  })
  private followed: string | null = null
  /** The choices of asleep terminals, which have the keyboard instead of a program. */
  private readonly rests = new Map<string, HTMLElement>()
  /** The cell sizes of drawings that are gone: their pictures are drawn in the same size. */
  private readonly cells = new Map<string, { readonly font: string; readonly cell: Cell }>()
  /** The asleep terminal whose history is being read, in a drawing of its own. */
  reading: string | null = null

  constructor(options: TilesOptions) {
    this.options = options
    options.page.subscribe(() => this.follow())
    options.look.subscribe(() => this.follow())
    document.addEventListener('visibilitychange', () => this.follow())
    refuseStrayFiles()
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

  get look(): Look {
    return this.options.look
  }

  /** How a terminal with this scheme of its own is drawn. */
  appearanceFor(theme: string | null): Appearance {
    const { page, look } = this.options
    const { settings, link } = page.state
    const { isDark: isPageDark, fontStep } = look
    return appearanceOf({ settings, theme, isPageDark, fontStep, isAway: link !== 'live' })
  }

  /** How large a terminal's cells are, or would be. */
  cellOf(id: string, appearance: Appearance, size: Size): Cell {
    const known = this.cells.get(id)
    if (known?.font === fontOf(appearance)) return known.cell
    return cellOf(fontBoxOf(appearance), size, devicePixelRatio)
  }

  /** The element with the choices of an asleep terminal. */
  mountRest(id: string, element: HTMLElement): () => void {
    this.rests.set(id, element)
    return () => {
      if (this.rests.get(id) === element) this.rests.delete(id)
      // The keyboard is the program's again, as soon as it is drawn.
      if (element.contains(document.activeElement)) requestAnimationFrame(() => this.focus())
    }
  }

  /** Wakes a terminal, in the size that its place here has. */
  async wake(id: string, wish: Wish): Promise<void> {
    this.stopReading()
    const size = this.sizeFor(id)
    await this.options.page.wake(id, size === null ? wish : { ...wish, size })
    this.focus()
  }

  /** Draws an asleep terminal with its history until the focus moves away. Others are drawn as they are. */
  read(id: string): void {
    if (!this.isAtRest(id)) return
    if (this.reading !== id) this.drawAnew(id)
    this.changeReading(id)
  }

  /** The drawing that a picture is about to cover was frozen before its program ended: one that used the whole screen has no history in it. */
  private drawAnew(id: string): void {
    const host = this.held.get(id)?.host ?? null
    if (host === null) return
    this.drop(id)
    this.mount(id, host)
  }

  stopReading(): void {
    this.changeReading(null)
  }

  private changeReading(id: string | null): void {
    if (this.reading === id) return
    this.reading = id
    for (const listener of this.listeners) listener()
  }

  private sizeFor(id: string): Size | null {
    const terminal = this.options.page.mirror.terminal(id)
    const place = this.rests.get(id)?.closest('.tileBody')?.querySelector('.drawing')
    if (terminal === null || !place) return null
    const appearance = this.appearanceOf(terminal)
    return sizeIn({ width: place.clientWidth, height: place.clientHeight }, this.cellOf(id, appearance, terminal.size))
  }

  /** How each tile is drawn. */
  renderers(): Readonly<Record<string, 'gl' | 'dom'>> {
    return Object.fromEntries([...this.held].map(([id, { tile }]) => [id, tile.isDrawnByGraphics ? 'gl' : 'dom']))
  }

  /** Puts a terminal's tile into an element of a view; the returned function removes it again. */
  mount(id: string, host: HTMLElement): () => void {
    const held = this.held.get(id) ?? this.make(id, host)
    clearTimeout(held.timer)
    held.host = host
    held.isInView = true // until it is known
    held.tile.moveTo(host)
    this.follow()
    return () => this.unmount(id, host)
  }

  /**
   * Gives the focused terminal the keyboard. Not on a phone, whose keyboard would cover half of the screen; nor away from a text field,
   * because the caller may have waited; nor away from the choices of a terminal whose resume has failed.
   */
  focus(): void {
    const at = document.activeElement
    if (at instanceof HTMLInputElement || this.options.page.state.overlay !== null) return
    if (this.options.page.focused?.state === 'asleep' && at?.closest('.rest') != null) return
    if (matchMedia('(pointer: coarse)').matches) return
    const rest = this.rests.get(this.options.page.state.focused ?? '')
    if (rest === undefined) this.focused?.focus()
    else rest.focus({ preventScroll: true })
  }

  /** True when the key is for the terminal. */
  takeKey(event: KeyboardEvent): boolean {
    const tile = this.focused
    const { focused } = this.options.page
    if (event.type === 'keydown' && event.key === 'Escape' && focused !== null && this.reading === focused.id) {
      this.stopReading()
      this.focus()
      return false
    }
    const rows = scrollOf(event, { isLive: focused?.state === 'live', rows: tile?.rows ?? 0 })
    if (rows === null) return !this.options.onKey(event)
    if (tile !== null) tile.scrollBy(rows)
    else if (focused === null || rows > 0) return !this.options.onKey(event)
    else this.read(focused.id)
    event.preventDefault()
    return false
  }

  /** Larger letters on this device, or smaller ones. */
  changeFont(step: number): void {
    this.options.look.changeFont(step)
  }

  resetFont(): void {
    this.options.look.resetFont()
  }

  /** Lets the user choose files, whose paths are typed into the terminal once they are there. */
  async insertFiles(id: string | null = this.options.page.state.focused): Promise<void> {
    const tile = this.get(id)
    const files = tile === null ? [] : await pickFiles()
    await tile?.uploads.take(files)
    tile?.focus()
  }

  private make(id: string, host: HTMLElement): Held {
    const { page, client, modify } = this.options
    const tile = new Tile(
      {
        client,
        modify,
        terminal: id,
        pace: this.pace,
        settings: () => page.state.settings,
        may: page.may,
        appearance: this.appearanceOf(page.mirror.terminal(id)),
        onKey: (event) => this.takeKey(event),
        onFocus: () => page.state.focused !== id && page.focus(id),
        onState: (state) => this.takeState(id, state),
      },
      host,
    )
    const held: Held = { tile, host, isInView: true, wasAwake: false, timer: undefined }
    this.held.set(id, held)
    tile.element.dataset['tile'] = id
    this.inView.observe(tile.element)
    return held
  }

  private unmount(id: string, host: HTMLElement): void {
    const held = this.held.get(id)
    if (held === undefined || held.host !== host) return // it has been put into another place already
    if (this.isAtRest(id)) return this.drop(id)
    held.host = null
    held.isInView = false
    held.tile.leave()
    held.timer = setTimeout(() => this.drop(id), KEPT_MS)
    this.attend(id, held)
  }

  private drop(id: string): void {
    const held = this.held.get(id)
    this.held.delete(id)
    this.states.delete(id)
    this.graphics.forget(id)
    clearTimeout(held?.timer)
    if (held === undefined) return
    this.rememberCell(id, held)
    this.inView.unobserve(held.tile.element)
    held.tile.dispose()
  }

  /** An asleep terminal is shown as a picture, without a drawing. */
  private isAtRest(id: string): boolean {
    const terminal = this.options.page.mirror.terminal(id)
    return terminal !== null && isAtRest(terminal)
  }

  private rememberCell(id: string, { tile }: Held): void {
    const terminal = this.options.page.mirror.terminal(id)
    if (terminal === null) this.cells.delete(id)
    else if (tile.cell !== null) this.cells.set(id, { font: fontOf(this.appearanceOf(terminal)), cell: tile.cell })
  }

  private takeState(id: string, state: TileState): void {
    this.states.set(id, state)
    for (const listener of this.listeners) listener()
    this.follow()
  }

  private takeInView(entries: readonly IntersectionObserverEntry[]): void {
    const seen = entries.flatMap(({ target, isIntersecting }) => {
      const id = target instanceof HTMLElement ? target.dataset['tile'] : undefined
      const held = id === undefined ? undefined : this.held.get(id)
      if (id === undefined || held === undefined) return []
      held.isInView = isIntersecting
      this.attend(id, held)
      return [[id, isIntersecting] as const]
    })
    this.graphics.seen(seen)
  }

  private attend(id: string, { tile, isInView }: Held): void {
    const attention: Attention = !isInView || document.hidden ? 'unseen' : id === this.options.page.state.focused ? 'focused' : 'seen'
    tile.setAttention(attention)
  }

  private appearanceOf(terminal: TerminalView | null): Appearance {
    return this.appearanceFor(terminal?.theme ?? null)
  }

  private follow(): void {
    const { page } = this.options
    for (const [id, held] of this.held) {
      const terminal = page.mirror.terminal(id)
      if (terminal === null) {
        if (page.state.terminals !== null) this.drop(id)
        continue
      }
      if (held.host === null && isAtRest(terminal)) {
        this.drop(id)
        continue
      }
      this.followRest(terminal, held)
      held.tile.show(terminal)
      held.tile.frame(sizeNoteOf(terminal, this.stateOf(id).place) !== null)
      held.tile.dress(this.appearanceOf(terminal))
      this.attend(id, held)
    }
    this.followFocus()
  }

  private followRest(terminal: TerminalView, held: Held): void {
    const { id } = terminal
    const hasEnded = held.wasAwake && isAtRest(terminal)
    held.wasAwake = !isAtRest(terminal)
    if (terminal.state === 'settling' && terminal.settlesTo === 'sleep') held.tile.freeze()
    this.rememberCell(id, held)
    // A scrolled-up viewport keeps its position.
    if (hasEnded && id === this.options.page.state.focused && held.tile.isRead) this.changeReading(id)
  }

  private followFocus(): void {
    const { focused } = this.options.page.state
    if (this.reading !== null && this.reading !== focused) this.stopReading()
    const isHere = focused !== null && (this.held.get(focused)?.host != null || this.rests.has(focused))
    if (isHere && focused !== this.followed) {
      this.graphics.used(focused)
      this.focus()
    }
    this.followed = isHere ? focused : null
  }
}

const fontOf = ({ fontSize, fontFamily }: Appearance): string => `${fontSize} ${fontFamily}`

const IDLE_WITHIN_MS = 250
/** Where the browser does not tell: a frame's time. */
const FRAME_MS = 17

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(act, { timeout: IDLE_WITHIN_MS })
  else setTimeout(act, FRAME_MS)
}

function later(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}
