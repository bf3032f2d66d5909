import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NEW_SEAT, type Seat, type Seats, settle } from './glPool.ts'

const seats = (rows: Readonly<Record<string, Partial<Seat>>>): Seats =>
  new Map(Object.entries(rows).map(([id, changes]) => [id, { ...NEW_SEAT, ...changes }]))
const drawnBy = (all: Seats) => Object.fromEntries([...all].map(([id, { renderer }]) => [id, renderer]))
const seen = { isInView: true }
const held = { renderer: 'gl', isInView: true, isSettled: true } as const

it('those used last get the contexts there are', () => {
  const all = settle(seats({ a: { ...seen, usedAt: 1 }, b: { ...seen, usedAt: 3 }, c: { ...seen, usedAt: 2 }, d: seen }), 2)
  expect(drawnBy(all)).toEqual({ a: 'dom', b: 'gl', c: 'gl', d: 'dom' })
})

it('a context is taken only from one that is not in view, from the one used longest ago', () => {
  const away = { renderer: 'gl', isInView: false } as const
  const all = settle(
    seats({ a: { ...away, usedAt: 2 }, b: { ...away, usedAt: 1 }, c: { ...held, usedAt: 0 }, d: { ...seen, usedAt: 9 } }),
    3,
  )
  expect(drawnBy(all)).toEqual({ a: 'gl', b: 'dom', c: 'gl', d: 'gl' })
})

it('what is in view keeps its renderer, though a context has become free or it is used now', () => {
  const all = settle(seats({ a: { ...seen, isSettled: true, usedAt: 9 }, b: held }), 8)
  expect(drawnBy(all)).toEqual({ a: 'dom', b: 'gl' })
})

it('one that comes back into view still has its context', () => {
  expect(drawnBy(settle(seats({ a: { renderer: 'gl', isInView: true, isSettled: false } }), 1))).toEqual({ a: 'gl' })
})

it('one whose context was lost is not given another one', () => {
  expect(drawnBy(settle(seats({ a: { ...seen, isBarred: true } })))).toEqual({ a: 'dom' })
})

it('where there are no contexts, all are drawn without', () => {
  expect(drawnBy(settle(seats({ a: seen, b: seen }), 0))).toEqual({ a: 'dom', b: 'dom' })
})

it('whatever happens, there are never more contexts than allowed, and nothing in view changes its renderer', () => {
  const step = fc.record({ id: fc.integer({ min: 0, max: 14 }), does: fc.constantFrom('enter', 'leave', 'use'), at: fc.nat(1000) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let all: Seats = new Map()
      for (const { id, does, at } of steps) {
        const before = all.get(`${id}`) ?? NEW_SEAT
        const changes =
          does === 'use'
            ? { usedAt: at }
            : { isInView: does === 'enter', isSettled: before.isSettled && does === 'enter' && before.isInView }
        const next = settle(new Map(all).set(`${id}`, { ...before, ...changes }))
        expect([...next.values()].filter(({ renderer }) => renderer === 'gl').length).toBeLessThanOrEqual(8)
        for (const [name, seat] of all)
          if (seat.isInView && seat.isSettled && next.get(name)?.isInView) expect(next.get(name)?.renderer).toBe(seat.renderer)
        all = next
      }
    }),
  )
})
