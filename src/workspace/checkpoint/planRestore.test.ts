import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asleep, groupId, holdsOnlyItsOwn, live, runId, terminalId, waking, workspaceId } from '../../../test/support/terminals.ts'
import {
  act,
  anAsleepEntry,
  arbitraryActs,
  arbitraryEntry,
  arbitraryState,
  checkpointOf,
  empty,
  entry,
  placed,
} from '../../../test/support/workspaces.ts'
import { terminalsOf } from '../layout/layout.ts'
import { removeTerminal, type Topology, workspacesOf } from '../layout/topology.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { CheckpointTerminal, WorkspaceState } from './checkpoint.ts'
import { planLines } from './checkpointDiffText.ts'
import { pathsToCheck, planRestore, type RestoreInput, type RestorePlan } from './planRestore.ts'
import { USUAL_POLICY } from './planRestoreWakes.ts'

const NOW = 10_000
const spare = { group: groupId(90), workspace: workspaceId(90) }
const host = { id: { machine: 'm', boot: 'b', name: 'here' }, isSame: true }

type Scene = Partial<Omit<RestoreInput, 'checkpoint' | 'present' | 'now'>> & {
  readonly then: WorkspaceState
  readonly now: readonly Terminal[]
  readonly topology?: Topology
}

/** The living of `now` have holders, unless the scene says otherwise. */
function plan({ then, now, topology = placed(...now), ...scene }: Scene): RestorePlan {
  const holders = now.flatMap((terminal) => (terminal.state === 'live' ? [{ terminal: terminal.id, run: terminal.run }] : []))
  const usual = {
    holders,
    policy: USUAL_POLICY,
    host,
    paths: new Map(),
    focused: null,
    now: NOW,
    spare,
    asleepStrangers: 'forget',
  } as const
  const planned = planRestore({ ...usual, ...scene, checkpoint: checkpointOf(then), present: { terminals: now, topology } })
  if (!planned.ok) throw new Error(planned.refusal.message)
  return planned.value
}

const stateOf = (...entries: readonly CheckpointTerminal[]): WorkspaceState => ({
  topology: placed(...entries.map(({ terminal }) => terminal)),
  terminals: entries,
})
const [t1, t2, t3] = [terminalId(1), terminalId(2), terminalId(3)] as const
const kinds = ({ steps }: RestorePlan) => Object.fromEntries(steps.map(({ id, kind }) => [id, kind]))
const screen = { run: runId(1), seq: 9, hash: 'h' }

describe('a terminal of the checkpoint', () => {
  test('whose program lives is left alone, with the record it has now', () => {
    const now = live({ id: t1, name: 'renamed', pid: 7 })
    const planned = plan({ then: stateOf(entry(live({ id: t1, name: 'before' }))), now: [now] })
    expect(planned.steps).toEqual([{ kind: 'adopt', id: t1, terminal: now, why: 'its program is running' }])
    expect(planned.wakes).toEqual([])
  })

  test('whose holder is gone is asleep because lost, with its id, slot and screen', () => {
    const then = stateOf(entry(live({ id: t1 }), { screen }), entry(live({ id: t2, run: runId(2) })))
    const planned = plan({ then, now: [live({ id: t1 }), live({ id: t2, run: runId(2) })], holders: [{ terminal: t2, run: runId(2) }] })
    expect(planned.steps[0]).toMatchObject({
      kind: 'lost',
      id: t1,
      screen,
      terminal: { state: 'asleep', because: { kind: 'lost' }, lastRun: runId(1) },
    })
    expect(planned.topology).toEqual(then.topology)
  })

  test('that is gone now is brought back asleep, in the directory its shell was in', () => {
    const planned = plan({ then: stateOf(entry(live({ id: t1 }), { cwd: '/work', screen })), now: [], topology: empty })
    expect(planned.steps[0]).toMatchObject({ kind: 'bringBack', id: t1, screen, terminal: { state: 'asleep', spec: { cwd: '/work' } } })
  })

  test('that sleeps takes the record it had then, but keeps a conversation that became known since', () => {
    const restore = { kind: 'conversation', agent: 'claude', id: 'x', provenance: 'hook', argv: ['claude'] } as const
    const then = stateOf(entry(asleep({ id: t1, name: 'old' })))
    expect(plan({ then, now: [asleep({ id: t1, name: 'new', restore })] }).steps[0]).toMatchObject({
      kind: 'rest',
      terminal: { name: 'old', restore },
    })
  })

  test('never takes the name of one that lives', () => {
    const then = stateOf(entry(asleep({ id: t1, name: 'api' })), entry(asleep({ id: t2, name: 'api-2' })))
    const planned = plan({ then, now: [live({ id: t3, name: 'api' })] })
    const names = planned.steps.flatMap((step) => ('terminal' in step ? [step.terminal.name] : []))
    expect(names).toEqual(['api-2', 'api-2-2', 'api'])
  })

  test('that is waking is left to wake', () => {
    expect(kinds(plan({ then: stateOf(anAsleepEntry(1)), now: [waking({ id: t1 })] }))).toEqual({ [t1]: 'adopt' })
  })
})

describe('a terminal that the checkpoint does not know', () => {
  test('is kept when it lives, in a workspace at the end, so that no other layout changes', () => {
    const then = stateOf(anAsleepEntry(1), anAsleepEntry(2))
    const planned = plan({ then, now: [asleep({ id: t1 }), live({ id: t3 })] })
    expect(kinds(planned)).toEqual({ [t1]: 'rest', [t2]: 'bringBack', [t3]: 'keepStranger' })
    const [first, last] = workspacesOf(planned.topology)
    expect([first]).toEqual(workspacesOf(then.topology))
    expect(last).toMatchObject({ id: spare.workspace, name: 'kept' })
    expect(terminalsOf(last?.layout ?? { root: null, zoomed: null })).toEqual([t3])
    expect(planned.topology.dock).toEqual([t1, t2, t3])
  })

  test('is forgotten when it sleeps, or kept where the checkpoint may be older than it', () => {
    const scene = { then: stateOf(anAsleepEntry(1)), now: [asleep({ id: t1 }), asleep({ id: t3 })] }
    expect(kinds(plan(scene))).toMatchObject({ [t3]: 'forget' })
    expect(kinds(plan({ ...scene, asleepStrangers: 'keep' }))).toMatchObject({ [t3]: 'keepStranger' })
  })

  test('is never forgotten while its holder lives, whatever its record says', () => {
    const scene = {
      then: stateOf(anAsleepEntry(1)),
      now: [asleep({ id: t3, lastRun: runId(3) })],
      holders: [{ terminal: t3, run: runId(3) }],
    }
    expect(kinds(plan(scene))).toMatchObject({ [t3]: 'keepStranger' })
  })
})

const CONVERSATION = { kind: 'conversation', agent: 'claude', id: 'c1', provenance: 'hook', argv: ['claude', '--resume', 'c1'] } as const

describe('waking', () => {
  const shell = entry(live({ id: t1, run: runId(1) }))
  const agent = entry(live({ id: t2, run: runId(2), restore: CONVERSATION }))
  const program = entry(live({ id: t3, run: runId(3), spec: { ...live().spec, command: 'sh', args: ['-c', 'make deploy'] } }))
  const then = stateOf(shell, agent, program)
  const woken = (policy: Partial<RestoreInput['policy']>, more: Partial<Scene> = {}) =>
    plan({ then, now: [], topology: empty, policy: { ...USUAL_POLICY, ...policy }, ...more }).wakes.map(({ id, mode, afterMs }) => [
      id,
      mode,
      afterMs,
    ])

  test('is nothing by default', () => expect(woken({})).toEqual([]))

  test.each([
    ['manual', []],
    ['shells', [[t1, 'fresh', 0]]],
    ['agents', [[t2, 'resume', 0]]],
    [
      'all',
      [
        [t1, 'fresh', 0],
        [t2, 'resume', 500],
        [t3, 'resume', 1_000],
      ],
    ],
  ] as const)('by the policy %s takes what it names, one after another', (wake, expected) => {
    expect(woken({ wake })).toEqual(expected)
  })

  test('begins with the one looked at, ends at the cap, and says who stays asleep', () => {
    expect(woken({ wake: 'all', cap: 2 }, { focused: t3 })).toEqual([
      [t3, 'resume', 0],
      [t1, 'fresh', 500],
    ])
    const { notWoken } = plan({ then, now: [], topology: empty, policy: { ...USUAL_POLICY, wake: 'all', cap: 2 }, focused: t3 })
    expect(notWoken).toEqual([{ id: t2, why: 'at most 2 are woken' }])
  })

  test('follows what was said about one terminal', () => {
    expect(woken({ wake: 'all', overrides: { [t1]: 'sleep', [t3]: 'sleep' } })).toEqual([[t2, 'resume', 0]])
    expect(woken({ overrides: { [t3]: 'wake' } })).toEqual([[t3, 'resume', 0]])
  })

  test('leaves alone what slept already, what lives, and what has no directory', () => {
    const slept = stateOf(anAsleepEntry(1), entry(asleep({ id: t2, because: { kind: 'lost' } })))
    const policy = { ...USUAL_POLICY, wake: 'all' } as const
    expect(plan({ then: slept, now: [], topology: empty, policy }).wakes.map(({ id }) => id)).toEqual([t2])
    expect(plan({ then, now: [live({ id: t1 })], policy }).wakes.map(({ id }) => id)).toEqual([t2, t3])
    const paths = new Map([['/home/ada', false]])
    const planned = plan({ then, now: [], topology: empty, policy, paths, host: { ...host, isSame: false } })
    expect(planned.wakes).toEqual([])
    expect(planned.missingPaths).toEqual([{ path: '/home/ada', terminals: [t1, t2, t3] }])
    expect(planLines(planned).join('\n')).toContain('from another machine')
  })
})

test('a plan names the paths it needs to know about, and can be read by people', () => {
  const then = stateOf(entry(live({ id: t1, name: 'api', spec: { ...live().spec, command: '/bin/zsh' } }), { cwd: '/work' }))
  expect(pathsToCheck(then)).toEqual(['/bin/zsh', '/work'])
  expect(planLines(plan({ then, now: [], topology: empty }))).toEqual([
    'Restore checkpoint c0000000001, manual, 1970-01-01T00:00:00.005Z',
    `bring back  ${t1} (api) in main: it is no longer here`,
    `not woken   ${t1}  the policy is manual`,
  ])
})

describe('one workspace alone', () => {
  test('that the checkpoint does not have is refused', () => {
    const checkpoint = checkpointOf(stateOf(anAsleepEntry(1)))
    const input = { checkpoint, present: { terminals: [], topology: empty }, holders: [], policy: USUAL_POLICY, host, paths: new Map() }
    expect(planRestore({ ...input, focused: null, now: NOW, spare, asleepStrangers: 'forget', only: workspaceId(7) })).toMatchObject({
      refusal: { code: 'workspace-not-found' },
    })
  })

  test('comes back as it was; guests move out and nothing is forgotten', () => {
    const then = stateOf(anAsleepEntry(1), anAsleepEntry(2))
    const planned = plan({ then, now: [asleep({ id: t2 }), asleep({ id: t3 })], only: workspaceId(1) })
    const [first, last] = workspacesOf(planned.topology)
    expect([first]).toEqual(workspacesOf(then.topology))
    expect(terminalsOf(last?.layout ?? { root: null, zoomed: null })).toEqual([t3])
    expect(kinds(planned)).toEqual({ [t1]: 'bringBack', [t2]: 'rest', [t3]: 'keepStranger' })
  })
})

/** A checkpoint, and what became of the workspace since: things opened, closed, moved, ended and started. */
const arbitraryScene = fc
  .tuple(arbitraryState(25), arbitraryActs(15), fc.constantFrom('keep' as const, 'forget' as const))
  .chain(([then, acts, asleepStrangers]) => {
    const topology = acts.reduce(act, then.topology)
    return fc
      .record({
        entries: fc.tuple(...topology.dock.map(arbitraryEntry)),
        wake: fc.constantFrom('manual' as const, 'shells' as const, 'agents' as const, 'all' as const),
        cap: fc.nat(5),
        seen: fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
        pick: fc.nat(40),
      })
      .map(({ entries, wake, cap, seen, pick }) => {
        const now = entries.map(({ terminal }) => terminal)
        const holders = now.flatMap((terminal, at) =>
          terminal.state !== 'asleep' && seen[at] ? [{ terminal: terminal.id, run: terminal.run }] : [],
        )
        const workspaces = workspacesOf(then.topology)
        const only = workspaces[pick % workspaces.length]?.id
        const base = { then, now, topology, holders, policy: { ...USUAL_POLICY, wake, cap }, asleepStrangers }
        return pick % 4 === 0 && only !== undefined ? { ...base, only } : base
      })
  })

const always = (promise: (scene: Scene, planned: RestorePlan) => void) =>
  fc.assert(
    fc.property(arbitraryScene, (scene) => promise(scene, plan(scene))),
    { numRuns: 100 },
  )
const records = ({ steps }: RestorePlan) => steps.flatMap((step) => ('terminal' in step ? [step.terminal] : []))

describe('for any checkpoint and any present', () => {
  test('what is restored has exactly the layout of the checkpoint, with strangers at the end', () => {
    always(({ then, only }, planned) => {
      if (only !== undefined) return
      const strangers = planned.steps.flatMap(({ kind, id }) => (kind === 'keepStranger' ? [id] : []))
      const theirs = new Set(strangers)
      expect(planned.topology.dock).toEqual([...then.topology.dock, ...planned.topology.dock.filter((id) => theirs.has(id))])
      const known = new Set(workspacesOf(then.topology).map(({ id }) => id))
      const groups = planned.topology.groups.map((group) => ({ ...group, workspaces: group.workspaces.filter(({ id }) => known.has(id)) }))
      expect(groups).toEqual(then.topology.groups)
      const extra = workspacesOf(planned.topology).filter(({ id }) => !known.has(id))
      expect(extra.flatMap(({ layout }) => terminalsOf(layout)).sort()).toEqual([...strangers].sort())
    })
  })

  test('a workspace alone has its layout back, and every other terminal stays somewhere', () => {
    always(({ then, now, only }, planned) => {
      if (only === undefined) return
      const wanted = workspacesOf(then.topology).find(({ id }) => id === only)
      expect(workspacesOf(planned.topology).find(({ id }) => id === only)).toEqual(wanted)
      for (const { id } of now) expect(planned.topology.dock).toContain(id)
    })
  })

  test('no id is doubled, and the records, the layout and the dock speak of the same terminals', () => {
    always((_, planned) => {
      const ids = records(planned)
        .map(({ id }) => id)
        .sort()
      expect(new Set(planned.steps.map(({ id }) => id)).size).toBe(planned.steps.length)
      expect([...planned.topology.dock].sort()).toEqual(ids)
      const workspaces = workspacesOf(planned.topology)
      expect(workspaces.flatMap(({ layout }) => terminalsOf(layout)).sort()).toEqual(ids)
      expect(workspaces.flatMap(({ canvas }) => Object.keys(canvas)).sort()).toEqual(ids)
      expect(new Set(workspaces.map(({ id }) => id)).size).toBe(workspaces.length)
      const names = records(planned).flatMap(({ name }) => name ?? [])
      expect(new Set(names).size).toBe(names.length)
    })
  })

  test('nothing that lives is lost, changed or woken', () => {
    always(({ now, holders = [] }, planned) => {
      const living = now.filter(({ id }) => holders.some(({ terminal }) => terminal === id))
      const woken = new Set(planned.wakes.map(({ id }) => id))
      for (const terminal of living) {
        const step = planned.steps.find(({ id }) => id === terminal.id)
        expect(step).toMatchObject({ kind: expect.stringMatching(/adopt|keepStranger/), terminal })
        expect(woken.has(terminal.id)).toBe(false)
      }
    })
  })

  test('every record holds only what its state can have, and who is not living is asleep', () => {
    always((_, planned) => {
      for (const terminal of records(planned)) expect(terminal).toSatisfy(holdsOnlyItsOwn)
      for (const step of planned.steps) if ('screen' in step) expect(step.terminal.state).toBe('asleep')
    })
  })

  test('no more is woken than the policy and the cap allow', () => {
    always(({ policy = USUAL_POLICY }, planned) => {
      expect(planned.wakes.length).toBeLessThanOrEqual(policy.wake === 'manual' ? 0 : policy.cap)
      expect(planned.wakes.map(({ afterMs }) => afterMs)).toEqual(planned.wakes.map((_, index) => index * policy.staggerMs))
    })
  })

  test('the same input, in any order, gives the same plan; done twice it changes nothing more', () => {
    always((scene, planned) => {
      const shuffled = { ...scene, now: scene.now.toReversed(), then: { ...scene.then, terminals: scene.then.terminals.toReversed() } }
      expect(plan({ ...shuffled, holders: (scene.holders ?? []).toReversed() })).toEqual(planned)
      if (scene.only !== undefined) return
      const again = plan({ ...scene, now: records(planned), topology: planned.topology, spare: { ...spare, workspace: workspaceId(91) } })
      const strangers = planned.steps.filter(({ kind }) => kind === 'keepStranger').map(({ id }) => id)
      const without = (topology: Topology) => strangers.reduce(removeTerminal, topology)
      expect(without(again.topology).dock).toEqual(without(planned.topology).dock)
      for (const { id, kind } of again.steps) if (kind === 'forget') expect(strangers).toContain(id)
    })
  })
})
