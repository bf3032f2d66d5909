import { preset } from '../../workspace/presets.ts'
import { rearrange } from '../../workspace/topology.ts'
import { changeWorkspace } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'

export const presetLayout: Handler<'layout.preset'> = (daemon, { workspace, slots }) =>
  changeWorkspace(daemon, workspace, (topology, id) => rearrange(topology, id, (layout) => preset(layout, slots)))
