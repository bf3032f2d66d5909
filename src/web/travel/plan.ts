/** A workspace as a small plan: which rectangle of it each terminal had. Pure. */
import type { WorkspaceView } from '../../wire/topologyView.ts'
import type { Rect } from '../../workspace/layout/canvas.ts'
import { terminalsOf } from '../../workspace/layout/layout.ts'
import type { LayoutNode } from '../../workspace/layout/splitTree.ts'

/** `rect` is in parts of the plan, from 0 to 1. */
export type PlanTile = { readonly rect: Rect; readonly terminals: readonly string[]; readonly active: string }

export type Plan = {
  readonly tiles: readonly PlanTile[]
  /** Width by height; null: whatever the room is. */
  readonly aspect: number | null
}

const WHOLE: Rect = { x: 0, y: 0, width: 1, height: 1 }

export function planOf({ view, layout, canvas }: Pick<WorkspaceView, 'view' | 'layout' | 'canvas'>): Plan {
  if (layout.root === null) return { tiles: [], aspect: null }
  const rects = terminalsOf(layout).flatMap((id) => (canvas[id] === undefined ? [] : [{ id: id as string, rect: canvas[id] }]))
  return view === 'canvas' && rects.length > 0 ? canvasPlan(rects) : { tiles: splitTiles(layout.root, WHOLE), aspect: null }
}

function splitTiles(node: LayoutNode, rect: Rect): readonly PlanTile[] {
  if (node.kind === 'slot') return [{ rect, terminals: node.terminals, active: node.active }]
  const tiles: PlanTile[] = []
  let from = 0
  for (const { node: inner, size } of node.children) {
    const part =
      node.direction === 'row'
        ? { ...rect, x: rect.x + from * rect.width, width: size * rect.width }
        : { ...rect, y: rect.y + from * rect.height, height: size * rect.height }
    tiles.push(...splitTiles(inner, part))
    from += size
  }
  return tiles
}

/** All of it, as far as anything stands. */
function canvasPlan(placed: readonly { readonly id: string; readonly rect: Rect }[]): Plan {
  const left = Math.min(...placed.map(({ rect }) => rect.x))
  const top = Math.min(...placed.map(({ rect }) => rect.y))
  const width = Math.max(...placed.map(({ rect }) => rect.x + rect.width)) - left
  const height = Math.max(...placed.map(({ rect }) => rect.y + rect.height)) - top
  const tiles = placed.map(({ id, rect }) => ({
    rect: { x: (rect.x - left) / width, y: (rect.y - top) / height, width: rect.width / width, height: rect.height / height },
    terminals: [id],
    active: id,
  }))
  return { tiles, aspect: width / height }
}
