import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LastOnly } from './lastOnly.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('acts at once, then once in a while, always with the last value, and not after it was closed', () => {
  const done: number[] = []
  const last = new LastOnly<number>(500, (value) => done.push(value))
  for (let n = 0; n < 10_000; n++) last.take(n)
  expect(done).toEqual([0])
  vi.advanceTimersByTime(500)
  expect(done).toEqual([0, 9_999])
  vi.advanceTimersByTime(5_000)
  expect(done).toEqual([0, 9_999])
  last.take(1)
  last.take(2)
  last.close()
  vi.advanceTimersByTime(5_000)
  expect(done).toEqual([0, 9_999, 1])
})
