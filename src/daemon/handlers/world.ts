/** The parts of the daemon that handlers work on. Each handler names the few that it needs: `Pick<Parts, …>`. */
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { Store } from '../../store/store.ts'
import type { CommandName } from '../../wire/commands/commands.ts'
import type { Config } from '../../wire/config/config.ts'
import type { Paths } from '../../wire/paths.ts'
import type { Topology } from '../../workspace/layout/topology.ts'
import type { TerminalEvent } from '../../workspace/terminal/events.ts'
import type { Agents } from '../agents/agents.ts'
import type { Backends } from '../backends/backends.ts'
import type { Holders } from '../backends/holders.ts'
import type { Log } from '../base/log.ts'
import type { Checkpoints } from '../checkpoints/checkpoints.ts'
import type { Audience } from '../clients/audience.ts'
import type { Handler } from '../clients/handler.ts'
import type { Forgetting } from '../forget/forgetting.ts'
import type { DaemonHealth } from '../health/daemonHealth.ts'
import type { LostQuestion } from '../life/lostQuestion.ts'
import type { Repositories } from '../places/repositories.ts'
import type { Earlier } from '../screens/earlier.ts'
import type { RunScreens } from '../screens/runScreens.ts'
import type { Screens } from '../screens/screens.ts'
import type { Indexer } from '../search/indexer.ts'
import type { Activity } from '../sleep/activity.ts'
import type { Attention } from '../terminals/attention.ts'
import type { ClosedTerminals } from '../terminals/closedTerminals.ts'
import type { Registry } from '../terminals/registry.ts'
import type { Sizes } from '../terminals/sizes.ts'
import type { TopologyKeeper } from '../terminals/topologyKeeper.ts'
import type { viewOf } from '../terminals/view.ts'
import type { Waiting } from '../terminals/waiting.ts'
import type { WakesInTurn } from '../terminals/wake.ts'
import type { WakePhases } from '../terminals/wakePhases.ts'
import type { Web } from '../web/startWeb.ts'

export type Parts = {
  readonly activity: Activity
  readonly agents: Agents
  readonly attention: Attention
  readonly audience: Audience
  readonly backends: Backends
  readonly checkpoints: Checkpoints
  readonly closed: ClosedTerminals
  readonly earlier: Earlier
  readonly forgetting: Forgetting
  readonly health: DaemonHealth
  readonly holders: Holders
  readonly indexer: Indexer
  readonly layout: TopologyKeeper
  readonly log: Log
  readonly lost: LostQuestion
  readonly paths: Paths
  readonly registry: Registry
  readonly repositories: Repositories
  readonly runScreens: RunScreens
  readonly screens: Screens
  readonly sizes: Sizes
  readonly store: Store
  readonly waiting: Waiting
  readonly wakePhases: WakePhases
  readonly wakes: WakesInTurn
  /** Null when the page is switched off. */
  readonly web: Promise<Page | null>
  readonly config: Config
  /** A sentence while config.toml cannot be used. */
  readonly configTrouble: string | null
  readonly topology: Topology
  readonly bootTroubles: readonly string[]
  readonly startedAt: number
  readonly version: string
  readonly umask: number
  /** The environments that new runs were asked for with; used at their start and never kept. */
  readonly inherited: Map<RunId, Readonly<Record<string, string>>>
  makeTerminalId(): TerminalId
  makeRunId(): RunId
  react(id: TerminalId, event: TerminalEvent): void
  /** Resolves when what config.toml says now is in force, or `configTrouble` says why not. */
  rereadConfig(): Promise<void>
  stop(): Promise<void>
}

export type Page = Omit<Web, 'close' | 'routes'>

/** What a terminal's view is made of. */
export type Viewing = Parameters<typeof viewOf>[1]

/** One handler for each of these commands; the compiler rejects a missing one. */
export type Handlers<Names extends CommandName, World> = { readonly [Name in Names]: Handler<Name, World> }

/** Every command of a noun: `Of<'group'>` is `group.list`, `group.new`, and so on. */
export type Of<Noun extends string> = Extract<CommandName, `${Noun}.${string}`>
