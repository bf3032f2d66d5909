import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HELD_ROWS, USUAL_DEPTH, type View } from './depth.ts'
import { Scrollback } from './scrollback.ts'

let asked: number[]
let held: number[]
let notes: (string | null)[]
let scrollback: Scrollback
const view = (above: number, below: number): View => ({ above, below, rows: 30, isAlternate: false, isFull: false })

beforeEach(() => {
  vi.useFakeTimers()
  ;[asked, held, notes] = [[], [], []]
  scrollback = new Scrollback({
    screen: { holdRows: (rows) => void held.push(rows), view: view(970, 0) },
    deepest: 50_000,
    deepen: (history) => void asked.push(history),
    onNote: (note) => void notes.push(note),
  })
  scrollback.begin()
  scrollback.painted({ first: 0, from: 29_000 }, USUAL_DEPTH)
})
afterEach(() => void vi.useRealTimers())

it('asks once for what is above, and makes room for it when it comes', () => {
  scrollback.viewed(view(500, 500))
  scrollback.viewed(view(40, 960))
  scrollback.viewed(view(0, 1_000))
  expect(asked).toEqual([6_000])
  expect(notes.at(-1)).toBe('fetching')
  scrollback.makeRoom()
  scrollback.deepened({ first: 0, from: 24_000 })
  expect(held.at(-1)).toBe(10_000)
  scrollback.viewed(view(5_000, 1_000))
  expect(notes.at(-1)).toBeNull()
  scrollback.viewed(view(10, 5_990))
  expect(asked).toEqual([6_000, 20_000])
})

it('gives the memory back when somebody has been at the end for a while, and fetches again after that', () => {
  scrollback.viewed(view(0, 1_000))
  scrollback.makeRoom()
  scrollback.deepened({ first: 0, from: 0 })
  scrollback.viewed(view(6_000, 0))
  vi.advanceTimersByTime(59_000)
  scrollback.viewed(view(5_990, 10))
  vi.advanceTimersByTime(59_000)
  expect(held.at(-1)).toBe(10_000)
  scrollback.viewed(view(6_000, 0))
  vi.advanceTimersByTime(60_000)
  expect(held.at(-1)).toBe(HELD_ROWS)
  expect(vi.getTimerCount()).toBe(0)
  scrollback.viewed(view(0, 5_000))
  expect(asked).toEqual([6_000, 6_000])
})

it('is shallow at once for another terminal', () => {
  scrollback.viewed(view(0, 1_000))
  scrollback.makeRoom()
  scrollback.deepened({ first: 0, from: 0 })
  scrollback.viewed(view(6_000, 0))
  scrollback.begin()
  expect(held.at(-1)).toBe(HELD_ROWS)
  expect(notes.at(-1)).toBeNull()
  expect(vi.getTimerCount()).toBe(0)
})

it('does not ask again where there was a refusal', () => {
  scrollback.viewed(view(0, 1_000))
  scrollback.notDeepened()
  scrollback.viewed(view(0, 1_000))
  expect(asked).toEqual([6_000])
  expect(notes.at(-1)).toBeNull()
})

it('fetches older lines when they are wanted, wherever somebody looks, and says when they are here', async () => {
  expect([scrollback.canDeepen, scrollback.oldestDrawn]).toEqual([true, 29_000])
  const fetched = scrollback.deepen()
  const again = scrollback.deepen()
  expect(asked).toEqual([6_000])
  scrollback.makeRoom()
  scrollback.deepened({ first: 0, from: 0 })
  expect([await fetched, await again, scrollback.canDeepen]).toEqual([true, true, false])
  expect(await scrollback.deepen()).toBe(false)
})

it('nobody waits for older lines that will not come', async () => {
  const fetched = scrollback.deepen()
  scrollback.notDeepened()
  expect([await fetched, scrollback.canDeepen]).toEqual([false, false])
  scrollback.begin()
  scrollback.painted({ first: 0, from: 29_000 }, USUAL_DEPTH)
  const other = scrollback.deepen()
  scrollback.begin()
  expect(await other).toBe(false)
})

it('fetches the run before again when somebody pulls at the top of a drawing that the program has erased', () => {
  scrollback.painted({ first: 0, from: -301, oldest: -301 }, USUAL_DEPTH)
  scrollback.pulled()
  expect(asked).toEqual([])
  scrollback.erased()
  scrollback.pulled()
  scrollback.pulled()
  expect(asked).toEqual([1_000])
})
