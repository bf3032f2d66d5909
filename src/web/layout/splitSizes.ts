/** How the parts of one split share its room, and how a key changes that. Pure. */
import type { Direction, Layout, LayoutNode, Split } from '../../workspace/layout/layout.ts'

export type SizesOfSplit = { readonly path: readonly number[]; readonly sizes: readonly number[] }

const STEP = 0.05 // of the split, for each press of a key
const LEAST = 0.05

/** Gives a terminal more room in one direction, or less; null where nothing stands beside it there. */
export function grown(
  layout: Layout,
  terminal: string,
  { direction, by }: { readonly direction: Direction; readonly by: 1 | -1 },
): SizesOfSplit | null {
  const found = layout.root === null ? null : nearestSplit(layout.root, terminal, direction)
  if (found === null) return null
  const { path, split, index } = found
  const other = index + 1 < split.children.length ? index + 1 : index - 1
  const sizes = split.children.map(({ size }) => size)
  const [own = 0, beside = 0] = [sizes[index], sizes[other]]
  const step = Math.min(STEP, (by === 1 ? beside : own) - LEAST) * by
  if (Math.abs(step) < 1e-6 || Math.sign(step) !== by) return null
  return { path, sizes: sizes.with(index, own + step).with(other, beside - step) }
}

/** A child is known by its first terminal: a split of it, or a tab more in it, does not make it another one. */
export function keyOf(node: LayoutNode): string {
  return node.kind === 'slot' ? (node.terminals[0] ?? '') : node.children[0] === undefined ? '' : keyOf(node.children[0].node)
}

export const equalSizes = (count: number): readonly number[] => Array.from({ length: count }, () => 1 / count)

type Found = { readonly path: readonly number[]; readonly split: Split; readonly index: number }

/** The innermost one of that direction around the terminal. */
function nearestSplit(node: LayoutNode, terminal: string, direction: Direction): Found | null {
  if (node.kind === 'slot') return null
  const index = node.children.findIndex(({ node: inner }) => hasTerminal(inner, terminal))
  const child = node.children[index]
  if (child === undefined) return null
  const inside = nearestSplit(child.node, terminal, direction)
  if (inside !== null) return { ...inside, path: [index, ...inside.path] }
  return node.direction === direction ? { path: [], split: node, index } : null
}

const hasTerminal = (node: LayoutNode, terminal: string): boolean =>
  node.kind === 'slot' ? node.terminals.some((each) => each === terminal) : node.children.some((child) => hasTerminal(child.node, terminal))
