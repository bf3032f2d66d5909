import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { terminalId } from '../../test/support/terminals.ts'
import {
  type Canvas,
  isRect,
  LARGEST_TILE,
  moveTile,
  overlap,
  place,
  type Rect,
  removeTile,
  resizeTile,
  SMALLEST_TILE,
  tilesOf,
  USUAL_TILE,
} from './canvas.ts'

const [t1, t2] = [terminalId(1), terminalId(2)] as const
const one = place({}, t1)

describe('placing', () => {
  test('the first tile stands at the origin, the next beside it', () => {
    expect(one[t1]).toEqual({ x: 0, y: 0, ...USUAL_TILE })
    expect(place(one, t2)[t2]).toEqual({ x: USUAL_TILE.width + 24, y: 0, ...USUAL_TILE })
  })

  test('a tile that stands already stays', () => expect(place(one, t1, { width: 900, height: 900 })).toBe(one))

  test('a damaged tile does not keep others from finding a spot', () => {
    const damaged: Canvas = { [t2]: { x: Number.NEGATIVE_INFINITY, y: 0, width: Number.POSITIVE_INFINITY, height: Number.NaN } }
    expect(place(damaged, t1)[t1]).toSatisfy(isRect)
  })
})

describe('moving and resizing', () => {
  test('change one tile only', () => {
    const two = place(one, t2)
    expect(moveTile(two, t1, { x: -5, y: 7 })).toEqual({ ...two, [t1]: { ...two[t1], x: -5, y: 7 } })
    expect(resizeTile(two, t1, { width: 300, height: 200 })).toEqual({ ...two, [t1]: { ...two[t1], width: 300, height: 200 } })
  })

  test('stay within the smallest and the largest tile', () => {
    expect(resizeTile(one, t1, { width: 1, height: -4 })[t1]).toEqual({ x: 0, y: 0, ...SMALLEST_TILE })
    expect(resizeTile(one, t1, { width: 1e9, height: 1e9 })[t1]).toEqual({ x: 0, y: 0, ...LARGEST_TILE })
  })

  test('ignore what is not a number, and tiles that are not there', () => {
    expect(moveTile(one, t1, { x: Number.NaN, y: 0 })).toBe(one)
    expect(resizeTile(one, t1, { width: Number.POSITIVE_INFINITY, height: 300 })).toBe(one)
    expect(moveTile(one, t2, { x: 1, y: 1 })).toBe(one)
  })
})

const terminals = fc.integer({ min: 1, max: 12 }).map(terminalId)
const number = fc.oneof(fc.double(), fc.integer({ min: -3000, max: 3000 }))
const operations = fc.oneof(
  fc
    .tuple(terminals, number, number)
    .map(([id, width, height]) => ({ placed: id, change: (canvas: Canvas) => place(canvas, id, { width, height }) })),
  fc.tuple(terminals, number, number).map(([id, x, y]) => ({ placed: null, change: (canvas: Canvas) => moveTile(canvas, id, { x, y }) })),
  fc
    .tuple(terminals, number, number)
    .map(([id, width, height]) => ({ placed: null, change: (canvas: Canvas) => resizeTile(canvas, id, { width, height }) })),
  terminals.map((id) => ({ placed: null, change: (canvas: Canvas) => removeTile(canvas, id) })),
)

test('under any sequence of operations rectangles are finite and within bounds, and a newly placed one covers nothing', () => {
  fc.assert(
    fc.property(fc.array(operations, { maxLength: 40 }), (sequence) => {
      let canvas: Canvas = {}
      for (const { placed, change } of sequence) {
        const before = canvas
        canvas = change(before)
        for (const id of tilesOf(canvas)) expect(canvas[id]).toSatisfy(isRect)
        if (placed === null || before[placed] !== undefined) continue
        for (const id of tilesOf(before)) expect(overlap(canvas[placed] as Rect, canvas[id] as Rect)).toBe(false)
      }
    }),
    { numRuns: 200 },
  )
})
