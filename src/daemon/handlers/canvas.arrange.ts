import type { TerminalId } from '../../base/ids.ts'
import { arrange } from '../../workspace/canvas.ts'
import { redraw, type Topology, workspaceWithId } from '../../workspace/topology.ts'
import { changeWorkspace } from '../changeWorkspace.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { viewOf } from '../view.ts'

export const arrangeCanvas: Handler<'canvas.arrange'> = (daemon, params) =>
  changeWorkspace(daemon, params.workspace, (topology, id) => {
    const rows = byRepository(daemon, topology, Object.keys(workspaceWithId(topology, id)?.canvas ?? {}))
    return redraw(topology, id, (canvas) => arrange(canvas, rows))
  })

/** In the order of the dock; what is in no repository comes last. */
function byRepository(daemon: Daemon, { dock }: Topology, there: readonly string[]): readonly (readonly TerminalId[])[] {
  const rows = new Map<string, TerminalId[]>()
  const nowhere: TerminalId[] = []
  for (const id of dock.filter((other) => there.includes(other))) {
    const terminal = daemon.registry.get(id)
    const project = terminal === null ? null : viewOf(terminal, daemon).project
    if (project === null) nowhere.push(id)
    else rows.set(project.root, [...(rows.get(project.root) ?? []), id])
  }
  return [...rows.values(), nowhere]
}
