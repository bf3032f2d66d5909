import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HealthMonitor, type MonitorWorld, type Note } from './monitor.ts'
import { answered, gone, type Sight, silent, type Watched } from './watched.ts'

const SETTINGS = { intervalS: 30, deadlineMs: 5_000 }

/** Somebody who is watched and does what the test says. */
class Somebody implements Watched {
  readonly kind = 'holder'
  readonly terminal = null
  sight: Sight | 'never' | Error = answered()
  checks = 0
  readonly recoveries: number[] = []
  recover: Watched['recover'] = async (attempt) => void this.recoveries.push(attempt)

  constructor(readonly id: string) {}
  name = (): string => this.id
  check = async (): Promise<Sight> => {
    this.checks += 1
    if (this.sight instanceof Error) throw this.sight
    return this.sight === 'never' ? await new Promise<never>(() => undefined) : this.sight
  }
}

class Ward {
  offset = 0
  readonly noted: string[] = []
  readonly jumps: number[] = []
  changes = 0
  readonly world: MonitorWorld = {
    clock: { now: () => Date.now() + this.offset, monotonic: () => performance.now() },
    settings: () => SETTINGS,
    noted: (watched, { from, to }: Note) => void this.noted.push(`${watched.id}: ${from} → ${to}`),
    clockJumped: (byMs) => void this.jumps.push(byMs),
    changed: () => void this.changes++,
  }
  readonly monitor = new HealthMonitor(this.world)

  state(id = 'a'): string | undefined {
    return this.monitor.views().find((view) => view.id === id)?.state
  }
}

let ward: Ward
let a: Somebody

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'] })
  ward = new Ward()
  a = new Somebody('a')
  ward.monitor.start()
  ward.monitor.add(a)
})
afterEach(() => {
  ward.monitor.stop()
  vi.useRealTimers()
})

const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms)

describe('the monitor', () => {
  it('looks soon, then in its time, and says nothing while all is well', async () => {
    expect(ward.state()).toBe('unknown')
    await pass(1_000)
    expect([ward.state(), a.checks]).toEqual(['alive', 1])
    await pass(60_000)
    expect([a.checks, ward.noted]).toEqual([3, []])
  })

  it('does not hold an unanswered look against what has taken the place of him who was asked', async () => {
    let fail = (_: Error): void => undefined
    let recoveries = 0
    const asked = new Promise<never>((_, reject) => {
      fail = reject
    })
    ward.monitor.add({ ...a, id: 'b', name: () => 'b', check: () => asked, recover: async () => void recoveries++ })
    await pass(1_000)
    ward.monitor.saw('b', gone('its thread ended and is being replaced'))
    fail(new Error('the thread has ended'))
    await pass(100)
    expect([ward.state('b'), recoveries]).toEqual(['dead', 0])
  })

  it('asks three times before it calls somebody dead, recovers him, and tells each change', async () => {
    await pass(1_000)
    a.sight = silent('no')
    await pass(30_000)
    expect(ward.monitor.views()[0]).toMatchObject({ state: 'verifying', strikes: 1, why: 'no' })
    await pass(6_100)
    expect(ward.state()).toBe('dead')
    await pass(1_100)
    expect([ward.state(), a.recoveries]).toEqual(['dead', [1]]) // it was tried, and did not help
    a.sight = answered()
    await pass(2_100)
    expect(ward.state()).toBe('alive')
    expect(ward.noted).toEqual(
      ['alive → verifying', 'verifying → dead', 'dead → recovering', 'recovering → dead', 'dead → alive'].map((change) => `a: ${change}`),
    )
  })

  it('takes a look that never ends, and one that fails, for silence', async () => {
    a.sight = 'never'
    await pass(600 + 7_000)
    expect(ward.monitor.views()[0]).toMatchObject({ state: 'verifying', strikes: 1, why: 'it did not answer within 5 s' })
    const b = new Somebody('b')
    b.sight = new Error('boom')
    ward.monitor.add(b)
    await pass(1_000)
    expect(ward.monitor.views()[1]).toMatchObject({ state: 'verifying', why: 'boom' })
  })

  it('gives up after five recoveries, and tries again when it is asked to', async () => {
    a.sight = gone('away')
    await pass(120_000)
    expect([ward.state(), a.recoveries]).toEqual(['failed', [1, 2, 3, 4, 5]])
    a.sight = answered()
    await ward.monitor.checkAll()
    expect(ward.state()).toBe('alive')
  })

  it('holds a jump of the clock against nobody, also not in the midst of a look', async () => {
    await pass(1_000)
    a.sight = silent('no')
    await pass(33_100)
    expect(ward.monitor.views()[0]).toMatchObject({ strikes: 2 })
    a.sight = 'never'
    await pass(3_000) // the third look has begun
    ward.offset = 3_600_000
    await pass(7_000)
    expect([ward.jumps, ward.state()]).toEqual([[3_600_000], 'verifying'])
    a.sight = answered()
    await pass(12_000)
    expect([ward.state(), ward.noted.filter((note) => note.endsWith('dead'))]).toEqual(['alive', []])
  })

  it('takes the word of somebody else who has seen it', () => {
    ward.monitor.saw('a', gone('seen to be gone'))
    expect(ward.monitor.views()[0]).toMatchObject({ state: 'dead', why: 'seen to be gone' })
  })

  it('does not judge by a look that began before it was told', async () => {
    await pass(1_000)
    a.sight = 'never'
    await pass(30_000)
    ward.monitor.saw('a', gone('its thread has ended'))
    a.sight = answered()
    await pass(10_000)
    expect([ward.noted, a.recoveries]).toEqual([['a: alive → dead', 'a: dead → alive'], []])
  })

  it('forgets who is removed, and what he still has to say', async () => {
    a.sight = 'never'
    await pass(600)
    ward.monitor.remove('a')
    await pass(60_000)
    expect([ward.monitor.views(), ward.noted, a.checks]).toEqual([[], [], 1])
  })
})
