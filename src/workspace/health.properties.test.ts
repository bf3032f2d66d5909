import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Health, type HealthEvent, type HealthPolicy, newHealth, stepHealth } from './health.ts'

const POLICY: HealthPolicy = {
  intervalMs: 30_000,
  strikes: 3,
  strikeMs: 3_000,
  afterJumpMs: 2_000,
  recovery: { most: 4, windowMs: 600_000, firstMs: 1_000, longestMs: 60_000, pauseMs: 300_000 },
}

const anyEvent = fc.oneof(
  fc.constantFrom<HealthEvent[]>({ kind: 'checkDue' }, { kind: 'checkNow' }, { kind: 'recovered' }),
  fc.constantFrom<HealthEvent[]>({ kind: 'answered', note: null }, { kind: 'answered', note: 'but' }),
  fc.constant<HealthEvent>({ kind: 'silent', why: 'silent' }),
  fc.constantFrom<HealthEvent[]>({ kind: 'gone', why: 'gone' }, { kind: 'recoveryFailed', why: 'no' }, { kind: 'clockJumped' }),
)
const story = fc.array(fc.record({ event: anyEvent, after: fc.integer({ min: 0, max: 120_000 }) }), { maxLength: 80 })

type Seen = { readonly before: Health; readonly event: HealthEvent; readonly now: number; readonly outcome: ReturnType<typeof stepHealth> }

function tell(events: readonly { readonly event: HealthEvent; readonly after: number }[]): Seen[] {
  let health = newHealth(0)
  let now = 0
  return events.map(({ event, after }) => {
    now += after
    const before = health
    const outcome = stepHealth(health, event, { now, policy: POLICY })
    health = outcome.health
    return { before, event, now, outcome }
  })
}

const isDown = ({ state }: Health): boolean => state === 'dead' || state === 'recovering' || state === 'failed'

describe('health, whatever happens', () => {
  it('is never dead without three strikes in a row or the knowledge that it is gone', () => {
    fc.assert(
      fc.property(story, (events) => {
        let strikes = 0
        for (const { before, event, outcome } of tell(events)) {
          if (event.kind === 'silent') strikes += 1
          if (event.kind === 'answered' || event.kind === 'clockJumped') strikes = 0
          if (!isDown(before) && isDown(outcome.health)) expect(event.kind === 'gone' || strikes >= 3).toBe(true)
        }
      }),
    )
  })

  it('is not recovered more often than allowed in any window', () => {
    fc.assert(
      fc.property(story, (events) => {
        const told = tell(events.filter(({ event }) => event.kind !== 'clockJumped'))
        const at = told.flatMap(({ now, outcome }) => (outcome.effects.some(({ kind }) => kind === 'recover') ? [now] : []))
        for (const first of at) {
          const within = at.filter((each) => each >= first && each - first < POLICY.recovery.windowMs)
          expect(within.length).toBeLessThanOrEqual(POLICY.recovery.most)
        }
      }),
    )
  })

  it('has no strikes after the clock has jumped, and nobody is dead by it', () => {
    fc.assert(
      fc.property(story, (events) => {
        for (const { before, event, outcome } of tell(events)) {
          if (event.kind !== 'clockJumped') continue
          if (outcome.health.state === 'verifying') expect(outcome.health.strikes).toBe(0)
          expect(outcome.health.state).toBe(before.state)
          expect(outcome.health.recoveries).toEqual([])
        }
      }),
    )
  })

  it('is alive after any answer', () => {
    fc.assert(
      fc.property(story, (events) => {
        for (const { event, outcome } of tell(events)) if (event.kind === 'answered') expect(outcome.health.state).toBe('alive')
      }),
    )
  })

  it('is always going to be looked at again: every step that ends a wait begins another', () => {
    fc.assert(
      fc.property(story, (events) => {
        for (const { event, outcome } of tell(events)) {
          if (event.kind === 'recovered' || event.kind === 'recoveryFailed') continue // late news of a recovery that is over
          expect(outcome.effects.some(({ kind }) => kind === 'schedule' || kind === 'check' || kind === 'recover')).toBe(true)
        }
      }),
    )
  })

  it('notes every change of state, once, before anything is done about it', () => {
    fc.assert(
      fc.property(story, (events) => {
        for (const { before, outcome } of tell(events)) {
          const notes = outcome.effects.filter(({ kind }) => kind === 'note')
          if (before.state !== outcome.health.state) expect(notes).toMatchObject([{ from: before.state, to: outcome.health.state }])
          const [first] = outcome.effects.filter(({ kind }) => kind !== 'cancel')
          if (notes.length > 0) expect(first?.kind).toBe('note')
        }
      }),
    )
  })
})
