/**
 * Scroll mode while attached: borrows the user's terminal for the pager, asks the daemon for lines, and gives the terminal
 * back with a snapshot of how the program's screen is by then. Meanwhile the program runs on and hears nothing.
 */
import type { DaemonClient } from '../../client/daemonClient.ts'
import type { Attached, Ending } from './attach.ts'
import type { Position } from './follower.ts'
import type { OwnTerminal } from './ownTerminal.ts'
import { drawPager, type Picture, repaintBytes } from './pager/drawPager.ts'
import { openPager, stepPager } from './pager/pager.ts'
import { ESCAPE_AFTER_MS, type PagerKey, PagerKeys } from './pager/pagerKeys.ts'
import type { Ask, PagerEvent, PagerState, Stepped } from './pager/pagerState.ts'

const USUAL_SIZE = { cols: 80, rows: 24 } // where the window does not tell
/** Lines that scrolled by meanwhile belong into the user's scrollback, as if nothing had been in front of them; up to this many. */
const MISSED_LINES = 2_000
const LAST_WINDOW_BYTES = 4096 // an ended program sends nothing more

export type ScrollingOptions = {
  readonly client: Pick<DaemonClient, 'request' | 'state' | 'onState'>
  readonly terminal: string
  readonly own: Pick<OwnTerminal, 'borrow' | 'giveBack' | 'draw' | 'wipe' | 'show' | 'size'>
  position(): Position
  /** Puts a snapshot in the place of everything, and goes on behind it. */
  paint(picture: Attached): void
  /** Goes on with the bytes from there, on what is painted. */
  goOn(position: Position): void
  repaint(): Promise<void>
  end(ending: Ending): void
}

type Open = {
  state: PagerState
  picture: Picture | null
  readonly keys: PagerKeys
  /** What the program had printed when it was left. */
  readonly since: Position
  /** The number after the last line at that time. */
  lastLine: number | null
  ending: Ending | null
  isLeaving: boolean
}

export class Scrolling {
  private readonly options: ScrollingOptions
  private opened: Open | null = null
  private escapeTimer: ReturnType<typeof setTimeout> | undefined
  private isSkipping = false
  /** Given back without a snapshot: to be made good when the daemon is back. */
  private isStale = false
  private readonly stopWatching: () => void

  constructor(options: ScrollingOptions) {
    this.options = options
    this.stopWatching = options.client.onState(({ kind }) => {
      if (kind === 'connected') this.daemonIsBack()
      else if (kind !== 'connecting') this.tell({ kind: 'link', up: false })
    })
  }

  open(): void {
    const { own, client, position } = this.options
    if (this.opened !== null) return
    const first = openPager(own.size ?? USUAL_SIZE, { up: client.state.kind === 'connected' })
    this.opened = {
      state: first.state,
      picture: null,
      keys: new PagerKeys(),
      since: position(),
      lastLine: null,
      ending: null,
      isLeaving: false,
    }
    own.borrow()
    this.take(first)
  }

  /** True: it was for the pager. */
  takesTyped(bytes: Uint8Array): boolean {
    const { opened } = this
    if (opened === null || opened.isLeaving) return false
    clearTimeout(this.escapeTimer)
    this.press(opened.keys.feed(bytes))
    if (opened.keys.isWaiting) this.escapeTimer = setTimeout(() => this.press(opened.keys.release()), ESCAPE_AFTER_MS)
    return true
  }

  /** True: it is not to be shown. */
  takesOutput(): boolean {
    if (this.opened?.state.behind === false) this.tell({ kind: 'output' })
    return this.opened !== null
  }

  /** True: nothing is to be repainted now. */
  takesGap(): boolean {
    if (this.opened === null) return false
    void this.skipGap()
    return true
  }

  /** True: the user reads on, and is told at the end. */
  takesEnding(ending: Ending): boolean {
    if (this.opened === null) return false
    this.opened.ending = ending
    this.tell({ kind: 'ended', how: ending.text })
    return true
  }

  readonly windowChanged = (): void => {
    if (this.opened === null) return
    this.opened.picture = null
    this.tell({ kind: 'resized', size: this.options.own.size ?? USUAL_SIZE })
  }

  close(): void {
    clearTimeout(this.escapeTimer)
    this.stopWatching()
    this.opened = null
  }

  private press(keys: readonly PagerKey[]): void {
    for (const key of keys) this.tell({ kind: 'key', key })
  }

  private tell(event: PagerEvent): void {
    if (this.opened !== null && !this.opened.isLeaving) this.take(stepPager(this.opened.state, event))
  }

  private take({ state, effects }: Stepped): void {
    const { opened } = this
    if (opened === null) return
    opened.state = state
    for (const effect of effects) {
      if (effect.kind === 'leave') return this.leave(opened)
      void this.ask(effect.ask)
    }
    const picture = drawPager(state)
    this.options.own.draw(repaintBytes(picture, opened.picture))
    opened.picture = picture
  }

  private async ask({ id, ...wanted }: Ask): Promise<void> {
    const { client, terminal } = this.options
    const answer = await client.request('terminal.history', { terminal, ...wanted })
    if (!answer.ok) return this.tell({ kind: 'refused', id, why: answer.refusal.message })
    if (this.opened !== null) this.opened.lastLine ??= answer.value.result.end
    this.tell({ kind: 'page', id, ...answer.value.result })
  }

  /** Output was dropped before it came here; all the user misses is on the way back. */
  private async skipGap(): Promise<void> {
    if (this.isSkipping) return
    this.isSkipping = true
    const { client, terminal, goOn } = this.options
    const now = await client.request('terminal.attach', { terminal, history: 0 })
    this.isSkipping = false
    if (now.ok && this.opened !== null)
      goOn({ socketPath: now.value.result.socketPath, run: now.value.result.run, seq: now.value.result.seq })
  }

  private leave(opened: Open): void {
    clearTimeout(this.escapeTimer)
    opened.isLeaving = true
    void this.comeBack(opened)
  }

  private async comeBack(opened: Open): Promise<void> {
    const { client, terminal, paint, own, goOn } = this.options
    const history = await this.missedLines(opened)
    if (opened.ending === null && client.state.kind === 'connected') {
      const picture = await client.request('terminal.attach', { terminal, history })
      if (picture.ok && this.opened === opened) {
        this.opened = null
        this.isStale = false
        return paint(picture.value)
      }
    }
    if (this.opened !== opened) return
    if (opened.ending !== null) return await this.showLast(opened.ending, history)
    this.opened = null
    this.isStale = true
    own.giveBack()
    goOn(opened.since)
  }

  private async missedLines({ lastLine }: Open): Promise<number> {
    const { client, terminal } = this.options
    if (lastLine === null || client.state.kind !== 'connected') return 0
    const now = await client.request('terminal.history', { terminal, count: 1, format: 'text' })
    return now.ok ? Math.min(MISSED_LINES, Math.max(0, now.value.result.end - lastLine)) : 0
  }

  private async showLast(ending: Ending, history: number): Promise<void> {
    const { client, terminal, own, end } = this.options
    if (client.state.kind !== 'connected') return end(ending)
    const last = await client.request('terminal.open', { terminal, history, window: LAST_WINDOW_BYTES })
    if (!last.ok) return end(ending)
    own.wipe()
    own.show(last.value.blob, () => end(ending))
  }

  private daemonIsBack(): void {
    this.tell({ kind: 'link', up: true })
    if (!this.isStale || this.opened !== null) return
    this.isStale = false
    void this.options.repaint()
  }
}
