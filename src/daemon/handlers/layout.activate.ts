import { activate } from '../../workspace/layout.ts'
import { rearrange } from '../../workspace/topology.ts'
import { changeAround } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'

export const activateInLayout: Handler<'layout.activate'> = (daemon, params) =>
  changeAround(daemon, params.terminal, (topology, { workspace, terminal }) =>
    rearrange(topology, workspace, (layout) => activate(layout, terminal)),
  )
