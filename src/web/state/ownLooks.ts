/**
 * What a page that may only look has brought to the front or zoomed: the layout belongs to the daemon, and this page may not change it.
 * So it changes the layout only as it shows it, invisibly to other clients.
 */
import type { TopologyView, WorkspaceView } from '../../wire/topologyView.ts'
import { activate, type Layout, terminalsOf, unzoom, zoom } from '../../workspace/layout/layout.ts'

export class OwnLooks {
  /** Terminals brought before the other tabs of their slot; the last one wins. */
  private readonly fronts = new Set<string>()
  /** By workspace; null: this page shows all of it, whatever is zoomed in the daemon's layout. */
  private readonly zooms = new Map<string, string | null>()

  bring(terminal: string): void {
    this.fronts.delete(terminal)
    this.fronts.add(terminal)
  }

  zoom(workspace: string, terminal: string | null): void {
    this.zooms.set(workspace, terminal)
  }

  appliedTo(topology: TopologyView): TopologyView {
    const groups = topology.groups.map((group) => ({ ...group, workspaces: group.workspaces.map((each) => this.shown(each)) }))
    return { ...topology, groups }
  }

  private shown({ id, layout, ...workspace }: WorkspaceView): WorkspaceView {
    const known = terminalsOf(layout)
    const inFront = [...this.fronts].reduce<Layout>((front, terminal) => {
      const found = known.find((each) => each === terminal)
      return found === undefined ? front : activate(front, found)
    }, layout)
    const own = this.zooms.get(id)
    if (own === undefined) return { ...workspace, id, layout: inFront }
    const zoomed = known.find((each) => each === own)
    return { ...workspace, id, layout: zoomed === undefined ? unzoom(inFront) : zoom(inFront, zoomed) }
  }
}
