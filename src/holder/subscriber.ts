/**
 * One reader of the run at its own position: from memory where it can, from the log's files where it must, with no gap
 * and no double between the two. At most `window` bytes are under way unacknowledged.
 */
import type { FromHolder, Subscribe } from '../wire/holder.ts'
import type { History } from './history.ts'

/** Large enough that a flood costs few frames, small enough that a keystroke's echo never waits behind a long one. */
export const FRAME_BYTES = 64 << 10
/** What a follower may be behind beyond its window before the program has to wait: one burst more costs no pause. */
const SLACK_BYTES = 256 << 10
/** As much as this is sent to the patient too: larger pieces would not be cheaper. */
const WORTH_SENDING_BYTES = 32 << 10
/** A follower that acknowledges nothing for this long is stopped or gone: the program runs on, and the follower catches up from the log. */
const STUCK_AFTER_MS = 1_000
/** A patient one is the daemon's screen, which may be slow because the machine is: a flood that ran free would make it slower still. */
const PATIENT_STUCK_AFTER_MS = 10_000

/** Memory must hold this much; a link is full with less. */
const WINDOW_LIMIT_BYTES = 8 << 20

export type SubscriberLink = {
  send(message: FromHolder): void
  /** False while the socket holds as much as it should; `pump` is called when it has drained. */
  isWritable(): boolean
}

export class Subscriber {
  /** Nothing more will be sent. */
  isDone = false
  private readonly history: History
  private readonly link: SubscriberLink
  private readonly follow: boolean
  private readonly window: number
  private readonly patienceMs: number
  private readonly target: number
  /** A reader of the history gets what is on disk, and only beyond it what is in memory: the same text as after the holder's death. */
  private readonly readsKept: boolean
  private seq: number
  private mark: number
  private isCaughtUp = false
  private unacked: number
  private progressAt = performance.now()
  /** How far behind it may be before it holds the program back; it starts where the subscriber starts and only shrinks. */
  private mayLag: number
  private fetched: { readonly seq: number; readonly bytes: Uint8Array } | null = null
  private isFetching = false
  /** A read of the log that is under way, or null. */
  reading: Promise<void> | null = null
  private waiting: NodeJS.Timeout | undefined

  /** `unacked` counts bytes of an earlier subscription on the same link, whose acknowledgements are still to come. */
  constructor(options: { history: History; link: SubscriberLink; request: Subscribe; unacked: number; answeredTo: number }) {
    const { history, link, request } = options
    this.history = history
    this.link = link
    this.follow = request.follow
    this.window = Math.min(request.window, WINDOW_LIMIT_BYTES)
    this.patienceMs = request.patienceMs ?? 0
    this.unacked = options.unacked
    this.target = history.head
    this.readsKept = request.from === 'oldest' && !request.follow
    const oldest = this.readsKept ? history.kept.from : history.oldest
    const from = request.from === 'oldest' ? oldest : request.from
    this.seq = from
    this.mark = history.marks.after(from)
    this.mayLag = this.tolerance
    link.send({ kind: 'subscribed', from, size: history.marks.sizeAt(from), answeredTo: options.answeredTo })
  }

  get underWay(): number {
    return this.unacked
  }

  private get lag(): number {
    return this.history.head - this.seq + this.unacked
  }

  /** A follower may be a window behind; a follower from further back must be gaining on the program. */
  private get tolerance(): number {
    return Math.max(this.window, this.lag) + SLACK_BYTES
  }

  /** How far back of the head memory must reach for this follower never to miss what the log has skipped. */
  get reach(): number {
    return this.follow && !this.isDone ? this.window + 2 * SLACK_BYTES : 0
  }

  /** Whether the program should wait for this subscriber. */
  holdsBack(now: number): boolean {
    if (!this.follow || this.isDone || this.isStuck(now)) return false
    this.mayLag = Math.min(this.mayLag, this.tolerance)
    return this.lag > this.mayLag
  }

  private isStuck(now: number): boolean {
    return now - this.progressAt > (this.patienceMs > 0 ? PATIENT_STUCK_AFTER_MS : STUCK_AFTER_MS)
  }

  acknowledge(bytes: number): void {
    if (this.isStuck(performance.now())) this.allowLag()
    this.progressAt = performance.now()
    this.unacked = Math.max(0, this.unacked - bytes)
    this.pump()
  }

  /** It had been let go; now that it moves again it may be as far behind as it is. */
  private allowLag(): void {
    this.mayLag = Math.max(this.mayLag, this.tolerance)
  }

  /** Another subscription takes its place, or the link is gone. */
  stop(): void {
    this.isDone = true
  }

  /** There is new output. A patient follower gets it with what comes within the next moments. */
  offer(): void {
    if (this.patienceMs === 0 || !this.isCaughtUp || this.history.head - this.seq >= WORTH_SENDING_BYTES) return this.pump()
    this.waiting ??= setTimeout(() => this.pump(), this.patienceMs)
  }

  /** Sends all that may be sent now. */
  pump(): void {
    clearTimeout(this.waiting)
    this.waiting = undefined
    while (!this.isFetching && !this.isDone && this.link.isWritable() && this.sendNext());
  }

  /** False where there is nothing to send, or no credit for it. */
  private sendNext(): boolean {
    const { history } = this
    if (this.seq < history.oldest) return this.skipTo(history.oldest)
    const mark = history.marks.at(this.mark)
    const isMarkDue = this.mark < history.marks.count && mark !== undefined && mark.seq <= this.seq
    if (isMarkDue && mark.kind === 'resize') return this.sendMark({ kind: 'resized', seq: mark.seq, size: mark.size })
    if (!this.isCaughtUp && this.seq >= this.target) return this.sendCaughtUp()
    if (isMarkDue && mark.kind === 'exit') {
      this.isDone = true
      return this.sendMark({ kind: 'exited', seq: mark.seq, status: mark.status })
    }
    return this.seq < history.head && this.sendOutput(mark === undefined ? history.head : mark.seq)
  }

  private sendMark(message: FromHolder): true {
    this.link.send(message)
    this.mark = Math.max(this.mark, this.history.marks.first) + 1
    return true
  }

  private sendCaughtUp(): true {
    this.link.send({ kind: 'caughtUp', seq: this.seq })
    this.isCaughtUp = true
    this.isDone = !this.follow && !(this.history.exit !== null && this.seq === this.history.head)
    return true
  }

  private sendOutput(until: number): boolean {
    const limit = Math.min(FRAME_BYTES, until - this.seq, this.window - this.unacked)
    if (limit <= 0) return false
    const bytes = this.bytesAt(limit)
    if (bytes === null) {
      this.reading = this.fetch()
      return false
    }
    if (this.unacked === 0) this.progressAt = performance.now()
    this.link.send({ kind: 'output', seq: this.seq, bytes })
    this.seq += bytes.length
    this.unacked += bytes.length
    return true
  }

  /** From here on it is read from memory. */
  private get memoryFrom(): number {
    const { tail, kept } = this.history
    return this.readsKept ? Math.max(tail.oldest, kept.to) : tail.oldest
  }

  private bytesAt(limit: number): Uint8Array | null {
    if (this.seq >= this.memoryFrom) {
      this.fetched = null
      return this.history.tail.view(this.seq, limit)
    }
    const { fetched } = this
    if (fetched === null || this.seq >= fetched.seq + fetched.bytes.length) return null
    return fetched.bytes.subarray(this.seq - fetched.seq, this.seq - fetched.seq + limit)
  }

  private async fetch(): Promise<void> {
    this.isFetching = true
    const { seq } = this
    const found = await this.history.log.read(seq)
    this.isFetching = false
    this.reading = null
    if (this.isDone) return
    this.fetched = 'bytes' in found ? { seq, bytes: found.bytes } : null
    // Memory is always contiguous to the head; what neither the files nor memory hold was never kept.
    if ('next' in found && seq < this.memoryFrom) this.skipTo(Math.min(found.next ?? Number.POSITIVE_INFINITY, this.memoryFrom))
    this.pump()
  }

  private skipTo(to: number): true {
    const size = this.history.marks.sizeAt(to)
    this.link.send({ kind: 'gap', from: this.seq, to, size })
    this.seq = to
    this.mark = this.history.marks.after(to)
    return true
  }
}
