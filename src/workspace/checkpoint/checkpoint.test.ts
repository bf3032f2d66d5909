import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asleep, live, runId, settling, terminalId } from '../../../test/support/terminals.ts'
import { arbitraryState, entry, placed } from '../../../test/support/workspaces.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { canonicalForm, canonicalJson, countsOf, stateHashOf } from './checkpoint.ts'

const same = (a: Terminal, b: Terminal) =>
  canonicalForm({ topology: placed(a), terminals: [entry(a)] }) === canonicalForm({ topology: placed(b), terminals: [entry(b)] })

/** The same value with its keys put in another order, all the way down. */
function reordered<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(reordered) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reordered(inner)]),
  ) as Value
}

describe('the canonical form', () => {
  test('is the same whatever the order of terminals and keys in memory', () => {
    fc.assert(
      fc.property(arbitraryState(20), ({ topology, terminals }) => {
        const other = { topology: reordered(topology), terminals: reordered(terminals).toReversed() }
        expect(canonicalForm(other)).toBe(canonicalForm({ topology, terminals }))
      }),
    )
  })

  test('leaves out what changes by itself', () => {
    expect(same(live({ pid: 1, holderPid: 2, touched: 3, title: '⠋ busy', since: 4 }), live({ title: '⠙ busy', touched: 9 }))).toBe(true)
    expect(same(live({ link: { kind: 'unreachable', why: 'x' }, foreground: { pid: 1, name: 'git' } }), live())).toBe(true)
    expect(same(settling({ deadline: 1 }), settling({ deadline: 2 }))).toBe(true)
    const shot = (seq: number) => ({ topology: placed(live()), terminals: [entry(live(), { screen: { run: runId(1), seq, hash: 'h' } })] })
    expect(canonicalForm(shot(1))).toBe(canonicalForm(shot(2)))
  })

  test.each([
    live({ name: 'api' }),
    live({ run: runId(2) }),
    live({ agent: 'claude' }),
    live({ pinned: true }),
    live({ spec: { ...live().spec, args: ['-i'] } }),
    live({ restore: { kind: 'unknown', agent: 'claude' } }),
    asleep({ lastRun: runId(1) }),
    live({ id: terminalId(2) }),
  ])('tells apart what lasts (%#)', (other) => {
    expect(same(live(), other)).toBe(false)
  })

  test('tells screens, directories and layouts apart', () => {
    const [one, two] = [live({ id: terminalId(1) }), live({ id: terminalId(2), run: runId(2) })]
    const state = { topology: placed(one, two), terminals: [entry(one), entry(two)] }
    const others = [
      { ...state, topology: placed(two, one) },
      { ...state, terminals: [entry(one, { cwd: '/elsewhere' }), entry(two)] },
      { ...state, terminals: [entry(one, { screen: { run: runId(1), seq: 0, hash: 'h' } }), entry(two)] },
      { ...state, terminals: [entry(one, { env: { LANG: 'C' } }), entry(two)] },
    ]
    expect(new Set([state, ...others].map((each) => stateHashOf(each, (text) => text))).size).toBe(5)
  })
})

test('canonical JSON is JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('a state can be counted', () => {
  const [one, two] = [live({ id: terminalId(1) }), asleep({ id: terminalId(2) })]
  const counts = countsOf({ topology: placed(one, two), terminals: [entry(one), entry(two)] })
  expect(counts).toEqual({ terminals: 2, withProgram: 1, asleep: 1, screens: 0, workspaces: 1, groups: 1 })
})
