import { findGroup } from '../../workspace/find.ts'
import { removeGroup } from '../../workspace/groups.ts'
import { changeTopology } from '../changeTopology.ts'
import type { Handler } from '../connection.ts'

export const closeGroup: Handler<'group.close'> = async (daemon, params) => {
  const found = findGroup(params.group, daemon.topology.groups)
  if (!found.ok) return found
  const changed = await changeTopology(daemon, (topology) => removeGroup(topology, found.value.id))
  return changed.ok ? { ok: true, result: {} } : changed
}
