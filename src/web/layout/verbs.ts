/**
 * What can be done with the terminals of a workspace, by mouse, menu and keys alike: each verb asks the daemon, in either view.
 * The other files of this folder are the geometry behind it, pure: neighbours, sizes of splits, drop zones, rectangles of the canvas.
 * openCanvas.ts is the handle of the canvas that is shown.
 */
import type { Direction, Edge } from '../../workspace/layout/layout.ts'
import type { Preset } from '../../workspace/layout/presets.ts'
import { slotsIn } from '../../workspace/layout/splitTree.ts'
import type { View } from '../../workspace/layout/topology.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import type { Parts } from '../hooks/parts.ts'
import { workspaceOf } from '../state/standing.ts'
import { freeBeside, nudged, resizedBy } from './canvasGeometry.ts'
import { neighbourToward, tileToward } from './neighbour.ts'
import { grown } from './splitSizes.ts'

/** A new shell beside a terminal, in its directory. */
export async function splitBeside({ page, tiles }: Parts, terminal: string, edge: Edge): Promise<void> {
  const workspace = workspaceOf(page.state.topology, terminal)
  const cwd = page.mirror.terminal(terminal)?.directory
  const isCanvas = workspace?.view === 'canvas'
  const place = tiles.get(terminal)?.measure() ?? null
  await page.create({
    ...(cwd === undefined ? {} : { cwd }),
    place: { terminal, where: edge },
    rect: isCanvas ? freeBeside(workspace.canvas, terminal, edge) : null,
    size: place === null || isCanvas ? place : halved(place, edge),
  })
  tiles.focus()
}

/** Nearly what it will get: the program draws itself once. */
function halved({ cols, rows }: Size, edge: Edge): Size {
  const isAcross = edge === 'left' || edge === 'right'
  return { cols: isAcross ? Math.max(2, Math.floor(cols / 2) - 1) : cols, rows: isAcross ? rows : Math.max(1, Math.floor(rows / 2) - 1) }
}

export function focusToward({ page, tiles }: Parts, edge: Edge): void {
  const next = beside({ page }, edge)
  if (next !== null) page.focus(next)
  tiles.focus()
}

function beside({ page }: Pick<Parts, 'page'>, edge: Edge): string | null {
  const { workspace, state } = page
  if (workspace === null || state.focused === null) return null
  return workspace.view === 'canvas'
    ? tileToward(workspace.canvas, state.focused, edge)
    : neighbourToward(workspace.layout, state.focused, edge)
}

/** Past its neighbour on that side; on the canvas by a step. A tab leaves its slot first. */
export function moveToward({ page }: Parts, edge: Edge): void {
  const { workspace, state } = page
  const { focused } = state
  if (workspace === null || focused === null) return
  if (workspace.view === 'canvas') {
    const rect = workspace.canvas[focused]
    if (rect !== undefined) void page.command('canvas.place', { terminal: focused, rect: nudged(rect, edge) })
    return
  }
  const target = isTab({ page }) ? focused : neighbourToward(workspace.layout, focused, edge)
  if (target !== null) void page.command('terminal.move', { terminal: focused, beside: { terminal: target, where: edge } })
}

/** Larger or smaller, in one direction. */
export function resize({ page }: Parts, change: { readonly direction: Direction; readonly by: 1 | -1 }): void {
  const { workspace, state } = page
  const { focused } = state
  if (workspace === null || focused === null) return
  if (workspace.view === 'canvas') {
    const rect = workspace.canvas[focused]
    if (rect !== undefined) void page.command('canvas.place', { terminal: focused, rect: resizedBy(rect, change) })
    return
  }
  const sizes = grown(workspace.layout, focused, change)
  if (sizes !== null) void page.command('layout.sizes', { workspace: workspace.id, path: [...sizes.path], sizes: [...sizes.sizes] })
}

export async function toggleZoom({ page, tiles }: Parts, terminal: string): Promise<void> {
  const isZoomed = workspaceOf(page.state.topology, terminal)?.layout.zoomed === terminal
  await page.zoom(terminal, !isZoomed)
  tiles.focus()
}

/** The terminals that share the slot of the focused one. */
function tabsOf({ page }: Pick<Parts, 'page'>): readonly string[] {
  const { workspace, state } = page
  if (workspace === null || workspace.layout.root === null) return []
  return slotsIn(workspace.layout.root).find(({ terminals }) => terminals.some((id) => id === state.focused))?.terminals ?? []
}

export const isTab = (parts: Pick<Parts, 'page'>): boolean => tabsOf(parts).length > 1

/** Goes round at both ends. */
export function stepTab(parts: Parts, step: 1 | -1): void {
  const tabs = tabsOf(parts)
  const next = tabs.at((tabs.indexOf(parts.page.state.focused ?? '') + step) % tabs.length)
  if (next !== undefined) parts.page.focus(next)
  parts.tiles.focus()
}

export async function arrangeIn({ page, tiles }: Parts, how: Preset | 'balance' | 'byRepository'): Promise<void> {
  const workspace = page.state.workspace
  if (workspace === null) return
  if (how === 'balance') await page.command('layout.balance', { workspace })
  else if (how === 'byRepository') await page.command('canvas.arrange', { workspace })
  else await page.command('layout.preset', { workspace, slots: how })
  tiles.focus()
}

export async function showAs({ page, tiles }: Parts, view: View): Promise<void> {
  const workspace = page.state.workspace
  if (workspace !== null) await page.command('workspace.view', { workspace, view })
  tiles.focus()
}

/** Within its group. */
export function moveWorkspace({ page }: Parts, step: 1 | -1): void {
  const { workspace, topology } = page.state
  const group = topology?.groups.find(({ workspaces }) => workspaces.some(({ id }) => id === workspace))
  const index = group?.workspaces.findIndex(({ id }) => id === workspace) ?? -1
  if (workspace !== null && group !== undefined && index + step >= 0) {
    void page.command('workspace.move', { workspace, group: group.id, index: index + step })
  }
}
