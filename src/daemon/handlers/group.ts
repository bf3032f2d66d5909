/** Groups: ordered, colored sets of workspaces. */
import { randomBytes } from 'node:crypto'
import { makeId } from '../../base/ids.ts'
import { addGroup, COLORS, colorGroup, moveGroup, removeGroup, renameGroup } from '../../workspace/layout/groups.ts'
import { findGroup } from '../../workspace/terminal/find.ts'
import { changeTopology, type Layouts } from '../terminals/changeTopology.ts'
import { changeGroup } from '../terminals/changeWorkspace.ts'
import { groupView, topologyView } from '../terminals/view.ts'
import type { Handlers, Of } from './world.ts'

export const groupHandlers: Handlers<Of<'group'>, Layouts> = {
  'group.list': ({ topology }) => ({ ok: true, result: topologyView(topology).groups }),

  'group.new': async (daemon, { name, color }) => {
    const id = makeId('group', randomBytes)
    const usual = COLORS[daemon.topology.groups.length % COLORS.length] ?? COLORS[0]
    const changed = await changeTopology(daemon, (topology) => addGroup(topology, { id, name, color: color ?? usual }))
    return changed.ok ? { ok: true, result: groupView(changed.value, id) } : changed
  },

  'group.rename': (daemon, { group, name }) => changeGroup(daemon, group, (topology, id) => renameGroup(topology, id, name)),

  'group.color': (daemon, { group, color }) => changeGroup(daemon, group, (topology, id) => colorGroup(topology, id, color)),

  'group.move': (daemon, { group, index }) => changeGroup(daemon, group, (topology, id) => moveGroup(topology, { id, index })),

  'group.close': async (daemon, params) => {
    const found = findGroup(params.group, daemon.topology.groups)
    if (!found.ok) return found
    const changed = await changeTopology(daemon, (topology) => removeGroup(topology, found.value.id))
    return changed.ok ? { ok: true, result: {} } : changed
  },
}
