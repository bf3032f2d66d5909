import { expect, it } from 'vitest'
import { ClockWatch } from './clockWatch.ts'

function watching() {
  const at = { wall: 1_000_000, monotonic: 0 }
  const watch = new ClockWatch({ now: () => at.wall, monotonic: () => at.monotonic })
  return (wall: number, monotonic: number): number | null => {
    at.wall += wall
    at.monotonic += monotonic
    return watch.look()
  }
}

it('time that passes is no jump, even if it is being corrected', () => {
  const passed = watching()
  for (let count = 0; count < 1_000; count++) expect(passed(5_002, 5_000)).toBeNull()
  expect(passed(8_000, 8_000)).toBeNull() // a busy machine
})

it('a machine that slept, a clock that was set either way, and a process that was stopped are jumps', () => {
  const passed = watching()
  expect(passed(3_605_000, 5_000)).toBe(3_600_000)
  expect(passed(-595_000, 5_000)).toBe(-600_000)
  expect(passed(60_000, 60_000)).toBe(60_000)
  expect(passed(5_000, 5_000)).toBeNull()
})
