import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  arbitraryTerminal,
  asleep,
  groupId,
  live,
  runId,
  STATE_KEYS,
  settling,
  terminalId,
  waking,
  workspaceId,
} from '../../test/support/terminals.ts'
import { emptyTopology, placeTerminal } from '../workspace/layout/topology.ts'
import { decodeTerminal, decodeTopology } from './record.ts'

const states = { asleep: asleep(), waking: waking(), live: live(), settling: settling() }

/** What records of earlier versions lack. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  asleep: ['muted', 'unread', 'private', 'onRestore'],
  waking: ['muted', 'unread', 'private', 'onRestore', 'mode', 'previousRestore'],
  live: ['muted', 'unread', 'private', 'onRestore', 'mode', 'previousRun', 'previousRestore'],
  settling: ['muted', 'unread', 'private', 'onRestore'],
}

describe('a record', () => {
  test('comes back as it was, in whatever state', () => {
    const terminals = fc.nat(100).chain((n) => arbitraryTerminal(terminalId(n), fc.nat(100).map(runId)))
    fc.assert(
      fc.property(terminals, (terminal) => {
        expect(decodeTerminal(terminal.id, JSON.stringify(terminal))).toEqual({ ok: true, value: terminal })
      }),
    )
  })

  test.each(Object.entries(states))('of a terminal that is %s needs every field of its state', (state, terminal) => {
    for (const key of STATE_KEYS[state as keyof typeof states]) {
      if (LATER[state]?.includes(key)) continue
      const { [key as 'id']: _, ...rest } = terminal
      expect(decodeTerminal(terminal.id, JSON.stringify(rest)).ok, `without ${key}`).toBe(false)
    }
  })

  test.each(Object.values(states))('from before terminals could be muted and unread is of one that is neither', (terminal) => {
    const { muted: _muted, unread: _unread, ...rest } = terminal
    expect(decodeTerminal(terminal.id, JSON.stringify(rest))).toMatchObject({ ok: true, value: { muted: false, unread: false } })
    const both = { muted: true, unread: true }
    expect(decodeTerminal(terminal.id, JSON.stringify({ ...rest, ...both }))).toMatchObject({ ok: true, value: both })
  })

  test.each(Object.values(states))('from before there were private terminals is of one that is not', (terminal) => {
    const { private: _, ...rest } = terminal
    expect(decodeTerminal(terminal.id, JSON.stringify(rest))).toMatchObject({ ok: true, value: { private: false } })
    expect(decodeTerminal(terminal.id, JSON.stringify({ ...rest, private: true }))).toMatchObject({ ok: true, value: { private: true } })
  })

  test('from before there was a choice follows the policy', () => {
    const { onRestore: _, ...older } = asleep()
    expect(decodeTerminal(older.id, JSON.stringify(older))).toEqual({ ok: true, value: asleep() })
  })

  test.each(Object.entries(states))('of a terminal that is %s may not hold a field of another state', (state, terminal) => {
    const own: readonly string[] = STATE_KEYS[state as keyof typeof states]
    for (const [key, value] of Object.entries({ ...live(), ...asleep(), ...waking(), ...settling(), surprise: 1 })) {
      if (own.includes(key)) continue
      expect(decodeTerminal(terminal.id, JSON.stringify({ ...terminal, [key]: value })).ok, `with ${key}`).toBe(false)
    }
  })

  test('of an earlier version was started afresh and has nothing to go back to', () => {
    for (const terminal of [waking({ previousRun: runId(8) }), live()]) {
      const { mode: _mode, previousRestore: _restore, ...rest } = terminal
      const { previousRun, ...early } = rest
      const raw = JSON.stringify(terminal.state === 'waking' ? { ...early, previousRun } : early)
      expect(decodeTerminal(terminal.id, raw)).toEqual({ ok: true, value: terminal })
    }
    const failed = { ...asleep(), because: { kind: 'failed', reason: 'x' } }
    expect(decodeTerminal(failed.id, JSON.stringify(failed))).toMatchObject({ value: { because: { resumed: null } } })
  })

  test('under another terminal’s key is not decoded', () => {
    expect(decodeTerminal(terminalId(2), JSON.stringify(asleep({ id: terminalId(1) })))).toMatchObject({
      ok: false,
      why: /it is the record of t/,
    })
  })

  test('that is any text at all never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (raw) => {
        expect(decodeTerminal(terminalId(1), raw).ok).toBe(false)
        expect(decodeTopology(raw).ok).toBe(false)
      }),
    )
  })

  test('says how it came to sleep, while it settles and when it is asleep', () => {
    const pullRequest = { number: 7, title: 'Mend it', url: 'https://github.com/ada/api/pull/7', state: 'OPEN' }
    const slept = { by: 'memory', context: { directory: '/src', branch: 'main', agent: null, pullRequest, freedBytes: 1 } } as const
    for (const terminal of [settling({ slept }), asleep({ because: { kind: 'slept', ...slept } }), asleep()])
      expect(decodeTerminal(terminal.id, JSON.stringify(terminal))).toEqual({ ok: true, value: terminal })
  })

  test('says what is wrong with it', () => {
    const broken = { ...asleep(), pinned: 'yes' }
    expect(decodeTerminal(broken.id, JSON.stringify(broken))).toMatchObject({ ok: false, why: expect.stringContaining('pinned') })
    expect(decodeTerminal(broken.id, '{')).toMatchObject({ ok: false, why: expect.stringContaining('not JSON') })
  })
})

describe('a topology', () => {
  const empty = emptyTopology({ group: groupId(1), workspace: workspaceId(1) })
  const filled = [1, 2, 3, 4, 5].reduce((topology, n) => {
    const placed = placeTerminal(topology, { terminal: terminalId(n), workspace: workspaceId(1) })
    if (!placed.ok) throw new Error(placed.refusal.message)
    return placed.value
  }, empty)

  test('comes back as it was', () => {
    expect(decodeTopology(JSON.stringify(empty))).toEqual({ ok: true, value: empty })
    expect(decodeTopology(JSON.stringify(filled))).toEqual({ ok: true, value: filled })
  })

  test('with a broken node deep in its tree is not decoded', () => {
    const raw = JSON.stringify(filled)
    expect(decodeTopology(raw.replace('"kind":"slot"', '"kind":"hole"')).ok).toBe(false)
    expect(decodeTopology(raw.replace('"direction":"row"', '"direction":"diagonal"')).ok).toBe(false)
    expect(decodeTopology(raw.replace('"view":"split"', '"view":"split","more":1')).ok).toBe(false)
  })
})

test('a pull request whose address cannot be a link is left out, and the record is decoded without it', () => {
  const context = { directory: '/src', branch: 'main', agent: null, freedBytes: null }
  const pullRequest = { number: 7, title: 'Fix', url: 'https://github.com/a/b/pull/7', state: 'OPEN' }
  const decoded = (url: string) => {
    const terminal = asleep({ because: { kind: 'slept', context: { ...context, pullRequest: { ...pullRequest, url } } } })
    return decodeTerminal(terminal.id, JSON.stringify(terminal))
  }
  expect(decoded(pullRequest.url)).toMatchObject({ ok: true, value: { because: { context: { pullRequest } } } })
  for (const url of ['javascript:alert(1)', 'http://github.com/a', `https://github.com/${'a'.repeat(5_000)}`])
    expect(decoded(url)).toMatchObject({ ok: true, value: { because: { context: { ...context, pullRequest: null } } } })
})
