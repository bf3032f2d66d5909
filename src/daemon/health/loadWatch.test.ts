import { afterEach, expect, it, vi } from 'vitest'
import type { Measures } from '../../workspace/load.ts'
import { LoadWatch } from './loadWatch.ts'

const EASY: Measures = { heapShare: 0.1, ownShare: 0.1, available: null, disk: { bytes: 2 ** 40, total: 2 ** 40 }, stallMs: 0 }
const FULL: Measures = { ...EASY, disk: { bytes: 1, total: 2 ** 40 } }

afterEach(() => void vi.useRealTimers())

function watching() {
  const room = { measures: EASY }
  const stages: number[] = []
  const load = new LoadWatch({ measure: async () => room.measures, changed: ({ stage }) => void stages.push(stage) })
  return { room, stages, load }
}

it('refuses what is new while there is no room, and nobody for what was the case a while ago', async () => {
  const { room, load } = watching()
  room.measures = FULL
  expect(await load.refusesProgram()).toBeNull() // nobody has looked yet
  await load.look()
  expect(await load.refusesProgram()).toMatchObject({ code: 'overloaded', message: expect.stringContaining('the disk is nearly full') })
  expect(await load.refusesChannel()).toBeNull() // looking on takes no disk
  room.measures = { ...EASY, heapShare: 0.95 }
  expect(await load.refusesChannel()).toMatchObject({ code: 'overloaded' })
  room.measures = EASY
  expect(await load.refusesProgram()).toBeNull()
  load.stop()
})

it('tells each stage once, and takes it back by itself soon after there is room', async () => {
  vi.useFakeTimers()
  const { room, stages, load } = watching()
  await load.look()
  room.measures = FULL
  await load.look()
  await load.look()
  expect(stages).toEqual([3])
  room.measures = EASY
  await vi.advanceTimersByTimeAsync(5_000)
  expect(stages).toEqual([3, 0])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(vi.getTimerCount()).toBe(0)
})
