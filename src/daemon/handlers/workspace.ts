/** Workspaces: listed, made, renamed, moved between groups, and closed. */
import { randomBytes } from 'node:crypto'
import { makeId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { addWorkspace, moveAllTerminals, moveWorkspace, removeWorkspace, renameWorkspace } from '../../workspace/layout/groups.ts'
import { terminalsOf } from '../../workspace/layout/layout.ts'
import { setView, type Topology, type Workspace, workspacesOf } from '../../workspace/layout/topology.ts'
import { findGroup, findWorkspace } from '../../workspace/terminal/find.ts'
import { changeTopology, type Layouts } from '../terminals/changeTopology.ts'
import { changeWorkspace } from '../terminals/changeWorkspace.ts'
import { listedWorkspace, listedWorkspaces } from '../terminals/view.ts'
import type { Handlers, Of } from './world.ts'

type Names = Exclude<Of<'workspace'>, 'workspace.export' | 'workspace.import' | 'workspace.startOver'>

export const workspaceHandlers: Handlers<Names, Layouts> = {
  'workspace.list': ({ topology }) => ({ ok: true, result: listedWorkspaces(topology) }),

  'workspace.new': async (daemon, { name, ...where }) => {
    const id = makeId('workspace', randomBytes)
    const group = where.group === undefined ? done(null) : findGroup(where.group, daemon.topology.groups)
    if (!group.ok) return group
    const wanted = { id, name, ...(group.value && { group: group.value.id }) }
    const changed = await changeTopology(daemon, (topology) => addWorkspace(topology, wanted))
    return changed.ok ? { ok: true, result: listedWorkspace(changed.value, id) } : changed
  },

  'workspace.rename': async (daemon, params) => {
    const found = findWorkspace(params.workspace, workspacesOf(daemon.topology))
    if (!found.ok) return found
    const { id, layout } = found.value
    const changed = await changeTopology(daemon, (topology) => renameWorkspace(topology, id, params.name), terminalsOf(layout))
    return changed.ok ? { ok: true, result: listedWorkspace(changed.value, id) } : changed
  },

  'workspace.view': (daemon, { workspace, view }) => changeWorkspace(daemon, workspace, (topology, id) => setView(topology, id, view)),

  'workspace.move': async (daemon, params) => {
    const { groups } = daemon.topology
    const found = findWorkspace(params.workspace, workspacesOf(daemon.topology))
    if (!found.ok) return found
    const { id } = found.value
    const own = groups.find(({ workspaces }) => workspaces.some((workspace) => workspace.id === id))
    const group = findGroup(params.group ?? own?.id ?? '', groups)
    if (!group.ok) return group
    const wanted = { id, group: group.value.id, index: params.index }
    const changed = await changeTopology(daemon, (topology) => moveWorkspace(topology, wanted))
    return changed.ok ? { ok: true, result: listedWorkspace(changed.value, id) } : changed
  },

  'workspace.close': async (daemon, params) => {
    const workspaces = workspacesOf(daemon.topology)
    const found = findWorkspace(params.workspace, workspaces)
    if (!found.ok) return found
    const to = params.moveTo === undefined ? done(null) : findWorkspace(params.moveTo, workspaces)
    if (!to.ok) return to
    const moved = terminalsOf(found.value.layout)
    const changed = await changeTopology(daemon, (topology) => closed(topology, found.value, to.value), moved)
    return changed.ok ? { ok: true, result: { moved: [...moved] } } : changed
  },
}

/** Moving the terminals and removing the workspace is one change: a crash leaves all of it or nothing. */
function closed(topology: Topology, { id, name }: Workspace, to: Workspace | null): Result<Topology> {
  if (workspacesOf(topology).length === 1) return refused(refusals.workspaceLast(name))
  const emptied = to === null ? done(topology) : moveAllTerminals(topology, { from: id, to: to.id })
  return emptied.ok ? removeWorkspace(emptied.value, id) : emptied
}
