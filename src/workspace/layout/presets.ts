import type { TerminalId } from '../../base/ids.ts'
import { type Layout, terminalsOf } from './layout.ts'
import { normalise } from './normalForm.ts'
import type { Child, LayoutNode, Slot } from './splitTree.ts'

/** How many slots a workspace can be given at once. */
export const PRESETS = [1, 2, 3, 4, 6, 9] as const
export type Preset = (typeof PRESETS)[number]

/** Slots per row; three are one beside two on top of each other. */
const WIDTHS: Readonly<Record<Exclude<Preset, 3>, number>> = { 1: 1, 2: 2, 4: 2, 6: 3, 9: 3 }

/** The terminals fill the slots in their order; the rest share the last one as tabs. Empty slots are left out. */
export function preset(layout: Layout, count: Preset): Layout {
  const slots = slotsFor(terminalsOf(layout), count)
  return normalise({ root: slots.length === 0 ? null : arranged(slots, count), zoomed: null })
}

function arranged(slots: readonly Slot[], count: Preset): LayoutNode {
  if (count === 3) return split('row', [...slots.slice(0, 1), ...rest(slots.slice(1))])
  const width = WIDTHS[count]
  const rows = Array.from({ length: Math.ceil(slots.length / width) }, (_, row) => slots.slice(row * width, (row + 1) * width))
  return split(
    'column',
    rows.map((row) => split('row', row)),
  )
}

const rest = (slots: readonly Slot[]): LayoutNode[] => (slots.length === 0 ? [] : [split('column', slots)])

function split(direction: 'row' | 'column', nodes: readonly LayoutNode[]): LayoutNode {
  const [only] = nodes
  if (nodes.length === 1 && only !== undefined) return only
  return { kind: 'split', direction, children: nodes.map((node): Child => ({ node, size: 1 / nodes.length })) }
}

function slotsFor(terminals: readonly TerminalId[], count: number): readonly Slot[] {
  const shared = terminals.slice(count - 1)
  return [...terminals.slice(0, count - 1).map((terminal) => [terminal]), shared].flatMap((tabs) => {
    const [active] = tabs
    return active === undefined ? [] : [{ kind: 'slot' as const, terminals: tabs, active }]
  })
}
