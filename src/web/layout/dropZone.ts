/** Where a terminal that is dragged over another one would go. Pure. */
import type { TerminalId } from '../../base/ids.ts'
import type { Point, Rect } from '../../workspace/layout/canvas.ts'
import { type Layout, type LayoutNode, move, terminalsOf, type Where } from '../../workspace/layout/layout.ts'

const EDGE_SHARE = 0.28 // of the width or height; the middle is what is left

/** The edge that the point is near, or the middle. */
export function zoneAt({ x, y, width, height }: Rect, point: Point): Where {
  const across = (point.x - x) / width
  const down = (point.y - y) / height
  const distances = [
    ['left', across],
    ['right', 1 - across],
    ['top', down],
    ['bottom', 1 - down],
  ] as const
  const [edge, distance] = distances.reduce((nearest, each) => (each[1] < nearest[1] ? each : nearest))
  return distance < EDGE_SHARE ? edge : 'center'
}

/** The part of a tile that what is dropped there would take. */
export function previewOf({ x, y, width, height }: Rect, where: Where): Rect {
  switch (where) {
    case 'left':
      return { x, y, width: width / 2, height }
    case 'right':
      return { x: x + width / 2, y, width: width / 2, height }
    case 'top':
      return { x, y, width, height: height / 2 }
    case 'bottom':
      return { x, y: y + height / 2, width, height: height / 2 }
    case 'center':
      return { x, y, width, height }
  }
}

export type Drop = { readonly terminal: string; readonly target: string; readonly where: Where }

/** Whether the terminal would stand elsewhere then. Its size alone is no reason to move it. */
export function wouldMove(layout: Layout, { terminal, target, where }: Drop): boolean {
  const known = (id: string): TerminalId | undefined => terminalsOf(layout).find((each) => each === id)
  const [moved, goal] = [known(terminal), known(target)]
  if (goal === undefined) return false
  if (moved === undefined) return true // it comes from another workspace
  const next = move(layout, { terminal: moved, target: goal, where })
  return shapeOf(next.root) !== shapeOf(layout.root)
}

/** The tree without its sizes, and without which tab is in front. */
function shapeOf(node: LayoutNode | null): string {
  if (node === null) return ''
  if (node.kind === 'slot') return `(${node.terminals.join()})`
  return `${node.direction}[${node.children.map((child) => shapeOf(child.node)).join()}]`
}
