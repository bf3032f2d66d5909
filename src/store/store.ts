/**
 * src/store: what the daemon keeps, behind one interface (this file). Every promise resolves when the change would survive a power
 * cut. thread/ opens the store and runs it in a worker thread, rows/ has the tables, salvage/ saves what it can of a damaged database,
 * search/ is the index of all lines, exportFile.ts and seal.ts are the files of `holdfast export`. Domain records come in and go out;
 * SQL stays inside.
 */
import type { CheckpointId, DeviceId, RunId, SessionId, TerminalId } from '../base/ids.ts'
import type { Capability } from '../wire/capability.ts'
import type { AuthLogEntry } from '../wire/deviceView.ts'
import type { Checkpoint, CheckpointKind, CheckpointSummary, CheckpointTerminal } from '../workspace/checkpoint/checkpoint.ts'
import type { HostId } from '../workspace/checkpoint/checkpointHost.ts'
import type { Retention } from '../workspace/checkpoint/checkpointRetention.ts'
import type { Topology } from '../workspace/layout/topology.ts'
import type { Closed } from '../workspace/terminal/closed.ts'
import type { Terminal } from '../workspace/terminal/terminal.ts'
import type { ForgetOrder, PastTerminal, Traces } from './forgetOrder.ts'

export type KeptRecord =
  | { readonly ok: true; readonly terminal: Terminal }
  /** A record that cannot be decoded costs its details, never the boot. */
  | { readonly ok: false; readonly id: string; readonly raw: string; readonly why: string }

/** A record that cannot be decoded cannot be reopened. */
export type KeptClosed = { readonly ok: true; readonly closed: Closed } | { readonly ok: false; readonly id: string; readonly why: string }

export type KeptSnapshot = { readonly run: RunId; readonly seq: number; readonly bytes: Uint8Array }

/** A browser that has logged in. */
export type Device = {
  readonly id: DeviceId
  readonly name: string
  /** The origin it logged in at, port included: its key is accepted there and nowhere else. */
  readonly origin: string
  /** Its public key; the private one never leaves the browser. */
  readonly key: string
  readonly capability: Capability
  readonly created: number
  /** When it was last in use, to the hour. */
  readonly used: number
  /** The name of the device that made its login link; null: the command line did. */
  readonly addedBy: string | null
}

/** One life of the daemon. `clean`: it stopped in order; after a crash `endedAt` is null, as a rule. */
export type Session = {
  readonly id: SessionId
  readonly createdAt: number
  readonly lastCheckpointAt: number | null
  readonly endedAt: number | null
  readonly clean: boolean
  /** When a later daemon has dealt with its crash. */
  readonly recoveredAt: number | null
  /** Of its last checkpoint. */
  readonly topology: Topology | null
  readonly version: string
  readonly host: HostId
}

export type CheckpointDraft = {
  readonly session: SessionId
  readonly at: number
  readonly kind: CheckpointKind
  readonly note: string | null
  readonly topology: Topology
  readonly terminals: readonly DraftTerminal[]
  /** False while the workspace may lack something, such as before the boot is done: such a checkpoint is never a good one. */
  readonly whole: boolean
}

/** Without a `screen`, the snapshot that is kept of the run it shows is taken; null stands for none. */
export type DraftTerminal = Omit<CheckpointTerminal, 'screen'> & { readonly screen?: KeptSnapshot | null }

export type CheckpointOutcome = {
  /** Of the new checkpoint, or, when nothing had changed, of the existing one with the same state. */
  readonly id: CheckpointId
  readonly isNew: boolean
  readonly stateHash: string
  /** A sentence when the copy beside the database could not be written; the checkpoint itself is kept. */
  readonly trouble: string | null
}

export type LoadedCheckpoint =
  | { readonly ok: true; readonly checkpoint: Checkpoint }
  | { readonly ok: false; readonly id: CheckpointId; readonly why: string }

export type NewestGood = {
  readonly checkpoint: Checkpoint | null
  /** Newer checkpoints that could not be used, and why. */
  readonly damaged: readonly { readonly id: CheckpointId; readonly why: string }[]
  /** `mirror`: the copy beside the database, without screens. */
  readonly from: 'database' | 'mirror' | null
  /** The copy is newer than anything the database knows: the newest writes have gone from it, and records may be old. */
  readonly isDatabaseBehind: boolean
}

/** `hash` is that of a screen which a checkpoint shows; it becomes the snapshot of the run. */
export type RestoredScreen = { readonly terminal: TerminalId; readonly run: RunId; readonly seq: number; readonly hash: string }

/** What a restore sets. Terminals that it does not name stay as they are. */
export type Restored = {
  readonly terminals: readonly Terminal[]
  readonly forgotten: readonly TerminalId[]
  readonly topology: Topology
  readonly screens: readonly RestoredScreen[]
  readonly audit: readonly Omit<AuditEntry, 'at'>[]
}

export type AuditEntry = {
  readonly at: number
  readonly session: SessionId | null
  readonly terminal: TerminalId | null
  /** A word or two that can be searched for: `wake`, `rebind`, `restore`. */
  readonly what: string
  /** Plain data; secrets in it are redacted before it is kept. */
  readonly details: unknown
}

export type Store = {
  records(): Promise<readonly KeptRecord[]>
  /** Null when there is none yet or it cannot be decoded (then it is set aside, and `troubles` says so). */
  topology(): Promise<Topology | null>
  keepTerminal(terminal: Terminal): Promise<void>
  /** For good: its screens go with it. */
  forgetTerminal(id: TerminalId): Promise<void>
  /** It is no record any more and comes back with `reopenTerminal`; the layout is without it from the same moment on. */
  closeTerminal(closed: Closed, topology: Topology): Promise<void>
  closed(): Promise<readonly KeptClosed[]>
  reopenTerminal(terminal: Terminal, topology: Topology): Promise<void>
  keepTopology(topology: Topology): Promise<void>
  /** Replaces the run's earlier snapshot. */
  keepSnapshot(terminal: TerminalId, snapshot: KeptSnapshot): Promise<void>
  snapshot(run: RunId): Promise<KeptSnapshot | null>
  /** A device that cannot be decoded is left out: it must log in again. */
  devices(): Promise<readonly Device[]>
  keepDevice(device: Device): Promise<void>
  forgetDevice(id: DeviceId): Promise<void>
  /** Only the newest thousand are kept. */
  appendAuthLog(entry: AuthLogEntry): Promise<void>
  /** Newest first. */
  authLog(limit: number): Promise<readonly AuthLogEntry[]>
  setting(key: string): Promise<string | null>
  keepSetting(key: string, value: string): Promise<void>

  beginSession(start: { readonly version: string; readonly host: HostId }): Promise<SessionId>
  endSession(id: SessionId, end: { readonly clean: boolean }): Promise<void>
  /** The newest session that did not end cleanly and was not recovered; never the current one. */
  lastUncleanSession(): Promise<Session | null>
  markRecovered(id: SessionId): Promise<void>
  /** The session before the current one, however it ended. */
  sessionBefore(): Promise<Session | null>
  /** Newest first. */
  sessions(): Promise<readonly Session[]>

  /** One of kind `periodic` or `event` is not written when the newest one has the same state. */
  keepCheckpoint(draft: CheckpointDraft): Promise<CheckpointOutcome>
  /** Newest first. */
  checkpoints(): Promise<readonly CheckpointSummary[]>
  /** Null when there is none. A damaged checkpoint is reported instead of being used. */
  checkpoint(id: CheckpointId): Promise<LoadedCheckpoint | null>
  /** The newest good checkpoint that is undamaged, of one session or of all. */
  newestGoodCheckpoint(of?: { readonly session: SessionId }): Promise<NewestGood>
  checkpointScreen(id: CheckpointId, terminal: TerminalId): Promise<KeptSnapshot | null>
  /** False when there was none. */
  deleteCheckpoint(id: CheckpointId): Promise<boolean>
  /** All of it in one transaction: killed anywhere, either everything is restored or nothing is. */
  keepRestored(restored: Restored): Promise<void>
  /** Returns those that went. */
  pruneCheckpoints(retention?: Retention): Promise<readonly CheckpointId[]>

  /** What forgetting would remove. */
  traces(order: ForgetOrder): Promise<Traces>
  /** Everything of these, in one transaction, and the copies beside the database. `FORGETTING` is kept before, and `compact` comes after. */
  forget(order: ForgetOrder): Promise<void>
  /** Rewrites the file, so that nothing of what was deleted is in it; then forgets the order. Returns how many bytes it has lost. */
  compact(): Promise<number>
  /** Every terminal of which something is known, whether it is there or not. */
  pastTerminals(): Promise<readonly PastTerminal[]>

  appendAudit(entry: Omit<AuditEntry, 'at'>): Promise<void>
  /** Newest first. */
  audit(of?: { readonly terminal?: TerminalId; readonly limit?: number }): Promise<readonly AuditEntry[]>

  /** Resolves when the thread that writes has answered; rejects when it has ended. */
  ping(): Promise<void>
  /** Whether the thread has ended without having been closed. */
  hasEnded(): boolean
  /** Has `tell` called each time that happens. */
  onEnded(tell: () => void): void
  /**
   * Starts a new thread after the first has ended; rejects while it has not. Requests under way have failed, and have to be
   * asked for again. `sound` is false where the database was not what it had been: then only a new start knows what is kept.
   */
  reopen(): Promise<{ readonly sound: boolean }>

  /** Sentences about what was found broken and set aside while opening. */
  readonly troubles: readonly string[]
  close(): Promise<void>
}
