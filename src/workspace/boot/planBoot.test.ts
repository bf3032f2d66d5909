import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arbitraryLink,
  arbitraryStatus,
  arbitraryTerminal,
  asleep,
  groupId,
  live,
  runId,
  settling,
  spec,
  terminalId,
  waking,
  workspaceId,
} from '../../../test/support/terminals.ts'
import { checkpointOf, entry, placed } from '../../../test/support/workspaces.ts'
import { emptyTopology } from '../layout/topology.ts'
import { keepsBeforeKill } from '../terminal/keepBeforeKill.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { KeptRecord, LivingHolder } from './found.ts'
import { type Begun, type BootFacts, type BootPlan, planBoot } from './planBoot.ts'
import { type Action, reconcile } from './reconcile.ts'

const ONE = terminalId(1)
const SPARE = { group: groupId(9), workspace: workspaceId(9) }
const HOST = { id: { machine: 'm', boot: 'b', name: 'here' }, isSame: true }
const HERE = { agents: [], shell: '/bin/sh', home: '/home/ada', now: 100, from: 'there' }
const ok = (terminal: Terminal): KeptRecord => ({ ok: true, terminal })
const broken = (id: string): KeptRecord => ({ ok: false, id, raw: '{', why: 'it is not JSON' })
const holder = (changes: Partial<LivingHolder> = {}): LivingHolder => ({
  ...{ terminal: ONE, run: runId(1), pid: 200, holderPid: 199, startedAt: 50, exited: null, spec, link: { kind: 'connected' } },
  ...changes,
})

function factsOf(changes: Partial<BootFacts> = {}): BootFacts {
  let made = 500
  return {
    ...{ kept: [], fill: null, elsewhere: null, topology: emptyTopology(SPARE), living: [], ended: [], begun: new Map() },
    before: { session: { createdAt: 1, clean: false, lastCheckpointAt: null }, toldAt: null, hasRebooted: false },
    ...{ now: 100, graceMs: 300, fallbackSpec: spec, makeId: () => terminalId(made++) },
    ...changes,
  }
}

const idOf = (action: Action) => ('id' in action ? action.id : action.terminal.id)
const became = (plan: BootPlan, id = ONE): Terminal | null => {
  const action = plan.actions.find((each) => idOf(each) === id)
  return action !== undefined && 'terminal' in action ? action.terminal : null
}

describe('a wake that was interrupted', () => {
  const woken = waking({ id: ONE, run: runId(1), lastRun: runId(1), previousRun: runId(7), mode: 'resume' })
  const planned = (begun: Begun, terminal = woken) =>
    became(planBoot(factsOf({ kept: [ok(terminal)], begun: new Map([[runId(1), begun]]) })))
  test.each<[Begun, number]>([
    ['nothing', 7],
    ['prepared', 7],
    ['started', 1],
    ['ended', 7],
  ])('and had begun as far as "%s" shows run %i', (begun, shown) => {
    expect(planned(begun)).toMatchObject({ state: 'asleep', because: { kind: 'lost' }, lastRun: runId(shown) })
  })

  test('and was a fresh start shows its own output once its program ran', () => {
    expect(planned('ended', { ...woken, mode: 'fresh' })).toMatchObject({ lastRun: runId(1) })
  })

  test('goes on where its holder lives', () => {
    expect(became(planBoot(factsOf({ kept: [ok(woken)], living: [holder()] })))).toMatchObject({ state: 'live', previousRun: runId(7) })
  })
})

describe('an end', () => {
  const told = { session: { createdAt: 1, clean: true, lastCheckpointAt: null }, toldAt: 90, hasRebooted: true }
  const ended = holder({ exited: { signal: 'SIGTERM' }, exitedAt: 91, link: { kind: 'unreachable', why: 'it has ended' } })

  test('that was the machine’s leaves the terminal lost, and is asked about', () => {
    const plan = planBoot(factsOf({ kept: [ok(live({ id: ONE, run: runId(1) }))], ended: [ended], before: told }))
    expect(became(plan)).toMatchObject({ because: { kind: 'lost' } })
    expect([plan.happened, [...plan.lost]]).toEqual(['shutdown', [ONE]])
  })

  test('that a dying daemon took for the program’s own is mended, kept and told', () => {
    const seen = asleep({ id: ONE, lastRun: runId(1), since: 91, because: { kind: 'exited', status: { signal: 'SIGTERM' } } })
    const plan = planBoot(factsOf({ kept: [ok(seen)], before: told }))
    expect(plan.actions).toMatchObject([
      { kind: 'markLost', terminal: { because: { kind: 'lost' } }, effects: [{ kind: 'keep' }, { kind: 'announce' }] },
    ])
    expect([...plan.mended]).toEqual([ONE])
  })

  test('of a run that its record no longer has is nobody’s', () => {
    const plan = planBoot(factsOf({ kept: [ok(asleep({ id: ONE, lastRun: runId(1), because: { kind: 'lost' } }))], ended: [ended] }))
    expect(plan.actions.map(({ kind }) => kind)).toEqual(['leave'])
  })

  test('that we asked for says nothing about the machine: the power was cut, nothing was shut down', () => {
    const TWO = terminalId(2)
    const kept = [ok(settling({ id: ONE, run: runId(1), then: 'sleep' })), ok(live({ id: TWO, run: runId(2) }))]
    const hungUp = { ...ended, exited: { signal: 'SIGHUP' } }
    const plan = planBoot(factsOf({ kept, ended: [hungUp], before: { ...told, toldAt: null } }))
    expect([plan.happened, [...plan.lost]]).toEqual(['reboot', [TWO]])
    expect(became(plan)).toMatchObject({ because: { kind: 'slept' } })
  })

  test('of what was put to sleep is a sleep, even with the machine', () => {
    const kept = [ok(settling({ id: ONE, run: runId(1), then: 'sleep' }))]
    for (const ends of [[], [ended]]) {
      const plan = planBoot(factsOf({ kept, ended: ends, before: told }))
      expect(became(plan)).toMatchObject({ because: { kind: 'slept' } })
    }
  })
})

describe('what the database no longer tells', () => {
  const then = [live({ id: ONE, run: runId(1), name: 'one' }), asleep({ id: terminalId(2), name: 'two' })]
  const checkpoint = checkpointOf({ topology: placed(...then), terminals: then.map((terminal) => entry(terminal)) })
  const fill = { checkpoint, topology: null, isNewer: false, now: 100, spare: SPARE, host: HOST }

  test('comes from the checkpoint, and living holders go on', () => {
    const plan = planBoot(factsOf({ kept: [broken(ONE), broken(terminalId(2))], fill, living: [holder()] }))
    expect(plan.filled?.terminals.map(({ terminal }) => terminal.id)).toEqual([ONE, terminalId(2)])
    expect(became(plan)).toMatchObject({ state: 'live', name: 'one' })
    expect(became(plan, terminalId(2))).toMatchObject({ state: 'asleep', name: 'two' })
    expect(plan.isWhole).toBe(true)
  })

  test('is taken home where it is another machine’s, but for what lives here', () => {
    const plan = planBoot(factsOf({ kept: then.map(ok), elsewhere: HERE, living: [holder()] }))
    expect(plan.home?.terminals).toMatchObject([{ id: terminalId(2), imported: { from: 'there' } }])
    expect(became(plan)).toMatchObject({ state: 'live', name: 'one' })
  })
})

const runs = fc.integer({ min: 1, max: 6 }).map(runId)
const ids = fc.integer({ min: 1, max: 4 }).map(terminalId)
const records = fc.uniqueArray(
  ids.chain((id) =>
    fc.oneof({ weight: 4, arbitrary: arbitraryTerminal(id, runs).map(ok) }, { weight: 1, arbitrary: fc.constant(broken(id)) }),
  ),
  { selector: (kept) => (kept.ok ? kept.terminal.id : kept.id) },
)
const holders = (exited: LivingHolder['exited'] | 'any') =>
  fc.uniqueArray(
    fc
      .record({ terminal: ids, run: runs, startedAt: fc.nat(9), status: arbitraryStatus, link: arbitraryLink, exitedAt: fc.nat(120) })
      .map(({ status, exitedAt, ...rest }) => holder({ ...rest, ...(exited === null ? {} : { exited: status, exitedAt }) })),
    { selector: ({ run }) => run },
  )
const facts = fc
  .record({
    kept: records,
    living: holders(null),
    gone: holders('any'),
    begun: fc.array(fc.tuple(runs, fc.constantFrom<Begun>('nothing', 'prepared', 'started', 'ended'))),
    toldAt: fc.option(fc.nat(120)),
    hasRebooted: fc.boolean(),
    clean: fc.boolean(),
    isCopied: fc.boolean(),
  })
  .map(({ kept, living, gone, begun, toldAt, hasRebooted, clean, isCopied }) => {
    const alive = new Set(living.map(({ run }) => run))
    return factsOf({
      ...{ kept, living, elsewhere: isCopied ? HERE : null },
      ended: gone.filter(({ run }) => !alive.has(run)),
      begun: new Map(begun.filter(([run]) => !alive.has(run))),
      before: { session: { createdAt: 1, clean, lastCheckpointAt: null }, toldAt, hasRebooted },
    })
  })

const always = (promise: (plan: BootPlan, given: BootFacts) => void) =>
  fc.assert(
    fc.property(facts, (given) => promise(planBoot(given), given)),
    { numRuns: 500 },
  )

describe('whatever was kept and whoever lives', () => {
  test('every record and every living holder is dealt with exactly once', () => {
    always((plan, { kept, living }) => {
      const planned = plan.actions.map(idOf)
      expect(new Set(planned).size).toBe(planned.length)
      for (const record of kept) expect(planned).toContain(record.ok ? record.terminal.id : record.id)
      const held = plan.actions.flatMap((action) => ('holder' in action ? [action.holder.run] : []))
      for (const { run } of living) expect(held.filter((each) => each === run)).toEqual([run])
    })
  })

  test('what must survive is written before anything that cannot be undone', () => {
    always(({ actions }) => {
      for (const { effects } of actions) expect(effects).toSatisfy(keepsBeforeKill)
    })
  })

  test('a sleep that was kept, or was under way, is never turned into a loss', () => {
    always((plan, { kept, elsewhere }) => {
      if (elsewhere !== null) return // what comes from another machine sleeps until it is confirmed
      for (const record of kept) {
        if (!record.ok) continue
        const { terminal } = record
        const isSlept = terminal.state === 'asleep' ? terminal.because.kind === 'slept' : terminal.state === 'settling'
        const now = became(plan, terminal.id)
        if (isSlept && now?.state === 'asleep') expect(now.because.kind).not.toBe('lost')
      }
    })
  })

  test('only what is asleep and lost is asked about', () => {
    always((plan) => {
      for (const id of plan.lost) expect(became(plan, id)).toMatchObject({ state: 'asleep', because: { kind: 'lost' } })
    })
  })

  test('on a machine that has not gone down, with everything here, it is what reconcile says', () => {
    always((_, given) => {
      const calm = factsOf({ kept: given.kept, living: given.living })
      const plain = factsOf({ kept: given.kept, living: given.living })
      expect(planBoot(calm).actions).toEqual(reconcile({ ...plain, records: given.kept, holders: given.living }))
    })
  })
})
