import type { RunId, TerminalId, WorkspaceId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { terminalsOf } from '../layout/layout.ts'
import { type Topology, workspaceWithId } from '../layout/topology.ts'
import { betterRestore } from '../terminal/resume.ts'
import { type Asleep, currentRun, keptOf, type Terminal } from '../terminal/terminal.ts'
import { type Checkpoint, type CheckpointTerminal, type ScreenRef, shownRun, type WorkspaceState } from './checkpoint.ts'
import type { HostId } from './checkpointHost.ts'
import { restoredTopology, restoredWorkspace, type Spare } from './planRestoreTopology.ts'
import { type NotWoken, planWakes, type RestorePolicy, type Wake } from './planRestoreWakes.ts'

/**
 * What restoring a checkpoint would do, as a plan that can be shown before anything happens. It depends on its input
 * alone. A program that lives is never ended and never started again, whatever the checkpoint says; nothing is woken
 * unless the policy says so; and the topology is the checkpoint's own, not the newest one.
 */
export type RestoreInput = {
  readonly checkpoint: Checkpoint
  readonly present: { readonly terminals: readonly Terminal[]; readonly topology: Topology }
  readonly holders: readonly { readonly terminal: TerminalId; readonly run: RunId }[]
  readonly policy: RestorePolicy
  readonly host: { readonly id: HostId; readonly isSame: boolean }
  /** Whether the paths of `pathsToCheck` exist here. */
  readonly paths: PathFacts
  readonly focused: TerminalId | null
  readonly now: number
  readonly spare: Spare
  /** Only this workspace of the checkpoint; everything else stays. */
  readonly only?: WorkspaceId
  /**
   * What becomes of terminals that are asleep now and that the checkpoint does not know: `forget` them, as going back to
   * an older state means, or `keep` them, as a boot must, because the checkpoint may be older than they are.
   */
  readonly asleepStrangers: 'keep' | 'forget'
}

/** `terminal` is the record as it will be; `screen`, where there is one, is to be shown as the snapshot of its last run. */
export type RestoreStep =
  /** It is live: its program keeps running, only its place may change. */
  | { readonly kind: 'adopt'; readonly id: TerminalId; readonly terminal: Terminal; readonly why: string }
  /** It lives, or is kept, and the checkpoint does not know it: it gets a place at the end. */
  | { readonly kind: 'keepStranger'; readonly id: TerminalId; readonly terminal: Terminal; readonly why: string }
  /** Its program is gone: it is asleep, with the id, the slot and the screen it had. */
  | { readonly kind: 'lost'; readonly id: TerminalId; readonly terminal: Asleep; readonly screen: ScreenRef | null; readonly why: string }
  /** It sleeps now as it did then. */
  | { readonly kind: 'rest'; readonly id: TerminalId; readonly terminal: Asleep; readonly screen: ScreenRef | null; readonly why: string }
  /** It is not here any more: it comes back, asleep. */
  | {
      readonly kind: 'bringBack'
      readonly id: TerminalId
      readonly terminal: Asleep
      readonly screen: ScreenRef | null
      readonly why: string
    }
  /** It sleeps now, and the checkpoint does not know it. */
  | { readonly kind: 'forget'; readonly id: TerminalId; readonly why: string }

export type RestorePlan = {
  readonly checkpoint: Pick<Checkpoint, 'id' | 'at' | 'kind' | 'note'>
  readonly only: WorkspaceId | null
  readonly steps: readonly RestoreStep[]
  readonly topology: Topology
  readonly wakes: readonly Wake[]
  readonly notWoken: readonly NotWoken[]
  readonly host: { readonly id: HostId; readonly isSame: boolean }
  readonly missingPaths: readonly MissingPath[]
}

/** Refuses only a workspace that the checkpoint does not have. */
export function planRestore(input: RestoreInput): Result<RestorePlan> {
  const { checkpoint, only, host } = input
  const workspace = only === undefined ? null : workspaceWithId(checkpoint.topology, only)
  if (only !== undefined && workspace === null) return refused(refusals.workspaceNotFound(only))
  const inScope = workspace === null ? null : new Set<TerminalId>(terminalsOf(workspace.layout))
  const entries = inDockOrder(checkpoint).filter(({ terminal }) => inScope === null || inScope.has(terminal.id))
  const steps = planSteps(input, entries)
  const asleep = new Set(steps.flatMap((step) => ('screen' in step ? [step.id] : [])))
  const candidates = entries
    .filter(({ terminal }) => asleep.has(terminal.id))
    .map((entry) => ({ entry, isCwdMissing: input.paths.get(placeToWakeIn(entry)) === false }))
  const { id, at, kind, note } = checkpoint
  return done({
    checkpoint: { id, at, kind, note },
    only: only ?? null,
    steps,
    topology: topologyAfter(input, steps),
    ...planWakes(candidates, input),
    host,
    missingPaths: missingPathsOf(entries, input.paths),
  })
}

/** In the order of the dock, then terminals that are not in it, so that the order is deterministic. */
function inDockOrder({ terminals, topology }: Checkpoint): readonly CheckpointTerminal[] {
  const rank = new Map(topology.dock.map((id, index) => [id, index]))
  const rankOf = ({ terminal }: CheckpointTerminal): number => rank.get(terminal.id) ?? topology.dock.length
  return [...terminals].sort((a, b) => rankOf(a) - rankOf(b) || (a.terminal.id < b.terminal.id ? -1 : 1))
}

function planSteps(input: RestoreInput, entries: readonly CheckpointTerminal[]): readonly RestoreStep[] {
  const present = new Map(input.present.terminals.map((terminal) => [terminal.id, terminal]))
  const known = new Set(entries.map(({ terminal }) => terminal.id))
  const strangers = input.present.terminals.filter(({ id }) => !known.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1))
  const strangerSteps = strangers.map((terminal) => stepForStranger(terminal, input))
  const living = entries.flatMap(({ terminal }) => livingRecord(terminal, present.get(terminal.id), input) ?? [])
  const names = new Set(
    [...living, ...strangerSteps.flatMap((step) => ('terminal' in step ? [step.terminal] : []))].map(({ name }) => name),
  )
  const steps = entries.map((entry) => stepFor(entry, { present: present.get(entry.terminal.id), input, names }))
  return [...steps, ...strangerSteps]
}

/**
 * The record of a terminal whose program lives, or null. A starting or ending program counts as living. A holder whose
 * terminal has no record is the business of `reconcile`; until then the checkpoint's record stands for it.
 */
function livingRecord(then: Terminal, present: Terminal | undefined, { holders }: RestoreInput): Terminal | null {
  const record = present ?? then
  if (hasHolder(record, holders)) return record
  return present?.state === 'waking' || present?.state === 'settling' ? present : null
}

const hasHolder = (terminal: Terminal, holders: RestoreInput['holders']): boolean =>
  holders.some((holder) => holder.terminal === terminal.id || holder.run === currentRun(terminal))

type Step = { readonly present: Terminal | undefined; readonly input: RestoreInput; readonly names: Set<string | null> }

function stepFor(entry: CheckpointTerminal, { present, input, names }: Step): RestoreStep {
  const { id } = entry.terminal
  const living = livingRecord(entry.terminal, present, input)
  if (living !== null) return { kind: 'adopt', id, terminal: living, why: 'its program is running' }
  const { screen } = entry
  const terminal = asleepAgain(entry, { present, input, names })
  if (present === undefined) return { kind: 'bringBack', id, terminal, screen, why: 'it is no longer here' }
  if (present.state !== 'asleep') return { kind: 'lost', id, terminal, screen, why: 'its program is gone' }
  const { kind } = terminal.because
  if (kind === 'lost') return { kind: 'lost', id, terminal, screen, why: 'its program was running and is gone' }
  return { kind: 'rest', id, terminal, screen, why: `it is asleep, as in the checkpoint (${kind})` }
}

/** As the checkpoint has it, without a run. A conversation that became known since then is kept. */
function asleepAgain(entry: CheckpointTerminal, { present, input, names }: Step): Asleep {
  const { terminal } = entry
  const kept = keptOf(terminal)
  const name = freeName(kept.name, names)
  names.add(name)
  const cwd = terminal.restore.kind === 'shell' ? placeToWakeIn(entry) : kept.spec.cwd
  const restore = present === undefined ? kept.restore : betterRestore(present.restore, kept.restore)
  const lastRun = entry.screen?.run ?? shownRun(terminal)
  const record = { ...kept, name, restore, lastRun, spec: { ...kept.spec, cwd }, touched: input.now }
  if (terminal.state === 'asleep') return { ...record, state: 'asleep', since: terminal.since, because: terminal.because }
  return { ...record, state: 'asleep', since: input.now, because: { kind: 'lost' } }
}

function stepForStranger(terminal: Terminal, { asleepStrangers, only, holders }: RestoreInput): RestoreStep {
  const { id } = terminal
  if (terminal.state !== 'asleep' || hasHolder(terminal, holders))
    return { kind: 'keepStranger', id, terminal, why: 'its program is running' }
  if (only !== undefined) return { kind: 'keepStranger', id, terminal, why: 'it is not in the workspace that is restored' }
  if (asleepStrangers === 'keep') return { kind: 'keepStranger', id, terminal, why: 'it is newer than the checkpoint' }
  return { kind: 'forget', id, why: 'it is not in the checkpoint' }
}

function topologyAfter({ checkpoint, present, spare, only }: RestoreInput, steps: readonly RestoreStep[]): Topology {
  const terminals = steps.filter(({ kind }) => kind !== 'forget').map(({ id }) => id)
  const between = { then: checkpoint.topology, now: present.topology, terminals, spare }
  if (only !== undefined) return restoredWorkspace({ ...between, only })
  return restoredTopology({ ...between, strangers: steps.filter(({ kind }) => kind === 'keepStranger').map(({ id }) => id) })
}

const MOST_TRIES = 1_000

/** Names are unique. A live terminal keeps its name; one that comes back with the same name gets a number. */
export function freeName(name: string | null, taken: ReadonlySet<string | null>): string | null {
  if (name === null || !taken.has(name)) return name
  for (let count = 2; count < MOST_TRIES; count += 1) {
    const numbered = `${[...name].slice(0, ROOM).join('').trim()}-${count}`
    if (!taken.has(numbered)) return numbered
  }
  return null
}

const ROOM = 60 // of the 64 characters that a name may have

/** Which paths a restore needs. Whether they exist is for the caller to find out; here it is only a fact. */
type PathFacts = ReadonlyMap<string, boolean>
type MissingPath = { readonly path: string; readonly terminals: readonly TerminalId[] }

/** A shell continues in its last directory; an agent is known by the one it was started in. */
const placeToWakeIn = ({ terminal, cwd }: CheckpointTerminal): string =>
  terminal.restore.kind === 'shell' ? (cwd ?? terminal.spec.cwd) : terminal.spec.cwd

export const pathsToCheck = ({ terminals }: WorkspaceState): readonly string[] =>
  [...new Set(terminals.flatMap((entry) => [placeToWakeIn(entry), ...programOf(entry)]))].sort()

/** A command without a slash is looked for in PATH at its start, and told then. */
const programOf = ({ terminal }: CheckpointTerminal): readonly string[] =>
  terminal.spec.command.startsWith('/') ? [terminal.spec.command] : []

function missingPathsOf(entries: readonly CheckpointTerminal[], facts: PathFacts): readonly MissingPath[] {
  const paths = pathsToCheck({ terminals: entries, topology: { groups: [], dock: [] } }).filter((path) => facts.get(path) === false)
  return paths.map((path) => ({
    path,
    terminals: entries.filter((entry) => [placeToWakeIn(entry), ...programOf(entry)].includes(path)).map(({ terminal }) => terminal.id),
  }))
}
