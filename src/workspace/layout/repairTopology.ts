import type { GroupId, TerminalId, WorkspaceId } from '../../base/ids.ts'
import { sameValue } from '../sameValue.ts'
import { type Canvas, isRect, place, tilesOf } from './canvas.ts'
import { keepOnly, type Layout, terminalsOf } from './layout.ts'
import { layoutFault } from './normalForm.ts'
import {
  admit,
  changeWorkspace,
  emptyTopology,
  emptyWorkspace,
  FIRST_WORKSPACE_NAME,
  type Group,
  type Topology,
  type Workspace,
  workspacesOf,
} from './topology.ts'

/**
 * Records and topology are kept apart, so a crash can leave them telling different stories. The records win: every
 * terminal gets a place, an unknown terminal loses it, and everything else stays as it was. A sound topology comes back
 * as the same object.
 */
export function repairTopology(
  topology: Topology,
  known: { readonly terminals: Iterable<TerminalId>; readonly spare: { readonly group: GroupId; readonly workspace: WorkspaceId } },
): Topology {
  const terminals = new Set(known.terminals)
  const sound = withAWorkspace({ ...topology, groups: soundGroups(topology.groups, new Set(terminals)) }, known.spare)
  const whole = withEveryTerminal(sound, topology, [...terminals])
  const dock = [...new Set([...topology.dock, ...terminals])].filter((terminal) => terminals.has(terminal))
  const repaired = { groups: whole.groups, dock }
  return sameValue(repaired, topology) ? topology : repaired
}

/** `unplaced` shrinks along the walk: the first workspace that shows a terminal keeps it. */
function soundGroups(groups: readonly Group[], unplaced: Set<TerminalId>): readonly Group[] {
  const seen = new Set<string>()
  const isNew = ({ id }: { readonly id: string }): boolean => !seen.has(id) && seen.add(id).has(id)
  return groups.filter(isNew).map((group) => ({
    ...group,
    workspaces: group.workspaces.filter(isNew).map((workspace) => soundWorkspace(workspace, unplaced)),
  }))
}

function soundWorkspace(workspace: Workspace, unplaced: Set<TerminalId>): Workspace {
  const layout = soundLayout(workspace.layout, unplaced)
  const terminals = terminalsOf(layout)
  for (const terminal of terminals) unplaced.delete(terminal)
  return { ...workspace, layout, canvas: soundCanvas(workspace.canvas, terminals) }
}

function soundLayout(layout: Layout, unplaced: ReadonlySet<TerminalId>): Layout {
  const needsNothing = layoutFault(layout) === null && terminalsOf(layout).every((terminal) => unplaced.has(terminal))
  return needsNothing ? layout : keepOnly(layout, (terminal) => unplaced.has(terminal))
}

function soundCanvas(canvas: Canvas, terminals: readonly TerminalId[]): Canvas {
  const usable = Object.entries(canvas).filter(([id, rect]) => isRect(rect) && terminals.some((terminal) => terminal === id))
  return terminals.reduce<Canvas>((placed, terminal) => place(placed, terminal), Object.fromEntries(usable))
}

function withAWorkspace(topology: Topology, spare: { readonly group: GroupId; readonly workspace: WorkspaceId }): Topology {
  const [first, ...others] = topology.groups
  if (first === undefined) return { ...topology, groups: emptyTopology(spare).groups }
  if (workspacesOf(topology).length > 0) return topology
  return { ...topology, groups: [{ ...first, workspaces: [emptyWorkspace(spare.workspace, FIRST_WORKSPACE_NAME)] }, ...others] }
}

/** A terminal without a slot goes where its tile was, or else to the first workspace. */
function withEveryTerminal(sound: Topology, before: Topology, terminals: readonly TerminalId[]): Topology {
  return terminals.reduce((topology, terminal) => {
    const workspaces = workspacesOf(topology)
    const first = workspaces.at(0)
    if (first === undefined || workspaces.some(({ layout }) => terminalsOf(layout).includes(terminal))) return topology
    const tile = workspacesOf(before).find(({ canvas }) => tilesOf(canvas).includes(terminal))
    const home = workspaces.find(({ id }) => id === tile?.id) ?? first
    const extent = tile?.canvas[terminal]
    return changeWorkspace(topology, home.id, (workspace) => admit(workspace, { terminal, ...(extent && { extent }) }))
  }, sound)
}
