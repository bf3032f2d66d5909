/**
 * Keeps one screen on one terminal. This folder: what stands between a channel (client/channel.ts, where bytes are counted and a
 * stream is held) and the drawing. `pace.ts` decides when output is drawn, `scrollback.ts` how much history is drawn, `looks.ts`
 * tells the daemon the size of the tile. Output goes from the channel to the lane of pace.ts, and does not pass here.
 */
import type { DaemonClient } from '../../../client/daemonClient.ts'
import type { ChannelHandlers } from '../../../client/stream.ts'
import { type TerminalView, troubleOf } from '../../../wire/view.ts'
import { FLOODED_DEPTH, USUAL_DEPTH } from './depth.ts'
import { Looks, type LooksOptions } from './looks.ts'
import type { GoOn, Screen } from './pace.ts'
import { Scrollback, type ScrollbackOptions } from './scrollback.ts'

/** Keeps a fast link busy. What is on its way for one terminal lies before the echo of another one, so it is not more. */
const WINDOW_BYTES = 128 << 10
const INPUT_SLICE_BYTES = 256 << 10 // a huge paste does not hold up the messages behind it

/** Why what was typed was not sent. */
export type Unsent = 'away' | 'notRunning' | 'viewOnly'

export type ViewerOptions = Omit<LooksOptions, 'client'> & {
  readonly client: Pick<DaemonClient, 'makeChannel' | 'request' | 'onState' | 'state'>
  readonly screen: Screen
  readonly scrollback: Pick<ScrollbackOptions, 'deepest' | 'onNote'>
}

export class Viewer {
  readonly scrollback: Scrollback
  readonly looks: Looks
  private readonly options: ViewerOptions
  private readonly channel: ReturnType<DaemonClient['makeChannel']>
  /** Counts the runs that were shown. */
  private begun = 0

  constructor(options: ViewerOptions) {
    const { client, terminal, screen } = options
    this.options = options
    this.looks = new Looks(options)
    this.scrollback = new Scrollback({ ...options.scrollback, screen, deepen: (history) => this.channel.deepen(history) })
    this.channel = client.makeChannel({ terminal, window: WINDOW_BYTES, history: USUAL_DEPTH, handlers: this.handlers() })
  }

  /** Called with every change of the record; the channel asks only for another run of it. */
  show(terminal: TerminalView): void {
    this.looks.show(terminal)
    const { state, run } = terminal
    this.channel.show({ run: state === 'waking' ? null : run, condition: JSON.stringify([state, run, troubleOf(terminal)]) })
  }

  /** Null when it was sent. That something was typed here the daemon sees by itself. */
  type(bytes: Uint8Array): Unsent | null {
    if (this.options.client.state.kind !== 'connected') return 'away'
    if (this.channel.phase !== 'opening' && this.channel.phase !== 'live') return 'notRunning'
    for (let at = 0; at < bytes.length; at += INPUT_SLICE_BYTES) this.channel.input(bytes.subarray(at, at + INPUT_SLICE_BYTES))
    return null
  }

  /** The tile was hidden for a while: its terminal is not followed until it is visible again. */
  pause(): void {
    this.channel.pause('hidden')
  }

  resume(): void {
    this.channel.resume(undefined, 'hidden')
  }

  /** Its program prints more than is drawn, and does not wait for the drawing. */
  skip(): void {
    this.channel.pause('flood')
  }

  goOn(from: GoOn): void {
    this.channel.resume(from === 'now' ? { history: FLOODED_DEPTH } : undefined, 'flood')
  }

  close(): void {
    this.looks.close()
    this.channel.close()
    this.begun += 1
    this.scrollback.begin()
  }

  private handlers(): ChannelHandlers {
    const { screen } = this.options
    // Drawing takes a while: another run may be shown by then.
    const ifCurrent = (drawn: () => void) => {
      const { begun } = this
      return () => begun === this.begun && drawn()
    }
    return {
      onBegun: () => {
        this.begun += 1
        this.scrollback.begin()
      },
      onSnapshot: ({ bytes, size, lines, history = USUAL_DEPTH }) => {
        screen.clear()
        screen.resize(size)
        screen.write(
          bytes,
          ifCurrent(() => this.scrollback.painted(lines, history)),
        )
        this.looks.begin()
      },
      onDeepened: (snapshot, since) => {
        this.scrollback.makeRoom()
        screen.replace(
          snapshot,
          since,
          ifCurrent(() => this.scrollback.deepened(snapshot.lines)),
        )
      },
      onNotDeepened: () => this.scrollback.notDeepened(),
      onOutput: screen.output,
      onResized: (size) => screen.resize(size),
      onExited: () => undefined,
      onLink: () => undefined, // the tile itself says that the link is down
      onRefused: () => undefined,
    }
  }
}
