import { setView } from '../../workspace/topology.ts'
import { changeWorkspace } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'

export const viewWorkspace: Handler<'workspace.view'> = (daemon, { workspace, view }) =>
  changeWorkspace(daemon, workspace, (topology, id) => setView(topology, id, view))
