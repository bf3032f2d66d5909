/**
 * Checkpoints: the whole workspace at one moment, taken here, found by `findCheckpoint.ts`, planned by `restorePlan.ts` and restored by
 * `restore.ts`. Changes come in from the registry and the layout. Start here: a checkpoint is taken soon after every structural change,
 * periodically, at the start and the end, before anything destructive, and on command. One at a time; the store skips one that equals
 * the newest.
 */
import type { SessionId, TerminalId } from '../../base/ids.ts'
import type { CheckpointOutcome, DraftTerminal, Store } from '../../store/store.ts'
import type { Config } from '../../wire/config/config.ts'
import {
  agentOf,
  type CheckpointKind,
  type ScreenRef,
  shownRun,
  structureOf,
  type WorkspaceState,
} from '../../workspace/checkpoint/checkpoint.ts'
import type { HostId } from '../../workspace/checkpoint/checkpointHost.ts'
import { storableEntry } from '../../workspace/checkpoint/storable.ts'
import { removeTerminal, type Topology } from '../../workspace/layout/topology.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Log } from '../base/log.ts'
import { trip } from '../base/trip.ts'
import type { Screens } from '../screens/screens.ts'
import type { Registry } from '../terminals/registry.ts'
import { SeenPrograms, type SeenSources } from '../terminals/seen.ts'
import { CheckpointTimer } from './checkpointTimer.ts'

/** The parts of the daemon that it works on. */
export type Parts = {
  readonly config: Config
  readonly store: Store
  readonly topology: Topology
  readonly log: Log
  readonly runScreens: { keepAll(): Promise<void> }
  readonly registry: Pick<Registry, 'all' | 'get'>
  readonly screens: Pick<Screens, 'cwdOf'>
}

export class Checkpoints {
  /** Set when the boot is done and has found everything: an incomplete checkpoint is never a good one. */
  isWhole = false
  /** A sentence while they cannot be kept. */
  trouble: string | null = null
  private readonly structures = new Map<TerminalId, string>()
  private readonly timer: CheckpointTimer
  readonly seen = new SeenPrograms()
  /** Whether the newest one may say something else than the workspace does. */
  private isBehind = true
  private underWay: Promise<unknown> = Promise.resolve()
  private isDue = false
  private isResting = false

  constructor(
    private readonly daemon: Parts,
    readonly session: SessionId,
    readonly host: HostId,
  ) {
    this.timer = new CheckpointTimer(
      () => daemon.config.checkpoints,
      (kind) => (this.isResting && kind === 'periodic' ? undefined : this.takeIfBehind(kind)),
    )
  }

  /** Called when the boot is done: takes the first checkpoint, and the others when they are due. */
  begin(): void {
    this.timer.begin()
    this.take('startup').catch(() => undefined) // said in `trouble`
  }

  /** While the daemon has more urgent things to do, only changes of the structure are followed. */
  rest(isToRest: boolean): void {
    this.isResting = isToRest
  }

  async end(): Promise<void> {
    this.timer.stop()
    await this.take('shutdown').catch(() => undefined) // said in `trouble`
  }

  /** Waits for those under way. Changed screens are kept first, so that the checkpoint shows the present. */
  take(kind: CheckpointKind, note: string | null = null): Promise<CheckpointOutcome> {
    return this.inTurn(async () => {
      await this.daemon.runScreens.keepAll()
      trip('checkpoint:screens-kept')
      return this.keep(kind, note)
    })
  }

  /** A terminal was announced; only what is structure makes a checkpoint, and titles do not even make one due. */
  changed(id: TerminalId): void {
    const terminal = this.daemon.registry.get(id)
    const structure = terminal === null ? undefined : structureOf(terminal)
    if (structure === this.structures.get(id)) return
    if (structure === undefined) this.structures.delete(id)
    else this.structures.set(id, structure)
    this.structureChanged()
  }

  /** Something of the structure is different: a checkpoint follows when it has calmed down. */
  structureChanged(): void {
    this.isBehind = true
    this.timer.structureChanged()
  }

  /** Something else that a checkpoint holds is different: the next one in its turn will show it. */
  contentChanged(): void {
    this.isBehind = true
  }

  /** What could not be kept when it was due may be by now. */
  again(): void {
    if (this.trouble !== null && !this.isResting) this.takeIfBehind('periodic')
  }

  /** Coalesces checkpoints that become due while one is queued. */
  private takeIfBehind(kind: CheckpointKind): void {
    if (this.isDue) return
    this.isDue = true
    const taken = this.inTurn(async () => {
      this.isDue = false
      await this.daemon.runScreens.keepAll()
      if (!this.isBehind) return
      trip('checkpoint:screens-kept')
      await this.keep(kind, null)
    })
    taken.catch(() => undefined) // said in `trouble`, and tried again when the next one is due
  }

  /** Runs `work` while no checkpoint is taken: one under way may show the state before. */
  between<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.inTurn(work)
  }

  private inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const mine = this.underWay.then(work)
    this.underWay = mine.catch(() => undefined)
    return mine
  }

  /** The last chance to see where a program is that is about to be ended. */
  lookAt(terminal: Terminal): Promise<void> {
    return this.seen.lookAt(terminal, this.sources())
  }

  private sources(): SeenSources {
    const { config, screens } = this.daemon
    return { allow: config.env.allow, reported: (run) => screens.cwdOf(run) }
  }

  /** The workspace as it is now, with what can be seen of its programs. */
  async look(): Promise<readonly DraftTerminal[]> {
    const { registry } = this.daemon
    await this.seen.look(registry.all(), this.sources())
    return registry.all().map((terminal) => ({ terminal, ...this.seen.of(terminal), agent: agentOf(terminal) }))
  }

  /** As a checkpoint that is taken now would say it, without taking one. */
  async now(): Promise<WorkspaceState> {
    await this.daemon.runScreens.keepAll()
    // Native code that the start need not wait for.
    const { blake3 } = await import('../../store/blake3.ts')
    const screenOf = async (terminal: Terminal): Promise<ScreenRef | null> => {
      const run = shownRun(terminal)
      const kept = run === null ? null : await this.daemon.store.snapshot(run)
      return kept === null ? null : { run: kept.run, seq: kept.seq, hash: blake3(kept.bytes) }
    }
    const seen = await this.look()
    const terminals = await Promise.all(
      seen.map(storableEntry).map(async (entry) => ({ ...entry, screen: await screenOf(entry.terminal) })),
    )
    return { topology: this.daemon.topology, terminals }
  }

  private async keep(kind: CheckpointKind, note: string | null): Promise<CheckpointOutcome> {
    const { daemon, session, isWhole: whole } = this
    this.isBehind = false // whatever changes from here on may be missing in it
    try {
      const terminals = await this.look()
      const outcome = await daemon.store.keepCheckpoint({
        ...{ session, at: Date.now(), kind, note, whole },
        ...{ topology: placesOf(daemon.topology, terminals), terminals },
      })
      trip('checkpoint:kept')
      const { count, days } = daemon.config.checkpoints
      if (outcome.isNew) await daemon.store.pruneCheckpoints({ count, days })
      trip('checkpoint:pruned')
      this.trouble = outcome.trouble
      return outcome
    } catch (error) {
      this.isBehind = true
      this.trouble = `cannot save checkpoints: ${(error as Error).message}`
      daemon.log.error({ kind, error: (error as Error).message }, 'a checkpoint could not be kept')
      throw error
    }
  }
}

/** Without those that have a place but no record: a terminal gets its place first when it is made, and loses it last. */
function placesOf(topology: Topology, recorded: readonly DraftTerminal[]): Topology {
  const ids = new Set(recorded.map(({ terminal }) => terminal.id))
  return topology.dock.filter((id) => !ids.has(id)).reduce(removeTerminal, topology)
}
