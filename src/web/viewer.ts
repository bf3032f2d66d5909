/**
 * Keeps one screen on the terminal that is shown: opens its channel, feeds its bytes, sends what is typed, and asks for a
 * size. The size of the drawing follows the log, never the window: another client may lead.
 */
import type { DaemonClient } from '../client/daemonClient.ts'
import type { TerminalView } from '../wire/view.ts'
import type { Size } from '../workspace/terminal.ts'
import { DeepChannel } from './deepChannel.ts'
import { USUAL_DEPTH } from './depth.ts'
import { Scrollback, type ScrollbackOptions } from './scrollback.ts'
import type { Xterm } from './xterm.ts'

const WINDOW_BYTES = 1 << 20 // keeps a fast link busy, and Ctrl-C within a moment of a flood
const INPUT_SLICE_BYTES = 256 << 10 // a huge paste does not hold up the messages behind it
const SETTLED_MS = 100 // agents redraw everything at each size, so only the last one of a drag is sent
const USUAL_COLS = 80

type Screen = Pick<Xterm, 'write' | 'resize' | 'clear' | 'measure' | 'scale' | 'replace' | 'holdRows'>
type Client = Pick<DaemonClient, 'openChannel' | 'request'>

export type ViewerOptions = {
  readonly client: Client
  readonly screen: Screen
  readonly isVisible: () => boolean
  readonly scrollback: Pick<ScrollbackOptions, 'deepest' | 'onNote'>
}

export class Viewer {
  private readonly options: ViewerOptions
  private channel: DeepChannel | null = null
  readonly scrollback: Scrollback
  private shown: { readonly id: string; readonly run: string | null } | null = null
  private live = false
  /** What the terminal was like when it could not be opened: once it is otherwise, it may be tried again. */
  private refusedAs: string | null = null
  /** The size in the log so far, and the one this page wants; it leads while both were its own. */
  private size: Size | null = null
  private asked: Size | null = null
  private leads = false
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(options: ViewerOptions) {
    this.options = options
    const { screen } = options
    this.scrollback = new Scrollback({ ...options.scrollback, screen, deepen: (history) => this.channel?.deepen(history) })
  }

  /** Called with every change of the record; opens a channel only for another terminal or another run of it. */
  show(terminal: TerminalView | null): void {
    if (terminal === null) return this.leave()
    const run = terminal.state === 'live' || terminal.state === 'settling' ? terminal.run : null
    const same = this.shown?.id === terminal.id
    // A program that ends or starts leaves the picture as it is, until there is a new run to show.
    const isTriedAgain = same && this.refusedAs !== null && this.refusedAs !== conditionOf(terminal)
    if (same && !isTriedAgain && (run === null || run === this.shown?.run)) return
    this.open(terminal, run, { claim: !same })
  }

  type(bytes: Uint8Array): void {
    if (!this.live) return
    this.claimSize()
    for (let at = 0; at < bytes.length; at += INPUT_SLICE_BYTES) this.channel?.input(bytes.subarray(at, at + INPUT_SLICE_BYTES))
  }

  /** This client leads from now on. */
  lead(): void {
    this.claimSize()
  }

  /** The place has another size now. */
  placeChanged(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.options.screen.scale()
      if (this.leads) this.claimSize()
    }, SETTLED_MS)
  }

  private open(terminal: TerminalView, run: string | null, { claim }: { readonly claim: boolean }): void {
    const { client, screen } = this.options
    this.channel?.close()
    this.live = false
    this.refusedAs = null
    this.shown = { id: terminal.id, run }
    let looking = claim
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
          this.takeSize(size)
          screen.write(
            bytes,
            ifCurrent(() => this.scrollback.painted(lines)),
          )
          this.live = live
          if (looking) this.claimOnOpening(size)
          looking = false
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
        onResized: (size) => this.takeSize(size),
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

  private takeSize(size: Size): void {
    this.size = size
    this.leads = isSame(size, this.asked)
    this.asked = null
    this.options.screen.resize(size)
  }

  private leave(): void {
    this.channel?.close()
    this.channel = null
    this.scrollback.begin()
    this.shown = null
    this.live = false
    this.options.screen.clear()
  }

  /** Whoever only looks through a narrow window does not re-wrap the program's lines for everybody; typing does. */
  private claimOnOpening(size: Size): void {
    const place = this.options.screen.measure()
    if (place !== null && place.cols >= Math.min(USUAL_COLS, size.cols)) this.claimSize()
  }

  private claimSize(): void {
    const { client, screen, isVisible } = this.options
    const place = screen.measure()
    if (place === null || this.shown === null || !this.live || !isVisible()) return
    this.leads = true
    if (isSame(place, this.size) || isSame(place, this.asked)) return
    this.asked = place
    // A refusal leaves the size as it is, which is drawn as it is.
    void client.request('terminal.resize', { terminal: this.shown.id, size: place })
  }
}

const isSame = (a: Size, b: Size | null): boolean => a.cols === b?.cols && a.rows === b.rows

const conditionOf = ({ state, run, trouble }: TerminalView): string => JSON.stringify([state, run, trouble])
