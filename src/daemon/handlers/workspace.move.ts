import { findGroup, findWorkspace } from '../../workspace/find.ts'
import { moveWorkspace } from '../../workspace/groups.ts'
import { workspacesOf } from '../../workspace/topology.ts'
import { changeTopology } from '../changeTopology.ts'
import type { Handler } from '../connection.ts'
import { listedWorkspace } from '../view.ts'

export const moveAWorkspace: Handler<'workspace.move'> = async (daemon, params) => {
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
}
