import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSize } from '../../base/size.ts'
import { decideSize, LEADS, newSizing, SIZE_POLICIES, type Sizing, type SizingEvent, stepSizing } from './sizing.ts'
import type { Size } from './terminal.ts'

const client = fc.integer({ min: 1, max: 4 })
const anySize: fc.Arbitrary<Size> = fc.record({ cols: fc.integer({ min: 0, max: 160 }), rows: fc.integer({ min: 0, max: 60 }) })
const policy = fc.constantFrom(...SIZE_POLICIES)
const event: fc.Arbitrary<SizingEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('looks' as const),
      client,
      who: fc.constant('page'),
      size: anySize,
      lead: fc.constantFrom(...LEADS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('typed' as const), client }) },
  fc.record({ kind: fc.constantFrom('hides' as const, 'leaves' as const), client }),
  fc.constant<SizingEvent>({ kind: 'setByHand' }),
  fc.record({ kind: fc.constant('policyChanged' as const), policy }),
)

type Moment = { readonly before: Sizing; readonly event: SizingEvent; readonly present: Size; readonly after: Sizing }

function lifeOf(sizing: Sizing, events: readonly SizingEvent[]): Moment[] {
  let before = sizing
  let present: Size = { cols: 120, rows: 40 }
  return events.map((happened) => {
    const after = stepSizing(before, happened, present)
    const moment = { before, event: happened, present, after }
    before = after
    present = decideSize(after).size ?? present
    return moment
  })
}

const always = (promise: (moment: Moment) => void) =>
  fc.assert(
    fc.property(policy, fc.array(event, { maxLength: 40 }), (first, events) => {
      for (const moment of lifeOf(newSizing(first), events)) promise(moment)
    }),
    { numRuns: 400 },
  )

const visibleSizes = ({ places }: Sizing): Size[] => places.flatMap(({ size }) => (size === null ? [] : [size]))

test('the leader is always one that is visible, or nobody', () => {
  always(({ after }) => {
    if (after.leader !== null) expect(after.places.find((place) => place.client === after.leader)?.size).toSatisfy(isSize)
  })
})

test('the size is kept when nobody looks, and when it is fixed', () => {
  always(({ after }) => {
    if (visibleSizes(after).length === 0 || after.policy === 'fixed') expect(decideSize(after).size).toBeNull()
  })
})

test('the size is that of a visible place, or the smallest of their columns and rows', () => {
  always(({ after }) => {
    const { size } = decideSize(after)
    if (size === null) return
    const sizes = visibleSizes(after)
    const least = { cols: Math.min(...sizes.map(({ cols }) => cols)), rows: Math.min(...sizes.map(({ rows }) => rows)) }
    if (after.policy === 'smallest') expect(size).toEqual(least)
    else expect(sizes).toContainEqual(size)
  })
})

test('a size that no terminal can have changes nothing', () => {
  always(({ before, event: happened, after }) => {
    if (happened.kind === 'looks' && !isSize(happened.size)) expect(after).toBe(before)
  })
})

test('merely looking never takes the lead from anybody, nor gives it to a narrow place', () => {
  always(({ before, event: happened, present, after }) => {
    if (happened.kind !== 'looks' || happened.lead === 'yes') return
    if (before.leader !== null) expect(after.leader).toBe(before.leader)
    else if (happened.size.cols < 80 && happened.size.cols < present.cols) expect(after.leader).toBeNull()
  })
})

test('a client that is gone is forgotten', () => {
  always(({ event: happened, after }) => {
    if (happened.kind === 'leaves') expect(after.places.map((place) => place.client)).not.toContain(happened.client)
  })
})

test('after a restart the leader leads again and nothing is resized, in whatever order clients come back', () => {
  const order = fc.shuffledSubarray([1, 2, 3, 4], { minLength: 4 })
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), order, (events, comingBack) => {
      const last = lifeOf(newSizing('last-typed'), events).at(-1)?.after ?? newSizing('last-typed')
      if (last.policy !== 'last-typed') return
      const present = decideSize(last).size ?? { cols: 120, rows: 40 }
      const again = comingBack.flatMap((number): SizingEvent[] => {
        const place = last.places.find((other) => other.client === number)
        if (!place?.size) return []
        const lead = last.leader === number ? 'ifFree' : 'no'
        return [{ kind: 'looks', client: number, who: place.who, size: place.size, lead }]
      })
      const back = again.reduce((before, happened) => {
        const after = stepSizing(before, happened, present)
        expect(decideSize(after).size ?? present).toEqual(present)
        return after
      }, newSizing('last-typed'))
      expect(back.leader).toBe(last.leader)
    }),
    { numRuns: 600 },
  )
})
