/**
 * One run's screen, kept up to date from its holder (or rebuilt from the log on disk). Bytes are acknowledged only when
 * the parser has consumed them; queries in them are answered once, and never for bytes that were answered before.
 */

import type { ProgramStatus } from '../agents/programStatus.ts'
import { Allowance } from '../base/allowance.ts'
import { utf8Encode } from '../base/utf8.ts'
import { type HolderLink, linkHolder } from '../client/holderLink.ts'
import { joinBytes } from '../screen/safeCut.ts'
import { createScreen, type Screen } from '../screen/screen.ts'
import { snapshotAnsi } from '../screen/snapshot.ts'
import { decodeSnapshot } from '../screen/snapshotBytes.ts'
import type { FromHolder } from '../wire/holder.ts'
import type { LogRecord } from '../wire/log.ts'
import type { Size } from '../workspace/terminal.ts'
import { AFTER_GAP, restOfSomething } from './afterGap.ts'
import { byLines } from './byLines.ts'
import { ExactSnapshots } from './exactSnapshots.ts'
import { entryOf, logEntries, type OldEntry } from './oldEntries.ts'
import { endOf, type RunLog, readRunLog } from './runLog.ts'
import { SaidStatus } from './saidStatus.ts'
import type { PaintReply, SessionOrder, SnapshotReply } from './screenMessages.ts'
import { AckWindow } from './screens/ackWindow.ts'
import { type DroppedKind, REPLY_RATE } from './screens/eventRates.ts'
import { FloodMeter, FloodPace } from './screens/floodPace.ts'
import { SessionHistory, type Start } from './sessionHistory.ts'

const WINDOW_BYTES = 1 << 20 // ordinary output parses in about 20 ms: deep enough to keep the holder busy, shallow enough to stay fair
const BATCH_BYTES = 64 << 10
const FOLLOW_AGAIN_MS = 500
const STATUS_WITHIN_MS = 1_000 // a holder answers within a millisecond
const ENOUGH = 0.75
const LINK_WITHIN_MS = 15_000 // the daemon has a link of its own and knows that the holder lives; this thread may be busy
const PATIENCE_MS = 4 // a keystroke's echo reaches its user before the model is woken

type Entry = OldEntry | { readonly kind: 'exited' }

export type SessionEvents = {
  titled(title: string): void
  /** The program says that it is in this directory. */
  moved(cwd: string): void
  /** How the program says that it does. Of what it said before somebody followed it, only the last is told. */
  stated(status: ProgramStatus): void
  /** The program rang the bell: never for bytes of which an earlier daemon has heard it. */
  rang(): void
  /** It came faster than it is passed on: a later one stands for it, or, where the program asked, nothing. */
  dropped(kind: DroppedKind): void
  /** A snapshot was made, which would come back with these differences. */
  snapshotTaken(differs: readonly string[]): void
  trouble(why: string): void
  /** Sentences about what of the log on disk is lost; none when all of it could be read. */
  damaged(faults: readonly string[]): void
  changed(): void
  /** Everything that the program printed is on the screen. */
  ended(): void
  /** Whether somebody looks for a text: then `passing` is called before any line can leave the scrollback. */
  isLookedAt(): boolean
  passing(): void
}

/** Nobody is told anything. */
export const UNHEARD: SessionEvents = {
  titled: () => undefined,
  moved: () => undefined,
  stated: () => undefined,
  rang: () => undefined,
  dropped: () => undefined,
  snapshotTaken: () => undefined,
  trouble: () => undefined,
  damaged: () => undefined,
  changed: () => undefined,
  ended: () => undefined,
  isLookedAt: () => false,
  passing: () => undefined,
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
  private readonly answers = new Allowance(REPLY_RATE, () => performance.now())
  /** Whether there was a bell in the output that is being read. */
  private hasRung = false
  /** Whether there was a question in it that is not answered. */
  private hasUnanswered = false
  /** The seq of the byte to be fed next. */
  private fed = 0
  /** The holder counts from the run's start, the screen from its own: they differ by what a gap left out. */
  private offset = 0
  private window = new AckWindow(WINDOW_BYTES)
  private readonly flood = new FloodMeter(() => performance.now())
  /** Whether everything from before it was followed has been read. */
  private isCaughtUp = false
  /** Ends its rest; null while it does not rest. */
  private wakeUp: (() => void) | null = null
  /** Whether the next bytes come after some that are gone. */
  private isAfterGap = false
  /** Whether anything has changed since the last snapshot that was kept. */
  private dirty = true
  private readonly idle: (() => void)[] = []
  private readonly snapshots: ExactSnapshots
  /** The first seq of a log on disk. */
  private oldestOnDisk: number | null = null
  private readonly status: SaidStatus
  private readonly statusWaiters: ((oldest: number | null) => void)[] = []

  constructor(
    private readonly order: SessionOrder,
    private readonly events: SessionEvents,
    private readonly pace = new FloodPace(),
  ) {
    this.screen = createScreen({ ...order.size, scrollback: order.scrollback })
    this.history = new SessionHistory({ ...order, screen: this.screen, seq: () => this.fed, trouble: events.trouble })
    this.status = new SaidStatus((status) => events.stated(status))
    this.screen.onReply((reply) => {
      if (this.answers.take()) this.replies += reply
      else {
        this.hasUnanswered = true
        events.dropped('reply')
      }
    })
    this.screen.onEvent((event) => {
      if (event.kind === 'title') events.titled(event.title)
      if (event.kind === 'cwd') events.moved(event.cwd)
      if (event.kind === 'status' && this.status.said(event.data)) events.dropped('status')
      if (event.kind !== 'bell') return
      if (this.hasRung) events.dropped('bell')
      this.hasRung = true
    })
    this.snapshots = new ExactSnapshots({
      screen: this.screen,
      offset: () => this.offset,
      oldest: () => this.oldest(),
      taken: (differs) => events.snapshotTaken(differs),
      trouble: (why) => events.trouble(why),
    })
  }

  private kept(): Start | null {
    const { snapshot: kept } = this.order
    const snapshot = kept === null ? null : decodeSnapshot(kept.bytes)
    if (kept !== null && snapshot === null)
      this.events.trouble('its kept snapshot is damaged or of another version; the screen is rebuilt from the log')
    return kept === null || snapshot === null ? null : { seq: kept.seq, snapshot }
  }

  private async beginWith(start: Start | null, { isKept }: { readonly isKept: boolean }): Promise<void> {
    if (start === null) return
    await this.screen.restore(start.snapshot)
    if (this.screen.cwd !== '') this.events.moved(this.screen.cwd)
    if (this.screen.status !== '' && this.order.isRecalled !== true) this.status.said(this.screen.status)
    if (isKept && this.order.snapshot !== null) this.snapshots.restoredFrom(this.order.snapshot)
    this.fed = start.seq
    this.dirty = !isKept
    this.offset = this.fed - this.screen.seq
  }

  /** Resolves once everything that exists now is on the screen. */
  async start(): Promise<void> {
    const { source } = this.order
    const log = source.kind === 'disk' ? this.readDisk(source.directory) : null
    const end = log === null ? Number.POSITIVE_INFINITY : endOf(log.records)
    const kept = this.kept()
    const start = await this.history.startFrom(kept, end)
    await this.beginWith(start, { isKept: start === kept })
    const snapshot = () => (start === kept ? (this.kept()?.snapshot ?? null) : null)
    await this.history.trail.begin({ from: this.fed, end: Math.max(this.fed, end), snapshot })
    if (source.kind === 'disk') return log === null ? undefined : this.takeLog(log)
    await this.follow({ socketPath: source.socketPath, from: this.fed, keepFollowing: true })
    this.status.follow()
  }

  /** Reads everything there is, from the kept snapshot or from the first byte on, without following and without leaving anything. */
  async replay(): Promise<void> {
    const { source } = this.order
    await this.beginWith(this.kept(), { isKept: true })
    if (source.kind === 'disk') return this.takeLog(this.readDisk(source.directory))
    await this.follow({ socketPath: source.socketPath, from: this.fed === 0 ? 'oldest' : this.fed, keepFollowing: false })
  }

  private readDisk(directory: string): RunLog {
    const log = readRunLog({ directory, run: this.order.run })
    this.events.damaged(log.faults)
    if (log.torn !== null) this.events.trouble(`its log breaks off: ${log.torn}`)
    this.oldestOnDisk = log.records[0]?.seq ?? null
    return log
  }

  private async takeLog({ records, faults }: RunLog): Promise<void> {
    if (records.length === 0 && this.fed === 0 && faults[0] !== undefined) throw new Error(faults[0])
    this.enqueueLog(records)
    this.ended = true
    await this.settled()
  }

  /** How many bytes of the run are on the screen. */
  get seq(): number {
    return this.fed
  }

  private async follow(options: { socketPath: string; from: number | 'oldest'; keepFollowing: boolean }): Promise<void> {
    let caughtUp: () => void = () => undefined
    const current = new Promise<void>((resolve) => {
      caughtUp = resolve
    })
    const linking = await linkHolder({
      socketPath: options.socketPath,
      who: 'screen',
      withinMs: LINK_WITHIN_MS,
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
    this.window = new AckWindow(WINDOW_BYTES)
    linking.link.send({
      kind: 'subscribe',
      subscribe: { from: options.from, window: WINDOW_BYTES, follow: options.keepFollowing, patienceMs: PATIENCE_MS },
    })
    await current
    await this.settled()
    this.isCaughtUp = true
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
        if (message.from !== this.fed) this.beginAt(message.from)
        break
      case 'exited':
        return this.enqueue({ kind: 'exited' })
      case 'status':
        for (const tell of this.statusWaiters.splice(0)) tell(message.status.oldest)
        return
      case 'output':
      case 'resized':
      case 'gap':
      case 'caughtUp':
      case 'hello':
        break
    }
    const entry = entryOf(message)
    if (entry !== null) this.enqueue(entry)
  }

  /** The first seq that can still be read; null when nobody can say. */
  private oldest(): Promise<number | null> {
    const { link } = this
    if (link === null) return Promise.resolve(this.oldestOnDisk)
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), STATUS_WITHIN_MS)
      this.statusWaiters.push((oldest) => {
        clearTimeout(timer)
        resolve(oldest)
      })
      link.send({ kind: 'askStatus' })
    })
  }

  private enqueueLog(records: readonly LogRecord[]): void {
    this.answeredTo = Number.POSITIVE_INFINITY
    const first = records[0]
    if (this.fed === 0 && first !== undefined) this.beginAt(first.seq)
    for (const entry of logEntries(records, { from: this.fed, pieceBytes: BATCH_BYTES })) this.enqueue(entry)
  }

  private enqueue(entry: Entry): void {
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
        await this.readOutput(entry.seq, entry.bytes)
        this.status.pass()
        this.dirty = true
        this.events.changed()
        return
      case 'size':
        await this.resize(entry.size)
        return
      case 'gap':
        if (entry.seq > this.fed) await this.skipTo(entry.seq)
        await this.resize(entry.size)
        return
      case 'exited':
        this.ended = true
        this.events.changed()
        this.events.ended()
        return
    }
  }

  /** Acknowledged only when it is on the screen, and less of it when that is slow. */
  private async readOutput(seq: number, bytes: Uint8Array): Promise<void> {
    const from = performance.now()
    await this.takeOutput(seq, bytes)
    this.lastOutputAt = performance.now()
    if (this.flood.isFlood(this.screen.asides) && this.isCaughtUp) await this.rest(this.lastOutputAt - from)
    const due = this.window.consumed(bytes.length, performance.now() - from)
    if (due > 0) this.link?.send({ kind: 'ack', bytes: due })
  }

  /** Not longer than its program lives, nor than it is wanted. */
  private async rest(afterMs: number): Promise<void> {
    const now = performance.now()
    if (this.isOver()) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.pace.restAfter(afterMs, now))
      this.wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.wakeUp = null
  }

  private isOver(): boolean {
    return this.closed || this.queue.at(-1)?.kind === 'exited'
  }

  private async resize(size: Size): Promise<void> {
    const { cols, rows } = this.screen.size
    if (size.cols === cols && size.rows === rows) return
    await this.screen.resize(size)
    this.dirty = true
  }

  private async takeOutput(seq: number, bytes: Uint8Array): Promise<void> {
    if (seq > this.fed) await this.skipTo(seq)
    if (this.isAfterGap) {
      this.jumpTo(this.fed + restOfSomething(bytes.subarray(Math.max(0, this.fed - seq))))
      this.history.trail.passingGap(this.fed)
    }
    this.isAfterGap = false
    const fresh = bytes.subarray(Math.max(0, this.fed - seq))
    this.history.trail.passing(this.fed)
    const answered = Math.min(fresh.length, Math.max(0, this.answeredTo - this.fed))
    await this.feed(fresh.subarray(0, answered), { answering: false })
    await this.feed(fresh.subarray(answered), { answering: true })
    if (this.replies === '' && !this.hasRung && !this.hasUnanswered) return
    // Also without a word: the holder then knows that bell and question were heard, and no later daemon hears them again.
    this.link?.send({ kind: 'answer', seq: this.fed, bytes: utf8Encode(this.replies) })
    this.replies = ''
    if (this.hasRung) this.events.rang()
    this.hasRung = false
    this.hasUnanswered = false
  }

  private async feed(bytes: Uint8Array, { answering }: { answering: boolean }): Promise<void> {
    if (bytes.length === 0) return
    const before = (this.order.cutAt ?? 0) - this.fed
    if (before > 0 && before < bytes.length) {
      await this.feed(bytes.subarray(0, before), { answering })
      return this.feed(bytes.subarray(before), { answering })
    }
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
    this.history.trail.passingGap(this.fed)
    this.screen.setAnswering(false)
    await this.screen.feed(AFTER_GAP)
    this.beginAt(seq)
  }

  /** The next bytes are those at `seq`, and what came before them is not known. */
  private beginAt(seq: number): void {
    this.isAfterGap = seq > 0
    this.jumpTo(seq)
  }

  private jumpTo(seq: number): void {
    this.fed = seq
    this.offset = seq - this.screen.seq
  }

  /** Null when nothing has changed since the last one, unless it is wanted `always`: the last one may not have been kept. */
  async snapshot(options: { ended: boolean; always?: boolean }): Promise<SnapshotReply | null> {
    if (options.ended) await this.untilEnded()
    if (!this.dirty && options.always !== true) return null
    this.dirty = false
    const exact = await this.snapshots.toKeep()
    if (exact === null) this.dirty = true // the next one may be exact
    const kept = exact ?? (options.always === true ? this.snapshots.newest : null)
    return kept === null ? null : { run: this.order.run, ...kept }
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
    const { snapshot, seq } = await this.snapshots.toShow(rows, { logFollows: this.order.source.kind === 'holder' })
    // Nobody waits for the log because of a few lines: who scrolls that far asks for them.
    const count = rows < asked * ENOUGH ? asked - rows : 0
    const older = await this.history.older({ before: from, count, format: 'ansi', mayGuess: true })
    const isAtFirst = since === null && older.from <= older.first
    const past = older.lines.map((line) => `${line}\r\n`).join('')
    return {
      seq,
      size: { cols: snapshot.cols, rows: snapshot.rows },
      lines: { first: older.first, from: older.from },
      bytes: utf8Encode(past + snapshotAnsi(snapshot)),
      rest: isAtFirst ? Math.max(0, count - older.lines.length) : 0,
    }
  }

  close(): void {
    this.closed = true
    this.wakeUp?.()
    this.link?.close()
    void this.history.trail.close()
    this.screen.dispose()
  }
}
