/** What of each canvas this browser looked at last. It belongs to the page: another browser has another window. */
import { type Viewport, ZOOM } from '../../layout/canvasGeometry.ts'

type Keeper = Pick<Storage, 'getItem' | 'setItem'>

const keyOf = (workspace: string): string => `holdfast.viewport.${workspace}`

export function keptViewport(keeper: Keeper, workspace: string): Viewport | null {
  try {
    return decoded(JSON.parse(keeper.getItem(keyOf(workspace)) ?? 'null'))
  } catch {
    return null // not ours, or the browser stores nothing: the whole canvas is shown
  }
}

export function keepViewport(keeper: Keeper, workspace: string, viewport: Viewport): void {
  try {
    keeper.setItem(keyOf(workspace), JSON.stringify(viewport))
  } catch {
    // The browser keeps nothing: the next visit begins with all of the canvas.
  }
}

function decoded(value: unknown): Viewport | null {
  if (typeof value !== 'object' || value === null || !('x' in value && 'y' in value && 'zoom' in value)) return null
  const { x, y, zoom } = value
  if (typeof x !== 'number' || typeof y !== 'number' || typeof zoom !== 'number') return null
  return zoom >= ZOOM.least && zoom <= ZOOM.most ? { x, y, zoom } : null
}
