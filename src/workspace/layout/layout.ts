import type { TerminalId } from '../../base/ids.ts'
import { normalise } from './normalForm.ts'
import {
  type Direction,
  type Layout,
  type LayoutNode,
  mapSlots,
  roomiestSlot,
  type Slot,
  type Split,
  slotsIn,
  terminalsIn,
} from './splitTree.ts'

/**
 * How the terminals of a workspace share its area: a tree of splits with any number of children, whose leaves are slots
 * with one or more terminals as tabs. Every operation gives back a tree in normal form (see `normalForm.ts`) with exactly
 * the terminals it should have; a change that does not apply returns the same object.
 */
export type { Direction, Layout, LayoutNode, Split } from './splitTree.ts'

type Side = 'before' | 'after'
export type Edge = 'left' | 'right' | 'top' | 'bottom'
/** At an edge of a slot, or as a tab in it. */
export type Where = Edge | 'center'

export const emptyLayout: Layout = { root: null, zoomed: null }

const EDGES = {
  left: { direction: 'row', side: 'before' },
  right: { direction: 'row', side: 'after' },
  top: { direction: 'column', side: 'before' },
  bottom: { direction: 'column', side: 'after' },
} as const satisfies Record<Edge, { readonly direction: Direction; readonly side: Side }>

export function terminalsOf({ root }: Layout): readonly TerminalId[] {
  return root === null ? [] : terminalsIn(root)
}

export function hasTerminal(layout: Layout, terminal: TerminalId): boolean {
  return terminalsOf(layout).includes(terminal)
}

/** Where no place is named, or it is gone, the roomiest slot is split along its longer side. */
export function insert(
  layout: Layout,
  wanted: { readonly terminal: TerminalId; readonly at?: TerminalId; readonly where?: Where },
): Layout {
  const { terminal, at, where } = wanted
  if (hasTerminal(layout, terminal)) return layout
  if (layout.root === null) return { ...layout, root: slotOf(terminal) }
  if (at !== undefined && hasTerminal(layout, at)) return put(layout, { terminal, target: at, where: where ?? 'center' })
  const { target, edge } = roomiestSlot(layout.root)
  return put(layout, { terminal, target, where: edge })
}

/** A terminal that shares its slot can be moved to an edge of that very slot. */
export function move(
  layout: Layout,
  wanted: { readonly terminal: TerminalId; readonly target: TerminalId; readonly where: Where },
): Layout {
  const { terminal, where } = wanted
  const slot = slotWith(layout, terminal)
  if (slot === null || !hasTerminal(layout, wanted.target)) return layout
  const target = wanted.target === terminal ? slot.terminals.find((other) => other !== terminal) : wanted.target
  if (target === undefined || (wanted.target === terminal && where === 'center')) return layout
  const moved = put({ ...close(layout, terminal), zoomed: null }, { terminal, target, where })
  return { ...moved, zoomed: layout.zoomed }
}

export function close(layout: Layout, terminal: TerminalId): Layout {
  return hasTerminal(layout, terminal) ? keepOnly(layout, (other) => other !== terminal) : layout
}

export function keepOnly({ root, zoomed }: Layout, keeps: (terminal: TerminalId) => boolean): Layout {
  return normalise({ root: root === null ? null : mapSlots(root, (slot) => pruned(slot, keeps)), zoomed })
}

/** Brings a tab to the front of its slot. */
export function activate(layout: Layout, terminal: TerminalId): Layout {
  const slot = slotWith(layout, terminal)
  if (layout.root === null || slot === null || slot.active === terminal) return layout
  return { ...layout, root: mapSlots(layout.root, (other) => (other === slot ? { ...slot, active: terminal } : other)) }
}

export function zoom(layout: Layout, terminal: TerminalId): Layout {
  if (layout.zoomed === terminal || !hasTerminal(layout, terminal)) return layout
  return { ...activate(layout, terminal), zoomed: terminal }
}

export function unzoom(layout: Layout): Layout {
  return layout.zoomed === null ? layout : { ...layout, zoomed: null }
}

/** `path` leads from the root to a split by child numbers. Sizes may be in any unit; only their ratio counts. */
export function setSizes(layout: Layout, wanted: { readonly path: readonly number[]; readonly sizes: readonly number[] }): Layout {
  if (layout.root === null || !wanted.sizes.every((size) => Number.isFinite(size) && size > 0)) return layout
  const root = resized(layout.root, wanted.path, wanted.sizes)
  return root === null ? layout : normalise({ ...layout, root })
}

/** Null where the path leads to a slot, or nowhere. */
export function splitAt({ root }: Layout, path: readonly number[]): Split | null {
  let node: LayoutNode | null | undefined = root
  for (const child of path) node = node?.kind === 'split' ? node.children[child]?.node : null
  return node?.kind === 'split' ? node : null
}

export function balance(layout: Layout): Layout {
  return layout.root === null ? layout : { ...layout, root: balanced(layout.root) }
}

const slotOf = (terminal: TerminalId): Slot => ({ kind: 'slot', terminals: [terminal], active: terminal })

function slotWith({ root }: Layout, terminal: TerminalId): Slot | null {
  return root === null ? null : (slotsIn(root).find((slot) => slot.terminals.includes(terminal)) ?? null)
}

function put(
  layout: Layout,
  { terminal, target, where }: { readonly terminal: TerminalId; readonly target: TerminalId; readonly where: Where },
): Layout {
  if (layout.root === null) return layout
  const root = mapSlots(layout.root, (slot) => (slot.terminals.includes(target) ? beside(slot, { terminal, target, where }) : slot))
  return normalise({ ...layout, root })
}

function beside(
  slot: Slot,
  { terminal, target, where }: { readonly terminal: TerminalId; readonly target: TerminalId; readonly where: Where },
): LayoutNode {
  if (where === 'center')
    return { ...slot, terminals: slot.terminals.toSpliced(slot.terminals.indexOf(target) + 1, 0, terminal), active: terminal }
  const { direction, side } = EDGES[where]
  const nodes = side === 'before' ? [slotOf(terminal), slot] : [slot, slotOf(terminal)]
  return { kind: 'split', direction, children: nodes.map((node) => ({ node, size: 0.5 })) }
}

/** When the tab in front goes, the one after it comes to the front, or else the one before. */
function pruned(slot: Slot, keeps: (terminal: TerminalId) => boolean): Slot {
  const terminals = slot.terminals.filter(keeps)
  const at = slot.terminals.indexOf(slot.active)
  const next = slot.terminals.slice(at).find(keeps) ?? terminals.at(-1) ?? slot.active
  return { ...slot, terminals, active: next }
}

function resized(node: LayoutNode, path: readonly number[], sizes: readonly number[]): LayoutNode | null {
  if (node.kind === 'slot') return null
  const [first, ...rest] = path
  if (first === undefined) {
    if (sizes.length !== node.children.length) return null
    return { ...node, children: node.children.map((child, index) => ({ ...child, size: sizes[index] ?? child.size })) }
  }
  const child = node.children[first]
  const changed = child === undefined ? null : resized(child.node, rest, sizes)
  if (child === undefined || changed === null) return null
  return { ...node, children: node.children.with(first, { ...child, node: changed }) }
}

function balanced(node: LayoutNode): LayoutNode {
  if (node.kind === 'slot') return node
  return { ...node, children: node.children.map((child) => ({ node: balanced(child.node), size: 1 / node.children.length })) }
}
