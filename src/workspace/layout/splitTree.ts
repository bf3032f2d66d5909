import type { TerminalId } from '../../base/ids.ts'

export type Layout = { readonly root: LayoutNode | null; readonly zoomed: TerminalId | null }
export type LayoutNode = Split | Slot
export type Split = { readonly kind: 'split'; readonly direction: Direction; readonly children: readonly Child[] }
/** Sizes are fractions of the split; the children of one split add up to 1. */
export type Child = { readonly node: LayoutNode; readonly size: number }
export type Slot = { readonly kind: 'slot'; readonly terminals: readonly TerminalId[]; readonly active: TerminalId }

/** A row lies side by side, a column on top of each other. */
export type Direction = 'row' | 'column'

export function terminalsIn(node: LayoutNode): readonly TerminalId[] {
  return node.kind === 'slot' ? node.terminals : node.children.flatMap((child) => terminalsIn(child.node))
}

export function slotsIn(node: LayoutNode): readonly Slot[] {
  return node.kind === 'slot' ? [node] : node.children.flatMap((child) => slotsIn(child.node))
}

export function mapSlots(node: LayoutNode, change: (slot: Slot) => LayoutNode): LayoutNode {
  if (node.kind === 'slot') return change(node)
  return { ...node, children: node.children.map((child) => ({ ...child, node: mapSlots(child.node, change) })) }
}

type Area = { readonly width: number; readonly height: number }
type Room = Area & { readonly target: TerminalId }

const SCREEN: Area = { width: 16, height: 10 } // only the ratio counts: what looks longer on a usual screen

/** Where a new terminal takes the least: the slot with the most area, and the edge that splits its longer side. */
export function roomiestSlot(root: LayoutNode): { readonly target: TerminalId; readonly edge: 'right' | 'bottom' } {
  const { target, width, height } = roomsOf(root, SCREEN).reduce((best, room) => (areaOf(room) > areaOf(best) * 1.001 ? room : best)) // rounding must not choose
  return { target, edge: width >= height ? 'right' : 'bottom' }
}

const areaOf = ({ width, height }: Area): number => width * height

function roomsOf(node: LayoutNode, { width, height }: Area): readonly Room[] {
  if (node.kind === 'slot') return [{ target: node.active, width, height }]
  return node.children.flatMap(({ node: inner, size }) =>
    roomsOf(inner, node.direction === 'row' ? { width: width * size, height } : { width, height: height * size }),
  )
}
