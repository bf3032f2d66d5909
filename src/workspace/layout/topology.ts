/**
 * src/workspace/layout: where terminals stand. topology.ts is the whole (groups, workspaces, dock), layout.ts one split layout,
 * canvas.ts one canvas, splitTree.ts the tree below a layout. Every change is a function from one value to the next; repairTopology.ts
 * makes any stored value sound.
 */
import type { GroupId, TerminalId, WorkspaceId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { type Canvas, type Extent, place, removeTile } from './canvas.ts'
import { close, emptyLayout, hasTerminal, insert, type Layout, move, setSizes, splitAt, terminalsOf, type Where } from './layout.ts'

/**
 * Where every terminal stands. Each one is in exactly one workspace, there both in the split layout and on the canvas
 * (`view` says which of the two is looked at), and once in the dock. There is always at least one workspace.
 */
export type Topology = {
  readonly groups: readonly Group[]
  /** Never reorders by itself: people find things by where they were. */
  readonly dock: readonly TerminalId[]
}
export type Group = { readonly id: GroupId; readonly name: string; readonly color: string; readonly workspaces: readonly Workspace[] }
export type Workspace = {
  readonly id: WorkspaceId
  readonly name: string
  readonly layout: Layout
  readonly canvas: Canvas
  readonly view: View
}
export const VIEWS = ['split', 'canvas'] as const
export type View = (typeof VIEWS)[number]
/** Beside a terminal that is there already. */
export type Place = { readonly at: TerminalId; readonly where: Where }

const FIRST_GROUP = { name: 'main', color: 'blue' } as const
export const FIRST_WORKSPACE_NAME = 'main'

export function emptyTopology(ids: { readonly group: GroupId; readonly workspace: WorkspaceId }): Topology {
  return { groups: [{ id: ids.group, ...FIRST_GROUP, workspaces: [emptyWorkspace(ids.workspace, FIRST_WORKSPACE_NAME)] }], dock: [] }
}

export function emptyWorkspace(id: WorkspaceId, name: string): Workspace {
  return { id, name, layout: emptyLayout, canvas: {}, view: 'split' }
}

export function workspacesOf({ groups }: Topology): readonly Workspace[] {
  return groups.flatMap(({ workspaces }) => workspaces)
}

export function workspaceWithId(topology: Topology, id: WorkspaceId): Workspace | null {
  return workspacesOf(topology).find((workspace) => workspace.id === id) ?? null
}

export function workspaceOf(topology: Topology, terminal: TerminalId): Workspace | null {
  return workspacesOf(topology).find(({ layout }) => hasTerminal(layout, terminal)) ?? null
}

/** A terminal that stands somewhere already is moved. */
export function placeTerminal(
  topology: Topology,
  wanted: { readonly terminal: TerminalId; readonly workspace: WorkspaceId; readonly place?: Place },
): Result<Topology> {
  const { terminal, workspace } = wanted
  if (workspaceOf(topology, terminal) !== null) return moveTerminal(topology, { ...wanted, to: workspace })
  if (workspaceWithId(topology, workspace) === null) return refused(refusals.workspaceNotFound(workspace))
  const placed = changeWorkspace(topology, workspace, (there) => admit(there, { terminal, ...wanted.place }))
  return done({ ...placed, dock: placed.dock.includes(terminal) ? placed.dock : [...placed.dock, terminal] })
}

export function moveTerminal(
  topology: Topology,
  wanted: { readonly terminal: TerminalId; readonly to: WorkspaceId; readonly place?: Place },
): Result<Topology> {
  const { terminal, to, place: where } = wanted
  const from = workspaceOf(topology, terminal)
  if (from === null) return refused(refusals.terminalNotFound(terminal))
  if (workspaceWithId(topology, to) === null) return refused(refusals.workspaceNotFound(to))
  if (from.id === to) return done(where === undefined ? topology : moveWithin(topology, from, { terminal, ...where }))
  const extent = from.canvas[terminal]
  const left = changeWorkspace(topology, from.id, (workspace) => dismiss(workspace, terminal))
  return done(changeWorkspace(left, to, (workspace) => admit(workspace, { terminal, ...where, ...(extent && { extent }) })))
}

export function removeTerminal(topology: Topology, terminal: TerminalId): Topology {
  const workspace = workspaceOf(topology, terminal)
  if (workspace === null) return topology
  const left = changeWorkspace(topology, workspace.id, (there) => dismiss(there, terminal))
  return { ...left, dock: left.dock.filter((other) => other !== terminal) }
}

/** For the operations of `layout.ts` that keep the terminals: split sizes, moves, zoom, tabs. */
export function rearrange(topology: Topology, id: WorkspaceId, change: (layout: Layout) => Layout): Result<Topology> {
  return changeView(topology, id, (workspace) => ({ ...workspace, layout: change(workspace.layout) }))
}

/** For moving and resizing tiles. */
export function redraw(topology: Topology, id: WorkspaceId, change: (canvas: Canvas) => Canvas): Result<Topology> {
  return changeView(topology, id, (workspace) => ({ ...workspace, canvas: change(workspace.canvas) }))
}

export function setView(topology: Topology, id: WorkspaceId, view: View): Result<Topology> {
  return changeView(topology, id, (workspace) => ({ ...workspace, view }))
}

export function moveInDock(topology: Topology, { terminal, index }: { readonly terminal: TerminalId; readonly index: number }): Topology {
  if (!topology.dock.includes(terminal)) return topology
  return { ...topology, dock: topology.dock.filter((other) => other !== terminal).toSpliced(index, 0, terminal) }
}

export function changeWorkspace(topology: Topology, id: WorkspaceId, change: (workspace: Workspace) => Workspace): Topology {
  const changeIn = (group: Group): Group => {
    if (!group.workspaces.some((workspace) => workspace.id === id)) return group
    return { ...group, workspaces: group.workspaces.map((workspace) => (workspace.id === id ? change(workspace) : workspace)) }
  }
  return { ...topology, groups: topology.groups.map(changeIn) }
}

export function admit(
  { layout, canvas, ...workspace }: Workspace,
  wanted: { readonly terminal: TerminalId; readonly at?: TerminalId; readonly where?: Where; readonly extent?: Extent },
): Workspace {
  return { ...workspace, layout: insert(layout, wanted), canvas: place(canvas, wanted.terminal, wanted.extent) }
}

function dismiss({ layout, canvas, ...workspace }: Workspace, terminal: TerminalId): Workspace {
  return { ...workspace, layout: close(layout, terminal), canvas: removeTile(canvas, terminal) }
}

function moveWithin(topology: Topology, { id }: Workspace, { terminal, at, where }: Place & { readonly terminal: TerminalId }): Topology {
  return changeWorkspace(topology, id, (workspace) => ({ ...workspace, layout: move(workspace.layout, { terminal, target: at, where }) }))
}

function changeView(topology: Topology, id: WorkspaceId, change: (workspace: Workspace) => Workspace): Result<Topology> {
  if (workspaceWithId(topology, id) === null) return refused(refusals.workspaceNotFound(id))
  return done(changeWorkspace(topology, id, (workspace) => sameTerminals(workspace, change(workspace))))
}

/** A view that gains or loses a terminal is a bug of the caller, and would lose the terminal for the user. */
function sameTerminals(before: Workspace, after: Workspace): Workspace {
  const named = ({ layout, canvas }: Workspace) => [...terminalsOf(layout), ...Object.keys(canvas)].sort().join()
  if (named(before) !== named(after)) throw new Error(`changing the view of workspace ${before.id} would change its terminals`)
  return after
}

/** Sets the sizes of the parts of a split. A split that does not exist is refused: the client has seen another layout. */
export function sizeSplit(
  topology: Topology,
  id: WorkspaceId,
  wanted: { readonly path: readonly number[]; readonly sizes: readonly number[] },
): Result<Topology> {
  const workspace = workspaceWithId(topology, id)
  if (workspace === null) return refused(refusals.workspaceNotFound(id))
  const { path, sizes } = wanted
  const split = splitAt(workspace.layout, path)
  if (split === null) return refused(refusals.splitNotFound(path))
  const parts = split.children.length
  if (parts !== sizes.length) return refused(refusals.splitParts(parts, sizes.length))
  return rearrange(topology, id, (layout: Layout) => setSizes(layout, { path, sizes }))
}

/** The layout as if these terminals had never been in it; also where it names a terminal without a place. */
export function withoutTerminals(topology: Topology, terminals: readonly TerminalId[]): Topology {
  const gone = new Set<string>(terminals)
  const left = terminals.reduce(removeTerminal, topology)
  const withoutTiles = (workspace: Workspace): Workspace => ({
    ...workspace,
    canvas: Object.fromEntries(Object.entries(workspace.canvas).filter(([id]) => !gone.has(id))),
  })
  return {
    groups: left.groups.map((group) => ({ ...group, workspaces: group.workspaces.map(withoutTiles) })),
    dock: left.dock.filter((id) => !gone.has(id)),
  }
}
