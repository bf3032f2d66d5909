/**
 * Keeps one screen on the terminal that is shown: opens its channel, feeds its bytes, sends what is typed, and tells the
 * daemon through a place of which size it is looked at. The size of the drawing follows the log: another client may lead.
 */
import type { ClientState, DaemonClient } from '../../client/daemonClient.ts'
import type { TerminalView } from '../../wire/view.ts'
import { isSameSize, type Lead } from '../../workspace/sizing.ts'
import type { Size } from '../../workspace/terminal.ts'
import { DeepChannel } from './deepChannel.ts'
import { USUAL_DEPTH } from './depth.ts'
import { Scrollback, type ScrollbackOptions } from './scrollback.ts'
import type { Xterm } from './xterm.ts'

const WINDOW_BYTES = 1 << 20 // keeps a fast link busy, and Ctrl-C within a moment of a flood
const INPUT_SLICE_BYTES = 256 << 10 // a huge paste does not hold up the messages behind it
const SETTLED_MS = 100 // agents redraw everything at each size, so only the last one of a drag is sent

type Screen = Pick<Xterm, 'write' | 'resize' | 'clear' | 'measure' | 'scale' | 'replace' | 'holdRows'>
type Client = Pick<DaemonClient, 'openChannel' | 'request' | 'onState'>

/** This page's place for a terminal, and the number by which the daemon knows the page; null until it has said so. */
export type Place = { readonly size: Size | null; readonly client: number | null }

export type ViewerOptions = {
  readonly client: Client
  readonly screen: Screen
  readonly isVisible: () => boolean
  readonly onPlace: (place: Place) => void
  readonly scrollback: Pick<ScrollbackOptions, 'deepest' | 'onNote'>
}

type Told = { readonly terminal: string; readonly size: Size | null }

export class Viewer {
  private readonly options: ViewerOptions
  private readonly stopListening: () => void
  private channel: DeepChannel | null = null
  readonly scrollback: Scrollback
  private shown: { readonly id: string; readonly run: string | null } | null = null
  private live = false
  /** What the terminal was like when it could not be opened: once it is otherwise, it may be tried again. */
  private refusedAs: string | null = null
  private sizedBy: TerminalView['sizedBy'] = { kind: 'nobody' }
  private number: number | null = null
  /** Whether this page led when it was last connected. */
  private ledBefore = false
  /** What the daemon knows of the place; null before the first look at a terminal. */
  private told: Told | null = null
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: ViewerOptions) {
    this.options = options
    const { client, screen } = options
    this.stopListening = client.onState((state) => this.takeLink(state))
    this.scrollback = new Scrollback({ ...options.scrollback, screen, deepen: (history) => this.channel?.deepen(history) })
  }

  /** Called with every change of the record; opens a channel only for another terminal or another run of it. */
  show(terminal: TerminalView | null): void {
    if (terminal === null) return this.leave()
    const run = terminal.state === 'waking' ? null : terminal.run
    const same = this.shown?.id === terminal.id
    this.sizedBy = terminal.sizedBy
    // A program that ends or starts leaves the picture as it is, until there is another run to show: a new one, or the one
    // from before a resume that failed.
    const isTriedAgain = same && this.refusedAs !== null && this.refusedAs !== conditionOf(terminal)
    if (same && !isTriedAgain && (run === null || run === this.shown?.run)) return
    if (!same) this.lookAway()
    this.open(terminal, run)
  }

  /** That something was typed here the daemon sees by itself. */
  type(bytes: Uint8Array): void {
    if (!this.live) return
    for (let at = 0; at < bytes.length; at += INPUT_SLICE_BYTES) this.channel?.input(bytes.subarray(at, at + INPUT_SLICE_BYTES))
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
      if (place === 'unknown' || (this.told?.terminal === this.shown?.id && isSameSize(place, this.told?.size ?? null))) return
      this.look('ifFree')
    }, SETTLED_MS)
  }

  close(): void {
    clearTimeout(this.timer)
    this.stopListening()
    this.leave()
  }

  private open(terminal: TerminalView, run: string | null): void {
    const { client, screen } = this.options
    this.channel?.close()
    this.live = false
    this.refusedAs = null
    this.shown = { id: terminal.id, run }
    this.scrollback.begin()
    // Drawing takes a while; what is drawn by then may be of no interest any more.
    const ifCurrent = (drawn: () => void) => () => this.channel === mine && drawn()
    const mine: DeepChannel = new DeepChannel({
      client,
      terminal: terminal.id,
      window: WINDOW_BYTES,
      history: USUAL_DEPTH,
      handlers: {
        onSnapshot: ({ bytes, size, live, lines }) => {
          screen.clear()
          screen.resize(size)
          screen.write(
            bytes,
            ifCurrent(() => this.scrollback.painted(lines)),
          )
          this.live = live
          if (this.told?.terminal !== terminal.id) this.look('ifFree')
        },
        onDeepened: (snapshot, since) => {
          this.live = snapshot.live
          this.scrollback.makeRoom()
          screen.replace(
            snapshot,
            since,
            ifCurrent(() => this.scrollback.deepened(snapshot.lines)),
          )
        },
        onNotDeepened: () => this.scrollback.notDeepened(),
        onOutput: (bytes, consumed) => screen.write(bytes, consumed),
        onResized: (size) => screen.resize(size),
        onExited: () => {
          this.live = false
        },
        onLink: () => undefined, // the page's banner says it once for everything
        onRefused: () => {
          this.live = false
          this.refusedAs = conditionOf(terminal)
        },
      },
    })
    this.channel = mine
  }

  private leave(): void {
    this.lookAway()
    this.channel?.close()
    this.channel = null
    this.scrollback.begin()
    this.shown = null
    this.live = false
    this.options.screen.clear()
  }

  /** Who led before says so, and nobody else asks: a restart of the daemon resizes nothing. */
  private takeLink({ kind }: ClientState): void {
    if (kind === 'connected' && this.told !== null && this.told.terminal === this.shown?.id) this.look(this.ledBefore ? 'ifFree' : 'no')
    if (kind === 'connected' || kind === 'connecting' || this.number === null) return
    this.ledBefore = this.sizedBy.kind === 'client' && this.sizedBy.client === this.number
    this.number = null
  }

  private place(): Size | null | 'unknown' {
    return this.options.isVisible() ? (this.options.screen.measure() ?? 'unknown') : null
  }

  private look(lead: Lead): void {
    const size = this.place()
    if (this.shown === null || size === 'unknown') return
    const { id: terminal } = this.shown
    this.told = { terminal, size }
    void this.options.client.request('terminal.look', { terminal, size, lead }).then((answer) => {
      if (!answer.ok || this.shown?.id !== terminal) return
      this.number = answer.value.result.client
      this.sizedBy = answer.value.result.terminal.sizedBy
      this.options.onPlace({ size, client: this.number })
    })
  }

  private lookAway(): void {
    const told = this.told
    this.told = null
    if (told !== null && told.size !== null && this.number !== null)
      void this.options.client.request('terminal.look', { terminal: told.terminal, size: null, lead: 'no' })
  }
}

const conditionOf = ({ state, run, trouble }: TerminalView): string => JSON.stringify([state, run, trouble])
