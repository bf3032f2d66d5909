import type { GroupId, WorkspaceId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { checkName } from '../name.ts'
import { terminalsOf } from './layout.ts'
import {
  changeWorkspace,
  emptyWorkspace,
  type Group,
  moveTerminal,
  type Topology,
  type Workspace,
  workspacesOf,
  workspaceWithId,
} from './topology.ts'

/** Of groups; the page has a light and a dark tone of each. */
export const COLORS = ['blue', 'green', 'yellow', 'orange', 'red', 'pink', 'purple', 'grey'] as const

/** The order of things above the terminals: groups, and the workspaces in them. Nothing here can lose a terminal. */
export function addWorkspace(
  topology: Topology,
  wanted: { readonly id: WorkspaceId; readonly name: string; readonly group?: GroupId },
): Result<Topology> {
  const { id, name, group = topology.groups.at(0)?.id ?? '' } = wanted
  return withFreeName(topology, { name, self: id }, (checked) =>
    withGroup(topology, group, (found) =>
      done(changeGroup(topology, found.id, { workspaces: [...found.workspaces, emptyWorkspace(id, checked)] })),
    ),
  )
}

export function renameWorkspace(topology: Topology, id: WorkspaceId, name: string): Result<Topology> {
  return withFreeName(topology, { name, self: id }, (checked) =>
    withWorkspace(topology, id, () => done(changeWorkspace(topology, id, (workspace) => ({ ...workspace, name: checked })))),
  )
}

/** `index` counts within the group it goes to; beyond the end is the end. */
export function moveWorkspace(
  topology: Topology,
  wanted: { readonly id: WorkspaceId; readonly group: GroupId; readonly index: number },
): Result<Topology> {
  const { id, group, index } = wanted
  return withWorkspace(topology, id, (workspace) =>
    withGroup(topology, group, () => {
      const without = dropWorkspace(topology, id)
      const workspaces = without.groups.find((other) => other.id === group)?.workspaces ?? []
      return done(changeGroup(without, group, { workspaces: workspaces.toSpliced(index, 0, workspace) }))
    }),
  )
}

export function removeWorkspace(topology: Topology, id: WorkspaceId): Result<Topology> {
  return withWorkspace(topology, id, (workspace) => {
    if (terminalsOf(workspace.layout).length > 0) return refused(refusals.workspaceNotEmpty(workspace.name))
    if (workspacesOf(topology).length === 1) return refused(refusals.workspaceLast(workspace.name))
    return done(dropWorkspace(topology, id))
  })
}

/** The terminals keep their order; each finds its place as a new one does. */
export function moveAllTerminals(
  topology: Topology,
  { from, to }: { readonly from: WorkspaceId; readonly to: WorkspaceId },
): Result<Topology> {
  return withWorkspace(topology, from, ({ layout }) =>
    withWorkspace(topology, to, () =>
      terminalsOf(layout).reduce<Result<Topology>>(
        (moved, terminal) => (moved.ok ? moveTerminal(moved.value, { terminal, to }) : moved),
        done(topology),
      ),
    ),
  )
}

export function addGroup(
  topology: Topology,
  wanted: { readonly id: GroupId; readonly name: string; readonly color: string },
): Result<Topology> {
  return withName(wanted.name, (name) => done({ ...topology, groups: [...topology.groups, { ...wanted, name, workspaces: [] }] }))
}

export function renameGroup(topology: Topology, id: GroupId, name: string): Result<Topology> {
  return withName(name, (checked) => withGroup(topology, id, () => done(changeGroup(topology, id, { name: checked }))))
}

export function colorGroup(topology: Topology, id: GroupId, color: string): Result<Topology> {
  return withGroup(topology, id, () => done(changeGroup(topology, id, { color })))
}

export function moveGroup(topology: Topology, { id, index }: { readonly id: GroupId; readonly index: number }): Result<Topology> {
  return withGroup(topology, id, (group) => {
    const others = topology.groups.filter((other) => other.id !== id)
    return done({ ...topology, groups: others.toSpliced(index, 0, group) })
  })
}

export function removeGroup(topology: Topology, id: GroupId): Result<Topology> {
  return withGroup(topology, id, (group) => {
    if (group.workspaces.length > 0) return refused(refusals.groupNotEmpty(group.name))
    if (topology.groups.length === 1) return refused(refusals.groupLast(group.name))
    return done({ ...topology, groups: topology.groups.filter((other) => other.id !== id) })
  })
}

function withName(name: string, change: (checked: string) => Result<Topology>): Result<Topology> {
  const checked = checkName(name)
  return checked.ok ? change(checked.value) : checked
}

/** Workspaces are chosen by name: two of one name could not be told apart. `self` may keep the name it has. */
function withFreeName(
  topology: Topology,
  { name, self }: { readonly name: string; readonly self: WorkspaceId },
  change: (checked: string) => Result<Topology>,
): Result<Topology> {
  return withName(name, (checked) => {
    const taken = workspacesOf(topology).some((other) => other.id !== self && other.name === checked)
    return taken ? refused(refusals.workspaceNameTaken(checked)) : change(checked)
  })
}

function withWorkspace(topology: Topology, id: WorkspaceId, change: (workspace: Workspace) => Result<Topology>): Result<Topology> {
  const workspace = workspaceWithId(topology, id)
  return workspace === null ? refused(refusals.workspaceNotFound(id)) : change(workspace)
}

function withGroup(topology: Topology, id: GroupId | '', change: (group: Group) => Result<Topology>): Result<Topology> {
  const group = topology.groups.find((other) => other.id === id)
  return group === undefined ? refused(refusals.groupNotFound(id)) : change(group)
}

function changeGroup(topology: Topology, id: GroupId, changes: Partial<Group>): Topology {
  return { ...topology, groups: topology.groups.map((group) => (group.id === id ? { ...group, ...changes } : group)) }
}

function dropWorkspace(topology: Topology, id: WorkspaceId): Topology {
  return {
    ...topology,
    groups: topology.groups.map((group) => ({ ...group, workspaces: group.workspaces.filter((other) => other.id !== id) })),
  }
}
