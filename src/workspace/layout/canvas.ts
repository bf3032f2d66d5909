import { isId, type TerminalId } from '../../base/ids.ts'

/**
 * Where terminals stand on the endless canvas, in CSS pixels at zoom 1. The user may stack tiles by hand;
 * a tile that is placed by itself never covers another one.
 */
export type Rect = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
export type Canvas = Readonly<Record<TerminalId, Rect>>
export type Point = { readonly x: number; readonly y: number }
export type Extent = { readonly width: number; readonly height: number }

export const SMALLEST_TILE: Extent = { width: 160, height: 96 } // the title bar and a few lines stay readable
export const LARGEST_TILE: Extent = { width: 8_000, height: 8_000 }
export const USUAL_TILE: Extent = { width: 720, height: 450 } // about 80×24 at the usual font
const FARTHEST = 1_000_000 // beyond this, a browser's transforms lose whole pixels
const GAP = 24
const SCREEN_RATIO = 1.6
const ROOM_LEFT = 1.05 // lines are never filled to their ends
const ROW_GAP = 72 // what belongs together is seen at a glance

export function tilesOf(canvas: Canvas): readonly TerminalId[] {
  return Object.keys(canvas).filter((key) => isId('terminal', key))
}

export function isRect({ x, y, width, height }: Rect): boolean {
  return [x, y, width, height].every(Number.isFinite) && sameRect({ x, y, width, height }, bounded({ x, y, width, height }))
}

/** A terminal that stands already stays where it is. */
export function place(canvas: Canvas, terminal: TerminalId, extent: Extent = USUAL_TILE): Canvas {
  if (Object.hasOwn(canvas, terminal)) return canvas
  const known = Number.isFinite(extent.width) && Number.isFinite(extent.height) ? extent : USUAL_TILE
  return { ...canvas, [terminal]: freeSpot(canvas, bounded({ x: 0, y: 0, ...known })) }
}

export function moveTile(canvas: Canvas, terminal: TerminalId, { x, y }: Point): Canvas {
  return change(canvas, terminal, { x, y })
}

export function setTile(canvas: Canvas, terminal: TerminalId, rect: Rect): Canvas {
  return change(canvas, terminal, rect)
}

/** Each list side by side, in as many lines as it needs; one list below the other, in order. Tiles keep their sizes. */
export function arrange(canvas: Canvas, rows: readonly (readonly TerminalId[])[]): Canvas {
  const widest = widestLine(rows.flat().flatMap((terminal) => canvas[terminal] ?? []))
  let arranged = canvas
  let y = 0
  for (const row of rows) {
    let x = 0
    let height = 0
    for (const terminal of row) {
      const rect = canvas[terminal]
      if (rect === undefined) continue
      if (x > 0 && x + rect.width > widest) {
        y += height + GAP
        x = 0
        height = 0
      }
      arranged = moveTile(arranged, terminal, { x, y })
      x += rect.width + GAP
      height = Math.max(height, rect.height)
    }
    if (height > 0) y += height + ROW_GAP
  }
  return arranged
}

/** As wide as a usual screen shows all of them best, but three usual tiles at least. */
function widestLine(rects: readonly Rect[]): number {
  const area = rects.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0)
  return Math.max(Math.sqrt(area * SCREEN_RATIO) * ROOM_LEFT, 3 * (USUAL_TILE.width + GAP))
}

export function removeTile(canvas: Canvas, terminal: TerminalId): Canvas {
  if (!Object.hasOwn(canvas, terminal)) return canvas
  const { [terminal]: _, ...others } = canvas
  return others
}

export function overlap(a: Rect, b: Rect, gap = 0): boolean {
  const apart = a.x + a.width + gap <= b.x || b.x + b.width + gap <= a.x || a.y + a.height + gap <= b.y || b.y + b.height + gap <= a.y
  return !apart
}

function change(canvas: Canvas, terminal: TerminalId, changes: Partial<Rect>): Canvas {
  const rect = canvas[terminal]
  if (rect === undefined || !Object.values(changes).every(Number.isFinite)) return canvas
  const changed = bounded({ ...rect, ...changes })
  return sameRect(changed, rect) ? canvas : { ...canvas, [terminal]: changed }
}

/** Looks at cells of the tile's own size, in growing squares around the origin, so that the canvas stays compact. */
function freeSpot(canvas: Canvas, { width, height }: Rect): Rect {
  const taken = tilesOf(canvas)
    .flatMap((id) => canvas[id] ?? [])
    .filter(isRect) // an endless tile would leave no spot to find
  for (let ring = 0; ; ring++) {
    for (const { x: column, y: row } of cellsOfRing(ring)) {
      const spot = { x: column * (width + GAP), y: row * (height + GAP), width, height }
      if (!taken.some((rect) => overlap(rect, spot, GAP))) return spot
    }
  }
}

function* cellsOfRing(ring: number): Generator<Point> {
  for (let row = 0; row < ring; row++) yield { x: ring, y: row }
  for (let column = 0; column <= ring; column++) yield { x: column, y: ring }
}

function bounded({ x, y, width, height }: Rect): Rect {
  return {
    x: clamp(x, -FARTHEST, FARTHEST),
    y: clamp(y, -FARTHEST, FARTHEST),
    width: clamp(width, SMALLEST_TILE.width, LARGEST_TILE.width),
    height: clamp(height, SMALLEST_TILE.height, LARGEST_TILE.height),
  }
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

const sameRect = (a: Rect, b: Rect): boolean => a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height
