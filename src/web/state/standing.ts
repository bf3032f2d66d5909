/** Where terminals stand, read from the daemon's topology. Pure. */
import type { TopologyView, WorkspaceView } from '../../wire/topologyView.ts'
import { type Layout, terminalsOf } from '../../workspace/layout/layout.ts'
import { slotsIn } from '../../workspace/layout/splitTree.ts'

export const workspacesOf = (topology: TopologyView | null): readonly WorkspaceView[] =>
  topology?.groups.flatMap(({ workspaces }) => workspaces) ?? []

/** In the order of the layout. */
export const terminalsOfWorkspace = ({ layout }: WorkspaceView): readonly string[] => terminalsOf(layout)

export const workspaceOf = (topology: TopologyView | null, terminal: string): WorkspaceView | null =>
  workspacesOf(topology).find((workspace) => terminalsOfWorkspace(workspace).includes(terminal)) ?? null

/** Whether it can be seen in the split view: nothing is zoomed over it, and no tab lies before it. */
export const isInFront = (layout: Layout, terminal: string): boolean =>
  (layout.zoomed === null || layout.zoomed === terminal) && frontsOf(layout).includes(terminal)

/** Those that the workspace shows now: the zoomed one, else the front of each slot, else, on the canvas, all. */
export function shownOf({ layout, view }: WorkspaceView): readonly string[] {
  if (layout.zoomed !== null) return [layout.zoomed]
  return view === 'canvas' ? terminalsOf(layout) : frontsOf(layout)
}

const frontsOf = ({ root }: Layout): readonly string[] => (root === null ? [] : slotsIn(root).map(({ active }) => active))

/** The name of a terminal's workspace, where that is another one than is shown. */
export function nameElsewhere(topology: TopologyView | null, terminal: string, shown: string | null): string | null {
  const workspace = workspaceOf(topology, terminal)
  return workspace === null || workspace.id === shown ? null : workspace.name
}
