/** What happens on the canvas between the daemon's places: snapping, zooming at a point, keeping a tile where it was dropped. Pure. */
import { LARGEST_TILE, overlap, type Point, type Rect, SMALLEST_TILE, USUAL_TILE } from '../../workspace/layout/canvas.ts'
import type { Edge } from '../../workspace/layout/layout.ts'

export const GRID_PX = 24
export const ZOOM = { least: 0.1, most: 2 } as const
/** Below this, letters are too small to read, and a card says more. */
export const READABLE_ZOOM = 0.35

/** What of the canvas is seen: the page's point (0, 0) shows the canvas at -x/zoom, -y/zoom. */
export type Viewport = { readonly x: number; readonly y: number; readonly zoom: number }

/** Edges that were moved go to the nearest line; the others stay where they are. */
export function snapped(before: Rect, after: Rect): Rect {
  const isMoved = before.width === after.width && before.height === after.height
  if (isMoved) return { ...after, x: toGrid(after.x), y: toGrid(after.y) }
  const [x, width] = snappedStretch([before.x, before.width], [after.x, after.width], SMALLEST_TILE.width)
  const [y, height] = snappedStretch([before.y, before.height], [after.y, after.height], SMALLEST_TILE.height)
  return { x, y, width, height }
}

type Stretch = readonly [start: number, length: number]

function snappedStretch(before: Stretch, after: Stretch, least: number): Stretch {
  const end = after[0] + after[1]
  if (before[0] !== after[0]) {
    const start = Math.min(toGrid(after[0]), end - least)
    return [start, end - start]
  }
  return before[1] === after[1] ? after : [after[0], Math.max(toGrid(end) - after[0], least)]
}

const toGrid = (value: number): number => Math.round(value / GRID_PX) * GRID_PX

/** The canvas grows or shrinks around the point, which keeps showing the same. */
export function zoomedAt({ x, y, zoom }: Viewport, at: Point, factor: number): Viewport {
  const next = Math.min(ZOOM.most, Math.max(ZOOM.least, zoom * factor))
  const ratio = next / zoom
  return { x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio, zoom: next }
}

/** How much one turn of the wheel changes the zoom. */
export const wheelFactor = ({ deltaY, deltaMode }: { readonly deltaY: number; readonly deltaMode: number }): number =>
  2 ** (-Math.max(-60, Math.min(60, deltaY * (deltaMode === 1 ? 20 : 1))) * 0.008)

/** The part of the canvas that is seen through a window of this size. */
export const seenThrough = ({ x, y, zoom }: Viewport, size: { readonly width: number; readonly height: number }): Rect => ({
  x: -x / zoom,
  y: -y / zoom,
  width: size.width / zoom,
  height: size.height / zoom,
})

const FIT_MARGIN = 0.03 // of the window, on each side

/** All tiles at once, in the middle, and none larger than it is. */
export function fitted(rects: readonly Rect[], { width, height }: { readonly width: number; readonly height: number }): Viewport {
  if (rects.length === 0 || width === 0 || height === 0) return { x: 0, y: 0, zoom: 1 }
  const left = Math.min(...rects.map(({ x }) => x))
  const top = Math.min(...rects.map(({ y }) => y))
  const [wide, high] = [
    Math.max(...rects.map((rect) => rect.x + rect.width)) - left,
    Math.max(...rects.map((rect) => rect.y + rect.height)) - top,
  ]
  const room = 1 - 2 * FIT_MARGIN
  const zoom = Math.max(ZOOM.least, Math.min(1, (width * room) / wide, (height * room) / high))
  return { x: width / 2 - (left + wide / 2) * zoom, y: height / 2 - (top + high / 2) * zoom, zoom }
}

/** What a page holds of a tile that is dragged, or has been and waits for the daemon. */
export type Held = {
  readonly rect: Rect
  /** Where the daemon had it when it was taken or dropped. */
  readonly before: Rect
  readonly isDragged: boolean
}

/** Where it is drawn: under the pointer while it is dragged; then where it was dropped, until the daemon says where. */
export function placeOf(known: Rect, held: Held | undefined): Rect {
  if (held === undefined) return known
  return held.isDragged || sameRect(known, held.before) ? held.rect : known
}

const STEP = 2 * GRID_PX

export function nudged(rect: Rect, edge: Edge): Rect {
  const dx = edge === 'left' ? -STEP : edge === 'right' ? STEP : 0
  const dy = edge === 'top' ? -STEP : edge === 'bottom' ? STEP : 0
  return { ...rect, x: rect.x + dx, y: rect.y + dy }
}

export function resizedBy(rect: Rect, { direction, by }: { readonly direction: 'row' | 'column'; readonly by: 1 | -1 }): Rect {
  const side = direction === 'row' ? 'width' : 'height'
  const length = Math.min(LARGEST_TILE[side], Math.max(SMALLEST_TILE[side], rect[side] + by * STEP))
  return { ...rect, [side]: length }
}

/** Beside a tile, and clear of all others: further on until there is room. */
export function freeBeside(canvas: Readonly<Record<string, Rect>>, terminal: string, edge: Edge): Rect | null {
  const from = canvas[terminal]
  if (from === undefined) return null
  const { width, height } = { width: Math.max(from.width, USUAL_TILE.width / 2), height: Math.max(from.height, USUAL_TILE.height / 2) }
  const others = Object.values(canvas)
  const sign = edge === 'left' || edge === 'top' ? -1 : 1
  let spot = firstBeside(from, { width, height }, edge)
  while (others.some((rect) => overlap(rect, spot, GRID_PX))) {
    spot = edge === 'left' || edge === 'right' ? { ...spot, x: spot.x + sign * GRID_PX } : { ...spot, y: spot.y + sign * GRID_PX }
  }
  return spot
}

function firstBeside(from: Rect, { width, height }: { readonly width: number; readonly height: number }, edge: Edge): Rect {
  switch (edge) {
    case 'left':
      return { x: from.x - GRID_PX - width, y: from.y, width, height }
    case 'right':
      return { x: from.x + from.width + GRID_PX, y: from.y, width, height }
    case 'top':
      return { x: from.x, y: from.y - GRID_PX - height, width, height }
    case 'bottom':
      return { x: from.x, y: from.y + from.height + GRID_PX, width, height }
  }
}

const sameRect = (a: Rect, b: Rect): boolean => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height

export const centreOf = ({ x, y, width, height }: Rect): Point => ({ x: x + width / 2, y: y + height / 2 })

/** Whether `inner` is wholly in `outer`. */
export const holds = (outer: Rect, inner: Rect): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height
