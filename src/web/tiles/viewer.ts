/**
 * Keeps one screen on one terminal: opens its channel, feeds its bytes, sends what is typed, and tells the daemon through a
 * place of which size it is looked at. The size of the drawing follows the log: another client may lead.
 */
import type { ClientState, DaemonClient } from '../../client/daemonClient.ts'
import type { TerminalView } from '../../wire/view.ts'
import { isSameSize, type Lead } from '../../workspace/sizing.ts'
import type { Size } from '../../workspace/terminal.ts'
import { DeepChannel, type DeepHandlers } from './deepChannel.ts'
import { FLOODED_DEPTH, USUAL_DEPTH } from './depth.ts'
import type { GoOn, Output } from './pace.ts'
import { Scrollback, type ScrollbackOptions } from './scrollback.ts'
import type { Xterm } from './xterm.ts'

/** Keeps a fast link busy. What is on its way for one terminal lies before the echo of another one, so it is not more. */
const WINDOW_BYTES = 128 << 10
const INPUT_SLICE_BYTES = 256 << 10 // a huge paste does not hold up the messages behind it
const SETTLED_MS = 100 // agents redraw everything at each size, so only the last one of a drag is sent

/** What the viewer draws on: pictures at once, output in its turn. */
export type Screen = Pick<Xterm, 'write' | 'resize' | 'clear' | 'measure' | 'scale' | 'replace' | 'holdRows' | 'view'> & {
  output(output: Output): void
}
type Client = Pick<DaemonClient, 'openChannel' | 'request' | 'onState' | 'state'>

/** This page's place for a terminal, and the number by which the daemon knows the page; null until it has said so. */
export type Place = { readonly size: Size | null; readonly client: number | null }

/** Why what was typed went nowhere. */
export type Unsent = 'away' | 'notRunning' | 'viewOnly'

export type ViewerOptions = {
  readonly client: Client
  readonly terminal: string
  readonly screen: Screen
  /** Whether somebody can see it. */
  readonly isVisible: () => boolean
  /** Whether the size of its place counts in the daemon. */
  readonly mayLook: () => boolean
  readonly onPlace: (place: Place) => void
  readonly scrollback: Pick<ScrollbackOptions, 'deepest' | 'onNote'>
}

export class Viewer {
  readonly scrollback: Scrollback
  private readonly options: ViewerOptions
  private readonly stopListening: () => void
  private channel: DeepChannel | null = null
  private isPaused = false
  private isSkipping = false
  /** Rows above the screen that its snapshots are asked for with. */
  private history: number = USUAL_DEPTH
  private run: string | null = null
  private life: 'opening' | 'live' | 'over' = 'over'
  /** Whether the program says now what comes now; until then it is what was said before. */
  private isCaughtUp = false
  /** What the terminal was like when it could not be opened: once it is otherwise, it may be tried again. */
  private refusedAs: string | null = null
  private sizedBy: TerminalView['sizedBy'] = { kind: 'nobody' }
  private number: number | null = null
  /** Whether this page led when it was last connected. */
  private ledBefore = false
  /** What the daemon knows of the place; undefined before the first look. */
  private told: Size | null | undefined = undefined
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: ViewerOptions) {
    this.options = options
    const { client, screen } = options
    this.stopListening = client.onState((state) => this.takeLink(state))
    this.scrollback = new Scrollback({ ...options.scrollback, screen, deepen: (history) => this.channel?.deepen(history) })
  }

  /** Called with every change of the record; opens a channel only for another run of it. */
  show(terminal: TerminalView): void {
    const run = terminal.state === 'waking' ? null : terminal.run
    this.sizedBy = terminal.sizedBy
    // A program that ends or starts leaves the picture as it is, until there is another run to show: a new one, or the one
    // from before a resume that failed.
    const isTriedAgain = this.refusedAs !== null && this.refusedAs !== conditionOf(terminal)
    if (this.channel !== null && !isTriedAgain && (run === null || run === this.run)) return
    this.open(terminal, run)
  }

  /** Null when it was sent. That something was typed here the daemon sees by itself. */
  type(bytes: Uint8Array): Unsent | null {
    if (this.options.client.state.kind !== 'connected') return 'away'
    if (this.life === 'over') return 'notRunning'
    for (let at = 0; at < bytes.length; at += INPUT_SLICE_BYTES) this.channel?.input(bytes.subarray(at, at + INPUT_SLICE_BYTES))
    return null
  }

  /** Nobody has seen it for a while: it is not followed until somebody does. */
  pause(): void {
    if (this.isPaused) return
    this.isPaused = true
    this.channel?.pause()
  }

  resume(): void {
    if (!this.isPaused) return
    this.isPaused = false
    if (!this.isSkipping) this.channel?.resume()
  }

  /** It prints more than is drawn: its program does not wait for that. */
  skip(): void {
    this.isSkipping = true
    this.channel?.pause()
  }

  goOn(from: GoOn): void {
    this.isSkipping = false
    if (from === 'now') this.history = FLOODED_DEPTH
    if (!this.isPaused) this.channel?.resume(from === 'now' ? { history: FLOODED_DEPTH } : undefined)
  }

  /** This client leads from now on. */
  lead(): void {
    this.look('yes')
  }

  /** The place has another size now, or is hidden, or visible again. */
  placeChanged(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.options.screen.scale()
      const place = this.place()
      if (place === 'unknown' || (this.told !== undefined && isSameSize(place, this.told))) return
      this.look('ifFree')
    }, SETTLED_MS)
  }

  close(): void {
    clearTimeout(this.timer)
    this.stopListening()
    this.lookAway()
    this.channel?.close()
    this.channel = null
    this.scrollback.begin()
    this.life = 'over'
  }

  private open(terminal: TerminalView, run: string | null): void {
    const { client } = this.options
    this.channel?.close()
    this.life = 'opening'
    this.refusedAs = null
    this.run = run
    this.history = USUAL_DEPTH
    this.scrollback.begin()
    const isCurrent = (): boolean => this.channel === mine
    const handlers = this.handlersOf(isCurrent, conditionOf(terminal))
    const mine: DeepChannel = new DeepChannel({ client, terminal: terminal.id, window: WINDOW_BYTES, history: USUAL_DEPTH, handlers })
    this.channel = mine
    if (this.isPaused || this.isSkipping) mine.pause()
  }

  private handlersOf(isCurrent: () => boolean, condition: string): DeepHandlers {
    const { screen } = this.options
    // Drawing takes a while; what is drawn by then may be of no interest any more.
    const ifCurrent = (drawn: () => void) => () => isCurrent() && drawn()
    return {
      onSnapshot: ({ bytes, size, live, lines }) => {
        screen.clear()
        screen.resize(size)
        screen.write(
          bytes,
          ifCurrent(() => this.scrollback.painted(lines, this.history)),
        )
        this.life = live ? 'live' : 'over'
        if (this.told === undefined) this.look('ifFree')
      },
      onDeepened: (snapshot, since) => {
        this.life = snapshot.live ? 'live' : 'over'
        this.scrollback.makeRoom()
        screen.replace(
          snapshot,
          since,
          ifCurrent(() => this.scrollback.deepened(snapshot.lines)),
        )
      },
      onNotDeepened: () => this.scrollback.notDeepened(),
      onOutput: (bytes, consumed) => screen.output({ bytes, isLive: this.isCaughtUp && this.options.isVisible(), consumed }),
      onResized: (size) => screen.resize(size),
      onExited: () => {
        this.life = 'over'
      },
      onLink: () => {
        this.isCaughtUp = false // that the link is down the tile itself says
      },
      onCaughtUp: () => {
        this.isCaughtUp = true
      },
      onRefused: () => {
        this.life = 'over'
        this.refusedAs = condition
      },
    }
  }

  /** Who led before says so, and nobody else asks: a restart of the daemon resizes nothing. */
  private takeLink({ kind }: ClientState): void {
    if (kind === 'connected' && this.told !== undefined) this.look(this.ledBefore ? 'ifFree' : 'no')
    if (kind === 'connected' || kind === 'connecting' || this.number === null) return
    this.ledBefore = this.sizedBy.kind === 'client' && this.sizedBy.client === this.number
    this.number = null
  }

  private place(): Size | null | 'unknown' {
    return this.options.isVisible() ? (this.options.screen.measure() ?? 'unknown') : null
  }

  private look(lead: Lead): void {
    const { client, terminal, onPlace, mayLook } = this.options
    const size = this.place()
    if (this.channel === null || size === 'unknown') return
    // Its place decides nothing, but the page shows that the terminal has another size.
    if (!mayLook()) return onPlace({ size, client: null })
    this.told = size
    void client.request('terminal.look', { terminal, size, lead }).then((answer) => {
      if (!answer.ok || this.channel === null) return
      this.number = answer.value.result.client
      this.sizedBy = answer.value.result.terminal.sizedBy
      onPlace({ size, client: this.number })
    })
  }

  private lookAway(): void {
    const { client, terminal } = this.options
    if (this.told !== undefined && this.told !== null && this.number !== null)
      void client.request('terminal.look', { terminal, size: null, lead: 'no' })
    this.told = undefined
  }
}

const conditionOf = ({ state, run, trouble }: TerminalView): string => JSON.stringify([state, run, trouble])
