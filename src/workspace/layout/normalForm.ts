import type { TerminalId } from '../../base/ids.ts'
import { type Child, type Layout, type LayoutNode, type Slot, type Split, terminalsIn } from './splitTree.ts'

/**
 * The normal form of a layout: no empty slot, no split with fewer than two children, no split directly inside a split
 * of the same direction, sizes that are positive and add up to 1, no terminal twice, and a zoomed terminal that exists.
 */
const SMALLEST_SHARE = 0.02 // a tile can be dragged small, but not to nothing
const ROUNDING = 1e-9

export function normalise({ root, zoomed }: Layout): Layout {
  const normal = root === null ? null : normalNode(root, new Set())
  const stillThere = zoomed !== null && normal !== null && terminalsIn(normal).includes(zoomed)
  return { root: normal, zoomed: stillThere ? zoomed : null }
}

/** What keeps a layout from being in normal form, as a sentence; null when nothing does. */
export function layoutFault({ root, zoomed }: Layout): string | null {
  const terminals = root === null ? [] : terminalsIn(root)
  if (new Set(terminals).size !== terminals.length) return 'a terminal is there twice'
  if (zoomed !== null && !terminals.includes(zoomed)) return 'the zoomed terminal is not there'
  return root === null ? null : nodeFault(root)
}

function nodeFault(node: LayoutNode): string | null {
  if (node.kind === 'slot') return node.terminals.includes(node.active) ? null : 'a slot is empty or has nothing in front'
  if (node.children.length < 2) return 'a split has fewer than two children'
  if (node.children.some(({ node: inner }) => inner.kind === 'split' && inner.direction === node.direction))
    return 'a split repeats its parent'
  if (!areShares(node.children.map(({ size }) => size))) return 'the sizes of a split do not share it'
  return node.children.map((child) => nodeFault(child.node)).find((fault) => fault !== null) ?? null
}

/** `seen` is shared by the whole walk: the first place of a terminal counts. */
function normalNode(node: LayoutNode, seen: Set<TerminalId>): LayoutNode | null {
  return node.kind === 'slot' ? normalSlot(node, seen) : normalSplit(node, seen)
}

function normalSlot(slot: Slot, seen: Set<TerminalId>): Slot | null {
  const terminals = slot.terminals.filter((terminal) => !seen.has(terminal) && seen.add(terminal))
  const [first] = terminals
  if (first === undefined) return null
  return { kind: 'slot', terminals, active: terminals.includes(slot.active) ? slot.active : first }
}

function normalSplit({ direction, children }: Split, seen: Set<TerminalId>): LayoutNode | null {
  const usual = usualSize(children)
  const inner = children.flatMap(({ node, size }): readonly Child[] => {
    const normal = normalNode(node, seen)
    const known = isPositive(size) ? size : usual
    if (normal === null) return []
    if (normal.kind === 'slot' || normal.direction !== direction) return [{ node: normal, size: known }]
    return normal.children.map((child) => ({ node: child.node, size: child.size * known }))
  })
  const [only] = inner
  if (only === undefined) return null
  return inner.length === 1 ? only.node : { kind: 'split', direction, children: shared(inner) }
}

const isPositive = (size: number): boolean => Number.isFinite(size) && size > 0

function usualSize(children: readonly Child[]): number {
  const known = children.map(({ size }) => size).filter(isPositive)
  return known.length === 0 ? 1 : known.reduce((sum, size) => sum + size / known.length, 0)
}

/** No part gets less than the smallest share; the difference is taken from the others in proportion to their surplus. */
function shared(children: readonly Child[]): readonly Child[] {
  const sizes = children.map(({ size }) => size)
  if (areShares(sizes)) return children
  const least = leastShare(children.length)
  const largest = Math.max(...sizes)
  const total = sizes.reduce((sum, size) => sum + size / largest, 0)
  const above = sizes.map((size) => Math.max(0, size / largest / total - least))
  const spare = above.reduce((sum, part) => sum + part, 0)
  if (!isPositive(spare)) return children.map((child) => ({ ...child, size: 1 / children.length }))
  const scale = (1 - least * children.length) / spare
  return children.map((child, index) => ({ ...child, size: least + (above[index] ?? 0) * scale }))
}

function areShares(sizes: readonly number[]): boolean {
  const least = leastShare(sizes.length)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  return sizes.every((size) => size >= least - ROUNDING) && Math.abs(total - 1) <= ROUNDING
}

const leastShare = (count: number): number => Math.min(SMALLEST_SHARE, 1 / (2 * count))
