import type { CheckpointId, RunId, SessionId } from '../base/ids.ts'
import { canonicalJson } from './checkpointCanonical.ts'
import { lastingOf } from './checkpointLasting.ts'
import type { Environment } from './environmentNames.ts'
import type { Terminal } from './terminal.ts'
import { type Topology, workspacesOf } from './topology.ts'

/**
 * The whole workspace at one moment: its topology, the whole record of every terminal, and where the picture of each
 * is. A record is kept whole, with the variables its user gave it, because it may have to be woken from here; `env` is
 * what its program saw, and only to be looked at, so that it is redacted.
 */
export type Checkpoint = WorkspaceState & {
  readonly id: CheckpointId
  readonly session: SessionId
  readonly at: number
  readonly kind: CheckpointKind
  readonly note: string | null
  /** Two checkpoints of the same workspace have the same one. */
  readonly stateHash: string
  /** Has terminals, and was taken of a workspace that was whole. */
  readonly knownGood: boolean
  /** Of its texts and of its screens unpacked; what it shares with others is counted too. */
  readonly bytes: number
}

/** What can be compared: a checkpoint, or the workspace now. */
export type WorkspaceState = { readonly topology: Topology; readonly terminals: readonly CheckpointTerminal[] }

export type CheckpointTerminal = {
  readonly terminal: Terminal
  /** Where its program was, when that could be seen; `spec.cwd` is where it was started. */
  readonly cwd: string | null
  readonly agent: AgentMetadata | null
  readonly env: Environment
  readonly screen: ScreenRef | null
}

export type AgentMetadata = {
  readonly agent: string
  readonly conversation: string | null
  /** Whatever else is worth showing: version, model, configuration directory. */
  readonly details: Readonly<Record<string, string>>
}

/** As far as the record knows it. */
export function agentOf(terminal: Terminal): AgentMetadata | null {
  const { restore } = terminal
  if (restore.kind === 'conversation') return { agent: restore.agent, conversation: restore.id, details: {} }
  const agent = terminal.state === 'live' && terminal.agent !== null ? terminal.agent : restore.kind === 'unknown' ? restore.agent : null
  return agent === null ? null : { agent, conversation: null, details: {} }
}

/** `hash` is of the snapshot's bytes, and its address in the store. */
export type ScreenRef = { readonly run: RunId; readonly seq: number; readonly hash: string }

export const CHECKPOINT_KINDS = ['periodic', 'event', 'shutdown', 'startup', 'manual', 'before-destructive'] as const
export type CheckpointKind = (typeof CHECKPOINT_KINDS)[number]

export const isCheckpointKind = (text: string): text is CheckpointKind => CHECKPOINT_KINDS.some((kind) => kind === text)

/** A checkpoint without its contents, for lists. */
export type CheckpointSummary = Omit<Checkpoint, 'topology' | 'terminals'> & { readonly terminalCount: number }

export const summaryOf = ({ topology: _, terminals, ...rest }: Checkpoint): CheckpointSummary => ({
  ...rest,
  terminalCount: terminals.length,
})

/** The run whose screen a terminal shows. */
export const shownRun = (terminal: Terminal): RunId | null => (terminal.state === 'asleep' ? terminal.lastRun : terminal.run)

export type CheckpointCounts = {
  readonly terminals: number
  readonly withProgram: number
  readonly asleep: number
  readonly screens: number
  readonly workspaces: number
  readonly groups: number
}

export function countsOf({ topology, terminals }: WorkspaceState): CheckpointCounts {
  const asleep = terminals.filter(({ terminal }) => terminal.state === 'asleep').length
  return {
    terminals: terminals.length,
    withProgram: terminals.length - asleep,
    asleep,
    screens: terminals.filter(({ screen }) => screen !== null).length,
    workspaces: workspacesOf(topology).length,
    groups: topology.groups.length,
  }
}

/**
 * Text that is the same for the same workspace, whatever the order of terminals and keys in memory. What changes by
 * itself (process ids, spinning titles, times of the last touch, how far a screen has counted) is left out: it makes no
 * new state.
 */
export function canonicalForm({ topology, terminals }: WorkspaceState): string {
  const entries = [...terminals].sort((a, b) => (a.terminal.id < b.terminal.id ? -1 : 1)).map(canonicalEntry)
  return `{"terminals":[${entries.join()}],"topology":${canonicalJson(topology)}}`
}

/** `lastingOf` puts every key in its place, so that plain JSON will do: it is three times as fast. */
export const canonicalEntry = (entry: CheckpointTerminal): string => JSON.stringify(lastingOf(entry))

/** Hashing is passed in: the pure layers have none. */
export const stateHashOf = (state: WorkspaceState, hash: (text: string) => string): string => hash(canonicalForm(state))
