import { expect, test } from 'vitest'
import type { ForgetPlanView } from '../../wire/commands/forget.ts'
import { forgetSentences } from './closingWords.ts'

const PLAN: ForgetPlanView = {
  terminals: [{ id: 't0000000001', name: 'api', state: 'asleep' }],
  ...{ runs: 2, screens: 1, checkpoints: { removed: 0, changed: 3 }, auditEntries: 0, files: 1, copies: 0, bytes: 4_000_000 },
}

test('what forgetting removes is counted, what stays is named, and that it is for good', () => {
  expect(forgetSentences(PLAN)).toEqual([
    'Removes its record, 2 logs, 1 screen, 1 dropped file (4 MB) and rewrites the databases.',
    '3 checkpoints stay, without it.',
    'Backups, exports and the agent’s own files are not touched.',
    'This cannot be undone.',
  ])
  expect(forgetSentences({ ...PLAN, copies: 2 })).toContain('Copies of damaged databases are removed too.')
  expect(forgetSentences(null)).toEqual(['Counting what would be removed…'])
})
