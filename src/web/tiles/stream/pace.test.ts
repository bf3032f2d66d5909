import { beforeEach, describe, expect, it } from 'vitest'
import { type Lane, Pace, type Skipping } from './pace.ts'

/** A clock that only moves by what is waited for and by what drawing costs. */
class TestClock {
  time = 0
  private timers: { at: number; act: () => void }[] = []
  now = (): number => this.time
  after = (ms: number, act: () => void): (() => void) => {
    const timer = { at: this.time + ms, act }
    this.timers.push(timer)
    return () => {
      this.timers = this.timers.filter((other) => other !== timer)
    }
  }
  idle = (act: () => void): void => void this.after(0, act)
  run(until: number): void {
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      this.timers = this.timers.filter((other) => other !== next)
      this.time = Math.max(this.time, next.at)
      next.act()
    }
    this.time = Math.max(this.time, until)
  }
}

let clock: TestClock
let pace: Pace
/** What was drawn: when, by whom, how many bytes. */
let drawn: { at: number; name: string; bytes: number; isLive: boolean }[]
let consumed: number

beforeEach(() => {
  clock = new TestClock()
  pace = new Pace(clock)
  drawn = []
  consumed = 0
})

const NEVER: Skipping = { may: () => false, stop: () => undefined, goOn: () => undefined }

/** Drawing takes its time and is over some time later, as the library's is. */
const open = (name: string, costMs = 0, skipping = NEVER): Lane =>
  pace.open(
    {
      output: ({ bytes, isLive, consumed: done }) => {
        drawn.push({ at: clock.time, name, bytes: bytes.length, isLive })
        clock.after(costMs, done)
      },
    },
    skipping,
  )
const output = (bytes: number, isLive = true): Parameters<Lane['push']> => [
  new Uint8Array(bytes),
  () => {
    consumed += bytes
  },
  isLive,
]
const of = (name: string) => drawn.filter((each) => each.name === name)

it('what has the keyboard draws at once, each piece as it comes', () => {
  const lane = open('mine')
  lane.setAttention('focused')
  for (const bytes of [1, 2, 3]) lane.push(...output(bytes))
  expect(drawn).toEqual([1, 2, 3].map((bytes) => ({ at: 0, name: 'mine', bytes, isLive: true })))
})

it('one that is only seen draws ten times a second, what came in between in one go', () => {
  const lane = open('other')
  for (let ms = 0; ms < 1_000; ms += 10) {
    clock.run(ms)
    lane.push(...output(100))
  }
  clock.run(1_100)
  expect(of('other').length).toBeGreaterThanOrEqual(10)
  expect(of('other').length).toBeLessThanOrEqual(12)
  expect(consumed).toBe(10_000)
})

it('the first words after a silence are drawn without waiting', () => {
  const lane = open('other')
  lane.push(...output(5))
  expect(drawn).toHaveLength(1)
  clock.run(5_000)
  lane.push(...output(5))
  expect(drawn[1]?.at).toBe(5_000)
})

it('of all that flood one draws in two frames, each in its turn', () => {
  const lanes = Array.from({ length: 8 }, (_, index) => open(`flood ${index}`, 2))
  for (const lane of lanes) for (let piece = 0; piece < 16; piece += 1) lane.push(...output(64 << 10))
  clock.run(1_000)
  const gaps = drawn.slice(1).map(({ at }, index) => at - (drawn[index]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(33)
  expect(drawn.length).toBeGreaterThanOrEqual(28)
  expect(Math.max(...lanes.map((_, index) => of(`flood ${index}`).length))).toBeLessThanOrEqual(4)
})

it('where drawing is slow the page is left alone for longer, but everybody has a turn within a round', () => {
  const lanes = Array.from({ length: 8 }, (_, index) => open(`flood ${index}`, 20))
  for (const lane of lanes) for (let piece = 0; piece < 16; piece += 1) lane.push(...output(64 << 10))
  clock.run(1_000)
  const gapsOf = (all: typeof drawn) => new Set(all.slice(1).map(({ at }, index) => at - (all[index]?.at ?? 0)))
  expect(gapsOf(drawn)).toEqual(new Set([600 / 8]))
  for (const lane of lanes.slice(2)) lane.close()
  drawn.length = 0
  clock.run(1_500)
  expect(gapsOf(drawn)).toEqual(new Set([4 * 20]))
})

it('nothing counts as consumed before it is drawn, so that flow control holds back who floods', () => {
  const lane = open('flood', 4)
  for (let piece = 0; piece < 16; piece += 1) lane.push(...output(64 << 10))
  expect(consumed).toBe(0)
  clock.run(4)
  expect(consumed).toBe(64 << 10)
  clock.run(2_000)
  expect(consumed).toBe(16 * (64 << 10))
})

it('what is replayed is kept apart from what is said now', () => {
  const lane = open('other')
  lane.push(...output(1))
  drawn.length = 0
  for (const isLive of [false, false, true]) lane.push(...output(40 << 10, isLive))
  clock.run(400)
  expect(drawn.map(({ bytes, isLive }) => [bytes, isLive])).toEqual([
    [80 << 10, false],
    [40 << 10, true],
  ])
})

it('a turn is long where one floods alone, and short where many do', () => {
  const flood = (lane: Lane) => {
    for (let piece = 0; piece < 64; piece += 1) lane.push(...output(16 << 10))
  }
  const largest = () => Math.max(...drawn.map(({ bytes }) => bytes))
  flood(open('alone'))
  clock.run(200)
  expect(largest()).toBe(128 << 10)
  clock.run(3_000)
  drawn.length = 0
  const lanes = Array.from({ length: 8 }, (_, index) => open(`flood ${index}`))
  for (const lane of lanes) flood(lane)
  drawn.splice(0, 1) // nobody else waited when the first one began
  clock.run(4_000)
  expect(largest()).toBe(32 << 10)
})

it('who gets the keyboard has nothing left to wait for', () => {
  const lane = open('other')
  lane.push(...output(1))
  lane.push(...output(2))
  lane.push(...output(3))
  expect(drawn).toHaveLength(1)
  lane.setAttention('focused')
  expect(drawn.map(({ bytes }) => bytes)).toEqual([1, 2, 3])
})

it('what is flushed keeps its order, and nothing is drawn after the end', () => {
  const lane = open('other', 5)
  for (const bytes of [1, 2, 3]) lane.push(...output(bytes))
  lane.flush()
  expect(drawn.map(({ bytes }) => bytes)).toEqual([1, 2, 3])
  lane.push(...output(4))
  lane.close()
  clock.run(1_000)
  expect(drawn).toHaveLength(3)
})

it('one that nobody sees takes fewer turns', () => {
  const lane = open('hidden')
  lane.setAttention('unseen')
  for (let ms = 0; ms < 1_000; ms += 10) {
    clock.run(ms)
    lane.push(...output(1))
  }
  expect(of('hidden').length).toBeLessThanOrEqual(3)
})

it('one that is closed while it draws, and never says that it has drawn, does not hold up the others', () => {
  const leaving = pace.open({ output: () => undefined }, NEVER)
  leaving.push(...output(1))
  const other = open('other')
  other.push(...output(2))
  clock.run(1_000)
  expect(of('other')).toEqual([])
  leaving.close()
  clock.run(2_000)
  expect(of('other')).toHaveLength(1)
})

describe('one that prints more than can be drawn', () => {
  let said: string[]
  let isRead: boolean
  let lane: Lane

  beforeEach(() => {
    said = []
    isRead = false
    lane = open('flood', 5, {
      may: () => !isRead,
      stop: () => said.push(`stop ${clock.time}`),
      goOn: (from) => said.push(`${from} ${clock.time}`),
    })
  })

  const flood = (bytes = 2 << 20): void => {
    for (let at = 0; at < bytes; at += 16 << 10) lane.push(...output(16 << 10))
  }

  it('is left alone, shown as it is then, and left alone again while it does not end', () => {
    flood()
    clock.run(1_350)
    expect(said).toEqual(['stop 300', 'now 1300'])
    const before = drawn.length
    flood()
    clock.run(1_800)
    expect(said).toEqual(['stop 300', 'now 1300', 'stop 1400'])
    expect(drawn).toHaveLength(before)
    clock.run(2_500)
    expect(said.at(-1)).toBe('now 2400')
    lane.push(...output(10))
    clock.run(5_000)
    expect(drawn.at(-1)?.bytes).toBe(10)
    expect(said).toHaveLength(4)
  })

  it('is left alone for longer where many do, so that together they are shown four times a second', () => {
    const shown: number[] = []
    const skipping: Skipping = { may: () => true, stop: () => undefined, goOn: () => shown.push(clock.time) }
    const floods = Array.from({ length: 8 }, (_, index) => open(`flood ${index}`, 5, skipping))
    for (let ms = 0; ms < 12_000; ms += 100) {
      for (const one of floods) for (let at = 0; at < 3; at += 1) one.push(...output(16 << 10))
      clock.run(ms)
    }
    const late = shown.filter((ms) => ms > 4_000)
    expect(late.length / 8).toBeGreaterThan(2)
    expect(late.length / 8).toBeLessThanOrEqual(4)
  })

  it('goes on at once with how it is when it gets the keyboard', () => {
    flood()
    clock.run(400)
    const before = drawn.length
    lane.setAttention('focused')
    expect(said).toEqual(['stop 300', 'now 400'])
    expect(drawn).toHaveLength(before)
  })

  it('goes on where it was when somebody scrolls up in it, and is not left alone while they read', () => {
    flood()
    clock.run(400)
    isRead = true
    lane.goOn('there')
    clock.run(4_000)
    expect(said).toEqual(['stop 300', 'there 400'])
    expect(consumed).toBe(2 << 20)
  })
})

it('what is printed while nobody sees it is drawn as if it were replayed', () => {
  const lane = open('hidden')
  lane.setAttention('unseen')
  lane.push(...output(1))
  lane.setAttention('focused')
  lane.push(...output(1))
  expect(of('hidden').map(({ isLive }) => isLive)).toEqual([false, true])
})
