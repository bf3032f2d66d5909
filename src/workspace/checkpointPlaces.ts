import type { TerminalId } from '../base/ids.ts'
import type { Rect } from './canvas.ts'
import type { LayoutNode } from './layout.ts'
import type { Topology, Workspace } from './topology.ts'

/** Where a terminal stands, in words that can be compared: one answer per terminal of a topology. */
export type StandingPlace = {
  readonly workspace: Workspace
  /** The way from the root by child numbers, then the tab: `0.1 tab 2`. */
  readonly slot: string
  readonly rect: Rect | null
}

export function placesOf({ groups }: Topology): ReadonlyMap<TerminalId, StandingPlace> {
  const places = new Map<TerminalId, StandingPlace>()
  for (const workspace of groups.flatMap(({ workspaces }) => workspaces)) {
    if (workspace.layout.root === null) continue
    for (const { terminal, slot } of slotsUnder(workspace.layout.root, []))
      places.set(terminal, { workspace, slot, rect: workspace.canvas[terminal] ?? null })
  }
  return places
}

type Found = { readonly terminal: TerminalId; readonly slot: string }

function slotsUnder(node: LayoutNode, path: readonly string[]): readonly Found[] {
  if (node.kind === 'slot')
    return node.terminals.map((terminal, tab) => ({ terminal, slot: [path.join('.') || 'whole', `tab ${tab + 1}`].join(' ') }))
  const letter = node.direction === 'row' ? 'r' : 'c'
  return node.children.flatMap((child, index) => slotsUnder(child.node, [...path, `${letter}${index + 1}`]))
}

export const rectText = (rect: Rect | null): string => (rect === null ? 'nowhere' : `${rect.width}×${rect.height} at ${rect.x}, ${rect.y}`)

/** The position in the dock among those that both know, so that one who comes or goes moves nobody else. */
export function dockRanks(dock: readonly TerminalId[], both: ReadonlySet<TerminalId>): ReadonlyMap<TerminalId, number> {
  return new Map(dock.filter((id) => both.has(id)).map((id, rank) => [id, rank + 1]))
}
