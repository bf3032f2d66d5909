import { sizeSplit } from '../../workspace/sizeSplit.ts'
import { changeWorkspace } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'

export const sizeLayout: Handler<'layout.sizes'> = (daemon, { workspace, path, sizes }) =>
  changeWorkspace(daemon, workspace, (topology, id) => sizeSplit(topology, id, { path, sizes }))
