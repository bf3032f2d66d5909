/**
 * One terminal followed through the daemon: `step(stream, event)` decides, `Channel` carries the effects out in order.
 * stream.ts says what a stream is. Nothing else counts bytes, holds a stream or decides where it continues.
 */
import type { Refusal } from '../base/refusal.ts'
import { backoffMs } from './backoff.ts'
import {
  type Afresh,
  type ChannelOptions,
  type ChannelSnapshot,
  DOWN,
  type Effect,
  find,
  type Hold,
  idleStream,
  lineOf,
  newLine,
  OVER,
  type Piece,
  type Stream,
  type StreamEvent,
  type Subject,
  splitAt,
  type Way,
  type Which,
  withLine,
} from './stream.ts'

/** Acknowledging each frame would cost a message each; waiting for the whole window would stop the stream. */
const ACKS_PER_WINDOW = 4
/** Input waits while there is no link; more than this was not typed by hand. */
const WAITING_INPUT_LIMIT = 64 << 10

type Emit = (effect: Effect) => void

/** An event for a line that is no longer there. */
const NOWHERE = { which: 'shown', line: null } as const

export function step(stream: Stream, event: StreamEvent): { readonly stream: Stream; readonly effects: readonly Effect[] } {
  const effects: Effect[] = []
  const next = stream.phase === 'closed' && event.kind !== 'answered' ? stream : decide(stream, event, (effect) => effects.push(effect))
  return { stream: next, effects }
}

function decide(stream: Stream, event: StreamEvent, emit: Emit): Stream {
  switch (event.kind) {
    case 'show':
      return show(stream, event, emit)
    case 'linked':
      return openBoth({ ...stream, isLinked: true }, emit)
    case 'lost':
      return lost(stream, event.why, emit)
    case 'answered':
      return answered(stream, event, emit)
    case 'output':
      return received(stream, event, emit)
    case 'noted':
      return noted(stream, event, emit)
    case 'consumed':
      return consumed(stream, event, emit)
    case 'retry': {
      const found = find(stream, ({ id, way }) => id === event.line && way.kind === 'retrying')
      return found === null ? stream : open(stream, found.which, emit)
    }
    case 'typed':
      return typed(stream, event.bytes, emit)
    case 'hold':
      return stream.holds.includes(event.why) ? stream : releaseBoth({ ...stream, holds: [...stream.holds, event.why] }, emit)
    case 'release': {
      const holds = stream.holds.filter((why) => why !== event.why)
      const { afresh } = event
      const shown =
        afresh === undefined || stream.shown === null ? stream.shown : { ...stream.shown, isAfresh: true, history: afresh.history }
      return openBoth({ ...stream, holds, shown }, emit)
    }
    case 'deepen': {
      if (stream.shown === null) return stream
      const id = stream.ids + 1
      const deeper = { line: newLine(id, event.history), snapshot: null, pieces: [] }
      return open({ ...dropDeeper(stream, emit), deeper, ids: id }, 'deeper', emit)
    }
    case 'ended':
      return stream.shown === null || stream.shown.way.kind === 'over'
        ? giveUp(stream, emit)
        : refused(stream, 'shown', event.refusal, emit)
    case 'close':
      return { ...over(dropDeeper(stream, emit), 'shown', emit), phase: 'closed' }
  }
}

/** A program that ends or starts leaves the picture as it is, until there is another run to show. */
function show(stream: Stream, { subject, history }: Extract<StreamEvent, { kind: 'show' }>, emit: Emit): Stream {
  const known = stream.subject
  const isTriedAgain = known?.isRefused === true && known.condition !== subject.condition
  if (known !== null && !isTriedAgain && (subject.run === null || subject.run === known.run)) return stream
  const cleared = over(dropDeeper(stream, emit), 'shown', emit)
  const id = stream.ids + 1
  emit({ kind: 'begun' })
  const begun = { ...cleared, phase: 'opening' as const, subject: { ...subject, isRefused: false }, shown: newLine(id, history), ids: id }
  return open(begun, 'shown', emit)
}

const openBoth = (stream: Stream, emit: Emit): Stream => open(open(stream, 'shown', emit), 'deeper', emit)

function open(stream: Stream, which: Which, emit: Emit): Stream {
  const line = lineOf(stream, which)
  if (line === null || !stream.isLinked || stream.holds.length > 0) return stream
  if (line.way.kind !== 'down' && line.way.kind !== 'retrying') return stream
  const ask = stream.ids + 1
  const from = line.isAfresh || line.run === null ? null : { run: line.run, seq: line.seq }
  emit({ kind: 'ask', ask, history: line.history, from })
  return withLine({ ...stream, ids: ask }, which, { ...line, way: { kind: 'asking', ask } })
}

const releaseBoth = (stream: Stream, emit: Emit): Stream => release(release(stream, 'shown', DOWN, emit), 'deeper', DOWN, emit)

/** The line gives its channel back. */
function release(stream: Stream, which: Which, way: Way, emit: Emit): Stream {
  const line = lineOf(stream, which)
  if (line === null || line.way.kind === 'over') return stream
  if (line.way.kind === 'open') {
    const { channel } = line.way
    emit({ kind: 'unroute', channel })
    emit({ kind: 'send', message: { kind: 'close', channel } })
  }
  return withLine(stream, which, { ...line, way })
}

const over = (stream: Stream, which: Which, emit: Emit): Stream => release(stream, which, OVER, emit)

const dropDeeper = (stream: Stream, emit: Emit): Stream => ({ ...over(stream, 'deeper', emit), deeper: null })

function giveUp(stream: Stream, emit: Emit): Stream {
  if (stream.deeper === null) return stream
  const left = dropDeeper(stream, emit)
  emit({ kind: 'notDeepened' })
  return left
}

function refused(stream: Stream, which: Which, refusal: Refusal, emit: Emit): Stream {
  const left = giveUp(stream, emit)
  if (which === 'deeper') return left
  const ended = over(left, 'shown', emit)
  emit({ kind: 'refused', refusal })
  return { ...ended, phase: 'over', subject: ended.subject && { ...ended.subject, isRefused: true } }
}

/** Only the shown line says that the stream may be stale, and why; null: it is not. */
function link(stream: Stream, which: Which, why: string | null, emit: Emit): Stream {
  if (which === 'deeper') return stream
  emit({ kind: 'link', isUp: why === null, why: why ?? '' })
  return { ...stream, isCaughtUp: false }
}

function lost(stream: Stream, why: string, emit: Emit): Stream {
  const isOver = stream.shown === null || stream.shown.way.kind === 'over'
  const down = releaseBoth({ ...stream, isLinked: false }, (effect) => effect.kind === 'unroute' && emit(effect))
  return isOver ? down : link(down, 'shown', why, emit)
}

/** Asks again after a pause, for bytes from where the line is. */
function reopen(stream: Stream, which: Which, why: string, emit: Emit): Stream {
  const line = lineOf(stream, which)
  if (line === null) return stream
  const waiting = withLine(stream, which, { ...line, failures: line.failures + 1 })
  return link(release(waiting, which, { kind: 'retrying', afterMs: backoffMs(line.failures) }, emit), which, why, emit)
}

function answered(stream: Stream, { ask, answer }: Extract<StreamEvent, { kind: 'answered' }>, emit: Emit): Stream {
  const found = find(stream, ({ way }) => way.kind === 'asking' && way.ask === ask)
  if (found === null) {
    // The stream was held or closed meanwhile.
    if (answer.ok && answer.value.result.channel !== null)
      emit({ kind: 'send', message: { kind: 'close', channel: answer.value.result.channel } })
    return stream
  }
  const { which, line } = found
  if (!answer.ok) {
    const { code } = answer.refusal
    if (code === 'daemon-unreachable' || code === 'stopping') return withLine(stream, which, { ...line, way: DOWN })
    return refused(stream, which, answer.refusal, emit)
  }
  const { result, blob } = answer.value
  const { channel, run, seq, size, terminal, lines, continued } = result
  const way: Way = channel === null ? OVER : { kind: 'open', ask, channel, due: 0 }
  if (channel !== null) emit({ kind: 'route', channel })
  const received = { ...line, way, run, seq, continuedAt: continued ? seq : null, isAfresh: false, failures: 0, typed: [] }
  const opened = link(withLine(stream, which, received), which, null, emit)
  // What was typed for one program is not for the next one.
  const input = line.run === null || line.run === run ? line.typed : []
  const snapshot = { bytes: blob, seq, size, terminal, live: channel !== null, lines, history: line.history }
  const drawn = continued ? opened : takeSnapshot(opened, which, snapshot, emit)
  return input.reduce((next, bytes) => typed(next, bytes, emit), drawn)
}

function takeSnapshot(stream: Stream, which: Which, snapshot: ChannelSnapshot, emit: Emit): Stream {
  if (which === 'shown') {
    emit({ kind: 'snapshot', snapshot })
    return handOver({ ...stream, phase: snapshot.live ? 'live' : 'over' }, emit)
  }
  return handOver({ ...stream, deeper: stream.deeper && { ...stream.deeper, snapshot, pieces: [] } }, emit)
}

function received(stream: Stream, { channel, seq, bytes }: Extract<StreamEvent, { kind: 'output' }>, emit: Emit): Stream {
  const { which, line } = find(stream, ({ way }) => way.kind === 'open' && way.channel === channel) ?? NOWHERE
  if (line?.way.kind !== 'open') return stream
  // Overlap is possible where two sources of the same bytes meet; a hole is not, and is never papered over.
  if (seq > line.seq) return reopen(stream, which, `bytes ${line.seq} to ${seq} are missing`, emit)
  const fresh = bytes.subarray(line.seq - seq)
  const moved = withLine(stream, which, { ...line, seq: line.seq + fresh.length })
  const { ask } = line.way
  if (which === 'shown' && fresh.length > 0) {
    emit({ kind: 'output', bytes: fresh, isLive: stream.isCaughtUp, ask, count: bytes.length })
    return handOver(moved, emit)
  }
  const acknowledged = consumed(moved, { kind: 'consumed', ask, count: bytes.length }, emit)
  return fresh.length === 0 ? acknowledged : collect(acknowledged, { kind: 'output', bytes: fresh.slice() }, emit)
}

function collect(stream: Stream, piece: Piece, emit: Emit): Stream {
  return handOver({ ...stream, deeper: stream.deeper && { ...stream.deeper, pieces: [...stream.deeper.pieces, piece] } }, emit)
}

function noted(stream: Stream, { channel, note }: Extract<StreamEvent, { kind: 'noted' }>, emit: Emit): Stream {
  const { which, line } = find(stream, ({ way }) => way.kind === 'open' && way.channel === channel) ?? NOWHERE
  if (line === null) return stream
  switch (note.kind) {
    case 'resized':
      if (which === 'deeper') return collect(stream, { kind: 'resized', size: note.size }, emit)
      emit({ kind: 'resized', size: note.size })
      return stream
    case 'caughtUp':
      if (which === 'deeper') return stream
      emit({ kind: 'caughtUp' })
      return { ...stream, isCaughtUp: true }
    case 'exited':
      if (which === 'deeper') return over(stream, which, emit) // the shown line says it, too
      emit({ kind: 'exited', status: note.status })
      return { ...over(stream, which, emit), phase: 'over' }
    case 'broken': {
      emit({ kind: 'unroute', channel }) // the daemon has closed it
      // Where it broke at the byte at which it continued, a flood left a hole in the log: a retry would break there again.
      const run = line.continuedAt === line.seq ? null : line.run
      return reopen(withLine(stream, which, { ...line, run, way: DOWN }), which, note.why, emit)
    }
  }
}

/** The window of each opening begins anew: what an earlier one sent is not acknowledged. */
function consumed(stream: Stream, { ask, count }: Extract<StreamEvent, { kind: 'consumed' }>, emit: Emit): Stream {
  const { which, line } = find(stream, ({ way }) => way.kind === 'open' && way.ask === ask) ?? NOWHERE
  if (line?.way.kind !== 'open') return stream
  const due = line.way.due + count
  const isAcknowledged = due >= stream.window / ACKS_PER_WINDOW
  if (isAcknowledged) emit({ kind: 'send', message: { kind: 'ack', channel: line.way.channel, bytes: due } })
  return withLine(stream, which, { ...line, way: { ...line.way, due: isAcknowledged ? 0 : due } })
}

function typed(stream: Stream, bytes: Uint8Array, emit: Emit): Stream {
  const line = stream.shown
  if (line === null || line.way.kind === 'over') return stream
  if (line.way.kind === 'open') {
    emit({ kind: 'send', message: { kind: 'input', channel: line.way.channel, bytes } })
    return stream
  }
  const waiting = line.typed.reduce((sum, piece) => sum + piece.length, 0)
  return waiting + bytes.length > WAITING_INPUT_LIMIT
    ? stream
    : withLine(stream, 'shown', { ...line, typed: [...line.typed, bytes.slice()] })
}

/** Both lines are sent the same bytes: the one that is behind catches up. */
function handOver(stream: Stream, emit: Emit): Stream {
  const { shown, deeper, phase } = stream
  if (deeper === null || deeper.snapshot === null || shown === null || phase === 'opening') return stream
  const { line, snapshot, pieces } = deeper
  if (snapshot.live && (line.run !== shown.run || shown.seq < snapshot.seq || line.seq < shown.seq)) return stream
  const { before, after } = splitAt(pieces, (snapshot.live ? shown.seq : snapshot.seq) - snapshot.seq)
  const left = over(stream, 'shown', emit)
  emit({ kind: 'deepened', snapshot, since: before })
  for (const piece of after) {
    if (piece.kind === 'resized') emit(piece)
    else emit({ kind: 'output', bytes: piece.bytes, isLive: stream.isCaughtUp, ask: null, count: 0 })
  }
  return { ...left, shown: line, deeper: null, phase: snapshot.live ? 'live' : 'over' }
}

/** Carries out what `step` decides. Timers follow the state: a line that is retrying has one. */
export class Channel {
  private readonly options: ChannelOptions
  private stream: Stream
  private readonly timers = new Map<number, ReturnType<typeof setTimeout>>()
  /** Handlers may call back while effects are carried out: their events wait for the end of the step. */
  private readonly waiting: StreamEvent[] = []
  private isActing = false

  constructor(options: ChannelOptions) {
    this.options = options
    this.stream = { ...idleStream(options.window), isLinked: options.link.isConnected() }
  }

  get phase(): Stream['phase'] {
    return this.stream.phase
  }

  /** What has been received so far; null before the first answer and for a terminal without a run. */
  get position(): { readonly run: string; readonly seq: number } | null {
    const { run = null, seq = 0 } = this.stream.shown ?? {}
    return run === null ? null : { run, seq }
  }

  show = (subject: Subject): void => this.take({ kind: 'show', subject, history: this.options.history })
  input = (bytes: Uint8Array): void => this.take({ kind: 'typed', bytes })
  /** Nothing is sent until `resume`; the holder does not wait for this reader. */
  pause = (why: Hold = 'hidden'): void => this.take({ kind: 'hold', why })
  /** Continues at the next byte, or with a new snapshot. */
  resume = (afresh?: Afresh, why: Hold = 'hidden'): void => this.take({ kind: 'release', why, afresh })
  /** Asks for a drawing with so many lines of history; the last wish counts. */
  deepen = (history: number): void => this.take({ kind: 'deepen', history })

  close(): void {
    this.take({ kind: 'close' })
    this.options.link.over()
  }

  take(event: StreamEvent): void {
    this.waiting.push(event)
    if (this.isActing) return
    this.isActing = true
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      const { stream, effects } = step(this.stream, next)
      this.stream = stream
      this.keepTimers()
      for (const effect of effects) this.act(effect)
    }
    this.isActing = false
  }

  private act(effect: Effect): void {
    const { terminal, window, handlers, link } = this.options
    switch (effect.kind) {
      case 'ask': {
        const { ask, history, from } = effect
        const params = { terminal, window, ...(history === undefined ? {} : { history }), ...(from === null ? {} : { from }) }
        return link.ask(params, (answer) => this.take({ kind: 'answered', ask, answer }))
      }
      case 'send':
        return link.send(effect.message)
      case 'route':
        return link.route(effect.channel)
      case 'unroute':
        return link.unroute(effect.channel)
      case 'output': {
        let { ask } = effect
        const done = (): void => {
          if (ask !== null) this.take({ kind: 'consumed', ask, count: effect.count })
          ask = null // a second call counts for nothing
        }
        return handlers.onOutput(effect.bytes, done, effect.isLive)
      }
      case 'snapshot':
        return handlers.onSnapshot(effect.snapshot)
      case 'deepened':
        return handlers.onDeepened?.(effect.snapshot, effect.since)
      case 'notDeepened':
        return handlers.onNotDeepened?.()
      case 'begun':
        return handlers.onBegun?.()
      case 'caughtUp':
        return handlers.onCaughtUp?.()
      case 'resized':
        return handlers.onResized(effect.size)
      case 'exited':
        return handlers.onExited(effect.status)
      case 'link':
        return handlers.onLink(effect.isUp, effect.why)
      case 'refused':
        return handlers.onRefused(effect.refusal)
    }
  }

  private keepTimers(): void {
    const retrying = new Map<number, number>()
    for (const line of [this.stream.shown, this.stream.deeper?.line])
      if (line?.way.kind === 'retrying') retrying.set(line.id, line.way.afterMs)
    for (const [id, timer] of this.timers) {
      if (retrying.has(id)) continue
      clearTimeout(timer)
      this.timers.delete(id)
    }
    for (const [id, afterMs] of retrying)
      if (!this.timers.has(id))
        this.timers.set(
          id,
          setTimeout(() => this.take({ kind: 'retry', line: id }), afterMs),
        )
  }
}
