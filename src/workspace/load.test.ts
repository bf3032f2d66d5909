import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Load, type Measures, NO_LOAD, planLoad, shedAt } from './load.ts'

const GIB = 1 << 30
const EASY: Measures = {
  heapShare: 0.1,
  ownShare: 0.02,
  available: { bytes: 8 * GIB, total: 16 * GIB },
  disk: { bytes: 100 * GIB, total: 500 * GIB },
  stallMs: 0,
}
const free = (mib: number, totalMib = 500 * 1_024): Measures => ({ ...EASY, disk: { bytes: mib * 2 ** 20, total: totalMib * 2 ** 20 } })

/** The stages that these measures lead to, one after the other. */
function stages(measures: readonly Measures[]): number[] {
  let load: Load = NO_LOAD
  return measures.map((each) => {
    load = planLoad(each, load)
    return load.stage
  })
}

describe('the load', () => {
  it('is none while there is room for everything', () => {
    expect(planLoad(EASY, NO_LOAD)).toEqual(NO_LOAD)
    expect(planLoad({ heapShare: null, ownShare: null, available: null, disk: null, stallMs: 0 }, NO_LOAD)).toEqual(NO_LOAD)
  })

  it('rises in stages, and says why', () => {
    expect(stages([free(255), free(63), free(15)])).toEqual([1, 2, 3])
    expect(planLoad(free(63), NO_LOAD)).toMatchObject({ stage: 2, why: 'the disk is nearly full: less than 64 MB left' })
    expect(stages([0.71, 0.81, 0.91].map((heapShare) => ({ ...EASY, heapShare })))).toEqual([1, 2, 3])
    expect(stages([0.41, 0.56, 0.71].map((ownShare) => ({ ...EASY, ownShare })))).toEqual([1, 2, 3])
  })

  it('is left only when it is clearly better', () => {
    expect(stages([free(15), free(17), free(19), free(21), free(79), free(81), free(300), free(321)])).toEqual([3, 3, 3, 2, 2, 1, 1, 0])
  })

  it('measures a small disk by its share: two megabytes are room enough for a test', () => {
    expect(planLoad(free(1.5, 2), NO_LOAD).stage).toBe(0)
    expect(planLoad(free(0.001, 2), NO_LOAD).stage).toBe(3)
  })

  it('refuses nothing because the daemon stood still', () => {
    expect(planLoad({ ...EASY, stallMs: 3_000 }, NO_LOAD).stage).toBe(1)
    expect(planLoad({ ...EASY, stallMs: 50_000 }, NO_LOAD).stage).toBe(2)
  })

  it('says what is left undone', () => {
    expect(shedAt(0)).toEqual([])
    expect(shedAt(3)).toHaveLength(3)
  })

  it('never falls while things get worse, and is the same for the same measures', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(share, { maxLength: 20 }), (shares) => {
        const rising = shares.toSorted((a, b) => a - b).map((heapShare) => ({ ...EASY, heapShare }))
        const seen = stages(rising)
        expect(seen).toEqual(seen.toSorted((a, b) => a - b))
        for (const measures of rising) {
          const once = planLoad(measures, NO_LOAD)
          expect(planLoad(measures, once)).toEqual(once)
        }
      }),
    )
  })
})
