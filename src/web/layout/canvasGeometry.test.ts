import { describe, expect, it } from 'vitest'
import { overlap } from '../../workspace/layout/canvas.ts'
import { keepViewport, keptViewport } from '../views/canvas/viewportKeep.ts'
import { fitted, freeBeside, nudged, placeOf, resizedBy, seenThrough, snapped, wheelFactor, zoomedAt } from './canvasGeometry.ts'

const tile = { x: 0, y: 0, width: 720, height: 450 }

describe('snapping', () => {
  it('puts a tile that is moved onto the grid, and leaves its size', () => {
    expect(snapped(tile, { ...tile, x: 100, y: -13 })).toEqual({ ...tile, x: 96, y: -24 })
  })

  it('moves only the edges that are dragged', () => {
    expect(snapped(tile, { ...tile, width: 700, height: 460 })).toEqual({ ...tile, width: 696, height: 456 })
    expect(snapped({ ...tile, x: 5 }, { ...tile, x: 30, width: 695 })).toEqual({ ...tile, x: 24, width: 701 })
  })

  it('leaves no tile smaller than it may be', () => {
    expect(snapped(tile, { ...tile, x: 600, width: 120 })).toEqual({ ...tile, x: 560, width: 160 })
    expect(snapped(tile, { ...tile, height: 10 })).toEqual({ ...tile, height: 96 })
  })
})

describe('zooming', () => {
  it('keeps what is under the pointer where it is', () => {
    const before = { x: 30, y: -20, zoom: 0.5 }
    const after = zoomedAt(before, { x: 200, y: 100 }, 1.5)
    const under = ({ x, y, zoom }: typeof before) => [(200 - x) / zoom, (100 - y) / zoom]
    expect(after.zoom).toBe(0.75)
    expect(under(after)).toEqual(under(before))
  })

  it('ends where nothing can be read, and where a letter fills the page', () => {
    expect(zoomedAt({ x: 0, y: 0, zoom: 0.2 }, { x: 0, y: 0 }, 0.01).zoom).toBe(0.1)
    expect(zoomedAt({ x: 0, y: 0, zoom: 1 }, { x: 0, y: 0 }, 50).zoom).toBe(2)
  })

  it('follows the wheel, but no jump of it', () => {
    expect(wheelFactor({ deltaY: -10, deltaMode: 0 })).toBeGreaterThan(1)
    expect(wheelFactor({ deltaY: 3, deltaMode: 1 })).toBeLessThan(1)
    expect(wheelFactor({ deltaY: -10_000, deltaMode: 0 })).toBeLessThan(1.5)
  })

  it('shows all tiles in the middle, none larger than it is, and smaller ones only as far as they can be told apart', () => {
    expect(fitted([tile], { width: 1000, height: 900 })).toEqual({ x: 140, y: 225, zoom: 1 })
    const far = fitted([tile, { ...tile, x: 2000, y: 1000 }], { width: 1000, height: 900 })
    const seen = seenThrough(far, { width: 1000, height: 900 })
    expect(seen.x <= 0 && seen.y <= 0 && seen.x + seen.width >= 2720 && seen.y + seen.height >= 1450).toBe(true)
    expect(fitted([tile, { ...tile, x: 500_000 }], { width: 1000, height: 900 }).zoom).toBe(0.1)
    expect(fitted([], { width: 1000, height: 900 })).toEqual({ x: 0, y: 0, zoom: 1 })
  })

  it('tells what part of the canvas is seen', () => {
    expect(seenThrough({ x: -100, y: 50, zoom: 0.5 }, { width: 400, height: 300 })).toEqual({ x: 200, y: -100, width: 800, height: 600 })
  })
})

describe('a tile that was dropped', () => {
  const dropped = { ...tile, x: 240 }

  it('stays under the pointer while it is dragged, whatever another browser does', () => {
    expect(placeOf({ ...tile, y: 99 }, { rect: dropped, before: tile, isDragged: true })).toEqual(dropped)
  })

  it('stays where it was dropped until the daemon says where it is', () => {
    expect(placeOf(tile, { rect: dropped, before: tile, isDragged: false })).toEqual(dropped)
    expect(placeOf({ ...tile, y: 99 }, { rect: dropped, before: tile, isDragged: false })).toEqual({ ...tile, y: 99 })
    expect(placeOf(tile, undefined)).toEqual(tile)
  })
})

describe('by keys', () => {
  it('moves a tile by a step of the grid', () => {
    expect([nudged(tile, 'left').x, nudged(tile, 'right').x, nudged(tile, 'top').y, nudged(tile, 'bottom').y]).toEqual([-48, 48, -48, 48])
  })

  it('makes it larger and smaller, within bounds', () => {
    expect(resizedBy(tile, { direction: 'row', by: 1 })).toEqual({ ...tile, width: 768 })
    expect(resizedBy({ ...tile, height: 100 }, { direction: 'column', by: -1 })).toEqual({ ...tile, height: 96 })
  })

  it('puts a new one beside it, clear of all others', () => {
    const canvas = { a: tile, b: { ...tile, x: 744 } }
    const spot = freeBeside(canvas, 'a', 'right')
    expect(spot).toEqual({ ...tile, x: 1488 })
    for (const edge of ['left', 'top', 'bottom'] as const) {
      const found = freeBeside(canvas, 'a', edge)
      expect(found !== null && Object.values(canvas).every((rect) => !overlap(rect, found, 24))).toBe(true)
    }
    expect(freeBeside(canvas, 'x', 'left')).toBeNull()
  })
})

describe('what was looked at last', () => {
  const keeper = () => {
    const kept = new Map<string, string>()
    return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) }
  }

  it('is kept for each canvas', () => {
    const storage = keeper()
    keepViewport(storage, 'w1', { x: 1, y: 2, zoom: 0.5 })
    expect([keptViewport(storage, 'w1'), keptViewport(storage, 'w2')]).toEqual([{ x: 1, y: 2, zoom: 0.5 }, null])
  })

  it('is nothing where somebody else wrote it, or the browser keeps nothing', () => {
    for (const text of ['{', '7', '{"x":1}', '{"x":1,"y":2,"zoom":50}', '{"x":"1","y":2,"zoom":1}']) {
      expect(keptViewport({ getItem: () => text, setItem: () => undefined }, 'w')).toBeNull()
    }
    const refuses = () => {
      throw new Error('not allowed')
    }
    expect(keptViewport({ getItem: refuses, setItem: refuses }, 'w')).toBeNull()
    expect(() => keepViewport({ getItem: refuses, setItem: refuses }, 'w', { x: 0, y: 0, zoom: 1 })).not.toThrow()
  })
})
