/**
 * A terminal that is dragged by its title bar: over which tile or workspace it is, and what a drop there would do. One at a
 * time on a page. The views draw its state; the geometry is in dropZone.ts.
 */
import { useSyncExternalStore } from 'react'
import type { Point, Rect } from '../../../workspace/layout/canvas.ts'
import type { Where } from '../../../workspace/layout/layout.ts'
import { previewOf, wouldMove, zoneAt } from '../../layout/dropZone.ts'
import type { Page } from '../../state/page.ts'

type DropTarget =
  | { readonly kind: 'tile'; readonly terminal: string; readonly where: Where; readonly preview: Rect }
  | { readonly kind: 'workspace'; readonly workspace: string }

type Drag = { readonly terminal: string; readonly at: Point; readonly target: DropTarget | null }

const THRESHOLD_PX = 5 // a click that shakes is no drag

class TileDrag {
  state: Drag | null = null
  private readonly listeners = new Set<() => void>()

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** From where the pointer went down, until it is released; nothing happens until it has moved a little. */
  begin(page: Page, terminal: string, start: Point): void {
    const ending = new AbortController()
    const listen = { signal: ending.signal, capture: true }
    const end = (isDrop: boolean) => {
      ending.abort()
      const { state } = this
      this.change(null)
      if (isDrop && state !== null && state.target !== null) drop(page, terminal, state.target)
    }
    window.addEventListener('pointermove', (event) => this.move(page, { terminal, start, event }), listen)
    window.addEventListener('pointerup', () => end(true), listen)
    window.addEventListener('pointercancel', () => end(false), listen)
    window.addEventListener('blur', () => end(false), listen)
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape' || this.state === null) return
        event.preventDefault()
        event.stopImmediatePropagation() // it is not for the program
        end(false)
      },
      listen,
    )
  }

  /** For a drag that something else does, such as the canvas: only workspaces are places to drop it then. */
  over(terminal: string, at: Point): void {
    this.change({ terminal, at, target: workspaceAt(at) })
  }

  drop(page: Page): boolean {
    const { state } = this
    this.change(null)
    if (state?.target?.kind !== 'workspace') return false
    drop(page, state.terminal, state.target)
    return true
  }

  private move(
    page: Page,
    { terminal, start, event }: { readonly terminal: string; readonly start: Point; readonly event: PointerEvent },
  ): void {
    const at = { x: event.clientX, y: event.clientY }
    if (this.state === null && Math.hypot(at.x - start.x, at.y - start.y) < THRESHOLD_PX) return
    event.preventDefault()
    this.change({ terminal, at, target: targetAt(page, terminal, at) })
  }

  private change(state: Drag | null): void {
    if (state === null && this.state === null) return
    this.state = state
    document.documentElement.toggleAttribute('data-dragging', state !== null)
    for (const listener of this.listeners) listener()
  }
}

export const tileDrag = new TileDrag()

export const useTileDrag = (): Drag | null => useSyncExternalStore(tileDrag.subscribe, () => tileDrag.state)

function drop(page: Page, terminal: string, target: DropTarget): void {
  if (target.kind === 'workspace') void page.command('terminal.move', { terminal, to: target.workspace })
  else void page.command('terminal.move', { terminal, beside: { terminal: target.terminal, where: target.where } })
}

/** Null where a drop would change nothing. */
function targetAt(page: Page, terminal: string, at: Point): DropTarget | null {
  const workspace = workspaceAt(at)
  if (workspace !== null) return workspace.workspace === page.state.workspace ? null : workspace
  const tile = document.elementsFromPoint(at.x, at.y).find((element) => element.matches('.tile'))
  const target = tile?.getAttribute('data-terminal')
  if (tile === undefined || target == null || page.workspace === null) return null
  const rect = tile.getBoundingClientRect()
  const where = zoneAt(rect, at)
  if (!wouldMove(page.workspace.layout, { terminal, target, where })) return null
  return { kind: 'tile', terminal: target, where, preview: previewOf(rect, where) }
}

function workspaceAt({ x, y }: Point): Extract<DropTarget, { kind: 'workspace' }> | null {
  const workspace = document.elementFromPoint(x, y)?.closest('[data-workspace]')?.getAttribute('data-workspace')
  return workspace == null ? null : { kind: 'workspace', workspace }
}
