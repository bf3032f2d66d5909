/**
 * Feeds the entries of a run to its screen, one after the other: output, resizes, gaps and the exit. Queries in the output are answered
 * once, and never for bytes that were answered before. Bytes count as consumed only when the parser has read them.
 */
import { Allowance } from '../../base/allowance.ts'
import { utf8Encode } from '../../base/utf8.ts'
import { joinBytes } from '../../screen/engine/safeCut.ts'
import type { Screen } from '../../screen/screen.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import type { AnchorTrail } from '../history/anchorTrail.ts'
import { AFTER_GAP, restOfSomething } from '../history/replay.ts'
import type { OldEntry } from '../history/source.ts'
import { byLines } from './byLines.ts'
import { REPLY_RATE } from './eventRates.ts'
import { FloodMeter, type FloodPace } from './floodPace.ts'
import { SaidStatus } from './saidStatus.ts'
import type { SessionEvents } from './sessionEvents.ts'

export const BATCH_BYTES = 64 << 10

export type Entry = OldEntry | { readonly kind: 'exited' }

export type ScreenFeedOptions = {
  readonly screen: Screen
  readonly trail: AnchorTrail
  readonly events: SessionEvents
  readonly pace: FloodPace
  readonly scrollback: number
  /** Output before and after this seq is never fed in one piece. */
  readonly cutAt?: number | undefined
  /** Called when bytes are on the screen, with how long that took. */
  readonly consumed: (bytes: number, ms: number) => void
  /** Sends the screen's replies to queries in the output up to `seq`. */
  readonly answer: (seq: number, bytes: Uint8Array) => void
}

export class ScreenFeed {
  /** The seq of the byte to be fed next: this many bytes of the run are on the screen. */
  seq = 0
  /** By how much the run's seq is ahead of the screen's, which counts no gap. */
  offset = 0
  lastOutputAt = performance.now()
  ended = false
  /** Whether the screen has changed since the last snapshot that was kept. */
  isDirty = true
  /** Output before this seq has been answered. */
  answeredTo = 0
  /** Whether everything from before it was followed has been read. */
  isCaughtUp = false
  readonly status: SaidStatus
  private readonly screen: Screen
  private readonly queue: Entry[] = []
  private isWorking = false
  private isClosed = false
  private replies = ''
  private readonly replyRate = new Allowance(REPLY_RATE, () => performance.now())
  /** Whether the output that is being read has a bell. */
  private hasRung = false
  /** Whether the output that is being read has a query without an answer. */
  private hasUnanswered = false
  private readonly flood = new FloodMeter(() => performance.now())
  /** Ends its rest; null while it does not rest. */
  private wakeUp: (() => void) | null = null
  /** Whether the bytes before the next ones are gone. */
  private isAfterGap = false
  private readonly idle: (() => void)[] = []
  private readonly endWaiters: (() => void)[] = []

  constructor(private readonly options: ScreenFeedOptions) {
    const { screen, events } = options
    this.screen = screen
    this.status = new SaidStatus((status) => events.stated(status))
    screen.onReply((reply) => {
      if (this.replyRate.take()) this.replies += reply
      else {
        this.hasUnanswered = true
        events.dropped('reply')
      }
    })
    screen.onEvent((event) => {
      if (event.kind === 'title') events.titled(event.title)
      if (event.kind === 'cwd') events.moved(event.cwd)
      if (event.kind === 'status' && this.status.said(event.data)) events.dropped('status')
      if (event.kind !== 'bell') return
      if (this.hasRung) events.dropped('bell')
      this.hasRung = true
    })
  }

  enqueue(entry: Entry): void {
    const last = this.queue.at(-1)
    if (
      entry.kind === 'output' &&
      last?.kind === 'output' &&
      last.bytes.length + entry.bytes.length <= BATCH_BYTES &&
      this.queue.length > 1
    )
      this.queue[this.queue.length - 1] = { kind: 'output', seq: last.seq, bytes: joinBytes(last.bytes, entry.bytes) }
    else this.queue.push(entry)
    if (entry.kind === 'exited') this.wakeUp?.()
    if (!this.isWorking) void this.work()
  }

  /** Resolves when everything that was enqueued is on the screen. */
  settled(): Promise<void> {
    return this.isWorking ? new Promise((resolve) => this.idle.push(resolve)) : Promise.resolve()
  }

  /** The next bytes are those at `seq`; the bytes before them are not known. */
  beginAt(seq: number): void {
    this.isAfterGap = seq > 0
    this.jumpTo(seq)
  }

  /** The screen shows the run at `seq`. */
  jumpTo(seq: number): void {
    this.seq = seq
    this.offset = seq - this.screen.seq
  }

  /** The run has ended: everything that it printed is on the screen or in the queue. */
  end(): void {
    this.ended = true
    for (const tell of this.endWaiters.splice(0)) tell()
  }

  /** Resolves when the exit has been read, and after `withinMs` at the latest. */
  async untilEnded(withinMs: number): Promise<void> {
    if (!this.ended)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs)
        this.endWaiters.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    await this.settled()
  }

  close(): void {
    this.isClosed = true
    this.wakeUp?.()
  }

  private async work(): Promise<void> {
    this.isWorking = true
    for (let entry = this.queue.shift(); entry !== undefined; entry = this.queue.shift()) await this.take(entry)
    this.isWorking = false
    for (const wake of this.idle.splice(0)) wake()
  }

  private async take(entry: Entry): Promise<void> {
    const { events } = this.options
    switch (entry.kind) {
      case 'output':
        for (let at = 0, piece = entry.bytes; at < entry.bytes.length; at += piece.length) {
          piece = entry.bytes.subarray(at, at + this.flood.atOnce)
          await this.readOutput(entry.seq + at, piece)
        }
        this.status.pass()
        this.isDirty = true
        events.changed()
        return
      case 'size':
        await this.resize(entry.size)
        return
      case 'gap':
        if (entry.seq > this.seq) await this.skipTo(entry.seq)
        await this.resize(entry.size)
        return
      case 'exited':
        this.end()
        events.changed()
        events.ended()
        return
    }
  }

  private async readOutput(seq: number, bytes: Uint8Array): Promise<void> {
    const from = performance.now()
    await this.takeOutput(seq, bytes)
    this.lastOutputAt = performance.now()
    if (this.flood.isFlood(this.screen.asides) && this.isCaughtUp) await this.rest(this.lastOutputAt - from)
    this.options.consumed(bytes.length, performance.now() - from)
  }

  /** Ends early when the program has ended or the session closes. */
  private async rest(afterMs: number): Promise<void> {
    const now = performance.now()
    if (this.isClosed || this.queue.at(-1)?.kind === 'exited') return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.options.pace.restAfter(afterMs, now))
      this.wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.wakeUp = null
  }

  private async resize(size: Size): Promise<void> {
    const { cols, rows } = this.screen.size
    if (size.cols === cols && size.rows === rows) return
    await this.screen.resize(size)
    this.isDirty = true
  }

  private async takeOutput(seq: number, bytes: Uint8Array): Promise<void> {
    const { trail, events } = this.options
    if (seq > this.seq) await this.skipTo(seq)
    if (this.isAfterGap) {
      this.jumpTo(this.seq + restOfSomething(bytes.subarray(Math.max(0, this.seq - seq))))
      trail.passingGap(this.seq)
    }
    this.isAfterGap = false
    const fresh = bytes.subarray(Math.max(0, this.seq - seq))
    trail.passing(this.seq)
    const answered = Math.min(fresh.length, Math.max(0, this.answeredTo - this.seq))
    await this.feed(fresh.subarray(0, answered), { answering: false })
    await this.feed(fresh.subarray(answered), { answering: true })
    if (this.replies === '' && !this.hasRung && !this.hasUnanswered) return
    // Sent also without a reply: the holder then knows that bell and query were heard, and no later daemon hears them again.
    this.options.answer(this.seq, utf8Encode(this.replies))
    this.replies = ''
    if (this.hasRung) events.rang()
    this.hasRung = false
    this.hasUnanswered = false
  }

  private async feed(bytes: Uint8Array, { answering }: { answering: boolean }): Promise<void> {
    if (bytes.length === 0) return
    const before = (this.options.cutAt ?? 0) - this.seq
    if (before > 0 && before < bytes.length) {
      await this.feed(bytes.subarray(0, before), { answering })
      return this.feed(bytes.subarray(before), { answering })
    }
    this.screen.setAnswering(answering)
    for (const piece of this.piecesOf(bytes)) {
      await this.screen.feed(piece)
      this.seq += piece.length
      this.options.events.passing()
    }
  }

  private piecesOf(bytes: Uint8Array): Iterable<Uint8Array> {
    const { events, scrollback: lines } = this.options
    return events.isLookedAt() ? byLines(bytes, { lines, cols: this.screen.size.cols }) : [bytes]
  }

  private async skipTo(seq: number): Promise<void> {
    this.options.trail.passingGap(this.seq)
    this.screen.setAnswering(false)
    await this.screen.feed(AFTER_GAP)
    this.beginAt(seq)
  }
}
