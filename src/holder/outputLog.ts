/**
 * Decides what of the output goes to disk, and when. It takes from the memory tail in batches and never makes the output
 * wait: what comes faster than the log could keep is skipped and said to be; a failing disk leaves the newest output in
 * memory until it works again.
 */
import { systemReason } from '../base/systemReason.ts'
import type { Size } from '../wire/holder.ts'
import type { LogRecord } from '../wire/log.ts'
import type { Marks } from './marks.ts'
import type { Found, Segments } from './segments.ts'
import type { Tail } from './tail.ts'
import { trip } from './trip.ts'

/**
 * Output waits this long for more, so that a redraw becomes one write. A killed holder costs at most this much; of a
 * flood, at most REWRITE_AFTER_MS.
 */
const FLUSH_AFTER_MS = 100
/** A power cut costs at most about this much output; syncing more often would wear the disk for nothing. */
const SYNC_AFTER_MS = 1_000
/** However fast a program prints, the log is overwritten at most once in this time. */
const REWRITE_AFTER_MS = 1_000
/** A full disk is seldom freed sooner. */
const RETRY_AFTER_MS = 3_000
/** Subscribers closer than this to the head never touch the disk. */
const TAIL_BYTES = 1 << 20
/** Below this there is too little garbage to be worth a pause of some milliseconds. */
const REST_AFTER_BYTES = 1 << 20
/** What is kept in memory while the disk fails. */
const DEGRADED_BYTES = 4 << 20

export type OutputLogOptions = {
  readonly tail: Tail
  readonly marks: Marks
  readonly segments: Segments
  /** How much of the run was logged before. */
  readonly from: number
  /** `degraded` has changed. */
  readonly changed: () => void
  /** The exit is on disk. */
  readonly exitKept: () => void
}

export class OutputLog {
  /** Why the log is in memory only, or null while the disk takes it. */
  degraded: string | null = null
  /** How far behind the head memory must reach, for followers. */
  reach = 0
  private readonly options: OutputLogOptions
  /** What is on disk, or has been skipped for good. */
  private logged: { seq: number; mark: number; size: Size }
  private flushTimer: NodeJS.Timeout | undefined
  private syncTimer: NodeJS.Timeout | undefined
  private flushing: Promise<void> | null = null
  /** Not before this time, in ms: what the last flush wrote must last for its share of REWRITE_AFTER_MS. */
  private notBefore = 0
  private exitIsKept = false
  /** The newest file is not where it belongs. */
  private isDisplaced = false
  /** The seq at which garbage was last collected. */
  private restedAt = 0

  constructor(options: OutputLogOptions) {
    this.options = options
    const { from, marks } = options
    this.logged = { seq: from, mark: marks.first, size: marks.sizeAt(from) }
    this.schedule(0)
  }

  /** The first seq that can be read, from disk or memory. */
  get oldest(): number {
    const { tail, marks, segments } = this.options
    return Math.max(marks.floor, Math.min(segments.oldest ?? tail.oldest, tail.oldest))
  }

  /** The first seq that can be read from disk (from memory, where the disk has nothing), and the one after the last. */
  get kept(): { readonly from: number; readonly to: number } {
    const { marks, segments } = this.options
    return { from: Math.max(marks.floor, segments.oldest ?? this.oldest), to: this.logged.seq }
  }

  /** Something was appended. */
  wake(): void {
    this.trim()
    if (this.degraded !== null || this.flushing !== null || this.flushTimer !== undefined) return
    this.schedule(this.options.tail.head === this.logged.seq ? 0 : Math.max(FLUSH_AFTER_MS, this.notBefore - performance.now()))
  }

  /** Everything so far goes to disk now; resolves whether or not the disk took it. */
  async keepNow(): Promise<void> {
    await this.flushing
    clearTimeout(this.flushTimer)
    await this.flush()
    await this.sync()
  }

  /** Puts the newest file back if it was deleted; resolves whether or not the disk took it. */
  async look(): Promise<void> {
    if (this.isDisplaced || (await this.options.segments.isInPlace())) return
    this.isDisplaced = true
    await this.flushing
    clearTimeout(this.flushTimer)
    await this.flush()
  }

  read(seq: number): Promise<Found> {
    return this.options.segments.read(seq)
  }

  async close(): Promise<void> {
    clearTimeout(this.flushTimer)
    clearTimeout(this.syncTimer)
    await this.flushing
    await this.options.segments.close()
  }

  private schedule(delay: number): void {
    this.flushTimer = setTimeout(() => void this.flush(), delay)
  }

  private flush(): Promise<void> {
    this.flushTimer = undefined
    this.flushing ??= this.writePending().finally(() => {
      this.flushing = null
      this.trim()
      if (this.degraded !== null) this.schedule(RETRY_AFTER_MS)
      else if (this.isBehind()) this.wake()
    })
    return this.flushing
  }

  private async writePending(): Promise<void> {
    const { tail, marks, segments } = this.options
    const until = { seq: tail.head, mark: marks.count }
    const startedAt = performance.now()
    try {
      if (this.degraded !== null) await segments.repair()
      if (this.isDisplaced) await segments.putBack()
      this.isDisplaced = false
      await segments.ensure(this.logged.seq, this.logged.size)
      let written = 0
      while (this.logged.seq < until.seq || this.logged.mark < until.mark) written += await this.writeNext(until.seq - segments.capacity)
      this.notBefore = startedAt + (written / segments.capacity) * REWRITE_AFTER_MS
      if (this.degraded !== null) await segments.sync()
      this.setDegraded(null)
      await this.afterWriting()
    } catch (error) {
      this.setDegraded(systemReason(error))
      // Without its directory the terminal is closed: no daemon will ask for the exit.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && this.hasEnded) this.options.exitKept()
    }
  }

  private get hasEnded(): boolean {
    const { marks } = this.options
    return marks.at(marks.count - 1)?.kind === 'exit'
  }

  private async afterWriting(): Promise<void> {
    const { segments, exitKept } = this.options
    if (!this.hasEnded || this.exitIsKept) {
      if (segments.isDirty) this.syncTimer ??= setTimeout(() => void this.sync(), SYNC_AFTER_MS)
      return
    }
    if (this.isBehind()) return
    await segments.sync()
    trip('holder:after-exit-record')
    this.exitIsKept = true
    exitKept()
  }

  private async writeNext(worthKeepingFrom: number): Promise<number> {
    const record = this.nextRecord(Math.max(worthKeepingFrom, this.options.tail.oldest))
    await this.options.segments.append(record, this.logged.size)
    this.logged = this.loggedAfter(record)
    return record.kind === 'output' ? record.bytes.length : 0
  }

  private nextRecord(keepFrom: number): LogRecord {
    const { tail, marks, segments } = this.options
    const { seq } = this.logged
    if (keepFrom > seq) return { kind: 'skip', seq: keepFrom, from: seq, size: marks.sizeAt(keepFrom) }
    const next = marks.at(this.logged.mark)
    if (next !== undefined && next.seq <= seq) return next
    const limit = Math.min(segments.recordBytes, (next?.seq ?? tail.head) - seq)
    return { kind: 'output', seq, bytes: tail.view(seq, limit) }
  }

  private loggedAfter(record: LogRecord): { seq: number; mark: number; size: Size } {
    const { seq, size } = this.logged
    const mark = Math.max(this.logged.mark, this.options.marks.first)
    switch (record.kind) {
      case 'output':
        return { seq: seq + record.bytes.length, mark, size }
      case 'resize':
        return { seq, mark: mark + 1, size: record.size }
      case 'exit':
        return { seq, mark: mark + 1, size }
      case 'skip':
        return { seq: record.seq, mark: this.options.marks.after(record.seq), size: record.size }
      case 'start':
        return this.logged
    }
  }

  /**
   * After a flood nothing would ever collect the garbage of a program that has gone quiet. The last sync comes after the
   * last flush, when memory has been let go of; in the middle of a flood there would soon be as much again.
   */
  private rest(): void {
    const { tail } = this.options
    if (this.isBehind() || tail.head - this.restedAt < REST_AFTER_BYTES) return
    this.restedAt = tail.head
    globalThis.gc?.()
  }

  private isBehind(): boolean {
    return this.logged.seq < this.options.tail.head || this.logged.mark < this.options.marks.count
  }

  /** Memory holds what is not on disk yet, as far as it is worth writing, and a little more for followers. */
  private trim(): void {
    const { tail, marks, segments } = this.options
    const least = Math.max(TAIL_BYTES, this.reach)
    const most = Math.max(least, this.degraded === null ? segments.capacity : DEGRADED_BYTES)
    tail.dropBefore(Math.max(tail.head - most, Math.min(this.logged.seq, tail.head - least)))
    marks.dropBefore(this.oldest)
  }

  private async sync(): Promise<void> {
    clearTimeout(this.syncTimer)
    this.syncTimer = undefined
    try {
      await this.options.segments.sync()
    } catch (error) {
      this.setDegraded(systemReason(error))
      if (this.flushing === null && this.flushTimer === undefined) this.schedule(RETRY_AFTER_MS)
    }
    this.rest()
  }

  private setDegraded(reason: string | null): void {
    if (this.degraded === reason) return
    this.degraded = reason
    this.options.changed()
  }
}
