import { balance } from '../../workspace/layout.ts'
import { rearrange } from '../../workspace/topology.ts'
import { changeWorkspace } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'

export const balanceLayout: Handler<'layout.balance'> = (daemon, { workspace }) =>
  changeWorkspace(daemon, workspace, (topology, id) => rearrange(topology, id, balance))
