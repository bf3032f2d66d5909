import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CheckpointTimer } from './checkpointTimer.ts'

let due: string[] = []
let pace = { intervalS: 60, debounceMs: 1_000 }
const timer = (): CheckpointTimer =>
  new CheckpointTimer(
    () => pace,
    (kind) => due.push(kind),
  )

beforeEach(() => {
  vi.useFakeTimers()
  due = []
  pace = { intervalS: 60, debounceMs: 1_000 }
})
afterEach(() => void vi.useRealTimers())

test('many changes make one checkpoint, when they have calmed down', () => {
  const one = timer()
  one.begin()
  for (let change = 0; change < 5; change++) {
    one.structureChanged()
    vi.advanceTimersByTime(900)
  }
  expect(due).toEqual([])
  vi.advanceTimersByTime(100)
  expect(due).toEqual(['event'])
  vi.advanceTimersByTime(30_000)
  expect(due).toEqual(['event'])
})

test('changes that never end are not waited for', () => {
  const one = timer()
  one.begin()
  for (let change = 0; change < 25; change++) {
    one.structureChanged()
    vi.advanceTimersByTime(900)
  }
  expect(due).toEqual(['event', 'event'])
})

test('the periodic one follows the pace as it is now', () => {
  const one = timer()
  one.begin()
  pace = { ...pace, intervalS: 5 }
  vi.advanceTimersByTime(60_000)
  expect(due).toEqual(['periodic'])
  vi.advanceTimersByTime(10_000)
  expect(due).toEqual(['periodic', 'periodic', 'periodic'])
})

test('before its beginning and after its end nothing is due', () => {
  const one = timer()
  one.structureChanged()
  vi.advanceTimersByTime(200_000)
  one.begin()
  one.structureChanged()
  one.stop()
  one.structureChanged()
  vi.advanceTimersByTime(200_000)
  expect(due).toEqual([])
})
