/**
 * Scroll mode while attached: borrows the user's terminal for the pager, asks the daemon for lines, and gives the terminal
 * back with a snapshot of the program's current screen. The program keeps running and does not notice.
 */
import type { DaemonClient } from '../../client/daemonClient.ts'
import type { Ending } from './ending.ts'
import type { Position } from './follower.ts'
import type { OwnTerminal } from './ownTerminal.ts'
import { askedOf, pageOf } from './pager/asking.ts'
import { drawPager, type Picture, repaintBytes } from './pager/drawPager.ts'
import { openPager, stepPager } from './pager/pager.ts'
import { ESCAPE_AFTER_MS, type PagerKey, PagerKeys } from './pager/pagerKeys.ts'
import type { Ask, PagerEvent, PagerState, Stepped } from './pager/pagerState.ts'
import { positionOf, type Snapshot } from './snapshot.ts'

const USUAL_SIZE = { cols: 80, rows: 24 } // if the window has no size
/** At most this many lines that scrolled by in scroll mode are painted into the user's scrollback afterwards. */
const MISSED_LINES = 2_000
/** How long the daemon's screen may take to reach the position of the user's. */
const LEFT_WITHIN_MS = 1_000
/** Beyond this it is a flood, part of which will be missing in the scrollback. */
const HELD_BYTES = 1 << 20
const LOOK_AGAIN_MS = 5
const LAST_WINDOW_BYTES = 4096 // an ended program sends nothing more

export type ScrollingOptions = {
  readonly client: Pick<DaemonClient, 'request' | 'state' | 'onState'>
  readonly terminal: string
  readonly own: Pick<OwnTerminal, 'borrow' | 'giveBack' | 'draw' | 'wipe' | 'show' | 'size'>
  position(): Position
  /** Replaces the screen with a snapshot, and continues after it. */
  paint(snapshot: Snapshot): void
  /** Continues with the output from there, on the screen as it is. */
  continueAt(position: Position): void
  repaint(): Promise<void>
  end(ending: Ending): void
}

type Open = {
  state: PagerState
  picture: Picture | null
  readonly keys: PagerKeys
  /** The position of the program's output when scroll mode began; `topLine` is the first line of its screen then. */
  since: Position
  topLine: number | null
  /** `borrowing`: output is held until that position is known. */
  phase: 'borrowing' | 'shown' | 'leaving'
  held: Uint8Array[]
  ending: Ending | null
}

export class Scrolling {
  private readonly options: ScrollingOptions
  private opened: Open | null = null
  private escapeTimer: ReturnType<typeof setTimeout> | undefined
  private isSkipping = false
  /** Given back without a snapshot: repaint when the daemon is back. */
  private isStale = false
  private readonly stopWatching: () => void

  constructor(options: ScrollingOptions) {
    this.options = options
    this.stopWatching = options.client.onState(({ kind }) => {
      if (kind === 'connected') this.daemonIsBack()
      else if (kind !== 'connecting') this.tell({ kind: 'link', up: false })
    })
  }

  /** The pager has the user's terminal. */
  get isOpen(): boolean {
    return this.opened !== null
  }

  open(): void {
    const { own, client, position } = this.options
    if (this.opened !== null) return
    const first = openPager(own.size ?? USUAL_SIZE, { up: client.state.kind === 'connected' })
    const opened: Open = {
      state: first.state,
      picture: null,
      keys: new PagerKeys(),
      since: position(),
      topLine: null,
      phase: 'borrowing',
      held: [],
      ending: null,
    }
    this.opened = opened
    this.take(first)
    void this.borrow(opened)
  }

  /** True if the pager took the input. */
  takesTyped(bytes: Uint8Array): boolean {
    const { opened } = this
    if (opened === null || opened.phase === 'leaving') return false
    clearTimeout(this.escapeTimer)
    this.press(opened.keys.feed(bytes))
    if (opened.keys.isWaiting) this.escapeTimer = setTimeout(() => this.press(opened.keys.release()), ESCAPE_AFTER_MS)
    return true
  }

  /** True if the output must not be shown now. */
  takesOutput(bytes: Uint8Array): boolean {
    const { opened } = this
    if (opened?.phase === 'borrowing') opened.held.push(bytes.slice())
    else if (opened?.state.behind === false) this.tell({ kind: 'output' })
    return opened !== null
  }

  /** True if nothing must be repainted now. */
  takesGap(): boolean {
    if (this.opened === null) return false
    void this.skipGap()
    return true
  }

  /** True if the user is still reading, and sees the ending afterwards. */
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
    if (this.opened !== null && this.opened.phase !== 'leaving') this.take(stepPager(this.opened.state, event))
  }

  private take({ state, effects }: Stepped): void {
    const { opened } = this
    if (opened === null) return
    opened.state = state
    for (const effect of effects) {
      if (effect.kind === 'leave') return this.leave(opened)
      void this.ask(effect.ask)
    }
    if (opened.phase === 'shown') this.draw(opened)
  }

  private draw(opened: Open): void {
    const picture = drawPager(opened.state)
    this.options.own.draw(repaintBytes(picture, opened.picture))
    opened.picture = picture
  }

  private async ask(asked: Ask): Promise<void> {
    const { client, terminal } = this.options
    const { id, ...wanted } = askedOf(asked, this.opened?.state.own ?? 0)
    const answer = await client.request('terminal.history', { terminal, ...wanted })
    if (!answer.ok) return this.tell({ kind: 'refused', id, why: answer.refusal.message })
    this.tell({ kind: 'page', id, ...pageOf(answer.value.result) })
  }

  /** Output was dropped before it arrived; leaving scroll mode paints what is missing. */
  private async skipGap(): Promise<void> {
    if (this.isSkipping) return
    this.isSkipping = true
    const { client, terminal, continueAt } = this.options
    const now = await client.request('terminal.attach', { terminal, history: 0 })
    this.isSkipping = false
    if (now.ok && this.opened !== null) continueAt(positionOf(now.value))
  }

  /**
   * Stops the user's screen exactly at the position of a snapshot, whose top line is known: so the first line painted
   * afterwards is the one that would have come next.
   */
  private async borrow(opened: Open): Promise<void> {
    const { client, terminal, own } = this.options
    const deadline = Date.now() + LEFT_WITHIN_MS
    while (client.state.kind === 'connected' && this.opened === opened) {
      const now = await client.request('terminal.attach', { terminal, history: 0 })
      if (!now.ok) break
      const { seq, lines } = now.value.result
      const missing = seq - opened.since.seq
      const held = Buffer.concat(opened.held)
      if (missing >= 0 && missing <= held.length) {
        if (missing > 0) own.show(held.subarray(0, missing))
        opened.since = { ...opened.since, seq }
        opened.topLine = lines.from
        break
      }
      if (Date.now() > deadline || held.length > HELD_BYTES) break
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    }
    if (this.opened !== opened || opened.phase !== 'borrowing') return
    opened.phase = 'shown'
    opened.held = []
    own.borrow()
    this.draw(opened)
  }

  private leave(opened: Open): void {
    clearTimeout(this.escapeTimer)
    opened.phase = 'leaving'
    void this.comeBack(opened)
  }

  private async comeBack(opened: Open): Promise<void> {
    const { client, terminal, paint, own, continueAt } = this.options
    if (opened.ending === null && client.state.kind === 'connected') {
      const missed = opened.topLine === null ? { history: 0 } : { history: MISSED_LINES, since: opened.topLine }
      const picture = await client.request('terminal.attach', { terminal, ...missed })
      if (picture.ok && this.opened === opened) {
        this.opened = null
        this.isStale = false
        return paint(picture.value)
      }
    }
    if (this.opened !== opened) return
    if (opened.ending !== null) return await this.showLast(opened, opened.ending)
    this.opened = null
    this.isStale = true
    own.giveBack()
    continueAt(opened.since)
  }

  private async showLast(opened: Open, ending: Ending): Promise<void> {
    const { client, terminal, own, end } = this.options
    if (client.state.kind !== 'connected') return end(ending)
    const ask = (history: number) => client.request('terminal.open', { terminal, history, window: LAST_WINDOW_BYTES })
    const screen = await ask(0)
    const missed = screen.ok && opened.topLine !== null ? (screen.value.result.lines?.from ?? 0) - opened.topLine : 0
    const last = missed > 0 ? await ask(Math.min(MISSED_LINES, missed)) : screen
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
