import type { GroupId, TerminalId, WorkspaceId } from '../../base/ids.ts'
import type { Rect } from '../layout/canvas.ts'
import type { LayoutNode } from '../layout/layout.ts'
import type { Group, Topology, Workspace } from '../layout/topology.ts'
import { redactArgv, redactEnvironment, redactText } from '../redact/redact.ts'
import { type CheckpointTerminal, canonicalJson, lastingOf, type WorkspaceState } from './checkpoint.ts'

/**
 * What is different between two checkpoints, or between one and now. Plain data, with secrets taken out; what is the
 * same is not mentioned, so that two equal states have an empty difference.
 */
type CheckpointDiff = {
  readonly terminals: readonly TerminalDiff[]
  readonly workspaces: readonly ThingDiff<WorkspaceId>[]
  readonly groups: readonly ThingDiff<GroupId>[]
}

export type TerminalDiff<Id = TerminalId> = { readonly id: Id; readonly name: string } & (
  | { readonly kind: 'appeared' | 'went'; readonly workspace: string | null }
  | { readonly kind: 'differs'; readonly moves: readonly Difference[]; readonly changes: readonly Difference[] }
)
export type ThingDiff<Id> = { readonly id: Id; readonly name: string } & (
  | { readonly kind: 'appeared' }
  | { readonly kind: 'went' }
  | { readonly kind: 'differs'; readonly changes: readonly Difference[] }
)

/** `what` is one of a fixed set of words; from and to are for people. */
export type Difference = { readonly what: string; readonly from: string; readonly to: string }

/** As it comes out of another process, which knows nothing of brands. */
export type ShownDiff = {
  readonly terminals: readonly TerminalDiff<string>[]
  readonly workspaces: readonly ThingDiff<string>[]
  readonly groups: readonly ThingDiff<string>[]
}

export const isEmptyDiff = ({ terminals, workspaces, groups }: ShownDiff): boolean =>
  terminals.length + workspaces.length + groups.length === 0

export function diffCheckpoints(before: WorkspaceState, after: WorkspaceState): CheckpointDiff {
  return {
    terminals: terminalDiffs(before, after),
    workspaces: thingDiffs(workspacesById(before.topology), workspacesById(after.topology), workspaceText),
    groups: thingDiffs(groupsById(before.topology), groupsById(after.topology), groupText),
  }
}

function terminalDiffs(before: WorkspaceState, after: WorkspaceState): readonly TerminalDiff[] {
  const [old, now] = [byId(before), byId(after)]
  const [oldPlaces, newPlaces] = [placesOf(before.topology), placesOf(after.topology)]
  const both = new Set([...old.keys()].filter((id) => now.has(id)))
  const [oldRanks, newRanks] = [dockRanks(before.topology.dock, both), dockRanks(after.topology.dock, both)]
  return [...new Set([...old.keys(), ...now.keys()])].sort().flatMap((id): readonly TerminalDiff[] => {
    const [was, is] = [old.get(id), now.get(id)]
    if (was === undefined && is === undefined) return []
    if (was === undefined || is === undefined) {
      const place = (is === undefined ? oldPlaces : newPlaces).get(id)
      return [{ id, name: labelOf(is ?? was), kind: is === undefined ? 'went' : 'appeared', workspace: place?.workspace.name ?? null }]
    }
    const dock = difference('dock', String(oldRanks.get(id) ?? 'none'), String(newRanks.get(id) ?? 'none'))
    const moves = [...moveOf(oldPlaces.get(id), newPlaces.get(id)), ...dock]
    const changes = changesOf(was, is)
    return moves.length + changes.length === 0 ? [] : [{ id, name: labelOf(is), kind: 'differs', moves, changes }]
  })
}

const byId = ({ terminals }: WorkspaceState): ReadonlyMap<TerminalId, CheckpointTerminal> =>
  new Map(terminals.map((entry) => [entry.terminal.id, entry]))

const labelOf = (entry: CheckpointTerminal | undefined): string => entry?.terminal.name ?? entry?.terminal.spec.command ?? ''

const difference = (what: string, from: string, to: string): readonly Difference[] => (from === to ? [] : [{ what, from, to }])

/** A terminal that went to another workspace has another slot there as a matter of course. */
function moveOf(was: StandingPlace | undefined, is: StandingPlace | undefined): readonly Difference[] {
  const rect = difference('canvas', rectText(was?.rect ?? null), rectText(is?.rect ?? null))
  if (was?.workspace.id !== is?.workspace.id)
    return [{ what: 'workspace', from: was?.workspace.name ?? 'none', to: is?.workspace.name ?? 'none' }, ...rect]
  return [...difference('slot', was?.slot ?? 'none', is?.slot ?? 'none'), ...rect]
}

type Lasting = ReturnType<typeof lastingOf>

/** Each part of what lasts under the word that people know it by. Together they are all of it: nothing differs unnamed. */
function partsOf({ restore, spec, ...rest }: Lasting): Readonly<Record<string, unknown>> {
  const { because, run, previousRun, then, agent } = rest.only as Partial<Record<string, unknown>>
  const { id: _id, name, lastRun, theme, pinned, muted, onRestore, created, state, cwd, metadata, seenEnv, screen } = rest
  return {
    name,
    cwd: cwd ?? spec.cwd,
    startedIn: spec.cwd,
    command: spec.command,
    args: spec.args,
    env: spec.env,
    size: spec.size,
    state: { state, because, then },
    run: { lastRun, run, previousRun },
    agent: { agent: agent ?? null, metadata },
    conversation: restore,
    screen,
    ...{ theme, pinned, muted: muted ?? false, onRestore: onRestore ?? 'policy', created, seenEnv },
  }
}

function changesOf(was: CheckpointTerminal, is: CheckpointTerminal): readonly Difference[] {
  const [from, to] = [partsOf(lastingOf(was)), partsOf(lastingOf(is))]
  const named = Object.keys(to).flatMap((what) =>
    canonicalJson(from[what]) === canonicalJson(to[what]) ? [] : [{ what, from: shown(what, from[what]), to: shown(what, to[what]) }],
  )
  // A live directory that equals the one it was started in is the same place, yet not the same knowledge.
  const seen =
    was.cwd !== is.cwd && !named.some(({ what }) => what === 'cwd')
      ? [{ what: 'cwd', from: was.cwd ?? 'unknown', to: is.cwd ?? 'unknown' }]
      : []
  return [...named, ...seen]
}

const HASH_DIGITS = 12

function shown(what: string, value: unknown): string {
  if (value === null || value === undefined) return 'none'
  if (what === 'args') return redactArgv(value as readonly string[]).join(' ')
  if (what === 'env' || what === 'seenEnv') return canonicalJson(redactEnvironment(value as Readonly<Record<string, string>>))
  if (what === 'screen') return String(value).slice(0, HASH_DIGITS)
  return typeof value === 'string' ? redactText(value) : redactText(canonicalJson(value))
}

type Placed<Thing> = { readonly thing: Thing; readonly where: string }

function workspacesById({ groups }: Topology): ReadonlyMap<WorkspaceId, Placed<Workspace>> {
  return new Map(
    groups.flatMap((group) =>
      group.workspaces.map((thing, index) => [thing.id, { thing, where: `${group.name} (${group.id}), ${index + 1}` }] as const),
    ),
  )
}

function groupsById({ groups }: Topology): ReadonlyMap<GroupId, Placed<Group>> {
  return new Map(groups.map((thing, index) => [thing.id, { thing, where: String(index + 1) }]))
}

const workspaceText = ({ thing: { name, view, layout }, where }: Placed<Workspace>): Readonly<Record<string, string>> => ({
  name,
  place: where,
  view,
  layout: canonicalJson(layout),
})

const groupText = ({ thing: { name, color }, where }: Placed<Group>): Readonly<Record<string, string>> => ({ name, color, place: where })

function thingDiffs<Id extends string, Thing extends { readonly id: Id; readonly name: string }>(
  before: ReadonlyMap<Id, Placed<Thing>>,
  after: ReadonlyMap<Id, Placed<Thing>>,
  textOf: (placed: Placed<Thing>) => Readonly<Record<string, string>>,
): readonly ThingDiff<Id>[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id): readonly ThingDiff<Id>[] => {
    const [was, is] = [before.get(id), after.get(id)]
    if (is === undefined) return was === undefined ? [] : [{ id, name: was.thing.name, kind: 'went' }]
    if (was === undefined) return [{ id, name: is.thing.name, kind: 'appeared' }]
    const [from, to] = [textOf(was), textOf(is)]
    const changes = Object.keys(to).flatMap((what) => difference(what, from[what] ?? '', to[what] ?? ''))
    return changes.length === 0 ? [] : [{ id, name: is.thing.name, kind: 'differs', changes }]
  })
}

/** Where a terminal stands, in words that can be compared: one answer per terminal of a topology. */
export type StandingPlace = {
  readonly workspace: Workspace
  /** The way from the root by child numbers, then the tab: `0.1 tab 2`. */
  readonly slot: string
  readonly rect: Rect | null
}

export function placesOf({ groups }: Topology): ReadonlyMap<TerminalId, StandingPlace> {
  const places = new Map<TerminalId, StandingPlace>()
  for (const workspace of groups.flatMap(({ workspaces }) => workspaces)) {
    if (workspace.layout.root === null) continue
    for (const { terminal, slot } of slotsUnder(workspace.layout.root, []))
      places.set(terminal, { workspace, slot, rect: workspace.canvas[terminal] ?? null })
  }
  return places
}

type Found = { readonly terminal: TerminalId; readonly slot: string }

function slotsUnder(node: LayoutNode, path: readonly string[]): readonly Found[] {
  if (node.kind === 'slot')
    return node.terminals.map((terminal, tab) => ({ terminal, slot: [path.join('.') || 'whole', `tab ${tab + 1}`].join(' ') }))
  const letter = node.direction === 'row' ? 'r' : 'c'
  return node.children.flatMap((child, index) => slotsUnder(child.node, [...path, `${letter}${index + 1}`]))
}

export const rectText = (rect: Rect | null): string => (rect === null ? 'nowhere' : `${rect.width}×${rect.height} at ${rect.x}, ${rect.y}`)

/** The position in the dock among the terminals in both, so that an added or removed terminal moves no other one. */
function dockRanks(dock: readonly TerminalId[], both: ReadonlySet<TerminalId>): ReadonlyMap<TerminalId, number> {
  return new Map(dock.filter((id) => both.has(id)).map((id, rank) => [id, rank + 1]))
}
