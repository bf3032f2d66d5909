import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { terminalId } from '../../../test/support/terminals.ts'
import { AGENT_STATES } from '../../agents/state.ts'
import { type AutoSleepLook, IDLE_FOR_MEMORY_MS, type Idler, planAutoSleep, steadiness } from './autoSleep.ts'

const NOW = 100_000_000
const idler = (changes: Partial<Idler> = {}): Idler => ({
  ...{ id: terminalId(1), isLive: true, isPrivate: false, isPinned: false, isSeen: false, agent: null },
  ...{ activeAt: NOW - 3_600_000, losses: [], ...changes },
})
const look = (changes: Partial<AutoSleepLook> = {}): AutoSleepLook => ({
  ...{ now: NOW, steadySince: Number.NEGATIVE_INFINITY, idleMs: 3_600_000, memory: null },
  ...changes,
})

describe('by idleness', () => {
  test('all that have been idle long enough, and only they', () => {
    const busy = idler({ id: terminalId(2), activeAt: NOW - 3_599_999 })
    const done = idler({ id: terminalId(3), agent: 'done' })
    expect(planAutoSleep([idler(), busy, done], look())).toEqual([
      { id: terminalId(1), by: 'idle' },
      { id: terminalId(3), by: 'idle' },
    ])
  })

  test('switched off, nothing is', () => expect(planAutoSleep([idler()], look({ idleMs: null }))).toEqual([]))

  test('nothing that was before a jump of the clock counts', () => {
    expect(planAutoSleep([idler()], look({ steadySince: NOW - 10 }))).toEqual([])
  })
})

describe('by memory', () => {
  const short = look({ idleMs: null, memory: { available: 4, wanted: 10 } })

  test('one at a time, the longest idle first', () => {
    const older = idler({ id: terminalId(2), activeAt: NOW - 7_200_000 })
    expect(planAutoSleep([idler(), older], short)).toEqual([{ id: terminalId(2), by: 'memory' }])
  })

  test('not before it has been idle for ten minutes, and not while there is enough', () => {
    expect(planAutoSleep([idler({ activeAt: NOW - IDLE_FOR_MEMORY_MS + 1 })], short)).toEqual([])
    expect(planAutoSleep([idler()], { ...short, memory: { available: 10, wanted: 10 } })).toEqual([])
  })
})

test('never what works, waits, is seen, private, pinned, not live, would lose something or was not looked at', () => {
  const idlers = fc.array(
    fc.record({
      id: fc.integer({ min: 1, max: 1_000 }).map(terminalId),
      isLive: fc.boolean(),
      isPrivate: fc.boolean(),
      isPinned: fc.boolean(),
      isSeen: fc.boolean(),
      agent: fc.constantFrom(null, ...AGENT_STATES),
      activeAt: fc.integer({ min: NOW - 10_000_000, max: NOW + 1_000 }),
      losses: fc.constantFrom(null, [], ['npm is running and would be ended']),
    }),
  )
  const looks = fc.record({
    now: fc.constant(NOW),
    steadySince: fc.constantFrom(Number.NEGATIVE_INFINITY, NOW - 2_000_000, NOW),
    idleMs: fc.constantFrom(null, 1_000, 3_600_000),
    memory: fc.constantFrom(null, { available: 5, wanted: 10 }, { available: 50, wanted: 10 }),
  })
  fc.assert(
    fc.property(idlers, looks, (all, circumstances) => {
      for (const { id, by } of planAutoSleep(all, circumstances)) {
        const { idleMs, steadySince } = circumstances
        const least = by === 'idle' ? (idleMs ?? Number.POSITIVE_INFINITY) : IDLE_FOR_MEMORY_MS
        const isAllowed = (one: Idler): boolean => one.isLive && !one.isPrivate && !one.isPinned && !one.isSeen && one.losses?.length === 0
        const good = all.filter((one) => one.id === id && isAllowed(one))
        expect(good.some(({ agent }) => agent === null || agent === 'idle' || agent === 'done')).toBe(true)
        expect(good.some(({ activeAt }) => NOW - Math.max(activeAt, steadySince) >= least)).toBe(true)
      }
    }),
  )
})

describe('looks are steady', () => {
  const first = steadiness(null, 1_000, 30_000)

  test('while they come when they should', () => {
    const second = steadiness(first, 31_000, 30_000)
    expect(second).toEqual({ lookedAt: 31_000, since: Number.NEGATIVE_INFINITY })
    expect(steadiness(second, 80_000, 30_000).since).toBe(Number.NEGATIVE_INFINITY)
  })

  test('anew after a machine has slept, or its clock was set', () => {
    expect(steadiness(first, 1_000 + 8 * 3_600_000, 30_000).since).toBe(1_000 + 8 * 3_600_000)
    expect(steadiness(first, 500, 30_000).since).toBe(500)
  })
})
