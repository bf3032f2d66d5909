import { expect, test } from 'vitest'
import { asleep, live, settling, spec, waking } from '../../../test/support/terminals.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { storable, storableClosed, storableEntry } from './storable.ts'

/** Whatever a program was given, showed or told, in every field that can hold it. */
const SECRET = 'hunter2'
const restore = {
  kind: 'conversation',
  agent: 'claude',
  id: SECRET,
  provenance: 'hook',
  argv: ['claude', SECRET],
  cwd: `/${SECRET}`,
  env: { A: SECRET },
} as const
const given = { private: true, spec: { ...spec, args: [SECRET, '-x'], env: { TOKEN: SECRET } }, title: SECRET, restore } as const
const context = { directory: `/${SECRET}`, branch: SECRET, agent: SECRET, pullRequest: null, freedBytes: 1 }
const STATES: readonly Terminal[] = [
  asleep({ ...given, because: { kind: 'slept', by: 'idle', context } }),
  asleep({ ...given, because: { kind: 'exited', status: { code: 3 } } }),
  waking({ ...given, previousRestore: restore }),
  live({ ...given, previousRestore: restore, foreground: { pid: 7, name: SECRET } }),
  settling({ ...given, slept: { context } }),
]

test.each(STATES)('nothing that a private terminal was given or showed is stored while it is $state', (terminal) => {
  expect(JSON.stringify(storable(terminal))).not.toContain(SECRET)
  expect(storable(terminal)).toMatchObject({
    id: terminal.id,
    state: terminal.state,
    spec: { command: 'zsh', withheld: { args: 2, env: 1 } },
  })
  const seen = { terminal, cwd: `/${SECRET}`, env: { A: SECRET }, agent: { agent: 'claude', conversation: SECRET, details: {} } }
  expect(JSON.stringify(storableEntry(seen))).not.toContain(SECRET)
})

test('how it ended, and how many arguments there were, is stored; also when it is stored again', () => {
  const once = storable(asleep({ ...given, because: { kind: 'exited', status: { code: 3 } } }))
  expect(once.because).toEqual({ kind: 'exited', status: { code: 3 } })
  expect(storable(once)).toEqual(once)
  expect(storable(asleep({ private: true, spec: { ...spec, args: [] } })).spec).not.toHaveProperty('withheld')
})

test('a private terminal that was closed goes back to no directory and no environment', () => {
  const closed = {
    terminal: asleep(given),
    at: 1,
    until: 2,
    before: { groups: [], dock: [] },
    seen: { cwd: `/${SECRET}`, env: { A: SECRET } },
    worktree: null,
  }
  expect(JSON.stringify(storableClosed(closed))).not.toContain(SECRET)
})

test('a usual terminal is stored as it is', () => {
  const usual = live({ spec: { ...spec, args: [SECRET] }, title: SECRET, restore })
  expect(storable(usual)).toBe(usual)
})
