import type { TerminalId } from '../base/ids.ts'
import type { Where } from './layout.ts'
import { type LayoutNode, type Split, terminalsIn } from './splitTree.ts'

type Sought = { readonly terminal: TerminalId; readonly isThere: (terminal: TerminalId) => boolean }
export type Beside = { readonly at: TerminalId; readonly where: Where }

/** Who stood nearest to the terminal of those that are still there, and on which side of it; null where nobody is. */
export function neighbourIn(node: LayoutNode, sought: Sought): Beside | null {
  if (node.kind === 'slot') {
    const at = node.terminals.indexOf(sought.terminal)
    const mate = nearest(node.terminals, at, sought.isThere)
    return mate === null ? null : { at: mate, where: 'center' }
  }
  const at = node.children.findIndex((child) => terminalsIn(child.node).includes(sought.terminal))
  const own = node.children[at]
  return own === undefined ? null : (neighbourIn(own.node, sought) ?? siblingOf(node, at, sought))
}

function siblingOf({ direction, children }: Split, at: number, { isThere }: Sought): Beside | null {
  const left = children.map((child) => terminalsIn(child.node).filter(isThere))
  const before = left
    .slice(0, at)
    .findLast((terminals) => terminals.length > 0)
    ?.at(-1)
  if (before !== undefined) return { at: before, where: direction === 'row' ? 'right' : 'bottom' }
  const after = left.slice(at + 1).find((terminals) => terminals.length > 0)?.[0]
  return after === undefined ? null : { at: after, where: direction === 'row' ? 'left' : 'top' }
}

/** The one before, or else the one after. */
function nearest(terminals: readonly TerminalId[], at: number, isThere: (terminal: TerminalId) => boolean): TerminalId | null {
  return terminals.slice(0, Math.max(0, at)).findLast(isThere) ?? terminals.slice(at + 1).find(isThere) ?? null
}
