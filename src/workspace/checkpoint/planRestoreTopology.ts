import type { GroupId, TerminalId, WorkspaceId } from '../../base/ids.ts'
import { keepOnly, terminalsOf } from '../layout/layout.ts'
import { repairTopology } from '../layout/repairTopology.ts'
import {
  admit,
  emptyWorkspace,
  type Group,
  removeTerminal,
  type Topology,
  type Workspace,
  workspaceOf,
  workspacesOf,
  workspaceWithId,
} from '../layout/topology.ts'

/**
 * The topology that a restore sets. What the checkpoint says comes back exactly: strangers to it never share one of its
 * workspaces, which would change how that one is split. They get a workspace at the end.
 */
export type Spare = { readonly group: GroupId; readonly workspace: WorkspaceId }
const STRANGERS_WORKSPACE_NAME = 'kept'

type Restoring = {
  readonly then: Topology
  readonly now: Topology
  /** All terminals there will be, the strangers among them. */
  readonly terminals: readonly TerminalId[]
  readonly strangers: readonly TerminalId[]
  readonly spare: Spare
}

export function restoredTopology({ then, now, terminals, strangers, spare }: Restoring): Topology {
  const known = terminals.filter((id) => !strangers.includes(id))
  const sound = repairTopology(then, { terminals: known, spare })
  return withStrangers(sound, { now, strangers, spare })
}

/** Strangers of a workspace that the checkpoint does not know bring it along, with its layout. */
function withStrangers(topology: Topology, { now, strangers, spare }: Pick<Restoring, 'now' | 'strangers' | 'spare'>): Topology {
  const isStranger = (id: TerminalId): boolean => strangers.includes(id)
  const theirs = workspacesOf(now).filter(
    ({ id, layout }) => workspaceWithId(topology, id) === null && terminalsOf(layout).some(isStranger),
  )
  const along = theirs.map((workspace) => keptPart(workspace, isStranger))
  const housed = new Set(along.flatMap(({ layout }) => terminalsOf(layout)))
  const others = strangers.filter((id) => !housed.has(id))
  const extra = [...along, ...(others.length === 0 ? [] : [workspaceFor(others, now, freeId(topology, spare.workspace))])]
  const dock = [...topology.dock, ...inDockOrder(strangers, now)]
  return extra.length === 0 ? { ...topology, dock } : { groups: appended(topology.groups, extra), dock }
}

function keptPart(workspace: Workspace, keeps: (id: TerminalId) => boolean): Workspace {
  const layout = keepOnly(workspace.layout, keeps)
  return { ...workspace, layout, canvas: Object.fromEntries(Object.entries(workspace.canvas).filter(([id]) => keeps(id as TerminalId))) }
}

function workspaceFor(terminals: readonly TerminalId[], now: Topology, id: WorkspaceId): Workspace {
  return terminals.reduce(
    (workspace, terminal) => {
      const extent = workspaceOf(now, terminal)?.canvas[terminal]
      return admit(workspace, { terminal, ...(extent && { extent }) })
    },
    emptyWorkspace(id, STRANGERS_WORKSPACE_NAME),
  )
}

/** The checkpoint may come from a time when the spare id was taken, however unlikely. */
function freeId(topology: Topology, id: WorkspaceId): WorkspaceId {
  if (workspaceWithId(topology, id) === null) return id
  throw new Error(`the spare workspace ${id} is in use`)
}

function appended(groups: readonly Group[], workspaces: readonly Workspace[]): readonly Group[] {
  return groups.map((group, index) =>
    index === groups.length - 1 ? { ...group, workspaces: [...group.workspaces, ...workspaces] } : group,
  )
}

const inDockOrder = (terminals: readonly TerminalId[], { dock }: Topology): readonly TerminalId[] => [
  ...dock.filter((id) => terminals.includes(id)),
  ...terminals.filter((id) => !dock.includes(id)),
]

/**
 * One workspace as it was; everything else as it is. Its terminals leave where they are now, and those that are in it now
 * without having been there then move out, into a workspace at the end.
 */
export function restoredWorkspace({
  then,
  now,
  only,
  terminals,
  spare,
}: Omit<Restoring, 'strangers'> & { readonly only: WorkspaceId }): Topology {
  const wanted = workspaceWithId(then, only)
  if (wanted === null) return now
  const own = terminalsOf(wanted.layout)
  const guests = terminalsOf(workspaceWithId(now, only)?.layout ?? { root: null, zoomed: null }).filter((id) => !own.includes(id))
  const left = [...own, ...guests].reduce(removeTerminal, now)
  const placed = withWorkspace(left, wanted, then)
  const housed = guests.length === 0 ? placed.groups : appended(placed.groups, [workspaceFor(guests, now, freeId(placed, spare.workspace))])
  const dock = [
    ...now.dock,
    ...inDockOrder(
      own.filter((id) => !now.dock.includes(id)),
      then,
    ),
  ]
  return repairTopology({ groups: housed, dock }, { terminals, spare })
}

function withWorkspace(topology: Topology, wanted: Workspace, then: Topology): Topology {
  const isThere = workspaceWithId(topology, wanted.id) !== null
  if (isThere)
    return {
      ...topology,
      groups: topology.groups.map((group) => ({
        ...group,
        workspaces: group.workspaces.map((workspace) => (workspace.id === wanted.id ? wanted : workspace)),
      })),
    }
  const group = then.groups.find(({ workspaces }) => workspaces.some(({ id }) => id === wanted.id))
  const home = topology.groups.find(({ id }) => id === group?.id) ?? topology.groups.at(-1)
  if (home === undefined) return { ...topology, groups: group === undefined ? [] : [{ ...group, workspaces: [wanted] }] }
  return {
    ...topology,
    groups: topology.groups.map((other) => (other.id === home.id ? { ...other, workspaces: [...other.workspaces, wanted] } : other)),
  }
}
