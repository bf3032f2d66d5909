/**
 * Decides which terminal draws when. The one that has the keyboard draws at once; the others take turns, at most ten a second each,
 * one in two frames, and together no more than a quarter of the page's time, so that no flood in one slows the typing in another.
 * Bytes count as consumed when they have been drawn: a terminal that is behind is sent no more.
 */
import type { ChannelHandlers, Piece } from '../../../client/stream.ts'
import { joinBytes } from '../../../screen/engine/safeCut.ts'
import type { Size } from '../../../workspace/terminal/terminal.ts'
import type { View } from './depth.ts'

/** How the user uses a terminal: types into it, sees it, or does not see it. */
export type Attention = 'focused' | 'seen' | 'unseen'

export type Output = {
  readonly bytes: Uint8Array
  /** Not replayed: the program prints it now. */
  readonly isLive: boolean
  readonly consumed: () => void
}

/** After a skip: with how it is now, or with the very next byte. */
export type GoOn = 'now' | 'there'

/** How a terminal that floods is left alone in between. Its program does not wait, and what is drawn is how it is then. */
export type Skipping = {
  /** Not while the user reads: then no lines are removed. */
  may(): boolean
  stop(): void
  goOn(from: GoOn): void
}

export type Clock = {
  now(): number
  after(ms: number, act: () => void): () => void
  /** When the page has nothing else to do: what was drawn is painted by then, which takes longer than to draw it. */
  idle(act: () => void): void
}

const TURN_EVERY_MS: Readonly<Record<Attention, number>> = { focused: 0, seen: 100, unseen: 500 }
/** Two frames: one to paint, one for input. */
const BETWEEN_TURNS_MS = 33
/** After a turn the page rests for this many times as long as the turn took, if every lane still has a turn within ROUND_MS. */
const REST = 3
const ROUND_MS = 600
/** What a turn takes: some milliseconds of work where one floods alone, less where many do. A key waits no longer than for one. */
const MOST_BYTES = 128 << 10
const LEAST_BYTES = 32 << 10
/** A lane that has this much to draw, or more than a turn takes, in FLOOD_TURNS turns in a row prints more than can be drawn. */
const FLOOD_BYTES = 96 << 10
const FLOOD_TURNS = 3
/** How long one of them is left alone: where many flood, four of them are shown in a second. */
const SKIP_MS = 1_000
const BETWEEN_SKIPS_MS = 250

export class Pace {
  private readonly clock: Clock
  private readonly lanes = new Set<Lane>()
  private nextTurn = Number.NEGATIVE_INFINITY
  /** The lane that has its turn, until its output is on the screen. */
  private drawing: Lane | null = null
  private cancel: (() => void) | null = null

  constructor(clock: Clock) {
    this.clock = clock
  }

  /** `output` calls `consumed` when what it was given is on the screen. */
  open(screen: Drawn, skipping: Skipping): Lane {
    const lane = new Lane({ screen, skipping, changed: () => this.look(), closed: () => this.leave(lane) })
    this.lanes.add(lane)
    return lane
  }

  private get waiting(): readonly Lane[] {
    return [...this.lanes].filter(({ isWaiting }) => isWaiting)
  }

  private look(): void {
    if (this.drawing !== null) return
    this.cancel?.()
    this.cancel = null
    const { waiting } = this
    const lane = waiting.reduce(sooner, null)
    if (lane === null) return
    const now = this.clock.now()
    const wait = Math.max(lane.dueAt, this.nextTurn) - now
    if (wait > 0) this.cancel = this.clock.after(wait, () => this.look())
    else this.draw(lane, turnOf(now, waiting.length))
  }

  private draw(lane: Lane, turn: Turn): void {
    this.drawing = lane
    lane.takeTurn(turn, () => this.clock.idle(() => this.painted(lane, turn)))
  }

  private painted(lane: Lane, { now: began }: Turn): void {
    if (this.drawing !== lane) return
    const now = this.clock.now()
    const rest = Math.min(REST * (now - began), ROUND_MS / Math.max(1, this.waiting.length) - (now - began))
    this.nextTurn = Math.max(began + BETWEEN_TURNS_MS, now + rest)
    this.drawing = null
    this.look()
  }

  /** A lane that is closed while it draws may never report that it has drawn: the others do not wait for it. */
  private leave(lane: Lane): void {
    this.lanes.delete(lane)
    if (this.drawing === lane) this.drawing = null
    this.look()
  }
}

const sooner = (first: Lane | null, lane: Lane): Lane => (first !== null && first.dueAt <= lane.dueAt ? first : lane)

type Turn = { readonly now: number; readonly most: number; readonly skipMs: number }

const turnOf = (now: number, waiting: number): Turn => ({
  now,
  most: Math.max(LEAST_BYTES, MOST_BYTES / waiting),
  skipMs: Math.max(SKIP_MS, BETWEEN_SKIPS_MS * waiting),
})

type Drawn = { output(output: Output): void }

type LaneOptions = {
  readonly screen: Drawn
  readonly skipping: Skipping
  readonly changed: () => void
  readonly closed: () => void
}

/** One terminal's way to its screen. */
export class Lane {
  private readonly options: LaneOptions
  private pending: Output[] = []
  private attention: Attention = 'seen'
  /** Turns in a row that found too much to draw. */
  private fullTurns = 0
  private isSkipping = false
  /** When its next turn is. */
  dueAt = Number.NEGATIVE_INFINITY

  constructor(options: LaneOptions) {
    this.options = options
  }

  get isWaiting(): boolean {
    return this.isSkipping || this.pending.length > 0
  }

  /** Output that arrives while the tile is unseen is drawn as if replayed: it may not reach for the clipboard later. */
  push = (bytes: Uint8Array, consumed: () => void, isPrintedNow: boolean): void => {
    const output = { bytes, isLive: isPrintedNow && this.attention !== 'unseen', consumed }
    if (this.attention === 'focused') return this.options.screen.output(output)
    this.pending.push(output)
    this.options.changed()
  }

  setAttention(attention: Attention): void {
    if (attention === this.attention) return
    this.attention = attention
    this.dueAt = Number.NEGATIVE_INFINITY
    if (attention === 'focused') {
      this.goOn('now')
      this.flush()
    }
    this.options.changed()
  }

  /** Ends a skip: what was to be drawn before it is worth nothing where all is drawn anew. */
  goOn(from: GoOn): void {
    if (!this.isSkipping) return
    this.isSkipping = false
    if (from === 'now') this.pending = []
    this.options.skipping.goOn(from)
  }

  /** Draws all of it now: what follows is no output and must not come before it. */
  flush(): void {
    for (const output of this.pending.splice(0)) this.options.screen.output(output)
  }

  close(): void {
    this.pending = []
    this.options.closed()
  }

  takeTurn(turn: Turn, done: () => void): void {
    if (this.isSkipping) {
      this.goOn('now')
      this.fullTurns = FLOOD_TURNS - 1 // if it still floods, the next turn shows it
      this.dueAt = turn.now + TURN_EVERY_MS[this.attention]
      return done()
    }
    const length = this.pending.reduce((sum, { bytes }) => sum + bytes.length, 0)
    this.fullTurns = length >= Math.min(FLOOD_BYTES, turn.most) ? this.fullTurns + 1 : 0
    if (this.fullTurns < FLOOD_TURNS || !this.options.skipping.may()) return this.drawSlice(turn, done)
    this.isSkipping = true
    this.dueAt = turn.now + turn.skipMs
    this.options.skipping.stop()
    done()
  }

  private drawSlice({ now, most }: Turn, done: () => void): void {
    const slice = firstSlice(this.pending, most)
    const [first] = slice
    if (first === undefined) return done()
    this.pending.splice(0, slice.length)
    this.dueAt = now + TURN_EVERY_MS[this.attention]
    const consumed = (): void => {
      for (const output of slice) output.consumed()
      done()
    }
    this.options.screen.output({ bytes: joinBytes(...slice.map(({ bytes }) => bytes)), isLive: first.isLive, consumed })
  }
}

/** What is replayed and what is said now are kept apart. */
function firstSlice(pending: readonly Output[], most: number): readonly Output[] {
  let length = 0
  const end = pending.findIndex(({ bytes, isLive }, at) => {
    length += bytes.length
    return at > 0 && (isLive !== pending[0]?.isLive || length > most)
  })
  return end === -1 ? pending.slice() : pending.slice(0, end)
}

/** What the viewer draws on: pictures at once, output in its turn. */
export type Screen = {
  write(bytes: Uint8Array, consumed?: () => void): void
  resize(size: Size): void
  clear(): void
  measure(): Size | null
  scale(): void
  replace(snapshot: { readonly bytes: Uint8Array; readonly size: Size }, since: readonly Piece[], drawn: () => void): void
  holdRows(count: number): void
  readonly view: View
  readonly output: ChannelHandlers['onOutput']
}

/** A screen whose output waits for its turn. Whatever else is done to it comes after what was output before. */
export function pacedScreen(screen: Omit<Screen, 'output'>, lane: Lane): Screen {
  const inOrder =
    <Args extends readonly unknown[]>(act: (...args: Args) => void) =>
    (...args: Args): void => {
      lane.flush()
      act(...args)
    }
  return {
    output: lane.push,
    write: inOrder((...args: Parameters<Screen['write']>) => screen.write(...args)),
    resize: inOrder((size: Size) => screen.resize(size)),
    clear: inOrder(() => screen.clear()),
    replace: inOrder((...args: Parameters<Screen['replace']>) => screen.replace(...args)),
    holdRows: inOrder((count: number) => screen.holdRows(count)),
    measure: () => screen.measure(),
    scale: () => screen.scale(),
    get view() {
      return screen.view
    },
  }
}
