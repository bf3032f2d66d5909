import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { findWorkspace } from '../../workspace/find.ts'
import { moveAllTerminals, removeWorkspace } from '../../workspace/groups.ts'
import { terminalsOf } from '../../workspace/layout.ts'
import { type Topology, type Workspace, workspacesOf } from '../../workspace/topology.ts'
import { changeTopology } from '../changeTopology.ts'
import type { Handler } from '../connection.ts'

export const closeWorkspace: Handler<'workspace.close'> = async (daemon, params) => {
  const workspaces = workspacesOf(daemon.topology)
  const found = findWorkspace(params.workspace, workspaces)
  if (!found.ok) return found
  const to = params.moveTo === undefined ? done(null) : findWorkspace(params.moveTo, workspaces)
  if (!to.ok) return to
  const moved = terminalsOf(found.value.layout)
  const changed = await changeTopology(daemon, (topology) => closed(topology, found.value, to.value), moved)
  return changed.ok ? { ok: true, result: { moved: [...moved] } } : changed
}

/** Both in one step: killed anywhere, either nothing has happened or all of it. */
function closed(topology: Topology, { id, name }: Workspace, to: Workspace | null): Result<Topology> {
  if (workspacesOf(topology).length === 1) return refused(refusals.workspaceLast(name))
  const emptied = to === null ? done(topology) : moveAllTerminals(topology, { from: id, to: to.id })
  return emptied.ok ? removeWorkspace(emptied.value, id) : emptied
}
