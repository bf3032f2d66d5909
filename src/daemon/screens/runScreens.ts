/**
 * Which runs have a screen in memory. A live run gets one when it is needed, a run that ended only while a client looks at it. Screens
 * that changed are kept in the store, and opened again from there.
 */
import type { CheckpointId, RunId, TerminalId } from '../../base/ids.ts'
import type { LineFormat } from '../../screen/lines/numbered.ts'
import type { KeptSnapshot, Store } from '../../store/store.ts'
import type { Config } from '../../wire/config/config.ts'
import { type Paths, runDirectory } from '../../wire/paths.ts'
import { shownRun } from '../../workspace/checkpoint/checkpoint.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Log } from '../base/log.ts'
import { hold } from '../base/trip.ts'
import { readRunEnd } from '../history/runLog.ts'
import { DeferredScreens } from './deferredScreens.ts'
import { Openings } from './openings.ts'
import type { PictureReply, SessionOrder } from './screenMessages.ts'
import type { Screens } from './screens.ts'

/** An asleep terminal costs memory only while a client looks at it. */
const LET_GO_AFTER_MS = 30_000
/** While memory is short: long enough to be painted from. */
const LET_GO_SOON_MS = 2_000
/** What a screen that is opened while memory is short keeps above it; the rest is read from the log. */
const SPARE_LINES = 300
/** Any line of the history is at most this much output away from an anchor: it is read in some twenty milliseconds. */
const LONGEST_REPLAY_BYTES = 1 << 20

export type RunScreensWorld = {
  readonly screens: Screens
  readonly registry: {
    get(id: TerminalId): Terminal | null
    byRun(run: RunId): Terminal | null
    endingWith(run: RunId): Terminal | null
  }
  readonly holders: {
    ensure(run: RunId): Promise<unknown>
    card(run: RunId): { readonly socketPath: string } | null
    status(run: RunId): { readonly seq: number } | null
    awaitOutput(run: RunId, from: number): boolean
  }
  /** Resolve when the start or the end of the terminal's program is dealt with, or after a while. */
  readonly whenStarted: (id: TerminalId) => Promise<unknown>
  readonly whenEnded: (id: TerminalId) => Promise<unknown>
  readonly store: Pick<Store, 'checkpointScreen' | 'keepSnapshot' | 'keepTerminal' | 'snapshot'>
  readonly focus: { keep(): Promise<void> }
  readonly paths: Paths
  readonly config: () => Config
  readonly log: Log
  /** Called when a screen was kept. */
  readonly contentChanged: () => void
}

export class RunScreens {
  /** Where an older picture of a run is, should its newest one be gone. */
  readonly older = new Map<RunId, { readonly checkpoint: CheckpointId; readonly terminal: TerminalId }>()
  readonly deferred: DeferredScreens
  /** A sentence while screens cannot be kept. */
  trouble: string | null = null
  private readonly openings: Openings
  /** Screens of asleep terminals that were looked at, and when to let go of them. */
  private readonly shown = new Map<RunId, NodeJS.Timeout>()
  /** What of the logs that were read is lost, in sentences. */
  private readonly damage = new Map<RunId, readonly string[]>()
  private isSparing = false

  constructor(private readonly world: RunScreensWorld) {
    const { screens, registry, holders } = world
    this.openings = new Openings({ isOpen: (run) => screens.has(run), open: (run, terminal) => this.openNow(run, terminal) })
    this.deferred = new DeferredScreens({
      byRun: (run) => registry.byRun(run),
      isOpen: (run) => screens.has(run),
      printed: (run) => holders.status(run)?.seq ?? null,
      kept: (run) => this.keptScreen(run),
      gist: (bytes) => screens.gist(bytes),
      text: async (bytes) => (await screens.picture(bytes, 'text'))?.content ?? '',
      awaitOutput: (run, from) => holders.awaitOutput(run, from),
      recall: (run, gist) => screens.recall(run, gist),
      openBehind: (run) => this.openings.behind(run, () => registry.byRun(run)),
      failed: (run, error) => this.failed(run, error),
    })
  }

  /** Follows a run with a screen, from the kept snapshot on; anew where it has one. */
  async open(run: RunId): Promise<void> {
    const terminal = this.world.registry.byRun(run)
    if (terminal !== null) await this.openings.renew(run, terminal).catch((error: Error) => this.failed(run, error))
  }

  /** Opens the run's screen unless it is open already. */
  async ensure(terminal: Terminal, run: RunId): Promise<void> {
    await this.openings.ensure(run, terminal)
  }

  /**
   * Makes sure that there is a screen to look at, also for a terminal that sleeps; null when it never ran. One that starts is
   * waited for: before that there is nothing of its run.
   */
  async showable(asked: Terminal): Promise<RunId | null> {
    const { registry, whenStarted, whenEnded } = this.world
    if (asked.state === 'waking') await whenStarted(asked.id)
    const terminal = asked.state === 'waking' ? (registry.get(asked.id) ?? asked) : asked
    const run = shownRun(terminal)
    if (run === null) return null
    // The end of a run closes its live screen; what is shown after that is read from disk.
    if (terminal.state === 'asleep') await whenEnded(terminal.id)
    if (terminal.state === 'asleep') {
      clearTimeout(this.shown.get(run))
      this.shown.set(run, setTimeout(() => this.letGo(run), this.isSparing ? LET_GO_SOON_MS : LET_GO_AFTER_MS).unref())
    }
    await this.ensure(terminal, run)
    return run
  }

  /**
   * The last screen of a terminal that sleeps, without opening it: many can be had in the time that one takes to open. Of one that
   * was put to sleep it is what stood there before its program tidied up; of others only what was kept at the very end.
   */
  async stillPicture(terminal: Terminal, format: LineFormat): Promise<(PictureReply & { readonly faults: string[] }) | null> {
    if (terminal.state !== 'asleep' || terminal.lastRun === null) return null
    const { screens, store, paths } = this.world
    await this.world.whenEnded(terminal.id)
    const run = terminal.lastRun
    const place = { directory: runDirectory(paths, run), run }
    // A wake that failed shows what was there before: of a run that was ended in good order, what was kept of it.
    const isKeptAsIs = keepsItsPicture(terminal) || (terminal.because.kind === 'failed' && readRunEnd(place) !== null)
    const kept = screens.has(run) && !isKeptAsIs ? null : await store.snapshot(run)
    if (kept === null) return null
    const picture = await screens.picture(kept.bytes, format, isKeptAsIs ? null : { ...place, seq: kept.seq })
    return picture === null ? null : { ...picture, faults: [...this.damageOf(run)] }
  }

  /** For work in the background: a screen that had to be opened for it is let go right after, unless a client looks at it by then. */
  async borrow<Value>(terminal: Terminal, run: RunId, work: () => Promise<Value>): Promise<Value> {
    const wasOpen = this.world.screens.has(run)
    await this.ensure(terminal, run)
    try {
      return await work()
    } finally {
      if (!wasOpen && !this.shown.has(run)) this.letGo(run)
    }
  }

  /** No client loses what it looks at: screens of asleep terminals are let go, and screens opened from now on are smaller. */
  spareMemory(isSparing: boolean): void {
    if (isSparing && !this.isSparing)
      for (const [run, timer] of [...this.shown]) {
        clearTimeout(timer)
        this.letGo(run)
      }
    this.isSparing = isSparing
  }

  private letGo(run: RunId): void {
    this.shown.delete(run)
    if (this.world.registry.byRun(run) === null) this.world.screens.close(run).catch(() => undefined)
  }

  async sessionOrder(terminal: Terminal, run: RunId): Promise<SessionOrder> {
    const { holders, paths } = this.world
    const { logBytes, scrollbackLines } = this.world.config()
    await holders.ensure(run)
    const card = holders.card(run)
    const snapshot = await this.keptScreen(run)
    const directory = runDirectory(paths, run)
    return {
      run,
      source: card === null ? { kind: 'disk', directory } : { kind: 'holder', socketPath: card.socketPath },
      directory,
      anchorEvery: terminal.private ? Number.POSITIVE_INFINITY : Math.min(LONGEST_REPLAY_BYTES, Math.ceil(logBytes / 16)),
      size: terminal.spec.size,
      scrollback: this.isSparing ? Math.min(scrollbackLines, SPARE_LINES) : scrollbackLines,
      snapshot: snapshot === null ? null : { seq: snapshot.seq, bytes: snapshot.bytes },
      isRecalled: this.deferred.has(run),
    }
  }

  /** Keeps the screens that changed since the last time; nothing is written for those that did not. */
  async keepAll(): Promise<void> {
    try {
      const snapshots = await this.world.screens.dirtySnapshots()
      await Promise.all([...snapshots.map((snapshot) => this.keep(snapshot)), this.world.focus.keep()])
      this.trouble = null
    } catch (error) {
      this.trouble = `cannot save screens: ${(error as Error).message}`
      this.world.log.error({ error: (error as Error).message }, 'screens could not be kept')
    }
  }

  /** What of the run's log was found to be lost. */
  damaged(run: RunId, faults: readonly string[]): void {
    for (const fault of faults) this.world.log.warn({ run }, fault)
    if (faults.length > 0) this.damage.set(run, faults)
    else this.damage.delete(run)
  }

  /** Sentences about what of the run's log was found to be lost. */
  damageOf(run: RunId): readonly string[] {
    return this.damage.get(run) ?? []
  }

  private async openNow(run: RunId, terminal: Terminal): Promise<void> {
    await hold('screen:opening')
    const order = await this.sessionOrder(terminal, run)
    this.deferred.forget(run)
    await this.world.screens.open(order)
  }

  private failed(run: RunId, error: Error): void {
    this.world.log.warn({ run, error: error.message }, 'a screen could not be opened')
  }

  private async keptScreen(run: RunId): Promise<KeptSnapshot | null> {
    const kept = await this.world.store.snapshot(run)
    const older = this.older.get(run)
    return kept ?? (older === undefined ? null : await this.world.store.checkpointScreen(older.checkpoint, older.terminal))
  }

  private async keep({ run, seq, bytes }: { run: RunId; seq: number; bytes: Uint8Array }): Promise<void> {
    const { registry, store } = this.world
    // A screen is handed over for keeping once: the end of its program must not find that it was thrown away.
    const terminal = registry.byRun(run) ?? registry.endingWith(run)
    if (terminal === null || terminal.private || keepsItsPicture(terminal)) return
    await store.keepSnapshot(terminal.id, { run, seq, bytes })
    this.world.contentChanged()
    // Titles spin many times a second, so they are kept with the screen they belong to.
    if (registry.get(terminal.id) === terminal) await store.keepTerminal(terminal)
  }
}

/** What its program draws while it is ended is no picture of it: the one from before was kept first, and stays. */
const keepsItsPicture = (terminal: Terminal): boolean =>
  terminal.state === 'settling' || (terminal.state === 'asleep' && terminal.because.kind === 'slept')
