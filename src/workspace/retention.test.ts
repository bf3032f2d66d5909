import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runId } from '../../test/support/terminals.ts'
import { planRetention as plan, type Removal, type RunOnDisk } from './retention.ts'

const MB = 1_000_000
const twoSegments = [
  { seq: 0, bytes: 4 * MB },
  { seq: 4 * MB, bytes: 2 * MB },
]
const onDisk = (number: number, role: RunOnDisk['role'], more: Partial<RunOnDisk> = {}): RunOnDisk => ({
  run: runId(number),
  startedAt: number,
  bytes: 6 * MB,
  role,
  segments: twoSegments,
  ...more,
})
const past = { kind: 'past' } as const
const live = { kind: 'untouchable' } as const
const last = (keptSeq: number | null) => ({ kind: 'last', keptSeq }) as const
const bytesOf = (runs: readonly RunOnDisk[]) => runs.reduce((sum, { bytes }) => sum + bytes, 0)
const planRetention = (runs: readonly RunOnDisk[], limit: number) => plan(runs, { total: bytesOf(runs), limit })
const removed = (removals: readonly Removal[]) => removals.map((removal) => `${removal.kind} ${removal.run}`)

describe('what is removed when the logs take too much', () => {
  it('is nothing while they do not', () => expect(planRetention([onDisk(1, past), onDisk(2, past)], 12 * MB)).toEqual([]))

  it('is the oldest run that is no terminal’s newest, and no more than needed', () => {
    const runs = [onDisk(3, past), onDisk(1, last(5 * MB)), onDisk(2, past)]
    expect(removed(planRetention(runs, 17 * MB))).toEqual([`run ${runId(2)}`])
    expect(removed(planRetention(runs, 11 * MB))).toEqual([`run ${runId(2)}`, `run ${runId(3)}`])
  })

  it('is then the older part of asleep terminals’ logs', () => {
    const runs = [onDisk(1, last(6 * MB)), onDisk(2, last(6 * MB)), onDisk(3, past)]
    expect(planRetention(runs, 8 * MB)).toEqual([
      { kind: 'run', run: runId(3), bytes: 6 * MB },
      { kind: 'older', run: runId(1), seq: 4 * MB, bytes: 4 * MB },
    ])
  })

  it('is never what a kept screen needs, nor anything whose screen is not kept', () => {
    expect(planRetention([onDisk(1, last(null)), onDisk(2, last(4 * MB - 1))], 0)).toEqual([])
    expect(planRetention([onDisk(1, last(9 * MB), { segments: [{ seq: 0, bytes: 6 * MB }] })], 0)).toEqual([])
  })

  it('is never anything of a live run or of one that nobody knows', () => {
    const role = fc.oneof(fc.constant(live), fc.constant(past), fc.option(fc.nat(9 * MB)).map(last))
    const runs = fc.array(role, { maxLength: 8 }).map((roles) => roles.map((each, number) => onDisk(number, each)))
    fc.assert(
      fc.property(runs, fc.nat(50 * MB), (list, limit) => {
        const removals = planRetention(list, limit)
        for (const { run } of removals) expect(list.find((each) => each.run === run)?.role.kind).not.toBe('untouchable')
        const freed = removals.slice(0, -1).reduce((sum, { bytes }) => sum + bytes, 0)
        if (removals.length > 0) expect(bytesOf(list) - freed).toBeGreaterThan(limit)
      }),
    )
  })
})
