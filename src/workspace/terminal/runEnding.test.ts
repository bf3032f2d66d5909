import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EndingEffect, type EndingEvent, RUNNING, type RunEnd, type RunEnding, stepEnding } from './runEnding.ts'

const EXITED: RunEnd = { kind: 'exited', status: { code: 0 } }
const LOST: RunEnd = { kind: 'lost' }

const events: fc.Arbitrary<EndingEvent> = fc.oneof(
  fc.record({ kind: fc.constant('asked' as const), graceMs: fc.nat(9) }),
  fc.record({ kind: fc.constant('looked' as const), hasAgent: fc.boolean() }),
  fc.constantFrom<EndingEvent>(
    { kind: 'unasked' },
    { kind: 'agentGone' },
    { kind: 'wordsRead' },
    { kind: 'hangUpDue' },
    { kind: 'termDue' },
    { kind: 'deadline' },
  ),
  fc.record({
    kind: fc.constant('ended' as const),
    end: fc.constantFrom(EXITED, LOST),
    hasAgent: fc.boolean(),
    isOurs: fc.boolean(),
  }),
)

type Moment = {
  readonly before: RunEnding
  readonly event: EndingEvent
  readonly after: RunEnding
  readonly effects: readonly EndingEffect[]
}

function lifeOf(sequence: readonly EndingEvent[]): readonly Moment[] {
  let before = RUNNING
  return sequence.map((event) => {
    const { ending: after, effects } = stepEnding(before, event)
    const moment = { before, event, after, effects }
    before = after
    return moment
  })
}

const always = (promise: (moments: readonly Moment[]) => void) =>
  fc.assert(
    fc.property(fc.array(events, { maxLength: 40 }), (sequence) => promise(lifeOf(sequence))),
    { numRuns: 2_000 },
  )

const effectsOf = (moments: readonly Moment[], kind: EndingEffect['kind']) =>
  moments.flatMap(({ effects }) => effects.filter((effect) => effect.kind === kind))

describe('under any sequence of events', () => {
  test('nothing is done to a program before it was asked to end, or has ended', () => {
    always((moments) => {
      const begun = moments.findIndex(({ event }) => event.kind === 'asked' || event.kind === 'ended')
      for (const [index, { effects }] of moments.entries()) if (begun === -1 || index < begun) expect(effects).toSatisfy(isHarmless)
    })
  })

  test('the end is told once at most, as it was first heard', () => {
    always((moments) => {
      const first = moments.find(({ event }) => event.kind === 'ended')?.event
      const told = effectsOf(moments, 'tell')
      expect(told.length).toBeLessThanOrEqual(1)
      if (told.length === 1) expect(first).toMatchObject({ end: (told[0] as { end: RunEnd }).end, isOurs: true })
    })
  })

  test('an end that the next daemon is to judge is never told', () => {
    always((moments) => {
      const first = moments.find(({ event }) => event.kind === 'ended')?.event
      if (first?.kind === 'ended' && !first.isOurs) expect(effectsOf(moments, 'tell')).toEqual([])
    })
  })

  test('an exit is told only when the agent has gone and its last words are read', () => {
    always((moments) => {
      for (const [index, { effects, before }] of moments.entries()) {
        const tells = effects.some((effect) => effect.kind === 'tell' && effect.end.kind === 'exited')
        if (!tells || !('agent' in before) || before.agent === null) continue
        const earlier = moments.slice(0, index + 1)
        expect(earlier.some(({ event }) => event.kind === 'wordsRead')).toBe(true)
        expect(effectsOf(earlier, 'readWords')).not.toEqual([])
      }
    })
  })

  test('once the end is known the program is left alone', () => {
    always((moments) => {
      const ended = moments.findIndex(({ event }) => event.kind === 'ended')
      if (ended === -1) return
      for (const { effects } of moments.slice(ended + 1)) expect(effects).toSatisfy(isHarmless)
    })
  })

  test('words are read once at a time, and only of an agent', () => {
    always((moments) => {
      for (const { before, after, effects } of moments) {
        if (!effects.some(({ kind }) => kind === 'readWords')) continue
        expect('agent' in before && before.agent !== null ? before.agent.words : 'unread').toBe('unread')
        expect(after).toMatchObject({ agent: { words: 'reading' } })
      }
    })
  })

  test('asked again, only the deadline moves', () => {
    always((moments) => {
      for (const { before, event, after, effects } of moments) {
        if (event.kind !== 'asked' || before.at === 'running') continue
        expect(after).toBe(before)
        expect(effects.every(({ kind }) => kind === 'schedule')).toBe(true)
      }
    })
  })

  test('whatever came before, the deadline, the end, the words and the leaving of the agent end it', () => {
    const rest: readonly EndingEvent[] = [
      { kind: 'asked', graceMs: 1 },
      { kind: 'deadline' },
      { kind: 'ended', end: EXITED, hasAgent: true, isOurs: true },
      { kind: 'agentGone' },
      { kind: 'wordsRead' },
    ]
    fc.assert(
      fc.property(fc.array(events, { maxLength: 40 }), (sequence) => {
        expect(lifeOf([...sequence, ...rest]).at(-1)?.after).toEqual({ at: 'over' })
      }),
    )
  })
})

const isHarmless = (effects: readonly EndingEffect[]): boolean =>
  effects.every(({ kind }) => kind === 'tell' || kind === 'readWords' || kind === 'unschedule')

test('a holder that leaves while last words are read does not turn an exit into a loss', () => {
  const exited = stepEnding(RUNNING, { kind: 'ended', end: EXITED, hasAgent: true, isOurs: true })
  const lost = stepEnding(exited.ending, { kind: 'ended', end: LOST, hasAgent: true, isOurs: true })
  expect(lost).toEqual({ ending: exited.ending, effects: [] })
  expect(stepEnding(lost.ending, { kind: 'wordsRead' }).effects).toEqual([{ kind: 'tell', end: EXITED }])
})
