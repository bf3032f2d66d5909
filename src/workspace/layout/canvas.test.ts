import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { terminalId } from '../../../test/support/terminals.ts'
import {
  arrange,
  type Canvas,
  type Extent,
  isRect,
  LARGEST_TILE,
  moveTile,
  overlap,
  place,
  type Rect,
  removeTile,
  SMALLEST_TILE,
  setTile,
  tilesOf,
  USUAL_TILE,
} from './canvas.ts'

const [t1, t2, t3] = [terminalId(1), terminalId(2), terminalId(3)] as const
const one = place({}, t1)
const resized = (canvas: Canvas, extent: Extent) => setTile(canvas, t1, { x: 0, y: 0, ...extent })

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
    expect(resized(two, { width: 300, height: 200 })).toEqual({ ...two, [t1]: { ...two[t1], width: 300, height: 200 } })
  })

  test('stay within the smallest and the largest tile', () => {
    expect(resized(one, { width: 1, height: -4 })[t1]).toEqual({ x: 0, y: 0, ...SMALLEST_TILE })
    expect(resized(one, { width: 1e9, height: 1e9 })[t1]).toEqual({ x: 0, y: 0, ...LARGEST_TILE })
  })

  test('ignore what is not a number, and tiles that are not there', () => {
    expect(moveTile(one, t1, { x: Number.NaN, y: 0 })).toBe(one)
    expect(resized(one, { width: Number.POSITIVE_INFINITY, height: 300 })).toBe(one)
    expect(moveTile(one, t2, { x: 1, y: 1 })).toBe(one)
  })
})

describe('putting a tile where somebody drew it', () => {
  const rect = { x: -40, y: 12, width: 400, height: 300 }

  test('moves and resizes it at once, over others if need be', () => {
    const two = place(one, t2)
    expect(setTile(two, t2, rect)).toEqual({ ...two, [t2]: rect })
  })

  test('stays within bounds, and changes nothing where it stands already or is no tile', () => {
    expect(setTile(one, t1, { ...rect, x: 1e12, width: 1 })[t1]).toEqual({ ...rect, x: 1_000_000, width: SMALLEST_TILE.width })
    const drawn = setTile(one, t1, rect)
    expect(setTile(drawn, t1, rect)).toBe(drawn)
    expect(setTile(one, t2, rect)).toBe(one)
  })
})

describe('arranging', () => {
  const large = { width: 900, height: 600 }
  const canvas = place(place(one, t2, large), t3)

  test('makes a row of each list, as high as its highest tile, and keeps the sizes', () => {
    const arranged = arrange(moveTile(canvas, t2, { x: 5_000, y: -70 }), [[t2, t1], [t3]])
    expect(arranged[t2]).toEqual({ x: 0, y: 0, ...large })
    expect(arranged[t1]).toEqual({ x: 924, y: 0, ...USUAL_TILE })
    expect(arranged[t3]).toEqual({ x: 0, y: 672, ...USUAL_TILE })
  })

  test('breaks a long list into lines, so that all of it can be seen at once', () => {
    const ids = Array.from({ length: 8 }, (_, at) => terminalId(at + 1))
    const crowd = ids.reduce<Canvas>((all, id) => place(all, id), {})
    const arranged = arrange(crowd, [ids.slice(0, 7), ids.slice(7)])
    const rects = ids.map((id) => arranged[id] as Rect)
    expect(rects.map(({ x }) => x / 744)).toEqual([0, 1, 2, 0, 1, 2, 0, 0])
    expect(rects.map(({ y }) => y)).toEqual([0, 0, 0, 474, 474, 474, 948, 1470])
  })

  test('leaves out empty rows and tiles that are not there, and leaves alone what is in no list', () => {
    const arranged = arrange(canvas, [[], [terminalId(9)], [t1]])
    expect(arranged).toEqual(canvas)
    expect(arrange(canvas, [])).toBe(canvas)
  })

  test('covers nothing, whatever the sizes', () => {
    const size = fc.record({ width: fc.integer({ min: 1, max: 9_000 }), height: fc.integer({ min: 1, max: 9_000 }) })
    fc.assert(
      fc.property(fc.array(fc.array(size, { maxLength: 4 }), { maxLength: 4 }), (sizes) => {
        let next = 1
        let messy: Canvas = {}
        const rows = sizes.map((row) =>
          row.map((extent) => {
            const id = terminalId(next++)
            messy = setTile(place(messy, id), id, { x: 0, y: 0, ...extent })
            return id
          }),
        )
        const arranged = arrange(messy, rows)
        const rects = tilesOf(arranged).map((id) => arranged[id] as Rect)
        for (const [at, rect] of rects.entries()) for (const other of rects.slice(at + 1)) expect(overlap(rect, other)).toBe(false)
      }),
      { numRuns: 100 },
    )
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
    .tuple(terminals, fc.record({ x: number, y: number, width: number, height: number }))
    .map(([id, rect]) => ({ placed: null, change: (canvas: Canvas) => setTile(canvas, id, rect) })),
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
