/**
 * Takes checkpoints of the whole workspace: soon after every structural change, once in a while, at the start, at the
 * end, before anything destructive, and when asked. The store skips one that says what the newest one says.
 */
import type { SessionId, TerminalId } from '../base/ids.ts'
import type { CheckpointOutcome, DraftTerminal } from '../store/store.ts'
import type { CheckpointKind } from '../workspace/checkpoint.ts'
import type { HostId } from '../workspace/checkpointHost.ts'
import type { Terminal } from '../workspace/terminal.ts'
import { removeTerminal, type Topology } from '../workspace/topology.ts'
import type { Daemon } from './daemon.ts'
import { seenOf } from './seen.ts'

export class Checkpoints {
  constructor(
    private readonly daemon: Daemon,
    readonly session: SessionId,
    readonly host: HostId,
  ) {}

  /** Screens that changed are kept first, so that the checkpoint shows what is there now. */
  async take(kind: CheckpointKind, note: string | null = null): Promise<CheckpointOutcome> {
    await this.daemon.keepScreens()
    const terminals = this.daemon.registry.all().map(draftOf)
    const topology = placesOf(this.daemon)
    return this.daemon.store.keepCheckpoint({ session: this.session, at: Date.now(), kind, note, topology, terminals, whole: true })
  }

  /** Something of the structure is different: a checkpoint follows when it has calmed down. */
  changed(_id: TerminalId | null): void {
    // the scheduling follows
  }
}

/** Without those that have a place but no record: a terminal gets its place first when it is made, and loses it last. */
function placesOf({ topology, registry }: Daemon): Topology {
  return topology.dock.filter((id) => registry.get(id) === null).reduce(removeTerminal, topology)
}

function draftOf(terminal: Terminal): DraftTerminal {
  const { cwd, env } = seenOf(terminal)
  return { terminal, cwd, env, agent: null }
}
