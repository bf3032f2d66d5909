import { findWorkspace } from '../../workspace/find.ts'
import { renameWorkspace as renamed } from '../../workspace/groups.ts'
import { terminalsOf } from '../../workspace/layout.ts'
import { workspacesOf } from '../../workspace/topology.ts'
import { changeTopology } from '../changeTopology.ts'
import type { Handler } from '../connection.ts'
import { listedWorkspace } from '../view.ts'

export const renameWorkspace: Handler<'workspace.rename'> = async (daemon, params) => {
  const found = findWorkspace(params.workspace, workspacesOf(daemon.topology))
  if (!found.ok) return found
  const { id, layout } = found.value
  const changed = await changeTopology(daemon, (topology) => renamed(topology, id, params.name), terminalsOf(layout))
  return changed.ok ? { ok: true, result: listedWorkspace(changed.value, id) } : changed
}
