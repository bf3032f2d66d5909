/**
 * The running daemon as one value: its parts and what they do together. Handlers work on it; main.ts builds it.
 * Everything in it may be lost at any moment: what matters is in the store, the logs and the holders.
 */
import { randomBytes } from 'node:crypto'
import { isStatusOf, type ProgramStatus, statusReport } from '../agents/programStatus.ts'
import { type CheckpointId, makeId, type RunId, type SessionId, type TerminalId } from '../base/ids.ts'
import type { LineFormat } from '../screen/numbered.ts'
import type { KeptSnapshot, Store } from '../store/store.ts'
import type { Config } from '../wire/config.ts'
import { type DaemonEvent, encodeFromDaemon } from '../wire/daemon.ts'
import { type Paths, runDirectory } from '../wire/paths.ts'
import { shownRun } from '../workspace/checkpoint.ts'
import type { HostId } from '../workspace/checkpointHost.ts'
import { isSameSize } from '../workspace/sizing.ts'
import type { TerminalEvent } from '../workspace/step.ts'
import { isGuest, type Link, type Size, type Terminal } from '../workspace/terminal.ts'
import { removeTerminal, type Topology } from '../workspace/topology.ts'
import { Agents } from './agents/agents.ts'
import { Settlings } from './agents/settle.ts'
import { Verification } from './agents/verification.ts'
import { Backends } from './backends/backends.ts'
import type { Surroundings } from './backends/throughHolder.ts'
import { afterlifeIn } from './backends/tmuxBackend.ts'
import { Checkpoints } from './checkpoints.ts'
import { ClientFaults } from './clients/clientFaults.ts'
import { ProgramSockets } from './clients/programSockets.ts'
import { ClosedTerminals } from './closedTerminals.ts'
import type { Connection } from './connection.ts'
import { DeferredScreens, type DeferredWorld } from './deferredScreens.ts'
import { directoriesOf } from './directoryOf.ts'
import { Earlier } from './earlier.ts'
import { makeRunEffect } from './effects.ts'
import { Endings } from './endings.ts'
import { KeptFiles } from './files/keptFiles.ts'
import { Focus } from './focus.ts'
import { Forgetting } from './forget/forgetting.ts'
import { DaemonHealth } from './health/daemonHealth.ts'
import { troublesIn } from './health/showHealth.ts'
import { Holders } from './holders.ts'
import { Indexer } from './indexer.ts'
import type { Log } from './log.ts'
import { LostQuestion } from './lostQuestion.ts'
import { Openings } from './openings.ts'
import { Repositories } from './places/repositories.ts'
import { Registry } from './registry.ts'
import { readRunEnd } from './runLog.ts'
import type { PictureReply, SessionOrder } from './screenMessages.ts'
import type { Screens } from './screens.ts'
import { Sizes } from './sizes.ts'
import { Activity } from './sleep/activity.ts'
import { AutoSleeper } from './sleep/autoSleeper.ts'
import { autoSleepWorld } from './sleep/autoSleepWorld.ts'
import { sleepContextsOf } from './sleep/context.ts'
import { askToSleep } from './sleep/putToSleep.ts'
import { END_MARGIN_MS } from './terminals/endAndClose.ts'
import { hold, trip } from './trip.ts'
import { topologyView, viewOf } from './view.ts'
import { WakePhases } from './wakePhases.ts'
import type { Web as WebServer } from './web/startWeb.ts'

/** An asleep terminal costs memory only while someone looks at it. */
const LET_GO_AFTER_MS = 30_000
/** While memory is short: long enough to be painted from. */
const LET_GO_SOON_MS = 2_000
/** What a screen that is opened while memory is short keeps above it; the rest is read from the log. */
const SPARE_LINES = 300
/** Keeping the last screen and letting the holder go takes milliseconds; a disk that fails is not waited for. */
const ENDING_WITHIN_MS = 3_000
/** Any line of the history is at most this much output away from an anchor: it is read in some twenty milliseconds. */
const LONGEST_REPLAY_BYTES = 1 << 20
/** A holder that is not ready by then never will be: `startHolder` gives up sooner. */
const START_WITHIN_MS = 15_000
/** Whoever was connected to the daemon before this one has found it by then. */
const CLIENTS_BACK_AFTER_MS = 3_000
/** A repository is found in a millisecond, and is not worth more than this. */
const REPOSITORIES_WITHIN_MS = 150
const ANYTHING_VISIBLE = '\\S'

export type DaemonParts = {
  readonly paths: Paths
  readonly config: Config
  readonly store: Store
  readonly screens: Screens
  readonly log: Log
  readonly version: string
  /** The mask that the user's own programs have; the daemon's is stricter. */
  readonly umask: number
  readonly topology: Topology
  /** False on a first start, and where the layout is gone. */
  readonly isLayoutKept: boolean
  /** This life of the daemon, as the store knows it. */
  readonly session: SessionId
  readonly host: HostId
}

export type Web = Omit<WebServer, 'close' | 'routes'>

export class Daemon {
  readonly startedAt = Date.now()
  readonly registry: Registry
  readonly holders: Holders
  readonly backends: Backends
  readonly screens: Screens
  readonly sizes: Sizes
  readonly checkpoints: Checkpoints
  readonly indexer: Indexer
  readonly focus: Focus
  readonly agents: Agents
  readonly settlings: Settlings
  readonly repositories: Repositories
  readonly files: KeptFiles
  readonly lost: LostQuestion
  readonly endings: Endings
  readonly closed = new ClosedTerminals(this)
  readonly forgetting = new Forgetting(this)
  readonly verification = new Verification(this)
  readonly earlier: Earlier
  readonly health: DaemonHealth
  readonly wakePhases: WakePhases
  readonly programs: ProgramSockets
  readonly activity = new Activity(this)
  readonly autoSleeper = new AutoSleeper(autoSleepWorld(this))
  /** Where an older picture of a run is, should its newest one be gone. */
  readonly olderScreens = new Map<RunId, { readonly checkpoint: CheckpointId; readonly terminal: TerminalId }>()
  /** What the restore policy has yet to wake stays asleep. */
  cancelWakes: () => void = () => undefined
  readonly clients = new Set<Connection>()
  readonly clientFaults: ClientFaults
  /** The environment a terminal was asked for with; used at its start and never kept. */
  readonly inherited = new Map<RunId, Readonly<Record<string, string>>>()
  /** Sentences about what was found wrong at the start. */
  readonly bootTroubles: string[] = []
  /** Told of every change of a terminal, after clients are. */
  readonly listeners = new Set<(id: TerminalId) => void>()
  private readonly openings: Openings
  readonly deferred: DeferredScreens
  /** Screens of asleep terminals that were looked at, and when to let go of them. */
  private readonly shown = new Map<RunId, NodeJS.Timeout>()
  config: Config
  /** Null when it is switched off. */
  web: Promise<Web | null> = Promise.resolve(null)
  topology: Topology
  /** Set by main.ts: ends the process in an orderly way. */
  stop: (by?: 'signal') => Promise<void> = () => Promise.resolve()
  /** Set by main.ts: the run's holder has been let go. */
  runEnded: () => void = () => undefined
  configTrouble: string | null = null
  /** Set by main.ts: whatever is in config.toml now is in force when it resolves, or the trouble says why not. */
  rereadConfig: () => Promise<void> = () => Promise.resolve()
  /** Settles when every terminal is known; commands wait for it. */
  booted: Promise<void> = Promise.resolve()
  private snapshotTrouble: string | null = null
  /** What of the logs that were read is lost, in sentences. */
  private readonly damage = new Map<RunId, readonly string[]>()
  private nextClient = 1
  private isSparing = false

  constructor(private readonly parts: DaemonParts) {
    this.config = parts.config
    this.topology = parts.topology
    this.clientFaults = new ClientFaults(parts.log)
    this.registry = new Registry(makeRunEffect(this), parts.log)
    this.holders = new Holders(
      parts.paths,
      {
        exited: (run, status, at) => this.exited(run, { kind: 'exited', run, status, ...(at === undefined ? {} : { at }) }),
        lost: (run) => this.holderLost(run),
        linkChanged: (run, link) => this.linkChanged(run, link),
        printed: (run) => this.deferred.printedOn(run),
        resized: (run) => this.learnSize(run),
      },
      afterlifeIn(() => this.aroundBackends),
    )
    this.backends = new Backends(this.aroundBackends)
    this.sizes = new Sizes(parts.config.sizePolicy, {
      terminal: (id) => this.registry.get(id),
      resize: (id, run, size) => this.resize(id, run, size),
      announce: (id) => this.announceTerminal(id),
      isComingBack: ({ since }) => since < this.startedAt && Date.now() < this.startedAt + CLIENTS_BACK_AFTER_MS,
    })
    this.listeners.add((id) => this.sizes.follow(id))
    this.checkpoints = new Checkpoints(this, parts.session, parts.host)
    this.listeners.add((id) => this.checkpoints.changed(id))
    this.checkpoints.seen.onMoved = (id) => this.seenElsewhere(id)
    this.indexer = new Indexer(this)
    this.listeners.add((id) => this.indexer.changed(id))
    this.focus = new Focus(parts.store)
    this.lost = new LostQuestion(this)
    this.listeners.add((id) => this.lost.changed(id))
    this.agents = new Agents(this)
    this.listeners.add((id) => this.agents.changed(id))
    this.settlings = new Settlings(this, this.agents)
    this.endings = new Endings(this)
    this.files = new KeptFiles({ directory: parts.paths.files })
    this.repositories = new Repositories({
      used: () => this.registry.all().flatMap((terminal) => directoriesOf(terminal, this)),
      changed: (directories) => this.repositoriesChanged(directories),
    })
    this.screens = parts.screens
    this.openings = new Openings({ isOpen: (run) => this.screens.has(run), open: (run, terminal) => this.openNow(run, terminal) })
    this.deferred = new DeferredScreens(this.deferredWorld())
    this.earlier = new Earlier(this)
    this.wakePhases = new WakePhases({
      announce: (id) => this.registry.get(id) !== null && this.announceTerminal(id),
      painted: (run) => this.screens.waitText(run, ANYTHING_VISIBLE, null),
    })
    this.screens.events = {
      titled: (run, title) => this.runEvent(run, { kind: 'titled', run, title }),
      moved: (run) => this.moved(run),
      stated: (run, status) => this.programStated(run, status),
      rang: (run) => this.runEvent(run, { kind: 'noticed', run }),
      damaged: (run, faults) => this.logDamaged(run, faults),
      printed: (runs) => {
        this.indexer.printed(runs)
        this.agents.printed(runs)
        this.activity.printed(runs)
        this.repositories.printed(runs.flatMap(({ run }) => this.directoriesOfRun(run)))
      },
      broke: (worker) => this.health.screensBroke(worker),
      reopen: (runs) => {
        for (const run of runs) if (!this.screens.has(run)) void this.openScreen(run)
      },
    }
    this.health = new DaemonHealth(this)
    this.listeners.add((id) => this.health.terminalChanged(id))
    this.programs = new ProgramSockets({
      ...{ paths: parts.paths, log: parts.log },
      terminal: (id) => this.registry.get(id),
      usual: () => this.config.programs.may,
    })
    this.listeners.add((id) => this.programs.follow(id))
  }

  private get aroundBackends(): Surroundings {
    return { paths: this.paths, holders: this.holders, logBytes: () => this.config.logBytes }
  }

  get paths(): Paths {
    return this.parts.paths
  }
  get store(): Store {
    return this.parts.store
  }
  get log(): Log {
    return this.parts.log
  }
  get isLayoutKept(): boolean {
    return this.parts.isLayoutKept
  }
  get umask(): number {
    return this.parts.umask
  }
  get version(): string {
    return this.parts.version
  }

  makeTerminalId(): TerminalId {
    return makeId('terminal', randomBytes)
  }
  makeRunId(): RunId {
    return makeId('run', randomBytes)
  }

  /** Something that happened by itself: failures are logged and tried again by the registry. */
  react(id: TerminalId, event: TerminalEvent): void {
    this.registry.apply(id, event).catch(() => undefined)
  }

  runEvent(run: RunId, event: TerminalEvent): void {
    const terminal = this.registry.byRun(run)
    if (terminal !== null) this.react(terminal.id, event)
  }

  /** What an agent said last comes before its end: after it, nobody listens to the run. */
  private exited(run: RunId, event: Extract<TerminalEvent, { readonly kind: 'exited' }>): void {
    const before = this.settlings.beforeEnd(run)
    if (this.endings.takes(run, before)) return
    if (before === null) this.runEvent(run, event)
    else void before.finally(() => this.runEvent(run, event))
  }

  private holderLost(run: RunId): void {
    this.health.holderLost(run)
    if (!this.endings.takes(run, null)) this.runEvent(run, { kind: 'holderLost', run })
  }

  /** The program says that it is in another directory: what can be seen of that is seen now. */
  private moved(run: RunId): void {
    this.checkpoints.structureChanged()
    const terminal = this.registry.byRun(run)
    if (terminal !== null) void this.checkpoints.lookAt(terminal)
  }

  private seenElsewhere(id: TerminalId): void {
    this.checkpoints.contentChanged()
    this.announceTerminal(id)
  }

  private directoriesOfRun(run: RunId): string[] {
    const terminal = this.registry.byRun(run)
    return terminal === null ? [] : directoriesOf(terminal, this)
  }

  /** So that an answer need not be followed by events that complete it; a slow disk is not waited for. */
  async knowRepositories(): Promise<void> {
    const directories = this.registry.all().flatMap((terminal) => directoriesOf(terminal, this))
    await this.repositories.know(directories, REPOSITORIES_WITHIN_MS)
  }

  private repositoriesChanged(directories: ReadonlySet<string>): void {
    for (const terminal of this.registry.all())
      if (directoriesOf(terminal, this).some((directory) => directories.has(directory))) this.announceTerminal(terminal.id)
  }

  private logDamaged(run: RunId, faults: readonly string[]): void {
    for (const fault of faults) this.log.warn({ run }, fault)
    if (faults.length > 0) this.damage.set(run, faults)
    else this.damage.delete(run)
  }

  /** Sentences about what of the run's log was found to be lost. */
  damageOf(run: RunId): readonly string[] {
    return this.damage.get(run) ?? []
  }

  /** What another program prints is not about the agent, even if it has the same form. */
  private programStated(run: RunId, status: ProgramStatus): void {
    const agent = this.agents.of(run)
    if (agent !== null && isStatusOf(agent.agent, status)) this.agents.stated(run, statusReport(status, Date.now()))
  }

  /** Somebody has typed into it, or has come to look at it. */
  attended(id: TerminalId): void {
    this.focus.note(id)
    const terminal = this.registry.get(id)
    if (terminal?.state === 'live') this.agents.attended(terminal.run)
  }

  /** Clients that were there before this daemon look again by themselves: that is nobody's coming. */
  looked(id: TerminalId): void {
    if (Date.now() < this.startedAt + CLIENTS_BACK_AFTER_MS) this.focus.note(id)
    else this.attended(id)
  }

  private linkChanged(run: RunId, link: Link): void {
    this.runEvent(run, { kind: 'linkChanged', run, link })
    if (link.kind !== 'connected') return
    this.learnSize(run)
    if (this.screens.has(run)) void this.openScreen(run)
    else void this.deferred.consider(run)
  }

  /** While nobody was linked to it, a holder may have been resized by an attached client. */
  learnSize(run: RunId): void {
    const size = this.holders.status(run)?.size
    if (size !== undefined && !isSameSize(size, this.registry.byRun(run)?.spec.size ?? null)) this.runEvent(run, { kind: 'resized', size })
  }

  private resize(id: TerminalId, run: RunId, size: Size): boolean {
    const terminal = this.registry.get(id)
    if (terminal !== null && isGuest(terminal)) return false // its own tmux decides
    if (!this.holders.send(run, { kind: 'resize', size })) return false
    this.react(id, { kind: 'resized', size })
    return true
  }

  takeClientNumber(): number {
    return this.nextClient++
  }

  /** Follows a run with a screen, from the kept snapshot on; anew where it has one. */
  async openScreen(run: RunId): Promise<void> {
    const terminal = this.registry.byRun(run)
    if (terminal !== null) await this.openings.renew(run, terminal).catch((error: Error) => this.screenFailed(run, error))
  }

  private screenFailed(run: RunId, error: Error): void {
    this.log.warn({ run, error: error.message }, 'a screen could not be opened')
  }

  private async openNow(run: RunId, terminal: Terminal): Promise<void> {
    await hold('screen:opening')
    const order = await this.sessionOrder(terminal, run)
    this.deferred.forget(run)
    await this.screens.open(order)
  }

  private deferredWorld(): DeferredWorld {
    return {
      byRun: (run) => this.registry.byRun(run),
      isOpen: (run) => this.screens.has(run),
      printed: (run) => this.holders.status(run)?.seq ?? null,
      kept: (run) => this.keptScreen(run),
      gist: (bytes) => this.screens.gist(bytes),
      text: async (bytes) => (await this.screens.picture(bytes, 'text'))?.content ?? '',
      awaitOutput: (run, from) => this.holders.awaitOutput(run, from),
      recall: (run, gist) => this.screens.recall(run, gist),
      openBehind: (run) => this.openings.behind(run, () => this.registry.byRun(run)),
      failed: (run, error) => this.screenFailed(run, error),
    }
  }

  /**
   * Makes sure that there is a screen to look at, also for a terminal that sleeps; null when it never ran. One that starts is
   * waited for: before that there is nothing of its run.
   */
  async showable(asked: Terminal): Promise<RunId | null> {
    if (asked.state === 'waking') await this.registry.quiet(asked.id, START_WITHIN_MS)
    const terminal = asked.state === 'waking' ? (this.registry.get(asked.id) ?? asked) : asked
    const run = shownRun(terminal)
    if (run === null) return null
    // The end of a run closes its live screen; what is shown after that is read from disk.
    if (terminal.state === 'asleep') await this.registry.quiet(terminal.id, ENDING_WITHIN_MS)
    if (terminal.state === 'asleep') {
      clearTimeout(this.shown.get(run))
      this.shown.set(run, setTimeout(() => this.unshow(run), this.isSparing ? LET_GO_SOON_MS : LET_GO_AFTER_MS).unref())
    }
    await this.ensureScreen(terminal, run)
    return run
  }

  /**
   * The last screen of a terminal that sleeps, without opening it: many can be had in the time that one takes to open. Of one that
   * was put to sleep it is what stood there before its program tidied up; of others only what was kept at the very end.
   */
  async stillPicture(terminal: Terminal, format: LineFormat): Promise<(PictureReply & { readonly faults: string[] }) | null> {
    if (terminal.state !== 'asleep' || terminal.lastRun === null) return null
    await this.registry.quiet(terminal.id, ENDING_WITHIN_MS)
    const run = terminal.lastRun
    const place = { directory: runDirectory(this.paths, run), run }
    // A wake that failed shows what was there before: of a run that was ended in good order, what was kept of it.
    const isKeptAsIs = keepsItsPicture(terminal) || (terminal.because.kind === 'failed' && readRunEnd(place) !== null)
    const kept = this.screens.has(run) && !isKeptAsIs ? null : await this.store.snapshot(run)
    if (kept === null) return null
    const picture = await this.screens.picture(kept.bytes, format, isKeptAsIs ? null : { ...place, seq: kept.seq })
    return picture === null ? null : { ...picture, faults: [...this.damageOf(run)] }
  }

  /** Opens the run's screen unless it is open already. */
  async ensureScreen(terminal: Terminal, run: RunId): Promise<void> {
    await this.openings.ensure(run, terminal)
  }

  /** For work in the background: a screen that had to be opened for it is let go right after, unless somebody looks at it by then. */
  async borrowScreen<Value>(terminal: Terminal, run: RunId, work: () => Promise<Value>): Promise<Value> {
    const wasOpen = this.screens.has(run)
    await this.ensureScreen(terminal, run)
    try {
      return await work()
    } finally {
      if (!wasOpen && !this.shown.has(run)) this.unshow(run)
    }
  }

  /** Nothing that somebody looks at is taken away: what sleeps is let go, and what is opened from now on is smaller. */
  spareMemory(isSparing: boolean): void {
    if (isSparing && !this.isSparing) for (const [run, timer] of [...this.shown]) this.letGoNow(run, timer)
    this.isSparing = isSparing
  }

  private letGoNow(run: RunId, timer: NodeJS.Timeout): void {
    clearTimeout(timer)
    this.unshow(run)
  }

  private unshow(run: RunId): void {
    this.shown.delete(run)
    if (this.registry.byRun(run) === null) this.screens.close(run).catch(() => undefined)
  }

  async sessionOrder(terminal: Terminal, run: RunId): Promise<SessionOrder> {
    await this.holders.ensure(run)
    const card = this.holders.card(run)
    const snapshot = await this.keptScreen(run)
    const directory = runDirectory(this.paths, run)
    return {
      run,
      source: card === null ? { kind: 'disk', directory } : { kind: 'holder', socketPath: card.socketPath },
      directory,
      anchorEvery: terminal.private ? Number.POSITIVE_INFINITY : Math.min(LONGEST_REPLAY_BYTES, Math.ceil(this.config.logBytes / 16)),
      size: terminal.spec.size,
      scrollback: this.isSparing ? Math.min(this.config.scrollbackLines, SPARE_LINES) : this.config.scrollbackLines,
      snapshot: snapshot === null ? null : { seq: snapshot.seq, bytes: snapshot.bytes },
      isRecalled: this.deferred.has(run),
    }
  }

  private async keptScreen(run: RunId): Promise<KeptSnapshot | null> {
    return (await this.store.snapshot(run)) ?? (await this.olderScreen(run))
  }

  private olderScreen(run: RunId): Promise<KeptSnapshot | null> {
    const older = this.olderScreens.get(run)
    return older === undefined ? Promise.resolve(null) : this.store.checkpointScreen(older.checkpoint, older.terminal)
  }

  /** Keeps the screens that changed since the last time; nothing is written for those that did not. */
  async keepScreens(): Promise<void> {
    try {
      const snapshots = await this.screens.dirtySnapshots()
      await Promise.all([...snapshots.map((snapshot) => this.keepSnapshot(snapshot)), this.focus.keep()])
      this.snapshotTrouble = null
    } catch (error) {
      this.snapshotTrouble = `screens cannot be kept: ${(error as Error).message}`
      this.log.error({ error: (error as Error).message }, 'screens could not be kept')
    }
  }

  private async keepSnapshot({ run, seq, bytes }: { run: RunId; seq: number; bytes: Uint8Array }): Promise<void> {
    // A screen is handed over for keeping once: the end of its program must not find that somebody has thrown it away.
    const terminal = this.registry.byRun(run) ?? this.registry.endingWith(run)
    if (terminal === null || terminal.private || keepsItsPicture(terminal)) return
    await this.store.keepSnapshot(terminal.id, { run, seq, bytes })
    this.checkpoints.contentChanged()
    // Titles spin many times a second, so they are kept with the screen they belong to.
    if (this.registry.get(terminal.id) === terminal) await this.store.keepTerminal(terminal)
  }

  async setTopology(topology: Topology): Promise<void> {
    this.topology = topology
    trip('topology:before-keep')
    await this.store.keepTopology(topology)
    trip('topology:after-keep')
    this.checkpoints.structureChanged()
    this.announce({ kind: 'topology', topology: topologyView(topology) })
  }

  /** As the dock shows them: an order that never changes by itself. */
  inDockOrder(): Terminal[] {
    return this.topology.dock.flatMap((id) => this.registry.get(id) ?? [])
  }

  /** Ends every program after settling it, those that are just starting too; resolves with how many there were. */
  async sleepAll(): Promise<number> {
    this.cancelWakes()
    const isBegun = (id: TerminalId) => this.registry.get(id)?.state !== 'waking' && !this.wakePhases.isChecking(id)
    await Promise.all(this.registry.all().map(({ id }) => this.until(id, () => isBegun(id), START_WITHIN_MS)))
    const live = this.registry.all().flatMap((terminal) => (terminal.state === 'live' && isReachable(terminal.link) ? [terminal] : []))
    const graceMs = this.config.settleMs
    await Promise.all(live.map(({ id }) => this.agents.look(id))) // whoever has just left an agent is not to find it again
    const contexts = await sleepContextsOf(this, live)
    for (const [index, { id }] of live.entries()) {
      const context = contexts[index]
      askToSleep(this, id, context === undefined ? {} : { context }).catch(() => undefined) // tried again by the registry
    }
    const asleep = await Promise.all(
      live.map(({ id }) => this.until(id, (terminal) => terminal === null || terminal.state === 'asleep', graceMs + END_MARGIN_MS)),
    )
    const hasEnded = live.filter((terminal, index) => asleep[index] === true && !isGuest(terminal)) // a guest is let go, and goes on
    return hasEnded.length
  }

  async removeFromTopology(id: TerminalId): Promise<void> {
    await this.setTopology(removeTerminal(this.topology, id))
  }

  announce(event: DaemonEvent): void {
    let encoded: Uint8Array<ArrayBuffer> | null = null
    const frame = (): Uint8Array<ArrayBuffer> => {
      encoded ??= encodeFromDaemon({ kind: 'event', event })
      return encoded
    }
    for (const client of this.clients) client.announce(event, frame)
  }

  announceTerminal(id: TerminalId): void {
    const terminal = this.registry.get(id)
    this.announce(terminal === null ? { kind: 'closed', terminal: id } : { kind: 'terminal', terminal: viewOf(terminal, this) })
    for (const tell of [...this.listeners]) tell(id)
  }

  /** Resolves when `ready` holds for the terminal (null once it is gone), or with false after `withinMs`. */
  until(
    id: TerminalId,
    ready: (terminal: Terminal | null) => boolean,
    withinMs: number | null,
    onGone?: (end: () => void) => void,
  ): Promise<boolean> {
    if (ready(this.registry.get(id))) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (met: boolean): void => {
        this.listeners.delete(look)
        clearTimeout(timer)
        resolve(met)
      }
      const look = (changed: TerminalId): void => {
        if (changed === id && ready(this.registry.get(id))) finish(true)
      }
      const timer = withinMs === null ? undefined : setTimeout(() => finish(false), withinMs)
      this.listeners.add(look)
      onGone?.(() => finish(false))
    })
  }

  /** As `until`, and what that means is on disk: a terminal changes in memory before its record does. */
  async ended(id: TerminalId, ready: (terminal: Terminal | null) => boolean, withinMs: number): Promise<boolean> {
    if (!(await this.until(id, ready, withinMs))) return false
    return await this.registry.quiet(id, ENDING_WITHIN_MS)
  }

  /** Resolves when a terminal that was asked to wake has started or failed to. */
  async started(id: TerminalId): Promise<Terminal | null> {
    await this.until(id, (terminal) => terminal?.state !== 'waking', START_WITHIN_MS)
    return this.registry.get(id)
  }

  clientGone(client: Connection): void {
    this.clients.delete(client)
    this.sizes.gone(client.number)
  }

  /** A sentence while something that was asked for cannot be kept. */
  get writingTrouble(): string | null {
    return this.snapshotTrouble ?? this.checkpoints.trouble
  }

  troubles(): string[] {
    const degraded = this.registry.all().flatMap((terminal) => {
      const why = terminal.state === 'asleep' ? null : (this.holders.status(terminal.run)?.degraded ?? null)
      return why === null ? [] : [`${terminal.id}: its log is in memory only: ${why}`]
    })
    const damaged = this.registry
      .all()
      .flatMap(({ id, lastRun }) => (lastRun === null ? [] : this.damageOf(lastRun)).map((fault) => `${id}: its log is damaged: ${fault}`))
    const single = [
      this.backends.trouble,
      this.configTrouble,
      this.snapshotTrouble,
      this.checkpoints.trouble,
      this.indexer.trouble,
      this.forgetting.trouble,
    ].filter((why) => why !== null)
    return [
      ...new Set(this.store.troubles),
      ...this.bootTroubles,
      ...this.registry.troubles(),
      ...degraded,
      ...damaged,
      ...single,
      ...troublesIn(this.health.view()),
    ]
  }
}

const isReachable = ({ kind }: Link): boolean => kind === 'connected' || kind === 'unattached'

/** What its program draws while it is ended is no picture of it: the one from before was kept first, and stays. */
const keepsItsPicture = (terminal: Terminal): boolean =>
  terminal.state === 'settling' || (terminal.state === 'asleep' && terminal.because.kind === 'slept')
