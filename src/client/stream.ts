/**
 * The states, events and effects of a stream: one terminal followed through the daemon. channel.ts decides and acts.
 *
 * A stream has a *shown* line, whose bytes are drawn. At times it has a *deeper* line, too: the same bytes with more history above.
 * The deeper line takes the place of the shown one at the very byte that the drawing has reached. Each line knows the run and the
 * seq that it has received: after a lost link it continues at the next byte, and with a snapshot where that is not possible.
 */
import type { Refusal, Result } from '../base/refusal.ts'
import type { Outcome, Params } from '../wire/commands/commands.ts'
import type { ChannelNote, ToDaemon } from '../wire/daemon.ts'
import type { TerminalView } from '../wire/view.ts'
import type { ExitStatus, Size } from '../workspace/terminal/terminal.ts'

export type ChannelSnapshot = {
  readonly bytes: Uint8Array
  readonly seq: number
  readonly size: Size
  readonly terminal: TerminalView
  readonly live: boolean
  /** How far back it reaches, and how far back there is anything; null where nothing has run yet. */
  readonly lines: Outcome<'terminal.open'>['lines']
  /** How many lines above the screen were asked for. */
  readonly history: number | undefined
}

export type Piece = { readonly kind: 'output'; readonly bytes: Uint8Array } | { readonly kind: 'resized'; readonly size: Size }

/** Why a stream is held: the page is hidden, or the program prints more than can be drawn. */
export type Hold = 'hidden' | 'flood'

/** The stream resumes with a new snapshot that has so many lines above the screen. */
export type Afresh = { readonly history: number }

type Position = { readonly run: string; readonly seq: number }

export type Way =
  /** Not asked for: there is no link, or the stream is held. */
  | { readonly kind: 'down' }
  | { readonly kind: 'retrying'; readonly afterMs: number }
  | { readonly kind: 'asking'; readonly ask: number }
  /** `due` counts consumed bytes that are not acknowledged yet. */
  | { readonly kind: 'open'; readonly ask: number; readonly channel: number; readonly due: number }
  /** The program has ended, nothing runs, or the daemon refused: nothing follows. */
  | { readonly kind: 'over' }

export type Line = {
  readonly id: number
  readonly way: Way
  readonly history: number | undefined
  readonly run: string | null
  readonly seq: number
  /** Where the stream continued when the line was last opened; null: with a snapshot. */
  readonly continuedAt: number | null
  /** The next opening begins with a snapshot. */
  readonly isAfresh: boolean
  readonly failures: number
  /** Input that waits for the line to open. */
  readonly typed: readonly Uint8Array[]
}

type Deeper = { readonly line: Line; readonly snapshot: ChannelSnapshot | null; readonly pieces: readonly Piece[] }

/** What is to be shown. A refused subject is tried again once its condition is another one. */
export type Subject = { readonly run: string | null; readonly condition: string }

export type Stream = {
  readonly phase: 'idle' | 'opening' | 'live' | 'over' | 'closed'
  readonly holds: readonly Hold[]
  readonly isLinked: boolean
  /** Whether output is being printed now; before that it was printed earlier. */
  readonly isCaughtUp: boolean
  readonly subject: (Subject & { readonly isRefused: boolean }) | null
  readonly shown: Line | null
  readonly deeper: Deeper | null
  /** Counts the ids of lines and asks. */
  readonly ids: number
  /** How many bytes the daemon sends before it waits for an acknowledgement. */
  readonly window: number
}

export type Opened = Result<{ readonly result: Outcome<'terminal.open'>; readonly blob: Uint8Array }>

export type StreamEvent =
  | { readonly kind: 'show'; readonly subject: Subject; readonly history: number | undefined }
  | { readonly kind: 'linked' }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'answered'; readonly ask: number; readonly answer: Opened }
  | { readonly kind: 'output'; readonly channel: number; readonly seq: number; readonly bytes: Uint8Array }
  | { readonly kind: 'noted'; readonly channel: number; readonly note: ChannelNote }
  | { readonly kind: 'consumed'; readonly ask: number; readonly count: number }
  | { readonly kind: 'retry'; readonly line: number }
  | { readonly kind: 'typed'; readonly bytes: Uint8Array }
  | { readonly kind: 'hold'; readonly why: Hold }
  | { readonly kind: 'release'; readonly why: Hold; readonly afresh?: Afresh | undefined }
  | { readonly kind: 'deepen'; readonly history: number }
  /** There will be no link again. */
  | { readonly kind: 'ended'; readonly refusal: Refusal }
  | { readonly kind: 'close' }

export type Effect =
  | { readonly kind: 'ask'; readonly ask: number; readonly history: number | undefined; readonly from: Position | null }
  | { readonly kind: 'send'; readonly message: ToDaemon }
  | { readonly kind: 'route' | 'unroute'; readonly channel: number }
  | { readonly kind: 'begun' | 'notDeepened' | 'caughtUp' }
  | { readonly kind: 'snapshot'; readonly snapshot: ChannelSnapshot }
  /** `count` bytes of the window are free once these have been drawn. `ask` is null where they were acknowledged already. */
  | { readonly kind: 'output'; readonly bytes: Uint8Array; readonly isLive: boolean; readonly ask: number | null; readonly count: number }
  | { readonly kind: 'deepened'; readonly snapshot: ChannelSnapshot; readonly since: readonly Piece[] }
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'exited'; readonly status: ExitStatus }
  | { readonly kind: 'link'; readonly isUp: boolean; readonly why: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Who draws a stream. */
export type ChannelHandlers = {
  /** Another run is shown from now on. */
  onBegun?(): void
  /** Replaces everything shown so far. */
  onSnapshot(snapshot: ChannelSnapshot): void
  /** `consumed` is called when the bytes have been drawn or written; only then more are asked for. `isLive`: printed now, not replayed. */
  onOutput(bytes: Uint8Array, consumed: () => void, isLive: boolean): void
  /** In place of everything drawn so far: the snapshot, and `since`, which followed it until now. */
  onDeepened?(snapshot: ChannelSnapshot, since: readonly Piece[]): void
  /** No older lines will come. */
  onNotDeepened?(): void
  onResized(size: Size): void
  onExited(status: ExitStatus): void
  /** False while the screen may be stale; true once the stream continues. */
  onLink(connected: boolean, why: string): void
  /** The channel cannot be opened (again); nothing follows. */
  onRefused(refusal: Refusal): void
  onCaughtUp?(): void
}

/** A channel's way to the daemon. */
type ChannelLink = {
  ask(params: Params<'terminal.open'>, settle: (answer: Opened) => void): void
  send(message: ToDaemon): void
  route(number: number): void
  unroute(number: number): void
  over(): void
  isConnected(): boolean
}

export type ChannelOptions = {
  readonly terminal: string
  readonly window: number
  /** How many lines above the screen a snapshot shall have; left out, what the daemon thinks usual. */
  readonly history?: number | undefined
  readonly handlers: ChannelHandlers
  readonly link: ChannelLink
}

export type Which = 'shown' | 'deeper'

export const idleStream = (window: number): Stream => ({
  phase: 'idle',
  holds: [],
  isLinked: false,
  isCaughtUp: false,
  subject: null,
  shown: null,
  deeper: null,
  ids: 0,
  window,
})

export const DOWN: Way = { kind: 'down' }
export const OVER: Way = { kind: 'over' }

export const newLine = (id: number, history: number | undefined): Line => ({
  id,
  way: DOWN,
  history,
  run: null,
  seq: 0,
  continuedAt: null,
  isAfresh: false,
  failures: 0,
  typed: [],
})

export const lineOf = (stream: Stream, which: Which): Line | null => (which === 'shown' ? stream.shown : (stream.deeper?.line ?? null))

export function withLine(stream: Stream, which: Which, line: Line): Stream {
  if (which === 'shown') return { ...stream, shown: line }
  return stream.deeper === null ? stream : { ...stream, deeper: { ...stream.deeper, line } }
}

type Found = { readonly which: Which; readonly line: Line }

/** Which of the lines fits, if any. */
export function find({ shown, deeper }: Stream, fits: (line: Line) => boolean): Found | null {
  if (shown !== null && fits(shown)) return { which: 'shown', line: shown }
  return deeper !== null && fits(deeper.line) ? { which: 'deeper', line: deeper.line } : null
}

/** A size that comes exactly there belongs to what is before: the drawing has it, or will have it in a moment. */
export function splitAt(pieces: readonly Piece[], length: number): { readonly before: readonly Piece[]; readonly after: readonly Piece[] } {
  const before: Piece[] = []
  const after: Piece[] = []
  let left = length
  for (const piece of pieces) {
    if (piece.kind === 'resized') (after.length === 0 ? before : after).push(piece)
    else {
      if (left > 0) before.push({ kind: 'output', bytes: piece.bytes.subarray(0, left) })
      if (piece.bytes.length > left) after.push({ kind: 'output', bytes: piece.bytes.subarray(left) })
      left = Math.max(0, left - piece.bytes.length)
    }
  }
  return { before, after }
}
