import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { terminalId } from '../../../test/support/terminals.ts'
import type { Idler } from '../../workspace/terminal/autoSleep.ts'
import { AutoSleeper, type AutoSleepWorld } from './autoSleeper.ts'

const START = 1_000_000_000
beforeEach(() => void vi.useFakeTimers({ now: START }))
afterEach(() => void vi.useRealTimers())

type Settings = ReturnType<AutoSleepWorld['settings']>

/** Terminals that were last active when the day began; each frees two percent of the memory. */
class Room implements AutoSleepWorld {
  readonly startedAt = START
  readonly slept: string[] = []
  free = 5
  looked = 0
  live: Omit<Idler, 'losses'>[]

  constructor(
    private readonly wish: Settings,
    changes: readonly Partial<Idler>[] = [{}, {}, {}],
  ) {
    const usual = { isLive: true, isPrivate: false, isPinned: false, isSeen: false, agent: null, activeAt: START } as const
    this.live = changes.map((each, at) => ({ id: terminalId(at), ...usual, activeAt: START + at, ...each }))
  }
  settings = (): Settings => this.wish
  available = (): number => this.free
  idlers = (): Promise<Omit<Idler, 'losses'>[]> => {
    this.looked += 1
    return Promise.resolve(this.live)
  }
  losses = (): Promise<readonly string[]> => Promise.resolve([])
  sleep = ({ id, by }: Parameters<AutoSleepWorld['sleep']>[0]): Promise<void> => {
    this.live = this.live.filter((idler) => idler.id !== id)
    this.free += 2
    this.slept.push(`${id} ${by}`)
    return Promise.resolve()
  }
  failed = (error: Error): void => {
    throw error
  }
}

const MINUTE = 60_000

async function watched(room: Room, ms: number): Promise<AutoSleeper> {
  const sleeper = new AutoSleeper(room)
  sleeper.start()
  await vi.advanceTimersByTimeAsync(ms)
  return sleeper
}

test('switched off, nobody even looks', async () => {
  const room = new Room({ idleS: 0, memoryPercent: 0 })
  await watched(room, 24 * 60 * MINUTE)
  expect(room.looked).toBe(0)
})

test('what has been idle long enough sleeps, soon after it has', async () => {
  const room = new Room({ idleS: 600, memoryPercent: 0 })
  await watched(room, 10 * MINUTE - 1)
  expect(room.slept).toEqual([])
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(room.slept).toEqual([0, 1, 2].map((at) => `${terminalId(at)} idle`))
})

test('short of memory, one after the other sleeps, the longest idle first, until there is enough', async () => {
  const room = new Room({ idleS: 0, memoryPercent: 8 })
  await watched(room, 11 * MINUTE)
  expect(room.slept).toEqual([`${terminalId(0)} memory`, `${terminalId(1)} memory`])
})

test('one that was looked at until now has not been idle for long', async () => {
  const room = new Room({ idleS: 600, memoryPercent: 0 }, [{ isSeen: true }])
  await watched(room, 30 * MINUTE)
  room.live = room.live.map((idler) => ({ ...idler, isSeen: false }))
  await vi.advanceTimersByTimeAsync(9 * MINUTE)
  expect(room.slept).toEqual([])
  await vi.advanceTimersByTimeAsync(2 * MINUTE)
  expect(room.slept).toHaveLength(1)
})

test('a machine that has slept for hours does not put everything to sleep when it wakes', async () => {
  const room = new Room({ idleS: 3_600, memoryPercent: 0 })
  await watched(room, MINUTE)
  vi.setSystemTime(START + 8 * 60 * MINUTE)
  await vi.advanceTimersByTimeAsync(59 * MINUTE)
  expect(room.slept).toEqual([])
  await vi.advanceTimersByTimeAsync(2 * MINUTE)
  expect(room.slept).toHaveLength(3)
})

test('stopped, it does nothing more', async () => {
  const room = new Room({ idleS: 60, memoryPercent: 0 })
  const sleeper = await watched(room, 1_000)
  sleeper.stop()
  await vi.advanceTimersByTimeAsync(60 * MINUTE)
  expect(room.slept).toEqual([])
})
