/** Which terminal is seen to the left, to the right, above or below of another one. Pure. */
import type { Rect } from '../../workspace/layout/canvas.ts'
import type { Edge, Layout, LayoutNode } from '../../workspace/layout/layout.ts'
import { centreOf } from './canvasGeometry.ts'

const SCREEN: Rect = { x: 0, y: 0, width: 16, height: 10 } // only the ratio counts
const ASIDE_COSTS = 3 // as much as so many steps ahead: what is straight ahead comes first
const LESS = 0.01 // where two are equally far, the one whose middle is nearer
const ROUNDING = 1e-6 // must not choose

/** In the split view: the front of the slot on that side. */
export function neighbourToward(layout: Layout, terminal: string, edge: Edge): string | null {
  if (layout.root === null) return null
  const places = slotPlaces(layout.root, SCREEN)
  const own = places.find(({ terminals }) => terminals.includes(terminal))
  if (own === undefined) return null
  return nearest(
    own.rect,
    places.filter((place) => place !== own).map(({ active, rect }) => [active, rect]),
    edge,
  )
}

/** On the canvas. */
export function tileToward(canvas: Readonly<Record<string, Rect>>, terminal: string, edge: Edge): string | null {
  const own = canvas[terminal]
  if (own === undefined) return null
  return nearest(
    own,
    Object.entries(canvas).filter(([id]) => id !== terminal),
    edge,
  )
}

type SlotPlace = { readonly terminals: readonly string[]; readonly active: string; readonly rect: Rect }

function slotPlaces(node: LayoutNode, rect: Rect): readonly SlotPlace[] {
  if (node.kind === 'slot') return [{ terminals: node.terminals, active: node.active, rect }]
  let before = 0
  return node.children.flatMap(({ node: inner, size }) => {
    const start = before
    before += size
    return slotPlaces(
      inner,
      node.direction === 'row'
        ? { ...rect, x: rect.x + start * rect.width, width: size * rect.width }
        : { ...rect, y: rect.y + start * rect.height, height: size * rect.height },
    )
  })
}

function nearest(from: Rect, others: readonly (readonly [string, Rect])[], edge: Edge): string | null {
  let best: { readonly id: string; readonly cost: number } | null = null
  for (const [id, rect] of others) {
    const cost = costOf(from, rect, edge)
    if (cost !== null && (best === null || cost < best.cost - ROUNDING)) best = { id, cost }
  }
  return best?.id ?? null
}

/** How far one has to go ahead and aside; null for what is not on that side. */
function costOf(from: Rect, to: Rect, edge: Edge): number | null {
  const [here, there] = edge === 'left' || edge === 'right' ? [from, to] : [turned(from), turned(to)]
  const [a, b] = [centreOf(here), centreOf(there)]
  const ahead = edge === 'left' || edge === 'top' ? a.x - b.x : b.x - a.x
  const along = apart([here.x, here.width], [there.x, there.width])
  const across = apart([here.y, here.height], [there.y, there.height])
  const isAside = along < -ROUNDING && across >= -ROUNDING
  if (ahead <= ROUNDING || isAside || across > ahead) return null
  return Math.max(0, along) + Math.max(0, across) * ASIDE_COSTS + Math.abs(b.y - a.y) * LESS
}

const turned = ({ x, y, width, height }: Rect): Rect => ({ x: y, y: x, width: height, height: width })

type Stretch = readonly [start: number, length: number]

/** The room between two stretches; below zero, how much they have in common. */
const apart = ([a, aLength]: Stretch, [b, bLength]: Stretch): number => Math.max(a, b) - Math.min(a + aLength, b + bLength)
