import { randomBytes } from 'node:crypto'
import { makeId } from '../../base/ids.ts'
import { addGroup, COLORS } from '../../workspace/groups.ts'
import { changeTopology } from '../changeTopology.ts'
import type { Handler } from '../connection.ts'
import { groupView } from '../view.ts'

export const newGroup: Handler<'group.new'> = async (daemon, { name, color }) => {
  const id = makeId('group', randomBytes)
  const usual = COLORS[daemon.topology.groups.length % COLORS.length] ?? COLORS[0]
  const changed = await changeTopology(daemon, (topology) => addGroup(topology, { id, name, color: color ?? usual }))
  return changed.ok ? { ok: true, result: groupView(changed.value, id) } : changed
}
