import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkpointId } from '../../../test/support/workspaces.ts'
import { CHECKPOINT_KINDS, type CheckpointKind } from './checkpoint.ts'
import { checkpointsToDrop, USUAL_RETENTION } from './checkpointRetention.ts'

const DAY = 86_400_000
const NOW = 1_000 * DAY

type Old = { readonly days: number; readonly kind?: CheckpointKind; readonly knownGood?: boolean }
const list = (...ages: readonly Old[]) =>
  ages.map(({ days, kind = 'periodic', knownGood = true }, number) => ({ id: checkpointId(number), at: NOW - days * DAY, kind, knownGood }))
const left = (...ages: readonly Old[]) => {
  const all = list(...ages)
  const dropped = new Set(checkpointsToDrop(all, { now: NOW }))
  return all.flatMap(({ id }, index) => (dropped.has(id) ? [] : [index]))
}
const times = (count: number, age: Old) => Array.from({ length: count }, () => age)

describe('retention', () => {
  test('keeps fifty, none older than fourteen days', () => {
    expect(left(...times(60, { days: 1 }))).toHaveLength(USUAL_RETENTION.count)
    expect(left(...times(5, { days: 1 }), ...times(5, { days: 15 }))).toEqual([0, 1, 2, 3, 4])
  })

  test('of one a minute for three days keeps the newest, one of each hour of this day, and one of each day', () => {
    const ages = Array.from({ length: 3 * 24 * 60 }, (_, minute): Old => ({ days: minute / (24 * 60) }))
    const kept = left(...ages)
    expect(kept).toHaveLength(USUAL_RETENTION.count)
    expect(kept.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, minute) => minute))
    for (const hour of [1, 2, 5, 9]) expect(kept.filter((minute) => Math.floor(minute / 60) === hour).length).toBeGreaterThan(0)
    for (const day of [1, 2]) expect(kept.filter((minute) => Math.floor(minute / (24 * 60)) === day).length).toBeGreaterThan(0)
  })

  test('as the minutes pass loses no hour and no day', () => {
    let kept: ReturnType<typeof list> = []
    for (let minute = 0; minute < 3 * 24 * 60; minute += 1) {
      const now = NOW + minute * 60_000
      kept = [{ id: checkpointId(minute), at: now, kind: 'periodic', knownGood: true }, ...kept]
      const dropped = new Set(checkpointsToDrop(kept, { now }))
      kept = kept.filter(({ id }) => !dropped.has(id))
    }
    const end = NOW + 3 * DAY
    const hasOne = (from: number, to: number) => kept.some(({ at }) => end - at >= from && end - at < to)
    for (let hour = 1; hour < 9; hour += 1) expect(hasOne(hour * 3_600_000, (hour + 1.1) * 3_600_000), `hour ${hour}`).toBe(true)
    for (const day of [1, 2]) expect(hasOne(day * DAY, (day + 1) * DAY), `day ${day}`).toBe(true)
  })

  test('keeps the newest good ones however old they are', () => {
    expect(left(...times(6, { days: 400 }))).toEqual([0, 1, 2])
  })

  test('keeps what was asked for longer', () => {
    const newer = times(5, { days: 1 })
    expect(left(...newer, { days: 60, kind: 'manual' }, { days: 60, kind: 'before-destructive' }, { days: 60 })).toEqual([
      0, 1, 2, 3, 4, 5, 6,
    ])
    expect(left(...newer, { days: 100, kind: 'manual' })).toEqual([0, 1, 2, 3, 4])
  })

  test('never drops a good one for empty ones', () => {
    const kept = left(...times(200, { days: 0, knownGood: false }), { days: 1 })
    expect(kept.at(-1)).toBe(200)
    expect(kept).toHaveLength(6)
  })

  test('keeps an empty one that was asked for, whatever came after it', () => {
    const kept = left(...times(200, { days: 0, knownGood: false }), { days: 60, kind: 'manual', knownGood: false })
    expect(kept.at(-1)).toBe(200)
    expect(kept).toHaveLength(6)
  })

  test('of any list never takes the newest good one, and takes nothing when asked again', () => {
    const age = fc.record({ days: fc.nat(200), kind: fc.constantFrom(...CHECKPOINT_KINDS), knownGood: fc.boolean() })
    fc.assert(
      fc.property(fc.array(age, { maxLength: 120 }), fc.record({ count: fc.nat(60), days: fc.nat(30) }), (ages, retention) => {
        const all = list(...ages)
        const dropped = new Set(checkpointsToDrop(all, { now: NOW, retention }))
        const newestGood = all.find(({ knownGood }) => knownGood)
        expect(newestGood === undefined || !dropped.has(newestGood.id)).toBe(true)
        const rest = all.filter(({ id }) => !dropped.has(id))
        expect(checkpointsToDrop(rest, { now: NOW, retention })).toEqual([])
      }),
    )
  })
})
