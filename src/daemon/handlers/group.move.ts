import { moveGroup } from '../../workspace/groups.ts'
import { changeGroup } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'

export const moveAGroup: Handler<'group.move'> = (daemon, { group, index }) =>
  changeGroup(daemon, group, (topology, id) => moveGroup(topology, { id, index }))
