/**
 * One run's screen, kept up to date from its holder (or rebuilt from the log on disk). Bytes are acknowledged only when
 * the parser has consumed them; queries in them are answered once, and never for bytes that were answered before.
 */

import { utf8Encode } from '../base/utf8.ts'
import { type HolderLink, linkHolder } from '../client/holderLink.ts'
import { createScreen, type Screen } from '../screen/screen.ts'
import { decodeSnapshot, encodeSnapshot, snapshotAnsi } from '../screen/snapshot.ts'
import type { FromHolder } from '../wire/holder.ts'
import type { LogRecord } from '../wire/log.ts'
import type { Size } from '../workspace/terminal.ts'
import { byLines } from './byLines.ts'
import { AFTER_GAP } from './replay.ts'
import { readRunLog } from './runLog.ts'
import type { PaintReply, SessionOrder, SnapshotReply } from './screenMessages.ts'
import { SessionHistory } from './sessionHistory.ts'

const WINDOW_BYTES = 1 << 20 // one window parses in about 20 ms: deep enough to keep the holder busy, shallow enough to stay fair
const ACK_STEP_BYTES = WINDOW_BYTES / 8
const BATCH_BYTES = 64 << 10
const FOLLOW_AGAIN_MS = 500
const ENOUGH = 0.75
const PATIENCE_MS = 4 // a keystroke's echo reaches its user before the model is woken

type Entry =
  | { readonly kind: 'output'; readonly seq: number; readonly bytes: Uint8Array }
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'gap'; readonly to: number; readonly size: Size }
  | { readonly kind: 'caughtUp' }
  | { readonly kind: 'exited' }

export type SessionEvents = {
  titled(title: string): void
  trouble(why: string): void
  changed(): void
  /** Whether somebody looks for a text: then `passing` is called before any line can leave the scrollback. */
  isLookedAt(): boolean
  passing(): void
}

export class ScreenSession {
  readonly screen: Screen
  readonly history: SessionHistory
  lastOutputAt = performance.now()
  ended = false
  private closed = false
  private readonly queue: Entry[] = []
  private working = false
  private link: HolderLink | null = null
  private answeredTo = 0
  private replies = ''
  /** The seq of the byte to be fed next. */
  private fed = 0
  /** The holder counts from the run's start, the screen from its own: they differ by what a gap left out. */
  private offset = 0
  private unacknowledged = 0
  /** Whether anything has changed since the last snapshot that was kept. */
  private dirty = true
  private readonly idle: (() => void)[] = []

  constructor(
    private readonly order: SessionOrder,
    private readonly events: SessionEvents,
  ) {
    this.screen = createScreen({ ...order.size, scrollback: order.scrollback })
    this.history = new SessionHistory({ ...order, screen: this.screen, seq: () => this.fed, trouble: events.trouble })
    this.screen.onReply((reply) => {
      this.replies += reply
    })
    this.screen.onEvent((event) => {
      if (event.kind === 'title') events.titled(event.title)
    })
  }

  private async restore(): Promise<void> {
    const kept = this.order.snapshot === null ? null : decodeSnapshot(this.order.snapshot.bytes)
    if (this.order.snapshot !== null && kept === null)
      this.events.trouble('its kept snapshot is damaged; the screen is rebuilt from the log')
    const start = await this.history.startFrom(kept === null ? null : { seq: this.order.snapshot?.seq ?? 0, snapshot: kept })
    if (start === null) return
    await this.screen.restore(start.snapshot)
    this.fed = start.seq
    this.dirty = start.snapshot !== kept
    this.offset = this.fed - this.screen.seq
  }

  /** Resolves once everything that exists now is on the screen. */
  async start(): Promise<void> {
    await this.restore()
    await this.history.trail.begin(this.fed)
    const { source } = this.order
    if (source.kind === 'holder') return this.follow({ socketPath: source.socketPath, from: this.fed, keepFollowing: true })
    const { records, faults } = readRunLog(source.directory)
    for (const fault of faults) this.events.trouble(fault)
    if (records.length === 0 && this.fed === 0 && faults[0] !== undefined) throw new Error(faults[0])
    this.enqueueLog(records)
    this.ended = true
    await this.settled()
  }

  private async follow(options: { socketPath: string; from: number | 'oldest'; keepFollowing: boolean }): Promise<void> {
    let caughtUp: () => void = () => undefined
    const current = new Promise<void>((resolve) => {
      caughtUp = resolve
    })
    const linking = await linkHolder({
      socketPath: options.socketPath,
      who: 'screen',
      handlers: {
        message: (message) => {
          this.receive(message, options.keepFollowing)
          if (message.kind === 'caughtUp') caughtUp()
        },
        closed: (why) => {
          caughtUp()
          if (options.keepFollowing) this.linkLost(why, options.socketPath)
        },
      },
    })
    if (linking.kind !== 'linked') throw new Error(linking.kind === 'unreachable' ? linking.why : `its holder speaks ${linking.speaks}`)
    if (this.closed) return linking.link.close()
    this.link = linking.link
    this.unacknowledged = 0
    linking.link.send({
      kind: 'subscribe',
      subscribe: { from: options.from, window: WINDOW_BYTES, follow: options.keepFollowing, patienceMs: PATIENCE_MS },
    })
    await current
    await this.settled()
  }

  /** Whether the holder lives is for the daemon to find out, who closes this session then; until that it is tried again. */
  private linkLost(why: string, socketPath: string): void {
    if (this.closed || this.ended) return
    const again = async (): Promise<void> => {
      await this.settled()
      if (this.closed || this.ended) return
      this.events.trouble(`the screen lost its holder (${why}) and goes on with it`)
      await this.follow({ socketPath, from: this.fed, keepFollowing: true })
    }
    const tryAgain = (): void => void setTimeout(() => void again().catch(tryAgain), FOLLOW_AGAIN_MS).unref()
    tryAgain()
  }

  private receive(message: FromHolder, answering: boolean): void {
    switch (message.kind) {
      case 'subscribed':
        this.answeredTo = answering ? message.answeredTo : Number.POSITIVE_INFINITY
        if (message.from !== this.fed) this.jumpTo(message.from)
        this.enqueue({ kind: 'resized', size: message.size })
        return
      case 'output':
        this.enqueue({ kind: 'output', seq: message.seq, bytes: message.bytes })
        return
      case 'resized':
        this.enqueue({ kind: 'resized', size: message.size })
        return
      case 'gap':
        this.enqueue({ kind: 'gap', to: message.to, size: message.size })
        return
      case 'caughtUp':
        this.enqueue({ kind: 'caughtUp' })
        return
      case 'exited':
        this.enqueue({ kind: 'exited' })
        return
      case 'hello':
      case 'status':
        return
    }
  }

  private enqueueLog(records: readonly LogRecord[]): void {
    this.answeredTo = Number.POSITIVE_INFINITY
    const first = records[0]
    if (this.fed === 0 && first !== undefined) this.jumpTo(first.seq)
    for (const record of records) {
      if (record.kind === 'output') this.enqueue({ kind: 'output', seq: record.seq, bytes: record.bytes })
      else if (record.kind === 'skip') this.enqueue({ kind: 'gap', to: record.seq, size: record.size })
      else if (record.kind === 'exit') this.enqueue({ kind: 'exited' })
      // A size from before the snapshot is history; the snapshot has its own.
      else if (record.seq >= this.fed) this.enqueue({ kind: 'resized', size: record.size })
    }
  }

  private enqueue(entry: Entry): void {
    const last = this.queue.at(-1)
    if (
      entry.kind === 'output' &&
      last?.kind === 'output' &&
      last.bytes.length + entry.bytes.length <= BATCH_BYTES &&
      this.queue.length > 1
    )
      this.queue[this.queue.length - 1] = { kind: 'output', seq: last.seq, bytes: joined(last.bytes, entry.bytes) }
    else this.queue.push(entry)
    if (!this.working) void this.work()
  }

  private async work(): Promise<void> {
    this.working = true
    for (let entry = this.queue.shift(); entry !== undefined; entry = this.queue.shift()) await this.take(entry)
    this.working = false
    for (const wake of this.idle.splice(0)) wake()
  }

  private settled(): Promise<void> {
    return this.working ? new Promise((resolve) => this.idle.push(resolve)) : Promise.resolve()
  }

  private async take(entry: Entry): Promise<void> {
    switch (entry.kind) {
      case 'output':
        await this.takeOutput(entry.seq, entry.bytes)
        this.acknowledge(entry.bytes.length)
        this.lastOutputAt = performance.now()
        this.dirty = true
        this.events.changed()
        return
      case 'resized':
        await this.resize(entry.size)
        return
      case 'gap':
        await this.skipTo(entry.to)
        await this.resize(entry.size)
        return
      case 'caughtUp':
        return
      case 'exited':
        this.ended = true
        this.events.changed()
        return
    }
  }

  private acknowledge(bytes: number): void {
    this.unacknowledged += bytes
    if (this.unacknowledged < ACK_STEP_BYTES) return
    this.link?.send({ kind: 'ack', bytes: this.unacknowledged })
    this.unacknowledged = 0
  }

  private async resize(size: Size): Promise<void> {
    const { cols, rows } = this.screen.size
    if (size.cols === cols && size.rows === rows) return
    await this.screen.resize(size)
    this.dirty = true
  }

  private async takeOutput(seq: number, bytes: Uint8Array): Promise<void> {
    if (seq > this.fed) await this.skipTo(seq)
    const fresh = bytes.subarray(Math.max(0, this.fed - seq))
    this.history.trail.passing(this.fed)
    const answered = Math.min(fresh.length, Math.max(0, this.answeredTo - this.fed))
    await this.feed(fresh.subarray(0, answered), { answering: false })
    await this.feed(fresh.subarray(answered), { answering: true })
    if (this.replies === '') return
    this.link?.send({ kind: 'answer', seq: this.fed, bytes: utf8Encode(this.replies) })
    this.replies = ''
  }

  private async feed(bytes: Uint8Array, { answering }: { answering: boolean }): Promise<void> {
    if (bytes.length === 0) return
    this.screen.setAnswering(answering)
    for (const piece of this.piecesOf(bytes)) {
      await this.screen.feed(piece)
      this.fed += piece.length
      this.events.passing()
    }
  }

  private piecesOf(bytes: Uint8Array): Iterable<Uint8Array> {
    return this.events.isLookedAt() ? byLines(bytes, { lines: this.order.scrollback, cols: this.screen.size.cols }) : [bytes]
  }

  private async skipTo(seq: number): Promise<void> {
    this.screen.setAnswering(false)
    await this.screen.feed(AFTER_GAP)
    this.jumpTo(seq)
  }

  private jumpTo(seq: number): void {
    this.fed = seq
    this.offset = seq - this.screen.seq
  }

  /** Null when nothing has changed since the last one. */
  async snapshot(options: { ended: boolean }): Promise<SnapshotReply | null> {
    if (options.ended) await this.untilEnded()
    if (!this.dirty) return null
    this.dirty = false
    const snapshot = this.screen.snapshot()
    return { run: this.order.run, seq: snapshot.seq + this.offset, bytes: encodeSnapshot(snapshot) }
  }

  private async untilEnded(): Promise<void> {
    const deadline = performance.now() + 2_000 // a window's worth of bytes parses in a fraction of this
    while (!this.ended && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10))
    await this.settled()
  }

  async paint({ history, since }: { readonly history: number; readonly since: number | null }): Promise<PaintReply> {
    const { lines } = this.screen
    const asked = since === null ? history : Math.min(history, Math.max(0, lines.rowOf(lines.top) - lines.rowOf(since)))
    const { rows, from } = lines.wholeRows(asked)
    const snapshot = this.screen.snapshot({ history: rows })
    const seq = snapshot.seq + this.offset
    // Nobody waits for the log because of a few lines: who scrolls that far asks for them.
    const count = rows < asked * ENOUGH ? asked - rows : 0
    const older = await this.history.older({ before: from, count, format: 'ansi' })
    const past = older.lines.map((line) => `${line}\r\n`).join('')
    return {
      seq,
      size: { cols: snapshot.cols, rows: snapshot.rows },
      lines: { first: older.first, from: older.from },
      bytes: utf8Encode(past + snapshotAnsi(snapshot)),
    }
  }

  close(): void {
    this.closed = true
    this.link?.close()
    void this.history.trail.close()
    this.screen.dispose()
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
