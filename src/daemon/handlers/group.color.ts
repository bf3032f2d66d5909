import { colorGroup } from '../../workspace/groups.ts'
import { changeGroup } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'

export const colorAGroup: Handler<'group.color'> = (daemon, { group, color }) =>
  changeGroup(daemon, group, (topology, id) => colorGroup(topology, id, color))
