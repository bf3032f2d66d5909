/** What starting and recovering see of the daemon. */
import type { RunId, SessionId, TerminalId } from '../../base/ids.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../../wire/config/config.ts'
import type { Paths } from '../../wire/paths.ts'
import type { HostId } from '../../workspace/checkpoint/checkpointHost.ts'
import type { Topology } from '../../workspace/layout/topology.ts'
import type { TerminalEvent } from '../../workspace/terminal/events.ts'
import type { Backends } from '../backends/backends.ts'
import type { Holders } from '../backends/holders.ts'
import type { Log } from '../base/log.ts'
import type { ClosedTerminals } from '../terminals/closedTerminals.ts'
import type { Focus } from '../terminals/focus.ts'
import type { Registry } from '../terminals/registry.ts'
import type { SeenPrograms } from '../terminals/seen.ts'
import type { TopologyKeeper } from '../terminals/topologyKeeper.ts'
import type { WakesInTurn } from '../terminals/wake.ts'
import type { LostQuestion } from './lostQuestion.ts'

export type BootWorld = {
  readonly config: Config
  readonly paths: Paths
  readonly log: Log
  readonly store: Store
  readonly isLayoutKept: boolean
  readonly topology: Topology
  readonly layout: TopologyKeeper
  readonly registry: Registry
  readonly closed: ClosedTerminals
  readonly focus: Pick<Focus, 'last'>
  readonly lost: Pick<LostQuestion, 'ask'>
  readonly wakes: Pick<WakesInTurn, 'order'>
  readonly holders: Pick<Holders, 'adopt' | 'adoptUnattached' | 'adoptUnseen' | 'card' | 'ensure' | 'letGo' | 'status'>
  readonly backends: Pick<Backends, 'survivors'>
  readonly agents: { recall(): void }
  readonly files: { removeLeftovers(isKnown: (id: string) => boolean): Promise<void> }
  readonly forgetting: { resume(): Promise<void> }
  readonly runs: { learnSize(run: RunId): void }
  readonly runScreens: {
    readonly older: Map<RunId, { readonly checkpoint: string; readonly terminal: TerminalId }>
    readonly deferred: { found(runs: readonly RunId[]): void }
  }
  readonly checkpoints: {
    readonly session: SessionId
    readonly host: HostId
    readonly seen: Pick<SeenPrograms, 'remember'>
    isWhole: boolean
  }
  /** Sentences about what was found wrong at the start. */
  readonly bootTroubles: string[]
  makeTerminalId(): TerminalId
  react(id: TerminalId, event: TerminalEvent): void
}
