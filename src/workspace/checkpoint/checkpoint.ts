/**
 * src/workspace/checkpoint: the whole workspace at one moment, how two of them differ (checkpointDiff.ts), which are kept
 * (checkpointRetention.ts), and what a restore would do (planRestore.ts). storable.ts decides what may be written of a terminal;
 * fromElsewhere.ts judges records of other machines. The store keeps checkpoints, the daemon carries plans out.
 */
import { assertNever } from '../../base/assertNever.ts'
import type { CheckpointId, RunId, SessionId } from '../../base/ids.ts'
import { type Topology, workspacesOf } from '../layout/topology.ts'
import type { Environment } from '../redact/environment.ts'
import type { Because, Live, Restore, Spec, Terminal, Waking } from '../terminal/terminal.ts'
import type { Wrapper, WrapperLine } from '../wrapper/wrapper.ts'

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

type CheckpointCounts = {
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

/**
 * The part of an entry that makes a difference, with every key in a place of its own, however the entry was put
 * together. Process ids, titles, links and times change by themselves and are no part of it.
 */
export function lastingOf({ terminal, cwd, agent, env, screen }: CheckpointTerminal) {
  const { id, name, lastRun, theme, pinned, muted, onRestore, created, state } = terminal
  return {
    id,
    name,
    lastRun,
    theme,
    pinned,
    ...(muted ? { muted } : {}), // as it was hashed before there was a choice
    ...(onRestore === 'policy' ? {} : { onRestore }), // as it was hashed before there was a choice
    ...(terminal.imported === undefined ? {} : { imported: true }),
    created,
    restore: restoreOf(terminal.restore),
    spec: specOf(terminal.spec),
    state,
    only: onlyOf(terminal),
    cwd,
    metadata: metadataOf(agent),
    seenEnv: inOrder(env),
    screen: screen?.hash ?? null,
  }
}

function specOf({ command, args, cwd, env, size: { cols, rows } }: Spec): Spec {
  return { command, args, cwd, env: inOrder(env), size: { cols, rows } }
}

function wrapperOf(wrapper: Wrapper): Wrapper {
  if (wrapper.kind === 'none') return wrapper
  if (wrapper.kind === 'line') return lineOf(wrapper)
  const { kind, ran, why, inside } = wrapper
  return { kind, ran, why, ...(inside === undefined ? {} : { inside: lineOf(inside) }) }
}

function lineOf({ kind, before, text, cwd }: WrapperLine): WrapperLine {
  const { words = [], after = [] } = text ?? {}
  return { kind, before, ...(text === undefined ? {} : { text: { words, after } }), ...(cwd === undefined ? {} : { cwd }) }
}

function restoreOf(restore: Restore): Restore {
  switch (restore.kind) {
    case 'shell':
      return { kind: 'shell' }
    case 'unknown':
      return { kind: 'unknown', agent: restore.agent, ...(restore.why === undefined ? {} : { why: restore.why }) }
    case 'conversation': {
      const { kind, agent, id, provenance, argv, cwd, env, wrapper } = restore
      return {
        kind,
        agent,
        id,
        provenance,
        argv,
        ...(cwd === undefined ? {} : { cwd }),
        ...(env === undefined ? {} : { env: inOrder(env) }),
        ...(wrapper === undefined ? {} : { wrapper: wrapperOf(wrapper) }),
      }
    }
    case 'quit':
      return {
        ...{ kind: 'quit', agent: restore.agent, id: restore.id },
        ...(restore.wrapper === undefined ? {} : { wrapper: wrapperOf(restore.wrapper) }),
      }
  }
  return assertNever(restore)
}

/** What belongs to the state alone. */
function onlyOf(terminal: Terminal) {
  switch (terminal.state) {
    case 'asleep':
      return { because: becauseOf(terminal.because) }
    case 'waking':
      return { run: terminal.run, previousRun: terminal.previousRun, ...resumeOf(terminal) }
    case 'live':
      return { run: terminal.run, agent: terminal.agent, ...resumeOf(terminal) }
    case 'settling':
      return { run: terminal.run, then: terminal.then }
  }
  return assertNever(terminal)
}

/** Nothing for a fresh start, whose hash is the one it had before there were others. */
function resumeOf({ mode, previousRun, previousRestore }: Waking | Live) {
  if (mode === 'fresh') return {}
  return { mode, previousRun, previousRestore: previousRestore === null ? null : restoreOf(previousRestore) }
}

function becauseOf(because: Because): object {
  switch (because.kind) {
    case 'slept':
    case 'lost':
      return { kind: because.kind }
    case 'exited':
      return { kind: 'exited', status: because.status }
    case 'failed':
      return { kind: 'failed', reason: because.reason, ...(because.resumed === null ? {} : { resumed: because.resumed }) }
  }
  return assertNever(because)
}

function metadataOf(metadata: AgentMetadata | null): AgentMetadata | null {
  if (metadata === null) return null
  const { agent, conversation, details } = metadata
  return { agent, conversation, details: inOrder(details) }
}

/** Names may look like numbers, which objects put first whatever they are told; their order is fixed all the same. */
function inOrder(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const names = Object.keys(record)
  if (names.length < 2) return record
  const ordered: Record<string, string> = {}
  for (const name of names.sort()) ordered[name] = record[name] ?? ''
  return ordered
}

/**
 * Plain data as text in which keys stand in their order, so that equal values give equal text however they were put
 * together. Keys without a value are left out, as JSON does.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const fields = value as Readonly<Record<string, unknown>>
  const parts: string[] = []
  for (const key of Object.keys(fields).sort()) {
    if (fields[key] !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(fields[key])}`)
  }
  return `{${parts.join()}}`
}

/**
 * What of a terminal is structure, as text that can be compared: all that lasts, but for its size, which a border that
 * is dragged changes many times a second.
 */
export function structureOf(terminal: Terminal): string {
  const { spec, ...rest } = lastingOf({ terminal, cwd: null, agent: null, env: {}, screen: null })
  const { size: _, ...program } = spec
  return JSON.stringify([rest, program])
}

/** The note of the checkpoint that is saved before a restore; it says which restore it undoes. */

const BEFORE_RESTORING = 'before restoring '

export const restoreNote = (restored: CheckpointId): string => `${BEFORE_RESTORING}${restored}`

/** The id of the checkpoint that was restored right after; null for any other note. */
export const restoredAfter = (note: string | null): string | null =>
  note?.startsWith(BEFORE_RESTORING) === true ? note.slice(BEFORE_RESTORING.length) : null
