import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Finding, PROVENANCES, type Provenance } from './agent.ts'
import { decide, type Evidence } from './identity.ts'

const START = 1_000_000
const finding = (id: string, provenance: Provenance, began: number | null = null, transcript: string | null = `/t/${id}`): Finding => ({
  id,
  provenance,
  transcript,
  began,
})
const evidence = (given: Partial<Evidence>): Evidence => ({
  agent: { idPattern: /^[a-z]$/ },
  known: null,
  candidates: [],
  claimed: new Set(),
  process: { startedAt: START },
  now: START + 600_000,
  workingSince: null,
  rivals: [],
  ...given,
})
const outcome = (given: Partial<Evidence>) => {
  const { kind, finding: found, rejections } = decide(evidence(given))
  return [kind, found?.id ?? null, ...rejections.map(({ finding: { id }, why }) => `${id}: ${why}`)]
}

describe('a conversation', () => {
  test('is bound as soon as one is found, and kept while it is found again', () => {
    const found = finding('a', 'registration')
    expect(outcome({ candidates: [found] })).toEqual(['bind', 'a'])
    expect(outcome({ known: found, candidates: [found] })).toEqual(['keep', 'a'])
  })

  test('follows what the process itself shows, whatever it was started with', () => {
    const known = finding('a', 'assigned')
    for (const provenance of ['hook', 'registration', 'open-file', 'printed'] as const)
      expect(outcome({ known, candidates: [finding('a', 'assigned'), finding('b', provenance)] })).toEqual(['rebind', 'b'])
  })

  test('of several that the process holds is the one that began last', () => {
    const candidates = [finding('a', 'open-file', START + 5), finding('b', 'open-file', START + 9), finding('c', 'open-file', START + 7)]
    expect(outcome({ known: finding('a', 'open-file', START + 5), candidates })).toEqual(['rebind', 'b'])
  })

  test('keeps the better of two sources that name the same one, and its transcript once there is one', () => {
    const known = finding('a', 'assigned', null, null)
    expect(decide(evidence({ known, candidates: [finding('a', 'registration', 7)] })).finding).toEqual(finding('a', 'assigned', 7))
  })

  test('is never what is no id of the agent, or has another terminal', () => {
    expect(outcome({ candidates: [finding('--yolo', 'hook')] })).toEqual(['keep', null, '--yolo: not an id'])
    expect(outcome({ candidates: [finding('a', 'hook')], claimed: new Set(['a']) })).toEqual(['keep', null, 'a: has another terminal'])
  })
})

describe('what lies in the directory', () => {
  const stored = (id: string, after: number) => finding(id, 'store', START + after)

  test('and says when it was first asked something is of the terminal that was given something just then, whichever began first', () => {
    const candidates = [
      { ...stored('a', 1_600), asked: START + 5_080 },
      { ...stored('b', 3_100), asked: START + 4_010 },
    ]
    const rival = { startedAt: START + 2_700, workingSince: null, hasSince: null, entered: [START + 4_000] }
    const given = { candidates, workingSince: null, rivals: [rival] }
    expect(outcome({ ...given, entered: [START + 4_800, START + 5_060] })).toEqual(['bind', 'a', 'b: cannot be told apart'])
    expect(outcome({ ...given, entered: [START + 4_300] }).slice(0, 2)).toEqual(['keep', null])
    expect(outcome({ ...given, entered: [] }).slice(0, 2)).toEqual(['keep', null])
  })

  test('is ours where it began in this run and nobody else is there', () => {
    expect(outcome({ candidates: [stored('a', 500_000)] })).toEqual(['bind', 'a'])
    expect(outcome({ candidates: [stored('a', -60_000)] })).toEqual(['keep', null, 'a: older than this run'])
  })

  test('is not chosen from several by chance', () => {
    expect(outcome({ candidates: [stored('a', 100_000), stored('b', 200_000)] })).toEqual([
      'keep',
      null,
      'a: cannot be told apart',
      'b: cannot be told apart',
    ])
  })

  test('is told apart by who began to work when', () => {
    const candidates = [stored('a', 100_500), stored('b', 200_500)]
    const one = { startedAt: START, workingSince: START + 100_000, hasSince: null }
    const other = { startedAt: START + 3_000, workingSince: START + 200_000, hasSince: null }
    expect(outcome({ candidates, process: one, workingSince: one.workingSince, rivals: [other] })).toEqual([
      'bind',
      'a',
      'b: cannot be told apart',
    ])
    expect(outcome({ candidates, process: other, workingSince: other.workingSince, rivals: [one] })).toEqual([
      'bind',
      'b',
      'a: cannot be told apart',
    ])
  })

  test('is that of the terminal that was just given something to do, not of one that was started a while before', () => {
    const mine = { startedAt: START, workingSince: START + 25_000 }
    const rivals = [{ startedAt: START, workingSince: null, hasSince: null }]
    const asked = { candidates: [stored('a', 25_300)], process: mine, workingSince: mine.workingSince, rivals }
    expect(outcome(asked)).toEqual(['bind', 'a'])
    const theirs = { candidates: [stored('a', 25_300)], rivals: [{ ...mine, hasSince: null }] }
    expect(outcome(theirs).slice(0, 2)).toEqual(['keep', null])
    const soonAfterStart = [{ startedAt: START + 22_000, workingSince: null, hasSince: null }]
    expect(outcome({ ...asked, rivals: soonAfterStart }).slice(0, 2)).toEqual(['keep', null])
  })

  test('is nobody’s where two moved at the same moment', () => {
    const rivals = [{ startedAt: START, workingSince: START + 100_300, hasSince: null }]
    expect(outcome({ candidates: [stored('a', 101_000)], workingSince: START + 100_000, rivals })).toEqual([
      'keep',
      null,
      'a: cannot be told apart',
    ])
  })

  test('is nobody’s either where there is one for each of two that moved at the same moment', () => {
    const rivals = [{ startedAt: START, workingSince: START + 100_300, hasSince: null }]
    const candidates = [stored('a', 101_000), stored('b', 101_100)]
    expect(outcome({ candidates, workingSince: START + 100_000, rivals }).slice(0, 2)).toEqual(['keep', null])
  })

  test('goes in the order in which they were started, once there is one for each', () => {
    const one = { startedAt: START, workingSince: null, hasSince: null }
    const other = { startedAt: START + 3_000, workingSince: null, hasSince: null }
    const both = [stored('a', 5_000), stored('b', 6_000)]
    expect(outcome({ candidates: both, process: one, rivals: [other] }).slice(0, 2)).toEqual(['bind', 'a'])
    expect(outcome({ candidates: both, process: other, rivals: [one] }).slice(0, 2)).toEqual(['bind', 'b'])
    expect(outcome({ candidates: both.slice(0, 1), process: other, rivals: [one] })).toEqual(['keep', null, 'a: cannot be told apart'])
    const settled = { ...one, hasSince: START + 5_000 }
    expect(outcome({ candidates: both.slice(1), process: other, rivals: [settled] })).toEqual(['bind', 'b'])
  })

  test('is ours once every rival is out: it went on with its own, or had ended before', () => {
    // The rival was prompted 2 s before this terminal started, so that either may have begun it.
    const mine = { startedAt: START + 22_000 }
    const given = { candidates: [stored('b', 22_600)], process: mine }
    const rival = { startedAt: START, workingSince: START + 20_000, hasSince: START + 1_000 }
    expect(outcome({ ...given, rivals: [rival] })).toEqual(['keep', null, 'b: cannot be told apart'])
    expect(outcome({ ...given, rivals: [{ ...rival, usedAt: START + 21_000 }] })).toEqual(['keep', null, 'b: cannot be told apart'])
    expect(outcome({ ...given, rivals: [{ ...rival, usedAt: START + 40_000 }] })).toEqual(['bind', 'b'])
    expect(outcome({ ...given, rivals: [{ ...rival, endedAt: START + 20_500 }] })).toEqual(['bind', 'b'])
    expect(outcome({ ...given, rivals: [{ ...rival, endedAt: START + 30_000 }] })).toEqual(['keep', null, 'b: cannot be told apart'])
  })

  test('is nobody’s where the moves of a rival were not seen, unless this terminal was given something just then', () => {
    const rivals = [{ startedAt: START - 60_000, workingSince: null, hasSince: null, seenSince: START + 90_000 }]
    const asked = { ...stored('a', 5_000), asked: START + 5_000 }
    expect(outcome({ candidates: [asked], rivals })).toEqual(['keep', null, 'a: cannot be told apart'])
    expect(outcome({ candidates: [asked], rivals, entered: [START + 4_950] })).toEqual(['bind', 'a'])
  })

  test('is never what another terminal has had, though the process itself may show it', () => {
    const had = new Set(['a'])
    expect(outcome({ candidates: [stored('a', 5_000)], had })).toEqual(['keep', null, 'a: has another terminal'])
    expect(outcome({ candidates: [finding('a', 'registration')], had })).toEqual(['bind', 'a'])
  })

  test('takes the place of what is known only if it began later, when this terminal moved', () => {
    const known = stored('a', 10_000)
    const candidates = [known, stored('b', 300_000)]
    expect(outcome({ known, candidates, workingSince: START + 299_000 })).toEqual(['rebind', 'b'])
    expect(outcome({ known, candidates, workingSince: START + 11_000 })).toEqual(['keep', 'a', 'b: cannot be told apart'])
    expect(outcome({ known: stored('b', 300_000), candidates, workingSince: START + 10_000 }).slice(0, 2)).toEqual(['keep', 'b'])
  })
})

describe('what the command line names', () => {
  test('is known until the terminal begins another one, though it still names the first', () => {
    const known = finding('a', 'user')
    const begun = finding('b', 'store', START + 300_000)
    expect(outcome({ candidates: [known, begun], workingSince: START + 299_000 })).toEqual(['bind', 'a'])
    expect(outcome({ known, candidates: [known, begun], workingSince: START + 299_000 })).toEqual(['rebind', 'b'])
    expect(outcome({ known: begun, candidates: [known, begun], workingSince: START + 299_000 })).toEqual(['keep', 'b'])
    expect(outcome({ known: begun, candidates: [known] })).toEqual(['keep', 'b'])
  })
})

describe('in any order of events', () => {
  const ids = ['a', 'b', 'c', 'd', '-x', '']
  const findings = fc.record({
    id: fc.constantFrom(...ids),
    provenance: fc.constantFrom(...PROVENANCES),
    transcript: fc.constantFrom(null, '/t'),
    began: fc.option(fc.integer({ min: START - 100_000, max: START + 700_000 })),
  })
  const moment = fc.integer({ min: START, max: START + 600_000 })
  const looks = fc.record({
    candidates: fc.array(findings, { maxLength: 5 }),
    workingSince: fc.option(moment),
    claimed: fc.subarray(ids),
    rivals: fc.array(fc.record({ startedAt: moment, workingSince: fc.option(moment), hasSince: fc.option(moment) }), { maxLength: 2 }),
  })
  const story = (check: (before: Finding | null, given: Evidence, after: ReturnType<typeof decide>) => void) =>
    fc.assert(
      fc.property(fc.array(looks, { maxLength: 12 }), (all) => {
        let known: Finding | null = null
        for (const { claimed, ...look } of all) {
          const given: Evidence = evidence({ ...look, claimed: new Set(claimed.filter((id) => id !== known?.id)), known })
          const after = decide(given)
          check(known, given, after)
          known = after.finding
        }
      }),
    )

  test('nothing found ends nothing', () =>
    story((before, given) => {
      expect(decide({ ...given, candidates: [] })).toEqual({ kind: 'keep', finding: before, rejections: [] })
    }))

  test('no id is taken that another terminal has, or that is none', () =>
    story((_before, { claimed }, { finding: after }) => {
      if (after === null) return
      expect(claimed.has(after.id)).toBe(false)
      expect(after.id).toMatch(/^[a-z]$/)
    }))

  test('a known one goes only for a surer or a later one', () =>
    story((before, _given, { kind, finding: after }) => {
      if (before === null || after?.id === before.id) return expect(kind === 'rebind').toBe(false)
      expect(kind).toBe('rebind')
      expect(['user', 'assigned', 'latest']).not.toContain(after?.provenance)
      if (after?.provenance === 'store' && before.began !== null) expect(after.began).toBeGreaterThan(before.began)
    }))

  test('two terminals never take one from the directory at the same look', () => {
    const terminal = fc.record({ startedAt: moment, workingSince: fc.option(moment), hasSince: fc.constant(null) })
    fc.assert(
      fc.property(terminal, terminal, fc.array(moment, { minLength: 1, maxLength: 4 }), (one, other, begun) => {
        const candidates = begun.map((began, at) => finding('abcd'[at]!, 'store', began))
        const of = (mine: typeof one, rival: typeof one) =>
          decide(evidence({ candidates, process: mine, workingSince: mine.workingSince, rivals: [rival] })).finding?.id
        const taken = [of(one, other), of(other, one)].filter((id) => id !== undefined)
        expect(new Set(taken).size).toBe(taken.length)
      }),
    )
  })
})
