import { expect, test } from 'vitest'
import type { ForgetPlanView } from '../../wire/commands/forget.ts'
import { forgottenText, planLines } from './forget.ts'

const PLAN: ForgetPlanView = {
  terminals: [
    { id: 't0000000001', name: 'api', state: 'asleep' },
    { id: 't0000000002', name: null, state: 'closed' },
  ],
  ...{ runs: 3, screens: 1, checkpoints: { removed: 0, changed: 1 }, auditEntries: 2, files: 0, copies: 1, bytes: 3 << 20 },
}

test('a plan names each terminal, what goes with it, and what stays without it', () => {
  expect(planLines(PLAN)).toEqual([
    'This would forget 2 terminals:',
    '  api: asleep',
    '  t0000000002: closed; it can still be reopened',
    'It would remove 3 logs, 1 screen and 2 audit entries, 3 MiB in total.',
    '1 checkpoint would stay, without them.',
    'It would delete 1 file of damaged databases: single terminals cannot be removed from them.',
  ])
})

test('what was forgotten is counted, and nothing is said of what was not there', () => {
  expect(forgottenText(PLAN)).toBe('Forgot 2 terminals: 3 logs, 1 screen and 2 audit entries, 3 MiB in total.')
  const nothing = { ...PLAN, terminals: [], runs: 0, screens: 0, auditEntries: 0, checkpoints: { removed: 0, changed: 0 } }
  expect(forgottenText(nothing)).toBe('Forgot no terminal.')
})
