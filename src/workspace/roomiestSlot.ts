import type { TerminalId } from '../base/ids.ts'
import type { LayoutNode } from './splitTree.ts'

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
