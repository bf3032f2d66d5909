import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { AGENT_STATES, type AgentState, type AgentSummary, STATE_SOURCES, type StateReport, type StateSource } from './state.ts'
import { CALM_AFTER_MS, isAwaited, merged, type Reports, type StateTrack, tracked } from './stateMerge.ts'

const says = (source: StateSource, state: AgentState, at: number, more: Partial<StateReport> = {}): StateReport => ({
  source,
  state,
  wants: null,
  words: null,
  at,
  ...more,
})
const all = (...reports: readonly StateReport[]): Reports => Object.fromEntries(reports.map((report) => [report.source, report]))
const summary = (state: AgentState, since: number, more: Partial<AgentSummary> = {}): AgentSummary => ({
  state,
  wants: null,
  since,
  words: null,
  model: null,
  title: null,
  tokens: null,
  ...more,
})

describe('what several say about an agent', () => {
  it('is what the best of them says', () => {
    const reports = all(says('protocol', 'working', 10), says('hook', 'idle', 20), says('screen', 'idle', 30))
    expect(merged(null, reports, 40)).toMatchObject({ state: 'working', since: 10 })
  })

  it('is what the next one says where the best has no opinion', () => {
    expect(merged(null, all(says('protocol', 'unknown', 30), says('screen', 'needs-you', 20)), 40).state).toBe('needs-you')
  })

  it('stays as it was while nobody knows', () => {
    const before = summary('needs-you', 5, { wants: 'permission', words: 'rm?' })
    expect(merged(before, all(says('screen', 'unknown', 30)), 40)).toEqual(before)
    expect(merged(null, {}, 40)).toEqual(summary('unknown', 40))
  })

  it('is what a file says that is clearly younger than the last hook: one did not fire', () => {
    const asked = says('hook', 'needs-you', 1_000)
    expect(merged(null, all(asked, says('registration', 'working', 1_200)), 9_000).state).toBe('needs-you')
    expect(merged(null, all(asked, says('registration', 'working', 4_000)), 9_000).state).toBe('working')
    expect(merged(null, all({ ...asked, source: 'protocol' }, says('registration', 'working', 4_000)), 9_000).state).toBe('needs-you')
  })

  it('is never idle because the screen looks so when the agent itself has said otherwise, however long ago', () => {
    expect(merged(null, all(says('hook', 'working', 0), says('screen', 'idle', 1_000_000)), 1_000_000).state).toBe('working')
    expect(merged(null, all(says('protocol', 'working', 0), says('screen', 'idle', 1_000_000)), 1_000_000).state).toBe('working')
    expect(merged(null, all(says('protocol', 'idle', 0), says('screen', 'working', 1_000_000)), 1_000_000).state).toBe('idle')
  })

  it('has the words and the want from another one that speaks of the same state', () => {
    const reports = all(says('protocol', 'needs-you', 5), says('hook', 'needs-you', 6, { wants: 'permission', words: 'Run rm -rf?' }))
    expect(merged(null, reports, 9)).toMatchObject({ wants: 'permission', words: 'Run rm -rf?' })
    expect(merged(null, all(says('protocol', 'done', 5), says('transcript', 'idle', 4, { words: 'All green.' })), 9).words).toBe(
      'All green.',
    )
    expect(merged(null, all(says('protocol', 'working', 5), says('transcript', 'idle', 4, { words: 'All green.' })), 9).words).toBeNull()
  })

  it('began when the agent’s files say so, for whoever comes late', () => {
    const reports = all(says('protocol', 'needs-you', 900), says('registration', 'needs-you', 100), says('transcript', 'working', 50))
    expect(merged(null, reports, 1_000)).toMatchObject({ state: 'needs-you', since: 100 })
    expect(merged(summary('working', 500), reports, 1_000).since).toBe(900)
  })

  it('keeps what else is known', () => {
    const before = summary('idle', 1, { model: 'm', title: 't', tokens: 3 })
    expect(merged(before, all(says('hook', 'working', 5)), 9)).toEqual(summary('working', 5, { model: 'm', title: 't', tokens: 3 }))
  })
})

describe('what the screen shows now', () => {
  const of = (...reports: readonly StateReport[]): AgentState => merged(null, all(...reports), 9_000).state

  it('is an open question, whatever an older row of a file says', () => {
    expect(of(says('transcript', 'working', 1_000), says('screen', 'needs-you', 1_100))).toBe('needs-you')
    expect(of(says('transcript', 'idle', 1_000), says('screen', 'needs-you', 1_100))).toBe('needs-you')
    expect(of(says('registration', 'working', 1_000), says('screen', 'needs-you', 1_100))).toBe('needs-you')
  })

  it('is a question that opened after the last hook or report of the agent, never one from before', () => {
    expect(of(says('protocol', 'working', 1_000), says('screen', 'needs-you', 1_100))).toBe('needs-you')
    expect(of(says('hook', 'idle', 1_000), says('screen', 'needs-you', 1_100))).toBe('needs-you')
    expect(of(says('protocol', 'working', 1_000), says('screen', 'needs-you', 900))).toBe('working')
    expect(of(says('hook', 'working', 1_000), says('screen', 'needs-you', 900))).toBe('working')
  })

  it('is work, although a row that was written on the way looks like the end of a turn', () => {
    expect(of(says('transcript', 'idle', 1_000), says('screen', 'working', 500))).toBe('working')
  })

  it('is rest only if it began after the row: an agent whose spinner is not recognised never looks idle at work', () => {
    expect(of(says('transcript', 'working', 1_000), says('screen', 'idle', 2_000))).toBe('idle')
    expect(of(says('transcript', 'working', 1_000), says('screen', 'idle', 900))).toBe('working')
    expect(of(says('transcript', 'needs-you', 1_000), says('screen', 'idle', 900))).toBe('needs-you')
  })

  it('asks in the words of the file that knows of the question', () => {
    const asks = says('screen', 'needs-you', 1_100, { wants: 'permission', words: 'Do you want to run this command?' })
    const row = says('transcript', 'needs-you', 1_000, { wants: 'question', words: 'rm x' })
    expect(merged(null, all(asks, row), 9_000)).toMatchObject({ wants: 'question', words: 'rm x' })
    expect(merged(null, all(asks, says('transcript', 'working', 1_000)), 9_000)).toMatchObject({ wants: 'permission', words: asks.words })
  })

  it('is nothing where it shows nothing', () => {
    expect(of(says('transcript', 'working', 1_000), says('screen', 'unknown', 2_000))).toBe('working')
  })
})

describe('an agent that has finished a turn', () => {
  const worked = summary('working', 1)

  it('is done, also where its files only say that it is idle', () => {
    expect(merged(worked, all(says('registration', 'idle', 5)), 9)).toEqual(summary('done', 5))
    expect(merged(summary('done', 5), all(says('registration', 'idle', 5)), 99)).toEqual(summary('done', 5))
  })

  it('is not done when it says itself that the turn was broken off', () => {
    expect(merged(worked, all(says('protocol', 'idle', 5)), 9).state).toBe('idle')
  })

  it('is idle once somebody types or looks, and stays idle since then', () => {
    const reports = all(says('protocol', 'done', 5))
    const done = merged(worked, reports, 9, { attendedAt: 4 })
    expect(done).toEqual(summary('done', 5))
    const seen = merged(done, reports, 20, { attendedAt: 15 })
    expect(seen).toEqual(summary('idle', 15))
    expect(merged(seen, reports, 30, { attendedAt: 25 })).toEqual(summary('idle', 15))
  })

  it('is done again after the next turn', () => {
    const seen = summary('idle', 15)
    const working = merged(seen, all(says('protocol', 'working', 16)), 17, { attendedAt: 15 })
    expect(merged(working, all(says('protocol', 'done', 20)), 21, { attendedAt: 15 })).toEqual(summary('done', 20))
  })
})

describe('what is told of an agent', () => {
  const working = { told: summary('working', 1), pending: null }

  it('does not flicker when it rests for a moment between two steps', () => {
    const rests = tracked(working, all(says('hook', 'idle', 100)), 100)
    expect(rests).toMatchObject({ track: { told: { state: 'working' } }, waitMs: CALM_AFTER_MS })
    const goesOn = tracked(rests.track, all(says('hook', 'working', 200)), 200)
    expect(goesOn).toEqual({ track: working, waitMs: null })
  })

  it('is that it rests, since it did, when the moment has passed, however often somebody looks meanwhile', () => {
    const rests = tracked(working, all(says('screen', 'idle', 100)), 100)
    const looks = tracked(rests.track, all(says('screen', 'idle', 250)), 250)
    expect(looks.waitMs).toBe(150)
    expect(tracked(looks.track, all(says('screen', 'idle', 400)), 400).track).toEqual({ told: summary('done', 100), pending: null })
  })

  it('does not flicker when a question is redrawn, and ends the question when it is gone for longer', () => {
    const asking = { told: summary('needs-you', 1, { wants: 'permission' }), pending: null }
    const between = tracked(asking, all(says('transcript', 'working', 0)), 100)
    expect(between).toMatchObject({ track: { told: { state: 'needs-you' } }, waitMs: CALM_AFTER_MS })
    const redrawn = all(says('transcript', 'working', 0), says('screen', 'needs-you', 1, { wants: 'permission' }))
    expect(tracked(between.track, redrawn, 250)).toEqual({ track: asking, waitMs: null })
    expect(tracked(between.track, all(says('transcript', 'working', 0)), 400).track.told.state).toBe('working')
  })

  it('is at once that a question is answered, when the agent itself says so', () => {
    const asking = { told: summary('needs-you', 1), pending: null }
    expect(tracked(asking, all(says('hook', 'working', 100)), 100)).toEqual({
      track: { told: summary('working', 100), pending: null },
      waitMs: null,
    })
  })

  it('is at once that it needs somebody', () => {
    const asked = tracked(working, all(says('hook', 'needs-you', 100, { wants: 'question' })), 100)
    expect(asked).toEqual({ track: { told: summary('needs-you', 100, { wants: 'question' }), pending: null }, waitMs: null })
  })
})

test('who waits for idle waits for his turn, which done is too', () => {
  expect(AGENT_STATES.filter((state) => isAwaited(state, 'idle'))).toEqual(['done', 'idle'])
  expect(AGENT_STATES.filter((state) => isAwaited(state, 'done'))).toEqual(['done'])
})

const anyReport = fc.record({
  source: fc.constantFrom(...STATE_SOURCES),
  state: fc.constantFrom(...AGENT_STATES),
  wants: fc.constantFrom('permission' as const, 'question' as const, null),
  words: fc.option(fc.string({ maxLength: 4 })),
})
type Moment = { report: Omit<StateReport, 'at'>; after: number; isAttended: boolean }
const anyMoment: fc.Arbitrary<Moment> = fc.record({ report: anyReport, after: fc.integer({ min: 0, max: 900 }), isAttended: fc.boolean() })

type Told = {
  now: number
  reports: Reports
  before: StateTrack | null
  track: StateTrack
  waitMs: number | null
  attendedAt: number | null
}

function lifeOf(moments: readonly Moment[]): Told[] {
  let [now, reports, before, attendedAt]: [number, Reports, StateTrack | null, number | null] = [1_000, {}, null, null]
  return moments.map(({ report, after, isAttended }) => {
    now += after
    if (isAttended) attendedAt = now
    reports = { ...reports, [report.source]: { ...report, at: now } }
    const told: Told = { now, reports, before, attendedAt, ...tracked(before, reports, now, { attendedAt }) }
    before = told.track
    return told
  })
}

const always = (promise: (told: Told) => void) =>
  fc.assert(fc.property(fc.array(anyMoment, { minLength: 1, maxLength: 30 }), (moments) => lifeOf(moments).forEach(promise)))

describe('whatever is said, in any order', () => {
  it('never un-knows a state', () => {
    always(({ before, track }) => {
      if (before !== null && before.told.state !== 'unknown') expect(track.told.state).not.toBe('unknown')
    })
  })

  it('begins no state in the future, and keeps the beginning of one that goes on', () => {
    always(({ before, track, now }) => {
      expect(track.told.since).toBeLessThanOrEqual(now)
      if (before?.told.state === track.told.state) expect(track.told.since).toBe(before.told.since)
    })
  })

  it('asks to come again exactly while something is pending, and soon', () => {
    always(({ track, waitMs }) => {
      expect(waitMs === null).toBe(track.pending === null)
      if (waitMs !== null) expect(waitMs).toSatisfy((ms: number) => ms > 0 && ms <= CALM_AFTER_MS)
    })
  })

  it('tells at once that somebody is needed, when the protocol says so', () => {
    always(({ reports, track }) => {
      if (reports.protocol?.state === 'needs-you') expect(track.told.state).toBe('needs-you')
    })
  })

  it('says what is wanted only while somebody is needed, and never done to who has attended since', () => {
    always(({ track, attendedAt }) => {
      if (track.told.state !== 'needs-you') expect(track.told.wants).toBeNull()
      if (track.told.state === 'done' && attendedAt !== null) expect(attendedAt).toBeLessThanOrEqual(track.told.since)
    })
  })
})
