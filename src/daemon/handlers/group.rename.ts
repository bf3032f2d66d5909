import { renameGroup } from '../../workspace/groups.ts'
import { changeGroup } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'

export const renameAGroup: Handler<'group.rename'> = (daemon, { group, name }) =>
  changeGroup(daemon, group, (topology, id) => renameGroup(topology, id, name))
