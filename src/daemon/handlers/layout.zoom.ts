import { unzoom, zoom } from '../../workspace/layout.ts'
import { rearrange } from '../../workspace/topology.ts'
import { changeAround } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'

export const zoomLayout: Handler<'layout.zoom'> = (daemon, params) =>
  changeAround(daemon, params.terminal, (topology, { workspace, terminal }) =>
    rearrange(topology, workspace, (layout) => (params.zoomed ? zoom(layout, terminal) : unzoom(layout))),
  )
