import { describe, expect, it } from 'vitest'
import { type Depth, deepestFor, erasedDepth, noteFor, type View, wantedDepth } from './depth.ts'

const DEEPEST = 50_000
const depth = (changes: Partial<Depth> = {}): Depth => ({
  history: 1_000,
  lines: { first: 0, from: 29_000 },
  isCut: false,
  asking: null,
  ...changes,
})
const view = (changes: Partial<View> = {}): View => ({ above: 10, below: 990, rows: 30, isAlternate: false, isFull: false, ...changes })

describe('more history', () => {
  it('is wanted near the top, as long as there is some, in growing steps', () => {
    const steps = [1_000, 6_000, 20_000, 50_000].map((history) => wantedDepth(depth({ history }), view(), DEEPEST))
    expect(steps).toEqual([6_000, 20_000, 50_000, null])
  })

  it('is not wanted at the end, far from the top, on the alternate screen, or while some is on its way', () => {
    const views = [view({ above: 1_000, below: 0 }), view({ above: 200 }), view({ isAlternate: true })]
    for (const seen of views) expect(wantedDepth(depth(), seen, DEEPEST)).toBeNull()
    expect(wantedDepth(depth({ asking: 6_000 }), view(), DEEPEST)).toBeNull()
    expect(wantedDepth(depth({ lines: null }), view(), DEEPEST)).toBeNull()
    expect(wantedDepth(depth({ lines: { first: 0, from: 0 } }), view(), DEEPEST)).toBeNull()
  })

  it('is more than what the program has printed meanwhile', () => {
    expect(wantedDepth(depth(), view({ above: 0, below: 7_000 }), DEEPEST)).toBe(20_000)
  })

  it('is wanted again where the drawing has let go of some', () => {
    const whole = { lines: { first: 0, from: 0 } }
    expect(wantedDepth(depth({ ...whole, isCut: true }), view(), DEEPEST)).toBe(6_000)
    expect(wantedDepth(depth(whole), view({ isFull: true }), DEEPEST)).toBe(6_000)
  })

  it('is wanted of the run before, once the drawing begins with the run', () => {
    expect(wantedDepth(depth({ lines: { first: 0, from: 0, oldest: -1 } }), view(), DEEPEST)).toBe(6_000)
    expect(wantedDepth(depth({ lines: { first: 0, from: -301, oldest: -301 } }), view(), DEEPEST)).toBeNull()
  })

  it('is wanted again of the run before where the program has erased the history, and of nothing else', () => {
    const erased = erasedDepth(depth({ history: 6_000, lines: { first: 0, from: -301, oldest: -301 } }))
    expect(wantedDepth(erased, view({ above: 0, below: 50 }), DEEPEST)).toBe(1_000)
    const own = depth({ lines: { first: 0, from: 0, oldest: 0 } })
    expect(erasedDepth(own)).toBe(own)
  })

  it('is less on a machine with little memory', () => {
    expect([undefined, 8, 2].map(deepestFor)).toEqual([50_000, 50_000, 20_000])
    expect(wantedDepth(depth({ history: 20_000 }), view(), deepestFor(2))).toBeNull()
  })
})

describe('what is said about it', () => {
  const top = view({ above: 0, below: 5_000 })
  it('is said at the very top only', () => {
    expect(noteFor(depth(), view(), DEEPEST)).toBeNull()
    expect(noteFor(depth(), view({ above: 0, below: 0 }), DEEPEST)).toBeNull()
    expect(noteFor(depth(), { ...top, isAlternate: true }, DEEPEST)).toBeNull()
  })

  it('is that lines are on their way, that this is the beginning, or why it is not', () => {
    expect(noteFor(depth({ asking: 6_000 }), top, DEEPEST)).toBe('fetching')
    expect(noteFor(depth({ lines: { first: 0, from: 0 } }), top, DEEPEST)).toBe('beginning')
    expect(noteFor(depth({ lines: { first: 700, from: 700 } }), top, DEEPEST)).toBe('gone')
    expect(noteFor(depth({ lines: { first: 700, from: -9, oldest: -9 } }), top, DEEPEST)).toBe('beginning')
    expect(noteFor(depth({ history: DEEPEST, lines: { first: 700, from: 900 } }), top, DEEPEST)).toBe('deepest')
  })
})
