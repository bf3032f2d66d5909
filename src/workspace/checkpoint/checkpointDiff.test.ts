import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asleep, live, runId, terminalId } from '../../../test/support/terminals.ts'
import { act, arbitraryActs, arbitraryEntry, arbitraryState, entry, placed } from '../../../test/support/workspaces.ts'
import { moveInDock } from '../layout/topology.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { canonicalEntry, canonicalForm, type WorkspaceState } from './checkpoint.ts'
import { diffCheckpoints, isEmptyDiff, placesOf, rectText } from './checkpointDiff.ts'
import { diffLines } from './checkpointDiffText.ts'

const stateOf = (...terminals: readonly Terminal[]): WorkspaceState => ({
  topology: placed(...terminals),
  terminals: terminals.map((each) => entry(each)),
})
const [one, two] = [live({ id: terminalId(1), name: 'api' }), asleep({ id: terminalId(2), name: 'web' })]

const arbitraryPair = fc.tuple(arbitraryState(25), arbitraryActs(10)).chain(([before, acts]) => {
  const topology = acts.reduce(act, before.topology)
  const kept = new Map(before.terminals.map((each) => [each.terminal.id, each]))
  const entries = topology.dock.map((id) => {
    const old = kept.get(id)
    return old === undefined ? arbitraryEntry(id) : fc.oneof(fc.constant(old), arbitraryEntry(id))
  })
  return fc.tuple(...entries).map((terminals) => ({ before, after: { topology, terminals } }))
})

describe('a difference', () => {
  test('of a state with itself is empty', () => {
    fc.assert(
      fc.property(arbitraryState(25), (state) => {
        expect(diffCheckpoints(state, state)).toEqual({ terminals: [], workspaces: [], groups: [] })
      }),
    )
  })

  test('is empty exactly when the two states are the same', () => {
    fc.assert(
      fc.property(arbitraryPair, ({ before, after }) => {
        const isSame = canonicalForm(before) === canonicalForm(after)
        expect(isEmptyDiff(diffCheckpoints(before, after))).toBe(isSame)
      }),
    )
  })

  test('names every terminal that differs in itself or in its place, and no other', () => {
    fc.assert(
      fc.property(arbitraryPair, ({ before, after }) => {
        const named = diffCheckpoints(before, after).terminals.map(({ id }) => id)
        expect(new Set(named).size).toBe(named.length)
        const [places, newPlaces] = [placesOf(before.topology), placesOf(after.topology)]
        const look = (state: WorkspaceState, where: typeof places, id: string) => {
          const found = state.terminals.find(({ terminal }) => terminal.id === id)
          const place = where.get(id as never)
          return found === undefined
            ? null
            : [canonicalEntry(found), place?.workspace.id, place?.slot, rectText(place?.rect ?? null)].join()
        }
        const both = (id: string) => [look(before, places, id), look(after, newPlaces, id)]
        const all = new Set([...before.terminals, ...after.terminals].map(({ terminal }) => terminal.id))
        for (const id of all) {
          const [was, is] = both(id)
          if (was !== is) expect(named, id).toContain(id)
        }
        for (const id of named) expect(all, id).toContain(id)
      }),
    )
  })

  test('says what appeared and what went', () => {
    const { terminals } = diffCheckpoints(stateOf(one), stateOf(two))
    expect(terminals).toMatchObject([
      { id: one.id, kind: 'went', name: 'api', workspace: 'main' },
      { id: two.id, kind: 'appeared', name: 'web', workspace: 'main' },
    ])
  })

  test('says what changed, in words', () => {
    const changed = live({ ...one, name: 'backend', agent: 'claude', spec: { ...one.spec, cwd: '/srv', args: ['--token', 'hunter2'] } })
    const after = { ...stateOf(changed), terminals: [entry(changed, { screen: { run: runId(1), seq: 1, hash: 'abcdef'.repeat(10) } })] }
    const [diff] = diffCheckpoints(stateOf(one), after).terminals
    const whats = diff?.kind === 'differs' ? diff.changes.map(({ what }) => what) : []
    expect(whats).toEqual(['name', 'cwd', 'startedIn', 'args', 'agent', 'screen'])
    expect(JSON.stringify(diff)).not.toContain('hunter2')
  })

  test.each([
    ['name', entry({ ...one, name: 'x' })],
    ['command', entry({ ...one, spec: { ...one.spec, command: 'fish' } })],
    ['args', entry({ ...one, spec: { ...one.spec, args: [] } })],
    ['env', entry({ ...one, spec: { ...one.spec, env: { A: '1' } } })],
    ['size', entry({ ...one, spec: { ...one.spec, size: { cols: 9, rows: 9 } } })],
    ['theme', entry({ ...one, theme: 'dark' })],
    ['pinned', entry({ ...one, pinned: true })],
    ['muted', entry({ ...one, muted: true })],
    ['onRestore', entry({ ...one, onRestore: 'wake' })],
    ['created', entry({ ...one, created: 77 })],
    ['agent', entry({ ...one, agent: 'codex' })],
    ['conversation', entry({ ...one, restore: { kind: 'unknown', agent: 'codex' } })],
    ['run', entry({ ...one, run: runId(9) })],
    ['run', entry({ ...one, lastRun: runId(9) })],
    ['cwd', entry(one, { cwd: '/elsewhere' })],
    ['cwd', entry(one, { cwd: one.spec.cwd })],
    ['agent', entry(one, { agent: { agent: 'codex', conversation: null, details: {} } })],
    ['seenEnv', entry(one, { env: { LANG: 'C' } })],
    ['screen', entry(one, { screen: { run: runId(1), seq: 1, hash: 'h' } })],
  ])('of nothing but the %s names it (%#)', (what, other) => {
    const [diff] = diffCheckpoints(stateOf(one), { ...stateOf(one), terminals: [other] }).terminals
    expect(diff).toMatchObject({ kind: 'differs', moves: [], changes: [{ what }] })
  })

  test('says of a choice what it was before there was one', () => {
    const [diff] = diffCheckpoints(stateOf(one), stateOf(live({ ...one, muted: true }))).terminals
    expect(diff).toMatchObject({ changes: [{ what: 'muted', from: 'false', to: 'true' }] })
  })

  test('says nothing of what nobody has looked at yet', () => {
    expect(diffCheckpoints(stateOf(one), stateOf(live({ ...one, unread: true }))).terminals).toEqual([])
  })

  test('says what moved: in the dock, on the canvas, to another slot', () => {
    const state = stateOf(one, two)
    const docked = { ...state, topology: moveInDock(state.topology, { terminal: one.id, index: 1 }) }
    expect(diffCheckpoints(state, docked).terminals.map((each) => (each.kind === 'differs' ? each.moves : []))).toEqual([
      [{ what: 'dock', from: '1', to: '2' }],
      [{ what: 'dock', from: '2', to: '1' }],
    ])
    const alone = stateOf(one)
    const [moved] = diffCheckpoints(state, alone).terminals
    expect(moved).toMatchObject({ id: one.id, moves: [{ what: 'slot', from: 'r1 tab 1', to: 'whole tab 1' }] })
  })

  test('can be read by people', () => {
    expect(diffLines(diffCheckpoints(stateOf(one), stateOf(one)))).toEqual(['No difference.'])
    const renamed = live({ ...one, name: 'new\u001b[31m' })
    const lines = diffLines(diffCheckpoints(stateOf(one), stateOf(renamed, two)))
    expect(lines).toContain(`+ terminal ${two.id} (web) in main`)
    expect(lines.join('\n')).toContain('name: api → new[31m')
    expect(lines.join('\n')).not.toContain('\u001b')
  })
})
