import { setSizes } from '../../workspace/layout.ts'
import { rearrange } from '../../workspace/topology.ts'
import { changeWorkspace } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'

export const sizeLayout: Handler<'layout.sizes'> = (daemon, { workspace, path, sizes }) =>
  changeWorkspace(daemon, workspace, (topology, id) => rearrange(topology, id, (layout) => setSizes(layout, { path, sizes })))
