import { randomBytes } from 'node:crypto'
import { makeId } from '../../base/ids.ts'
import { done } from '../../base/refusal.ts'
import { findGroup } from '../../workspace/find.ts'
import { addWorkspace } from '../../workspace/groups.ts'
import { changeTopology } from '../changeTopology.ts'
import type { Handler } from '../connection.ts'
import { listedWorkspace } from '../view.ts'

export const newWorkspace: Handler<'workspace.new'> = async (daemon, { name, ...where }) => {
  const id = makeId('workspace', randomBytes)
  const group = where.group === undefined ? done(null) : findGroup(where.group, daemon.topology.groups)
  if (!group.ok) return group
  const wanted = { id, name, ...(group.value && { group: group.value.id }) }
  const changed = await changeTopology(daemon, (topology) => addWorkspace(topology, wanted))
  return changed.ok ? { ok: true, result: listedWorkspace(changed.value, id) } : changed
}
