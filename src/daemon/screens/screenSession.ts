/**
 * Screens: the models that are fed with the runs' output, in worker threads (`screenWorker.ts`), and everything that is read from them:
 * paints, pages, snapshots, waits. Bytes come in from holders (`holderFeed.ts`) or from logs on disk (`history/`). The main thread asks
 * through `screens.ts`; `runScreens.ts` opens a run's screen when it is needed. Start here: one run's screen.
 */
import { utf8Encode } from '../../base/utf8.ts'
import { createScreen, type Screen } from '../../screen/screen.ts'
import { snapshotAnsi } from '../../screen/snapshot/snapshot.ts'
import { decodeSnapshot } from '../../screen/snapshot/snapshotBytes.ts'
import { endOf, type RunLog, readRunLog } from '../history/runLog.ts'
import { logEntries } from '../history/source.ts'
import { ExactSnapshots } from './exactSnapshots.ts'
import { FloodPace } from './floodPace.ts'
import { HolderFeed } from './holderFeed.ts'
import { BATCH_BYTES, ScreenFeed } from './screenFeed.ts'
import type { PaintReply, SessionOrder, SnapshotReply } from './screenMessages.ts'
import type { SessionEvents } from './sessionEvents.ts'
import { SessionHistory, type Start } from './sessionHistory.ts'

const ENOUGH = 0.75
const ENDED_WITHIN_MS = 2_000 // a window's worth of bytes parses in a fraction of this

export class ScreenSession {
  readonly screen: Screen
  readonly history: SessionHistory
  private readonly feed: ScreenFeed
  private readonly holder: HolderFeed
  private readonly snapshots: ExactSnapshots
  /** The first seq of a log on disk. */
  private oldestOnDisk: number | null = null

  constructor(
    private readonly order: SessionOrder,
    private readonly events: SessionEvents,
    pace = new FloodPace(),
  ) {
    const { scrollback, cutAt } = order
    const screen = createScreen({ ...order.size, scrollback })
    this.screen = screen
    this.history = new SessionHistory({ ...order, screen, seq: () => this.feed.seq, trouble: events.trouble })
    this.feed = new ScreenFeed({
      ...{ screen, trail: this.history.trail, events, pace, scrollback, cutAt },
      consumed: (bytes, ms) => this.holder.consumed(bytes, ms),
      answer: (seq, bytes) => this.holder.answer(seq, bytes),
    })
    this.holder = new HolderFeed(this.feed, events.trouble)
    this.snapshots = new ExactSnapshots({
      screen,
      offset: () => this.feed.offset,
      oldest: () => (this.holder.isLinked ? this.holder.oldest() : Promise.resolve(this.oldestOnDisk)),
      taken: (differs) => events.snapshotTaken(differs),
      trouble: (why) => events.trouble(why),
    })
  }

  /** How many bytes of the run are on the screen. */
  get seq(): number {
    return this.feed.seq
  }

  get ended(): boolean {
    return this.feed.ended
  }

  get lastOutputAt(): number {
    return this.feed.lastOutputAt
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
    await this.history.trail.begin({ from: this.seq, end: Math.max(this.seq, end), snapshot })
    if (source.kind === 'disk') return log === null ? undefined : this.takeLog(log)
    await this.holder.follow({ socketPath: source.socketPath, from: this.seq, keepFollowing: true })
    this.feed.status.follow()
  }

  /** Reads everything from the kept snapshot, or from the first byte, up to now. It neither follows nor writes anything. */
  async replay(): Promise<void> {
    const { source } = this.order
    await this.beginWith(this.kept(), { isKept: true })
    if (source.kind === 'disk') return this.takeLog(this.readDisk(source.directory))
    await this.holder.follow({ socketPath: source.socketPath, from: this.seq === 0 ? 'oldest' : this.seq, keepFollowing: false })
  }

  /** Null when nothing has changed since the last one, unless it is wanted `always`: the last one may not have been kept. */
  async snapshot(options: { ended: boolean; always?: boolean }): Promise<SnapshotReply | null> {
    if (options.ended) await this.feed.untilEnded(ENDED_WITHIN_MS)
    if (!this.feed.isDirty && options.always !== true) return null
    this.feed.isDirty = false
    const exact = await this.snapshots.toKeep()
    if (exact === null) this.feed.isDirty = true // the next one may be exact
    const kept = exact ?? (options.always === true ? this.snapshots.newest : null)
    return kept === null ? null : { run: this.order.run, ...kept }
  }

  async paint({ history, since }: { readonly history: number; readonly since: number | null }): Promise<PaintReply> {
    const { lines } = this.screen
    const asked = since === null ? history : Math.min(history, Math.max(0, lines.rowOf(lines.top) - lines.rowOf(since)))
    const { rows, from } = lines.wholeRows(asked)
    const { snapshot, seq } = await this.snapshots.toShow(rows, { logFollows: this.order.source.kind === 'holder' })
    // The log is not read for a few lines: a client that scrolls that far asks for them.
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
    this.feed.close()
    this.holder.close()
    void this.history.trail.close()
    this.screen.dispose()
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
    const { screen, feed, order, events } = this
    await screen.restore(start.snapshot)
    if (screen.cwd !== '') events.moved(screen.cwd)
    if (screen.status !== '' && order.isRecalled !== true) feed.status.said(screen.status)
    if (isKept && order.snapshot !== null) this.snapshots.restoredFrom(order.snapshot)
    feed.isDirty = !isKept
    feed.jumpTo(start.seq)
  }

  private readDisk(directory: string): RunLog {
    const log = readRunLog({ directory, run: this.order.run })
    this.events.damaged(log.faults)
    if (log.torn !== null) this.events.trouble(`its log breaks off: ${log.torn}`)
    this.oldestOnDisk = log.records[0]?.seq ?? null
    return log
  }

  private async takeLog({ records, faults }: RunLog): Promise<void> {
    const { feed } = this
    const [first] = records
    if (first === undefined && feed.seq === 0 && faults[0] !== undefined) throw new Error(faults[0])
    feed.answeredTo = Number.POSITIVE_INFINITY
    if (feed.seq === 0 && first !== undefined) feed.beginAt(first.seq)
    for (const entry of logEntries(records, { from: feed.seq, pieceBytes: BATCH_BYTES })) feed.enqueue(entry)
    feed.end()
    await feed.settled()
  }
}
