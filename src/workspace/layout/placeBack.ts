import type { TerminalId } from '../../base/ids.ts'
import { sameValue } from '../sameValue.ts'
import { type Canvas, overlap, place } from './canvas.ts'
import { hasTerminal, insert, keepOnly, type Layout, type Where } from './layout.ts'
import { type LayoutNode, mapSlots, type Slot, type Split, slotsIn, terminalsIn } from './splitTree.ts'
import { admit, changeWorkspace, type Topology, type Workspace, workspaceOf, workspacesOf, workspaceWithId } from './topology.ts'

/**
 * A terminal that was closed, back where it stood `before`. Where nothing was arranged anew since, that is exactly so;
 * else it stands in its workspace, or in the first one if that is gone, as near to its old place as can be.
 */
type Standing = { readonly terminal: TerminalId; readonly before: Topology }

export function placeBack(now: Topology, standing: Standing): Topology {
  const { terminal, before } = standing
  if (workspaceOf(now, terminal) !== null) return now
  const home = workspaceOf(before, terminal)
  const there = home === null ? null : workspaceWithId(now, home.id)
  const to = there ?? workspacesOf(now)[0]
  if (to === undefined) return now
  const extent = home?.canvas[terminal]
  const placed = changeWorkspace(now, to.id, (workspace) =>
    home === null || there === null
      ? admit(workspace, { terminal, ...(extent && { extent }) })
      : { ...workspace, ...backIn(workspace, home, terminal) },
  )
  return { ...placed, dock: dockWith(now.dock, standing) }
}

function backIn(now: Workspace, home: Workspace, terminal: TerminalId): Pick<Workspace, 'layout' | 'canvas'> {
  return { layout: layoutWith(now.layout, home.layout, terminal), canvas: canvasWith(now.canvas, home.canvas, terminal) }
}

/** Others may have been closed since as well: what counts is that those which are left stand to each other as they did. */
function layoutWith(now: Layout, before: Layout, terminal: TerminalId): Layout {
  const isThere = (other: TerminalId): boolean => hasTerminal(now, other)
  if (sameValue(shapeOf(keepOnly(before, isThere)), shapeOf(now))) {
    const back = keepOnly(before, (other) => other === terminal || isThere(other))
    return withFronts(back, now, terminal)
  }
  const beside = before.root === null ? null : neighbourIn(before.root, { terminal, isThere })
  return insert(now, { terminal, ...beside })
}

/** Without what changes by mere looking: which tab is in front, and which terminal is zoomed. */
function shapeOf({ root }: Layout): LayoutNode | null {
  return root === null ? null : mapSlots(root, (slot) => ({ ...slot, active: slot.terminals[0] ?? slot.active }))
}

/** A terminal that was brought to the front since stays there, unless the reopened terminal was in front of the same slot. */
function withFronts(back: Layout, now: Layout, terminal: TerminalId): Layout {
  if (back.root === null) return back
  const fronts = now.root === null ? [] : slotsIn(now.root).map(({ active }) => active)
  const frontOf = (slot: Slot): TerminalId =>
    slot.active === terminal ? terminal : (slot.terminals.find((other) => fronts.includes(other)) ?? slot.active)
  const zoomed = back.zoomed === terminal ? terminal : now.zoomed
  return { root: mapSlots(back.root, (slot) => ({ ...slot, active: frontOf(slot) })), zoomed }
}

/** Exactly where it was, unless something was put there since. */
function canvasWith(now: Canvas, before: Canvas, terminal: TerminalId): Canvas {
  const rect = before[terminal]
  if (rect === undefined) return place(now, terminal)
  const isNew = (id: string): boolean => !sameValue(now[id as TerminalId], before[id as TerminalId])
  const isTaken = Object.entries(now).some(([id, other]) => isNew(id) && overlap(other, rect))
  return isTaken ? place(now, terminal, rect) : { ...now, [terminal]: rect }
}

/** Behind whom it stood, or else before whom. */
function dockWith(now: readonly TerminalId[], { terminal, before: { dock } }: Standing): readonly TerminalId[] {
  if (now.includes(terminal)) return now
  const at = dock.indexOf(terminal)
  const previous = dock.slice(0, Math.max(0, at)).findLast((other) => now.includes(other))
  if (previous !== undefined) return now.toSpliced(now.indexOf(previous) + 1, 0, terminal)
  const next = dock.slice(at + 1).find((other) => now.includes(other))
  return next === undefined ? [...now, terminal] : now.toSpliced(now.indexOf(next), 0, terminal)
}

type Sought = { readonly terminal: TerminalId; readonly isThere: (terminal: TerminalId) => boolean }
type Beside = { readonly at: TerminalId; readonly where: Where }

/** The nearest former neighbor that still exists, and its side; null if there is none. */
function neighbourIn(node: LayoutNode, sought: Sought): Beside | null {
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
