import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arbitraryLink,
  arbitraryStatus,
  arbitraryTerminal,
  asleep,
  holdsOnlyItsOwn,
  live,
  runId,
  settling,
  spec,
  terminalId,
  waking,
} from '../../../test/support/terminals.ts'
import type { TerminalId } from '../../base/ids.ts'
import { loginStart } from '../command/loginShell.ts'
import { keepsBeforeKill } from '../terminal/keepBeforeKill.ts'
import { currentRun, type Terminal } from '../terminal/terminal.ts'
import type { KeptRecord, LivingHolder } from './found.ts'
import { type Action, type BootState, isStray, reconcile } from './reconcile.ts'

const NOW = 10_000
const fallbackSpec = { ...spec, command: 'sh' }
const record = (terminal: Terminal): KeptRecord => ({ ok: true, terminal })
const broken = (id: TerminalId | string): KeptRecord => ({ ok: false, id, raw: '{', why: 'unexpected end' })

function holder(changes: Partial<LivingHolder> = {}): LivingHolder {
  const usual = { terminal: terminalId(1), run: runId(1), pid: 200, holderPid: 199, startedAt: 50, exited: null } as const
  return { ...usual, spec, link: { kind: 'connected' }, ...changes }
}

function boot(records: readonly KeptRecord[], holders: readonly LivingHolder[]): BootState {
  let made = 500
  return { records, holders, now: NOW, graceMs: 300, fallbackSpec, makeId: () => terminalId(made++) }
}

const planFor = (records: readonly KeptRecord[], holders: readonly LivingHolder[]) => reconcile(boot(records, holders))
const kinds = (action: Action | undefined) => action?.effects.map(({ kind }) => kind)

describe('a record with its holder', () => {
  test('is adopted as a whole', () => {
    const before = live({ name: 'api', pinned: true, agent: 'claude', link: { kind: 'unreachable', why: 'crash' } })
    const [action] = planFor([record(before)], [holder()])
    const { kind, terminal } = action as Extract<Action, { kind: 'adopt' }>
    expect([kind, terminal]).toEqual(['adopt', { ...before, pid: 200, holderPid: 199, link: { kind: 'connected' } }])
  })

  test('is not written again when nothing changed', () => {
    expect(kinds(planFor([record(live({ pid: 200, holderPid: 199 }))], [holder()])[0])).toEqual(['announce'])
  })

  test('that was waking has woken', () => {
    const [action] = planFor([record(waking({ name: 'api', previousRun: runId(7) }))], [holder()])
    expect(action).toMatchObject({
      kind: 'adopt',
      terminal: live({ name: 'api', pid: 200, holderPid: 199, since: 50, previousRun: runId(7) }),
    })
  })

  describe('that was being resumed when the daemon died', () => {
    const restore = { kind: 'unknown', agent: 'claude' } as const
    const resuming = waking({
      mode: 'resume',
      previousRun: runId(7),
      previousRestore: restore,
      spec: { ...spec, command: 'claude', args: ['hi'] },
    })
    const resumed = holder({ spec: { ...resuming.spec, args: ['--continue'] } })

    test('is a resume if its holder was given other arguments, and may still fail', () => {
      const [adopted] = planFor([record(resuming)], [resumed])
      expect(adopted).toMatchObject({ terminal: { state: 'live', mode: 'resume', previousRun: runId(7), previousRestore: restore } })
      const [plain] = planFor([record(resuming)], [holder({ spec: resuming.spec })])
      expect(plain).toMatchObject({ terminal: { state: 'live', mode: 'fresh' } })
    })

    test('has failed if it ended soon after it started, however long ago that was', () => {
      const [soon] = planFor([record(resuming)], [{ ...resumed, exited: { code: 1 }, exitedAt: 2_050 }])
      expect(soon).toMatchObject({
        kind: 'takeExit',
        terminal: { lastRun: runId(7), restore, because: { kind: 'failed', reason: 'it ended with code 1 after 2 s', resumed: runId(1) } },
      })
      expect(kinds(soon)).toEqual(['hearLastWords', 'keep', 'releaseHolder', 'announce'])
      const [late] = planFor([record(resuming)], [{ ...resumed, exited: { code: 1 }, exitedAt: 50_000 }])
      expect(late).toMatchObject({ terminal: { lastRun: runId(1), because: { kind: 'exited', status: { code: 1 } } } })
    })

    test('stays failed when its holder is found once more', () => {
      const failed = asleep({ lastRun: runId(7), because: { kind: 'failed', reason: 'x', resumed: runId(1) } })
      const [again] = planFor([record(failed)], [{ ...resumed, exited: { code: 1 } }])
      expect(again).toMatchObject({ kind: 'takeExit', terminal: failed })
    })
  })

  test('that was settling settles on with a fresh deadline', () => {
    const [action] = planFor([record(settling({ then: 'close' }))], [holder()])
    expect(action).toMatchObject({ kind: 'adopt', terminal: settling({ then: 'close', pid: 200, holderPid: 199, deadline: NOW + 300 }) })
    expect(kinds(action)).toEqual(['keep', 'settle', 'announce'])
  })

  test('that says slept is reaped', () => {
    const slept = asleep({ lastRun: runId(1) })
    const [action] = planFor([record(slept)], [holder()])
    expect(action).toMatchObject({ kind: 'reap', terminal: slept })
    expect(kinds(action)).toEqual(['keep', 'kill', 'releaseHolder'])
  })

  test.each([{ kind: 'lost' }, { kind: 'failed', reason: 'x', resumed: null }, { kind: 'exited', status: { code: 0 } }] as const)(
    'that says $kind lives, because it does',
    (because) => {
      const [action] = planFor([record(asleep({ lastRun: runId(1), because, name: 'api' }))], [holder()])
      expect(action).toMatchObject({ kind: 'adopt', terminal: { state: 'live', name: 'api', run: runId(1), pid: 200 } })
    },
  )

  test('of a run that the sleep did not speak of is not reaped', () => {
    const [action] = planFor([record(asleep({ lastRun: runId(2) }))], [holder()])
    expect(action).toMatchObject({ kind: 'adopt', terminal: { state: 'live', run: runId(1), lastRun: runId(1) } })
  })

  test('of an unknown version is shown and left alone', () => {
    const link = { kind: 'incompatible', speaks: '9' } as const
    const [action] = planFor([record(asleep({ lastRun: runId(1) }))], [holder({ link })])
    expect(action).toMatchObject({ kind: 'adopt', terminal: { state: 'live', link } })
  })
})

describe('a program that ended while nobody looked', () => {
  const exited = { code: 3 }

  test('leaves its exit to the terminal before the holder goes', () => {
    const [action] = planFor([record(live())], [holder({ exited })])
    expect(action).toMatchObject({
      kind: 'takeExit',
      terminal: asleep({ since: NOW, lastRun: runId(1), because: { kind: 'exited', status: exited }, unread: true }),
    })
    expect(kinds(action)).toEqual(['keepScreen', 'keep', 'releaseHolder', 'announce'])
  })

  test('finishes the sleep or the close that was under way', () => {
    expect(planFor([record(settling())], [holder({ exited })])[0]).toMatchObject({
      kind: 'takeExit',
      terminal: { because: { kind: 'slept' } },
    })
    const [closed] = planFor([record(settling({ then: 'close' }))], [holder({ exited })])
    expect(closed).toMatchObject({ kind: 'takeExit', id: terminalId(1), terminal: null })
    expect(kinds(closed)).toEqual(['forget', 'releaseHolder', 'announce'])
  })

  test.each([{ kind: 'slept' }, { kind: 'exited', status: { code: 0 } }] as const)(
    'does not change a record that says $kind',
    (because) => {
      const before = asleep({ lastRun: runId(1), because })
      expect(planFor([record(before)], [holder({ exited })])[0]).toMatchObject({ kind: 'takeExit', terminal: before })
    },
  )

  test('explains a record that said lost', () => {
    const [action] = planFor([record(asleep({ lastRun: runId(1), because: { kind: 'lost' } }))], [holder({ exited })])
    expect(action).toMatchObject({ kind: 'takeExit', terminal: { because: { kind: 'exited', status: exited } } })
  })

  test('without a record still becomes a terminal', () => {
    const [action] = planFor([], [holder({ exited })])
    expect(action).toMatchObject({
      kind: 'adoptOrphan',
      terminal: { id: terminalId(1), state: 'asleep', because: { kind: 'exited', status: exited } },
    })
  })
})

describe('a record without a holder', () => {
  test.each([live(), waking()])('that was $state is asleep because lost', (before) => {
    const [action] = planFor([record(before)], [])
    expect(action).toMatchObject({ kind: 'markLost', terminal: asleep({ since: NOW, lastRun: runId(1), because: { kind: 'lost' } }) })
  })

  test('that was settling has slept, or is closed', () => {
    expect(planFor([record(settling())], [])[0]).toMatchObject({ kind: 'markLost', terminal: asleep({ since: NOW, lastRun: runId(1) }) })
    expect(planFor([record(settling({ then: 'close' }))], [])[0]).toEqual({
      kind: 'finishClose',
      id: terminalId(1),
      effects: [{ kind: 'forget', record: asleep({ since: NOW, lastRun: runId(1) }) }, { kind: 'announce' }],
    })
  })

  test('that is asleep stays as it is', () => {
    const before = asleep({ because: { kind: 'lost' } })
    expect(planFor([record(before)], [])).toEqual([{ kind: 'leave', terminal: before, effects: [] }])
  })
})

describe('an undecodable record', () => {
  test('costs its details, not its terminal', () => {
    const [action] = planFor([broken(terminalId(4)), record(asleep())], [])
    expect(action).toMatchObject({
      kind: 'salvage',
      terminal: { id: terminalId(4), state: 'asleep', because: { kind: 'lost' }, spec: fallbackSpec },
    })
  })

  test('does not end its program', () => {
    const [action] = planFor([broken(terminalId(1))], [holder()])
    expect(action).toMatchObject({ kind: 'adoptOrphan', terminal: live({ pid: 200, holderPid: 199, since: 50, created: 50, touched: 50 }) })
    expect(action).toHaveProperty('record.raw', '{')
  })

  test('whose very id is damaged gets a new one', () => {
    expect(planFor([broken('t#')], [])[0]).toMatchObject({ kind: 'salvage', terminal: { id: terminalId(500) } })
  })
})

describe('a holder without a record', () => {
  test('is adopted with what it knows', () => {
    const [action] = planFor([], [holder()])
    expect(action).toMatchObject({
      kind: 'adoptOrphan',
      terminal: live({ pid: 200, holderPid: 199, since: 50, created: 50, touched: 50 }),
      record: null,
    })
  })

  test('whose agent a login shell has started is a terminal of that shell: the rest of the start is known to nobody', () => {
    const start = loginStart({ shell: '/bin/zsh', argv: ['claude'], cwd: '/', env: {}, path: '', trialEnds: 0 })
    const [action] = planFor([], [holder({ spec: { ...spec, command: '/bin/zsh', args: start?.args ?? [] } })])
    expect(action).toMatchObject({ kind: 'adoptOrphan', terminal: { spec: { command: '/bin/zsh', args: [] } } })
  })

  test('that shares a terminal becomes one of its own', () => {
    const plan = planFor([record(live())], [holder({ run: runId(2), startedAt: 90 }), holder()])
    expect(plan).toMatchObject([
      { kind: 'adopt', terminal: { id: terminalId(1), run: runId(1) } },
      { kind: 'adoptOrphan', terminal: { id: terminalId(500), run: runId(2) } },
    ])
  })

  test('that was given a terminal of its own finds it again, though it carries the old id', () => {
    const records = [record(live()), record(live({ id: terminalId(500), run: runId(2) }))]
    const plan = planFor(records, [holder({ run: runId(2), startedAt: 90 }), holder()])
    expect(plan).toMatchObject([
      { kind: 'adopt', terminal: { id: terminalId(1), run: runId(1) } },
      { kind: 'adopt', terminal: { id: terminalId(500), run: runId(2) } },
    ])
  })
})

const runs = fc.integer({ min: 1, max: 6 }).map(runId)
const ids = fc.integer({ min: 1, max: 4 }).map(terminalId)
const arbitraryRecord = ids.chain((id) =>
  fc.oneof({ weight: 4, arbitrary: arbitraryTerminal(id, runs).map(record) }, { weight: 1, arbitrary: fc.constant(broken(id)) }),
)
const idOf = (kept: KeptRecord) => (kept.ok ? kept.terminal.id : kept.id)
const arbitraryRecords = fc.uniqueArray(arbitraryRecord, { selector: idOf })
const arbitraryHolders = fc.uniqueArray(
  fc
    .record({ terminal: ids, run: runs, startedAt: fc.nat(9), exited: fc.option(arbitraryStatus, { freq: 3 }), link: arbitraryLink })
    .map(holder),
  { selector: ({ run }) => run },
)

type Given = { readonly records: readonly KeptRecord[]; readonly holders: readonly LivingHolder[] }
type Promised = (plan: readonly Action[], given: Given) => void

function always(promise: Promised, records = arbitraryRecords): void {
  const property = fc.property(records, arbitraryHolders, (kept, holders) => promise(planFor(kept, holders), { records: kept, holders }))
  fc.assert(property, { numRuns: 300 })
}

/** A run belongs to one terminal; what damaged records make of that is not asked to last. */
const soundRecords = arbitraryRecords.map((records) => {
  const seen = new Set<unknown>()
  return records.filter(
    (kept) => !kept.ok || kept.terminal.lastRun === null || (!seen.has(kept.terminal.lastRun) && seen.add(kept.terminal.lastRun)),
  )
})

const idAfter = (action: Action) => ('id' in action ? action.id : action.terminal.id)
const terminalAfter = (action: Action): Terminal | null => ('terminal' in action ? action.terminal : null)
const holderOf = (action: Action): LivingHolder | null => ('holder' in action ? action.holder : null)

test('a run that is older than an acknowledged sleep gets a terminal of its own, and the sleep stays', () => {
  const slept = asleep({ lastRun: runId(2), since: 60, because: { kind: 'slept' } })
  const [first, second] = planFor([record(slept)], [holder({ startedAt: 50 })])
  expect(first).toMatchObject({ kind: 'leave', terminal: slept })
  expect(second).toMatchObject({ kind: 'adoptOrphan', terminal: { id: terminalId(500), state: 'live', run: runId(1) } })
  const [adopted] = planFor([record(slept)], [holder({ startedAt: 70 })]) // a wake whose record was lost
  expect(adopted).toMatchObject({ kind: 'adopt', terminal: { id: terminalId(1), run: runId(1) } })
})

describe('a living holder that is found after the boot', () => {
  const slept = { kind: 'slept' } as const
  test.each<[string, Terminal | null, boolean]>([
    ['is a stray where its terminal is not known', null, true],
    ['is a stray where its terminal was taken for lost', asleep({ lastRun: runId(1), because: { kind: 'lost' } }), true],
    ['is a stray where its program should have ended', asleep({ lastRun: runId(1), because: slept }), true],
    ['is none where its program has ended', asleep({ lastRun: runId(1), because: { kind: 'exited', status: { code: 0 } } }), false],
    ['is none while its terminal starts', waking({ run: runId(1) }), false],
    ['is none where its terminal has been woken with another run', live({ run: runId(2) }), false],
    ['is none where its terminal is being put to sleep', settling({ run: runId(2) }), false],
  ])('%s', (_, terminal, expected) => {
    expect(isStray(holder(), terminal)).toBe(expected)
  })
})

describe('whatever was kept and whoever lives', () => {
  test('every record and every holder is dealt with exactly once', () => {
    always((plan, { records, holders }) => {
      const planned = plan.map(idAfter)
      expect(new Set(planned).size).toBe(planned.length)
      for (const kept of records) expect(planned).toContain(idOf(kept))
      expect(plan.flatMap((action) => holderOf(action) ?? []).sort(byRun)).toEqual([...holders].sort(byRun))
      expect(plan.filter((action) => action.kind !== 'adoptOrphan' || action.record !== null).length).toBe(records.length)
    })
  })

  test('a sleep is undone only by a run that began after it, or by its own', () => {
    always((plan, { records }) => {
      for (const kept of records) {
        if (!kept.ok || kept.terminal.state !== 'asleep' || kept.terminal.because.kind !== 'slept') continue
        const { id, since, lastRun } = kept.terminal
        const action = plan.find((each) => idAfter(each) === id)
        const found = action === undefined ? null : holderOf(action)
        if (found !== null && found.run !== lastRun) expect(found.startedAt).toBeGreaterThan(since)
      }
    })
  })

  test('nothing living is killed unless its record says slept', () => {
    always((plan, { records }) => {
      for (const action of plan)
        for (const effect of action.effects) {
          if (effect.kind === 'releaseHolder' && holderOf(action)?.exited !== null) continue
          if (effect.kind !== 'kill' && effect.kind !== 'releaseHolder') continue
          const said = records.find((kept) => idOf(kept) === idAfter(action))
          expect(said).toMatchObject({ ok: true, terminal: { state: 'asleep', because: { kind: 'slept' }, lastRun: effect.run } })
        }
    })
  })

  test('a program is asked to finish only if its record was settling that very run', () => {
    always((plan, { records }) => {
      for (const action of plan)
        for (const effect of action.effects) {
          expect(effect.kind).not.toBe('spawn')
          if (effect.kind !== 'settle') continue
          expect(records.find((kept) => idOf(kept) === idAfter(action))).toMatchObject({ terminal: { state: 'settling', run: effect.run } })
        }
    })
  })

  test('a terminal is given up only if its record was being closed', () => {
    always((plan, { records }) => {
      for (const action of plan.filter((each) => terminalAfter(each) === null))
        expect(records.find((kept) => idOf(kept) === idAfter(action))).toMatchObject({ terminal: { state: 'settling', then: 'close' } })
    })
  })

  test('who lives is shown with its run, unless it is reaped; who does not has none', () => {
    always((plan) => {
      for (const action of plan) {
        const terminal = terminalAfter(action)
        const alive = holderOf(action)?.exited === null && action.kind !== 'reap'
        expect(terminal === null ? null : currentRun(terminal)).toBe(alive ? holderOf(action)?.run : null)
      }
    })
  })

  test('states hold only their own fields, and keep comes before kill', () => {
    always((plan) => {
      for (const action of plan) {
        const terminal = terminalAfter(action)
        if (terminal !== null) expect(terminal).toSatisfy(holdsOnlyItsOwn)
        expect(action.effects).toSatisfy(keepsBeforeKill)
      }
    })
  })

  test('a second boot finds nothing left to decide', () => {
    always((plan, { holders }) => {
      const kept = plan.flatMap((action) => terminalAfter(action) ?? [])
      const released = new Set(
        plan.flatMap(({ effects }) => effects.flatMap((effect) => (effect.kind === 'releaseHolder' ? effect.run : []))),
      )
      const again = planFor(
        kept.map(record),
        holders.filter(({ run }) => !released.has(run)),
      )
      expect(again.map(({ kind }) => kind)).toSatisfy((found: string[]) => found.every((kind) => kind === 'adopt' || kind === 'leave'))
      expect(again.map(terminalAfter)).toEqual(kept)
    }, soundRecords)
  })

  test('a boot that was cut off before its effects ran is simply made again', () => {
    always((plan, { holders }) => {
      const kept = plan.flatMap((action) => terminalAfter(action) ?? [])
      const closed = new Set(plan.flatMap((action) => (terminalAfter(action) === null ? (holderOf(action)?.run ?? []) : [])))
      const again = planFor(
        kept.map(record),
        holders.filter(({ run }) => !closed.has(run)),
      )
      expect(again.map(terminalAfter)).toEqual(kept)
    }, soundRecords)
  })
})

function byRun(a: LivingHolder, b: LivingHolder): number {
  return a.run < b.run ? -1 : 1
}
