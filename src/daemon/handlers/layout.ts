/** Where terminals stand: in the splits of a workspace, on its canvas, and in the dock. */
import type { TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Params } from '../../wire/commands/commands.ts'
import { arrange, setTile } from '../../workspace/layout/canvas.ts'
import { activate, balance, unzoom, zoom } from '../../workspace/layout/layout.ts'
import { preset } from '../../workspace/layout/presets.ts'
import {
  moveInDock,
  moveTerminal,
  rearrange,
  redraw,
  sizeSplit,
  type Topology,
  workspacesOf,
  workspaceWithId,
} from '../../workspace/layout/topology.ts'
import { findWorkspace } from '../../workspace/terminal/find.ts'
import { changeTopology, type Layouts } from '../terminals/changeTopology.ts'
import { changeAround, changeWorkspace } from '../terminals/changeWorkspace.ts'
import { find } from '../terminals/find.ts'
import { placeBeside, type Target } from '../terminals/placeBeside.ts'
import { viewOf } from '../terminals/view.ts'
import type { Handlers, Of, Viewing } from './world.ts'

type World = Layouts & Viewing

export const layoutHandlers: Handlers<Of<'layout' | 'canvas' | 'dock'> | 'terminal.move', World> = {
  'layout.sizes': (daemon, { workspace, path, sizes }) =>
    changeWorkspace(daemon, workspace, (topology, id) => sizeSplit(topology, id, { path, sizes })),

  'layout.balance': (daemon, { workspace }) => changeWorkspace(daemon, workspace, (topology, id) => rearrange(topology, id, balance)),

  'layout.preset': (daemon, { workspace, slots }) =>
    changeWorkspace(daemon, workspace, (topology, id) => rearrange(topology, id, (layout) => preset(layout, slots))),

  'layout.activate': (daemon, params) =>
    changeAround(daemon, params.terminal, (topology, { workspace, terminal }) =>
      rearrange(topology, workspace, (layout) => activate(layout, terminal)),
    ),

  'layout.zoom': (daemon, params) =>
    changeAround(daemon, params.terminal, (topology, { workspace, terminal }) =>
      rearrange(topology, workspace, (layout) => (params.zoomed ? zoom(layout, terminal) : unzoom(layout))),
    ),

  'canvas.place': (daemon, params) =>
    changeAround(daemon, params.terminal, (topology, { workspace, terminal }) =>
      redraw(topology, workspace, (canvas) => setTile(canvas, terminal, params.rect)),
    ),

  'canvas.arrange': (daemon, params) =>
    changeWorkspace(daemon, params.workspace, (topology, id) => {
      const rows = byRepository(daemon, topology, Object.keys(workspaceWithId(topology, id)?.canvas ?? {}))
      return redraw(topology, id, (canvas) => arrange(canvas, rows))
    }),

  'dock.move': async (daemon, params) => {
    const found = find(daemon, params.terminal)
    if (!found.ok) return found
    const wanted = { terminal: found.value.id, index: params.index }
    const changed = await changeTopology(daemon, (topology) => done(moveInDock(topology, wanted)))
    return changed.ok ? { ok: true, result: { dock: [...changed.value.dock] } } : changed
  },

  'terminal.move': async (daemon, params) => {
    const found = find(daemon, params.terminal)
    if (!found.ok) return found
    const target = targetOf(daemon, params)
    if (!target.ok) return target
    const { workspace, place } = target.value
    const { id } = found.value
    const wanted = { terminal: id, to: workspace.id, ...(place && { place }) }
    const changed = await changeTopology(daemon, (topology) => moveTerminal(topology, wanted), [id])
    return changed.ok ? { ok: true, result: viewOf(daemon.registry.get(id) ?? found.value, daemon) } : changed
  },
}

/** One row per repository, in the order of the dock; terminals outside of any repository are in the last row. */
function byRepository(daemon: World, { dock }: Topology, onCanvas: readonly string[]): readonly (readonly TerminalId[])[] {
  const rows = new Map<string, TerminalId[]>()
  const others: TerminalId[] = []
  for (const id of dock.filter((other) => onCanvas.includes(other))) {
    const terminal = daemon.registry.get(id)
    const project = terminal === null ? null : viewOf(terminal, daemon).project
    if (project === null) others.push(id)
    else rows.set(project.root, [...(rows.get(project.root) ?? []), id])
  }
  return [...rows.values(), others]
}

function targetOf(daemon: Layouts, { to, beside }: Params<'terminal.move'>): Result<Target> {
  const named = to === undefined ? null : findWorkspace(to, workspacesOf(daemon.topology))
  if (named?.ok === false) return named
  if (beside !== undefined) return placeBeside(daemon, beside, named?.value ?? null)
  return named === null
    ? refused(refusals.paramsInvalid('where to is missing: a workspace or a terminal'))
    : done({ workspace: named.value })
}
