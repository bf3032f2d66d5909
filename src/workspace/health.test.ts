import { describe, expect, it } from 'vitest'
import { type Health, type HealthEffect, type HealthEvent, type HealthPolicy, newHealth, stepHealth } from './health.ts'

const POLICY: HealthPolicy = {
  intervalMs: 30_000,
  strikes: 3,
  strikeMs: 3_000,
  afterJumpMs: 2_000,
  recovery: { most: 3, windowMs: 600_000, firstMs: 1_000, longestMs: 60_000, pauseMs: 300_000 },
}
const SILENT: HealthEvent = { kind: 'silent', why: 'it does not answer' }
const GONE: HealthEvent = { kind: 'gone', why: 'its process is gone' }
const WELL: HealthEvent = { kind: 'answered', note: null }
const DUE: HealthEvent = { kind: 'checkDue' }

/** One event after the other, a second apart. */
function play(events: readonly HealthEvent[], policy = POLICY, from: Health = newHealth(0)) {
  let health = from
  let effects: readonly HealthEffect[] = []
  let now = 0
  for (const event of events) {
    now += 1_000
    const outcome = stepHealth(health, event, { now, policy })
    health = outcome.health
    effects = outcome.effects
  }
  return { health, effects }
}

describe('somebody’s health', () => {
  it('is unknown until it has been looked at, and is not called dead meanwhile', () => {
    expect(newHealth(5)).toEqual({ state: 'unknown', since: 5, recoveries: [] })
    expect(play([DUE])).toEqual({
      health: { state: 'verifying', since: 1_000, strikes: 0, why: null, recoveries: [] },
      effects: [{ kind: 'note', from: 'unknown', to: 'verifying', why: null }, { kind: 'check' }],
    })
  })

  it('is alive once it answers, and is looked at again after a while', () => {
    expect(play([DUE, WELL])).toEqual({
      health: { state: 'alive', since: 2_000, note: null, recoveries: [] },
      effects: [
        { kind: 'note', from: 'verifying', to: 'alive', why: null },
        { kind: 'schedule', ms: 30_000 },
      ],
    })
  })

  it('tells nothing while nothing changes', () => {
    expect(play([DUE, WELL, DUE, WELL]).effects).toEqual([{ kind: 'schedule', ms: 30_000 }])
  })

  it('is alive with a note when something is wrong although it answers, and says when that is over', () => {
    const noted = play([DUE, WELL, { kind: 'answered', note: 'its log is in memory only' }])
    expect(noted.health).toMatchObject({ state: 'alive', since: 2_000, note: 'its log is in memory only' })
    expect(noted.effects[0]).toEqual({ kind: 'note', from: 'alive', to: 'alive', why: 'its log is in memory only' })
    expect(stepHealth(noted.health, { kind: 'answered', note: null }, { now: 9_000, policy: POLICY }).effects[0]).toEqual({
      ...{ kind: 'note', from: 'alive', to: 'alive', why: null },
    })
  })

  it('is asked again soon after a strike, and is dead with the third', () => {
    expect(play([DUE, WELL, SILENT])).toEqual({
      health: { state: 'verifying', since: 3_000, strikes: 1, why: 'it does not answer', recoveries: [] },
      effects: [
        { kind: 'note', from: 'alive', to: 'verifying', why: 'it does not answer' },
        { kind: 'schedule', ms: 3_000 },
      ],
    })
    expect(play([DUE, WELL, SILENT, SILENT]).effects).toEqual([{ kind: 'schedule', ms: 3_000 }])
    expect(play([DUE, WELL, SILENT, SILENT, SILENT])).toEqual({
      health: { state: 'dead', since: 5_000, why: 'it does not answer', attempts: 0, recoveries: [] },
      effects: [
        { kind: 'note', from: 'verifying', to: 'dead', why: 'it does not answer' },
        { kind: 'schedule', ms: 1_000 },
      ],
    })
    expect(play([DUE, WELL, SILENT, SILENT, WELL, SILENT, SILENT]).health).toMatchObject({ state: 'verifying', strikes: 2 })
  })

  it('is dead at once when it is seen to be gone', () => {
    expect(play([DUE, WELL, GONE]).health).toMatchObject({ state: 'dead', why: 'its process is gone' })
  })

  it('is looked at once more before it is recovered, and again after', () => {
    const dead = play([DUE, WELL, GONE])
    expect(stepHealth(dead.health, DUE, { now: 5_000, policy: POLICY })).toEqual({ health: dead.health, effects: [{ kind: 'check' }] })
    const recovering = stepHealth(dead.health, GONE, { now: 6_000, policy: POLICY })
    expect(recovering).toEqual({
      health: { state: 'recovering', since: 6_000, why: 'its process is gone', attempts: 1, recoveries: [6_000] },
      effects: [
        { kind: 'cancel' },
        { kind: 'note', from: 'dead', to: 'recovering', why: 'its process is gone' },
        { kind: 'recover', attempt: 1 },
      ],
    })
    const done = stepHealth(recovering.health, { kind: 'recovered' }, { now: 7_000, policy: POLICY })
    expect(done).toEqual({ health: recovering.health, effects: [{ kind: 'check' }] })
    expect(stepHealth(done.health, WELL, { now: 8_000, policy: POLICY }).health).toMatchObject({ state: 'alive', recoveries: [6_000] })
  })

  it('is recovered later each time, and then not at all', () => {
    const fails: HealthEvent = { kind: 'recoveryFailed', why: 'no' }
    const waits = [1, 2, 3].map((count) => {
      const rounds = Array.from({ length: count - 1 }, () => [GONE, fails]).flat()
      return play([DUE, GONE, ...rounds]).effects.at(-1)
    })
    expect(waits).toEqual([1_000, 2_000, 4_000].map((ms) => ({ kind: 'schedule', ms })))
    const failed = play([DUE, GONE, GONE, fails, GONE, fails, GONE, fails])
    expect(failed.health).toMatchObject({ state: 'failed', why: 'no', attempts: 3 })
    expect(failed.effects).toEqual([
      { kind: 'note', from: 'recovering', to: 'failed', why: 'no' },
      { kind: 'schedule', ms: 300_000 },
    ])
    const asked = stepHealth(failed.health, { kind: 'checkNow' }, { now: 20_000, policy: POLICY })
    expect(asked.effects).toEqual([{ kind: 'cancel' }, { kind: 'check' }])
    expect(stepHealth(failed.health, GONE, { now: 20_000, policy: POLICY }).effects).toEqual([{ kind: 'schedule', ms: 300_000 }])
    expect(stepHealth(failed.health, GONE, { now: 700_000, policy: POLICY }).health.state).toBe('recovering')
    expect(stepHealth(failed.health, WELL, { now: 20_000, policy: POLICY }).health.state).toBe('alive')
  })

  it('counts recoveries through the times that it was alive in between', () => {
    const flap: readonly HealthEvent[] = [GONE, GONE, { kind: 'recovered' }, WELL]
    expect(play([DUE, WELL, ...flap, ...flap, ...flap, GONE, GONE]).health).toMatchObject({ state: 'failed' })
  })

  it('stays dead and is looked at as usual where nothing can be done', () => {
    const policy = { ...POLICY, recovery: { ...POLICY.recovery, most: 0 } }
    expect(play([DUE, GONE], policy).effects.at(-1)).toEqual({ kind: 'schedule', ms: 30_000 })
    expect(play([DUE, GONE, GONE], policy)).toMatchObject({ health: { state: 'dead' }, effects: [{ kind: 'schedule', ms: 30_000 }] })
  })

  it('is forgiven its strikes when the clock jumps', () => {
    const { health, effects } = play([DUE, WELL, SILENT, SILENT, { kind: 'clockJumped' }])
    expect(health).toMatchObject({ state: 'verifying', strikes: 0, why: null })
    expect(effects).toEqual([{ kind: 'cancel' }, { kind: 'schedule', ms: 2_000 }])
    expect(play([DUE, WELL, { kind: 'clockJumped' }]).health.state).toBe('alive')
  })
})
