import { setTile } from '../../workspace/canvas.ts'
import { redraw } from '../../workspace/topology.ts'
import { changeAround } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'

export const placeOnCanvas: Handler<'canvas.place'> = (daemon, params) =>
  changeAround(daemon, params.terminal, (topology, { workspace, terminal }) =>
    redraw(topology, workspace, (canvas) => setTile(canvas, terminal, params.rect)),
  )
