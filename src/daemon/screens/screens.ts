/** The main thread's side of the screens: which worker has which run, and questions to them. */
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { ProgramStatus } from '../../agents/programStatus.ts'
import { Allowance } from '../../base/allowance.ts'
import type { RunId } from '../../base/ids.ts'
import type { LineFormat } from '../../screen/lines/numbered.ts'
import { builtFile } from '../../store/thread/builtFile.ts'
import type { Log } from '../base/log.ts'
import type { Dropped, DroppedKind } from './eventRates.ts'
import type {
  Ask,
  AtTheEnd,
  EarlierOrder,
  EarlierReply,
  FinishedReply,
  FromWorker,
  Gist,
  NewestReply,
  PageReply,
  PaintReply,
  PictureReply,
  Printed,
  ReadReply,
  Replies,
  SessionOrder,
  Since,
  SnapshotReply,
  ToldEvent,
  ToWorker,
  WaitedText,
} from './screenMessages.ts'

/** Beyond four, parsing is never what limits; on two cores one worker leaves the other to the programs. */
const WORKERS = Math.max(1, Math.min(availableParallelism() - 1, 4))

/**
 * Screens are few large things that stay. With the usual nursery of 48 MB they come to lie scattered over the heap: 7 MB for a
 * terminal with full scrollback, against 6 MB like this, in the same time.
 */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 12 }

/**
 * A heap may grow to four times what is alive before it is collected: eight floods of hyperlinks took 500 MB for 60 MB of screens,
 * and take 290 MB like this, in the same time. Node leaves such flags open; where one is not known it does nothing.
 */
setFlagsFromString('--heap-growing-percent=30')

/** What broke a worker may break the next one: each time within a while the wait is twice as long. */
const REOPEN_AFTER_MS = { first: 1_000, most: 60_000 }
const BREAKS_COUNT_FOR_MS = 10 * 60_000

/** A thread needs built JavaScript: run from src/ (by a test), the one in build/ is taken. */
const WORKER = builtFile('daemon/screens/screenWorker.js')

/** Events that a run drops between two reports: below, it is a spinner; from here on it is worth a line in the log. */
const MANY_DROPPED = 1_000
/** Lines in the log about them. */
const DROPPED_LINES = { burst: 10, perSecond: 1 / 60 }

type Pending = { resolve(value: unknown): void; reject(error: Error): void; readonly worker: number }

export type ScreenEvents = {
  titled(run: RunId, title: string): void
  /** The program reports another directory, which `cwdOf` returns. */
  moved(run: RunId): void
  /** The program reports its status. */
  stated(run: RunId, status: ProgramStatus): void
  rang(run: RunId): void
  damaged(run: RunId, faults: readonly string[]): void
  printed(runs: readonly Printed[]): void
  /** The worker of this number has died by itself, and another one begins. */
  broke(worker: number): void
  /** A worker died and came back empty: these runs must be opened again. */
  reopen(runs: readonly RunId[]): void
}

export class Screens {
  private readonly workers: Worker[] = []
  private readonly placed = new Map<RunId, number>()
  private readonly pending = new Map<number, Pending>()
  /** Workers whose end is wanted. */
  private readonly ending = new Set<number>()
  /** When workers died lately. */
  private breaks: readonly number[] = []
  private nextAsk = 1
  private nextWait = 1
  /** How many are under way. */
  waits = 0
  private closing = false
  private readonly inexact = new Set<RunId>()
  private readonly cwds = new Map<RunId, string>()
  private readonly statuses = new Map<RunId, { readonly status: ProgramStatus; readonly at: number }>()
  /** Since the daemon started. */
  readonly snapshots = { taken: 0, inexact: 0 }
  /** Events of programs that came faster than they are passed on, since the daemon started. */
  readonly dropped: Dropped = {}
  private readonly droppedLines = new Allowance(DROPPED_LINES, () => performance.now())
  private opened = 0

  /** Set by the daemon. The threads take a while to start, so they are started before there is one. */
  events: ScreenEvents = {
    titled: () => undefined,
    moved: () => undefined,
    stated: () => undefined,
    rang: () => undefined,
    damaged: () => undefined,
    printed: () => undefined,
    broke: () => undefined,
    reopen: () => undefined,
  }

  constructor(private readonly log: Log) {
    for (let index = 0; index < WORKERS; index++) this.workers.push(this.startWorker(index))
  }

  has(run: RunId): boolean {
    return this.placed.has(run)
  }

  /** How many are open, and how often one was opened since the daemon started. */
  get counts(): { readonly open: number; readonly opened: number } {
    return { open: this.placed.size, opened: this.opened }
  }

  async open(order: SessionOrder): Promise<void> {
    const index = this.placed.get(order.run) ?? this.leastLoaded()
    this.placed.set(order.run, index)
    this.opened += 1
    await this.ask(index, { kind: 'open', order })
  }

  async close(run: RunId): Promise<void> {
    const index = this.placed.get(run)
    this.placed.delete(run)
    this.inexact.delete(run)
    this.cwds.delete(run)
    this.statuses.delete(run)
    if (index === undefined) return
    await this.ask(index, { kind: 'close', run })
  }

  /** Of a run whose screen is not open: what its snapshot says. */
  gist(bytes: Uint8Array): Promise<Gist | null> {
    return this.ask<'gist'>(this.leastLoaded(), { kind: 'gist', bytes })
  }

  /** What its program reported last stays valid while its screen is not open. */
  recall(run: RunId, { cwd, status }: Gist): void {
    if (cwd !== '' && this.cwds.get(run) !== cwd) {
      this.cwds.set(run, cwd)
      this.events.moved(run)
    }
    if (status === null) return
    this.statuses.set(run, { status, at: Date.now() })
    this.events.stated(run, status)
  }

  /** Where the program of an open screen says that it is. */
  cwdOf(run: RunId): string | null {
    return this.cwds.get(run) ?? null
  }

  /** The status that the program of an open screen last reported, and when. */
  statusOf(run: RunId): { readonly status: ProgramStatus; readonly at: number } | null {
    return this.statuses.get(run) ?? null
  }

  /** Null when nothing changed since the last one, unless `always`. `ended` waits until the run's exit has been read. */
  snapshot(run: RunId, options: { ended: boolean; always?: boolean }): Promise<SnapshotReply | null> {
    const { ended, always = false } = options
    return this.ask<'snapshot'>(this.workerOf(run), { kind: 'snapshot', run, ended, always })
  }

  paint(run: RunId, options: { history: number; since?: number | undefined }): Promise<PaintReply> {
    const { history, since = null } = options
    return this.ask<'paint'>(this.workerOf(run), { kind: 'paint', run, history, since })
  }

  page(run: RunId, options: { before: number | null; count: number; format: LineFormat }): Promise<PageReply> {
    return this.ask<'page'>(this.workerOf(run), { kind: 'page', run, ...options })
  }

  read(run: RunId, options: { history: number | 'all'; format: LineFormat }): Promise<ReadReply> {
    return this.ask<'read'>(this.workerOf(run), { kind: 'read', run, ...options })
  }

  /** Lines of a run that has no open screen: one is made for them, and is gone afterwards. */
  earlier(order: EarlierOrder): Promise<EarlierReply> {
    return this.ask<'earlier'>(this.leastLoaded(), { kind: 'earlier', ...order })
  }

  /** What a kept snapshot shows; null when it cannot be decoded, or when the log of its run continues behind `end`. */
  picture(bytes: Uint8Array, format: LineFormat, end: AtTheEnd | null = null): Promise<PictureReply | null> {
    return this.ask<'picture'>(this.leastLoaded(), { kind: 'picture', bytes, format, end })
  }

  finished(run: RunId, options: { from: number; count: number; ended: boolean }): Promise<FinishedReply> {
    return this.ask<'finished'>(this.workerOf(run), { kind: 'finished', run, ...options })
  }

  newest(run: RunId, options: { from: number }): Promise<NewestReply> {
    return this.ask<'newest'>(this.workerOf(run), { kind: 'newest', run, ...options })
  }

  async dirtySnapshots(): Promise<SnapshotReply[]> {
    const all = await Promise.all(this.workers.map((_, index) => this.ask<'dirtySnapshots'>(index, { kind: 'dirtySnapshots' })))
    return all.flat()
  }

  /** `since`: where the wait began, if that was with an earlier daemon. */
  waitText(run: RunId, pattern: string, since: Since | null): { readonly found: Promise<WaitedText>; cancel(): void } {
    const wait = this.nextWait++
    const index = this.workerOf(run)
    const found = this.counted(this.ask<'waitText'>(index, { kind: 'waitText', run, pattern, wait, since }))
    return { found, cancel: () => this.cancel(index, wait) }
  }

  waitShown(run: RunId, seq: number): { readonly found: Promise<boolean>; cancel(): void } {
    const wait = this.nextWait++
    const index = this.workerOf(run)
    return { found: this.ask<'waitShown'>(index, { kind: 'waitShown', run, seq, wait }), cancel: () => this.cancel(index, wait) }
  }

  waitIdle(run: RunId, ms: number): { readonly found: Promise<boolean>; cancel(): void } {
    const wait = this.nextWait++
    const index = this.workerOf(run)
    return { found: this.counted(this.ask<'waitIdle'>(index, { kind: 'waitIdle', run, ms, wait })), cancel: () => this.cancel(index, wait) }
  }

  private counted<Value>(wait: Promise<Value>): Promise<Value> {
    this.waits += 1
    return wait.finally(() => {
      this.waits -= 1
    })
  }

  async stop(): Promise<void> {
    this.closing = true
    await Promise.all(this.workers.map((worker) => worker.terminate()))
  }

  /** How many workers there are; they are known by their numbers from 0 on. */
  get count(): number {
    return this.workers.length
  }

  /** Resolves when the worker has answered. */
  async ping(index: number): Promise<void> {
    await this.ask<'ping'>(index, { kind: 'ping' })
  }

  /** Ends a worker that does not answer; another one takes its place, and opens what it had open. */
  async end(index: number): Promise<void> {
    this.ending.add(index)
    await this.workers[index]?.terminate()
  }

  private cancel(index: number, wait: number): void {
    this.ask(index, { kind: 'cancelWait', wait }).catch(() => undefined) // the worker is gone, and the wait with it
  }

  private workerOf(run: RunId): number {
    const index = this.placed.get(run)
    if (index === undefined) throw new Error(`no screen for ${run}`)
    return index
  }

  private leastLoaded(): number {
    const load = this.workers.map(() => 0)
    for (const index of this.placed.values()) load[index] = (load[index] ?? 0) + 1
    return load.indexOf(Math.min(...load))
  }

  private ask<Kind extends Ask['kind']>(index: number, ask: Extract<Ask, { kind: Kind }>): Promise<Replies[Kind]> {
    const id = this.nextAsk++
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve: resolve as (value: unknown) => void, reject, worker: index })
      this.workers[index]?.postMessage({ kind: 'ask', id, ask } satisfies ToWorker)
    })
  }

  private startWorker(index: number): Worker {
    const worker = new Worker(WORKER, {
      name: `screens-${index}`,
      resourceLimits: THREAD_LIMITS,
    })
    worker.on('message', (message: FromWorker) => this.receive(message, worker))
    worker.on('error', (error) => this.log.error({ error: error.stack, worker: index }, 'a screen worker failed'))
    worker.on('exit', () => this.replace(index))
    return worker
  }

  private receive(message: FromWorker, worker: Worker): void {
    if (message.kind === 'told') {
      for (const event of message.events) this.told(message.run, event)
      worker.postMessage({ kind: 'heard', run: message.run } satisfies ToWorker)
    } else if (message.kind === 'printed') this.printed(message.runs)
    else if (message.kind === 'damaged') this.events.damaged(message.run, message.faults)
    else if (message.kind === 'snapshotTaken') this.countSnapshot(message.run, message.differs)
    else if (message.kind === 'trouble') this.log.warn({ run: message.run }, message.why)
    else {
      const pending = this.pending.get(message.id)
      this.pending.delete(message.id)
      if (message.kind === 'reply') pending?.resolve(message.value)
      else pending?.reject(new Error(message.why))
    }
  }

  private told(run: RunId, event: ToldEvent): void {
    switch (event.kind) {
      case 'title':
        return this.events.titled(run, event.title)
      case 'cwd':
        return this.moved(run, event.cwd)
      case 'status':
        return this.stated(run, event.status)
      case 'bell':
        return this.events.rang(run)
    }
  }

  private printed(runs: readonly Printed[]): void {
    for (const { run, dropped } of runs) if (dropped !== undefined) this.countDropped(run, dropped)
    this.events.printed(runs)
  }

  private countDropped(run: RunId, dropped: Dropped): void {
    let all = 0
    for (const [kind, count] of Object.entries(dropped) as [DroppedKind, number][]) {
      this.dropped[kind] = (this.dropped[kind] ?? 0) + count
      all += count
    }
    if (all >= MANY_DROPPED && this.droppedLines.take())
      this.log.info({ run, dropped }, 'a program causes events faster than they are passed on')
  }

  private moved(run: RunId, cwd: string): void {
    if (!this.placed.has(run) || this.cwds.get(run) === cwd) return
    this.cwds.set(run, cwd)
    this.events.moved(run)
  }

  private stated(run: RunId, status: ProgramStatus): void {
    if (!this.placed.has(run)) return
    this.statuses.set(run, { status, at: Date.now() })
    this.events.stated(run, status)
  }

  /** What is wrong with one is wrong with the next, so it is said once. */
  private countSnapshot(run: RunId, differs: readonly string[]): void {
    this.snapshots.taken += 1
    if (differs.length === 0) return
    this.snapshots.inexact += 1
    if (this.inexact.has(run)) return
    this.inexact.add(run)
    this.log.warn({ run, differs }, 'a snapshot would not come back exactly; an earlier one is used')
  }

  private replace(index: number): void {
    if (this.closing) return
    for (const [id, pending] of this.pending) {
      if (pending.worker !== index) continue
      this.pending.delete(id)
      pending.reject(new Error('the screen worker failed'))
    }
    this.workers[index] = this.startWorker(index)
    const lost = [...this.placed].filter(([, at]) => at === index).map(([run]) => run)
    for (const run of lost) this.placed.delete(run) // a client that asks for one meanwhile opens it at once
    const now = performance.now()
    this.breaks = [...this.breaks.filter((at) => now - at < BREAKS_COUNT_FOR_MS), now]
    const afterMs = Math.min(REOPEN_AFTER_MS.first * 2 ** (this.breaks.length - 1), REOPEN_AFTER_MS.most)
    if (!this.ending.delete(index)) this.events.broke(index)
    setTimeout(() => this.closing || this.events.reopen(lost), afterMs).unref()
  }
}
