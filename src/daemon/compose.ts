/** Builds the daemon from its parts. What each part may use of the others stands here, and in which order they hear of a change. */
import { randomBytes } from 'node:crypto'
import { agentNamed } from '../agents/programs/all.ts'
import { makeId, type RunId, type SessionId, type TerminalId } from '../base/ids.ts'
import type { Store } from '../store/store.ts'
import type { Config } from '../wire/config/config.ts'
import type { Paths } from '../wire/paths.ts'
import type { HostId } from '../workspace/checkpoint/checkpointHost.ts'
import type { Topology } from '../workspace/layout/topology.ts'
import type { TerminalEvent } from '../workspace/terminal/events.ts'
import { Agents } from './agents/agents.ts'
import { Verification } from './agents/verification.ts'
import type { BackendWorld } from './backends/backend.ts'
import { Backends } from './backends/backends.ts'
import { Holders, isHolderAlive } from './backends/holders.ts'
import { afterlifeIn } from './backends/tmuxBackend.ts'
import type { Log } from './base/log.ts'
import { Checkpoints } from './checkpoints/checkpoints.ts'
import { Audience } from './clients/audience.ts'
import { ClientFaults } from './clients/clientFaults.ts'
import { ProgramSockets } from './clients/programSockets.ts'
import { KeptFiles } from './files/keptFiles.ts'
import { Forgetting } from './forget/forgetting.ts'
import { DaemonHealth } from './health/daemonHealth.ts'
import { Janitor } from './life/janitor.ts'
import { LostQuestion } from './life/lostQuestion.ts'
import { Later, Life } from './life/part.ts'
import { type Loaded, Settings } from './life/settings.ts'
import { Repositories } from './places/repositories.ts'
import { Earlier } from './screens/earlier.ts'
import { RunScreens } from './screens/runScreens.ts'
import type { ScreenEvents, Screens } from './screens/screens.ts'
import { Indexer } from './search/indexer.ts'
import { Activity } from './sleep/activity.ts'
import { AutoSleeper } from './sleep/autoSleeper.ts'
import { autoSleepWorld } from './sleep/autoSleepWorld.ts'
import { Attention, CLIENTS_BACK_AFTER_MS } from './terminals/attention.ts'
import { ClosedTerminals } from './terminals/closedTerminals.ts'
import { directoriesOf } from './terminals/directoryOf.ts'
import { makeRunEffect } from './terminals/effects.ts'
import { Endings } from './terminals/endings.ts'
import { Focus } from './terminals/focus.ts'
import { Registry } from './terminals/registry.ts'
import { RunEvents } from './terminals/runEvents.ts'
import { Sizes } from './terminals/sizes.ts'
import { TopologyKeeper } from './terminals/topologyKeeper.ts'
import { topologyView, viewOf } from './terminals/view.ts'
import { ENDING_WITHIN_MS, START_WITHIN_MS, Waiting } from './terminals/waiting.ts'
import { WakesInTurn } from './terminals/wake.ts'
import { WakePhases } from './terminals/wakePhases.ts'
import type { Web } from './web/startWeb.ts'

const ANYTHING_VISIBLE = '\\S'

/** What the daemon is built from. */
type Built = {
  readonly paths: Paths
  readonly settings: Loaded
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

/** Everything in it may be lost at any moment: what matters is in the store, the logs and the holders. */
export class Daemon {
  readonly startedAt = Date.now()
  readonly paths: Paths
  readonly store: Store
  readonly screens: Screens
  readonly log: Log
  readonly version: string
  readonly umask: number
  readonly isLayoutKept: boolean
  readonly registry: Registry
  readonly audience: Audience
  readonly waiting: Waiting
  readonly layout: TopologyKeeper
  readonly runs = new RunEvents(this)
  readonly holders: Holders
  readonly backends: Backends
  readonly sizes: Sizes
  readonly checkpoints: Checkpoints
  readonly indexer: Indexer
  readonly focus: Focus
  readonly attention: Attention
  readonly agents: Agents
  readonly repositories: Repositories
  readonly files: KeptFiles
  readonly lost: LostQuestion
  readonly endings: Endings
  readonly closed = new ClosedTerminals(this)
  readonly forgetting = new Forgetting(this)
  readonly verification = new Verification(this)
  readonly earlier: Earlier
  readonly runScreens: RunScreens
  readonly health: DaemonHealth
  readonly wakePhases: WakePhases
  readonly wakes = new WakesInTurn(this)
  readonly programs: ProgramSockets
  readonly activity = new Activity(this)
  readonly autoSleeper = new AutoSleeper(autoSleepWorld(this))
  readonly clientFaults: ClientFaults
  readonly inherited = new Map<RunId, Readonly<Record<string, string>>>()
  readonly bootTroubles: string[] = []
  readonly settings: Settings
  readonly janitor = new Janitor(this)
  readonly life: Life
  /** Given when every terminal is known. */
  readonly isBooted = new Later<void>()
  /** Commands wait for it; a restore makes them wait again. */
  booted: Promise<void> = this.isBooted.promise
  /** Null when the page is switched off. */
  readonly page = new Later<Web | null>()
  readonly web: Promise<Web | null> = this.page.promise

  constructor(parts: Built) {
    const { paths, store, screens, log } = parts
    this.paths = paths
    this.store = store
    this.screens = screens
    this.log = log
    this.settings = new Settings(this, parts.settings)
    this.life = new Life(log)
    this.version = parts.version
    this.umask = parts.umask
    this.isLayoutKept = parts.isLayoutKept
    this.clientFaults = new ClientFaults(log)
    this.registry = new Registry(makeRunEffect(this), log)
    const { registry } = this
    this.audience = new Audience((id) => {
      const terminal = registry.get(id)
      return terminal === null ? null : viewOf(terminal, this)
    })
    this.waiting = new Waiting(registry, this.audience.listeners)
    this.layout = new TopologyKeeper(parts.topology, { store, registry, changed: (topology) => this.layoutChanged(topology) })
    this.holders = new Holders(
      paths,
      this.holderEvents(),
      afterlifeIn(() => this.aroundBackends),
    )
    this.backends = new Backends(this.aroundBackends)
    this.sizes = new Sizes(this.config.sizePolicy, {
      terminal: (id) => registry.get(id),
      resize: (id, run, size) => this.runs.resize(id, run, size),
      announce: (id) => this.audience.announceTerminal(id),
      isComingBack: ({ since }) => since < this.startedAt && Date.now() < this.startedAt + CLIENTS_BACK_AFTER_MS,
    })
    this.checkpoints = new Checkpoints(this, parts.session, parts.host)
    this.checkpoints.seen.onMoved = (id) => this.seenElsewhere(id)
    this.indexer = new Indexer(this)
    this.focus = new Focus(store)
    this.lost = new LostQuestion(this)
    this.agents = new Agents(this)
    this.attention = new Attention(this)
    this.endings = new Endings({
      ...{ log, registry, screens, holders: this.holders, agents: this.agents, isHolderAlive },
      agentNamed: (name) => agentNamed(this.config.agents, name),
      lookAt: (terminal) => this.checkpoints.lookAt(terminal),
      happened: (run, event) => this.runs.happened(run, event),
    })
    this.files = new KeptFiles({ directory: paths.files })
    this.repositories = new Repositories({
      used: () => registry.all().flatMap((terminal) => directoriesOf(terminal, this)),
      changed: (directories) => this.repositoriesChanged(directories),
    })
    this.runScreens = new RunScreens({
      ...{ screens, registry, holders: this.holders, store, focus: this.focus, paths, log },
      config: () => this.config,
      whenStarted: (id) => registry.quiet(id, START_WITHIN_MS),
      whenEnded: (id) => registry.quiet(id, ENDING_WITHIN_MS),
      contentChanged: () => this.checkpoints.contentChanged(),
    })
    this.earlier = new Earlier({
      ...{ paths, screens, log, holders: this.holders },
      sessionOrder: (terminal, run) => this.runScreens.sessionOrder(terminal, run),
    })
    this.wakePhases = new WakePhases({
      announce: (id) => registry.get(id) !== null && this.audience.announceTerminal(id),
      painted: (run) => screens.waitText(run, ANYTHING_VISIBLE, null),
    })
    this.screens.events = this.screenEvents()
    this.health = new DaemonHealth(this)
    this.programs = new ProgramSockets({ paths, log, terminal: (id) => registry.get(id), usual: () => this.config.programs.may })
    const hear = (part: (id: TerminalId) => void) => void this.audience.listeners.add(part)
    hear((id) => this.sizes.follow(id))
    hear((id) => this.checkpoints.changed(id))
    hear((id) => this.indexer.changed(id))
    hear((id) => this.lost.changed(id))
    hear((id) => this.agents.changed(id))
    hear((id) => this.health.terminalChanged(id))
    hear((id) => this.programs.follow(id))
  }

  get config(): Config {
    return this.settings.config
  }

  get configTrouble(): string | null {
    return this.settings.trouble
  }

  get topology(): Topology {
    return this.layout.current
  }

  makeTerminalId(): TerminalId {
    return makeId('terminal', randomBytes)
  }

  makeRunId(): RunId {
    return makeId('run', randomBytes)
  }

  rereadConfig(): Promise<void> {
    return this.settings.reread()
  }

  stop(): Promise<void> {
    return this.life.stop()
  }

  react(id: TerminalId, event: TerminalEvent): void {
    this.runs.react(id, event)
  }

  private get aroundBackends(): BackendWorld {
    return { paths: this.paths, holders: this.holders, logBytes: () => this.config.logBytes }
  }

  private holderEvents(): ConstructorParameters<typeof Holders>[1] {
    return {
      exited: (run, status, at) => this.endings.ended(run, { kind: 'exited', status, ...(at === undefined ? {} : { at }) }),
      lost: (run) => {
        this.health.holderLost(run)
        this.endings.ended(run, { kind: 'lost' })
      },
      linkChanged: (run, link) => this.runs.linkChanged(run, link),
      printed: (run) => this.runScreens.deferred.printedOn(run),
      resized: (run) => this.runs.learnSize(run),
    }
  }

  private screenEvents(): ScreenEvents {
    return {
      titled: (run, title) => this.runs.happened(run, { kind: 'titled', run, title }),
      moved: (run) => this.runs.moved(run),
      stated: (run, status) => this.runs.stated(run, status),
      rang: (run) => this.runs.happened(run, { kind: 'noticed', run }),
      damaged: (run, faults) => this.runScreens.damaged(run, faults),
      printed: (runs) => this.runs.printed(runs),
      broke: (worker) => this.health.screensBroke(worker),
      reopen: (runs) => {
        for (const run of runs) if (!this.screens.has(run)) void this.runScreens.open(run)
      },
    }
  }

  private layoutChanged(topology: Topology): void {
    this.checkpoints.structureChanged()
    this.audience.announce({ kind: 'topology', topology: topologyView(topology) })
  }

  private seenElsewhere(id: TerminalId): void {
    this.checkpoints.contentChanged()
    this.audience.announceTerminal(id)
  }

  private repositoriesChanged(directories: ReadonlySet<string>): void {
    for (const terminal of this.registry.all())
      if (directoriesOf(terminal, this).some((directory) => directories.has(directory))) this.audience.announceTerminal(terminal.id)
  }
}
