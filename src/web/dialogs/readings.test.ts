import { expect, test } from 'vitest'
import { agentLogText, statusText } from './readings.ts'

test('the daemon says how it does, and what does not work', () => {
  const status = {
    pid: 7,
    startedAt: 0,
    version: '1.2.3',
    home: '/state',
    web: { url: null, trouble: 'the port is taken' },
    terminals: { live: 2, asleep: 1 },
    clients: 3,
    snapshots: { taken: 9, inexact: 1 },
    logs: { bytes: 1_500_000, limit: 1_000_000_000 },
    troubles: ['The disk is full.'],
  }
  const lines = statusText(status, 3_600_000).split('\n')
  expect(lines).toEqual([
    'Version 1.2.3, process 7, started 1 h ago',
    'State directory: /state',
    'Page: the port is taken',
    '2 terminals live, 1 asleep, 3 clients',
    '9 snapshots taken, 1 of them inexact',
    'Logs: 1.5 of 1000 MB',
    'The disk is full.',
  ])
  expect(statusText({ ...status, troubles: [] }, 0)).toContain('OK')
})

test('what was decided about an agent is told line by line, or that none was seen', () => {
  const entry = { at: 0, event: 'bind', agent: 'codex', id: 'abc', provenance: 'hook', why: 'its hook said so' } as const
  expect(agentLogText([entry])).toMatch(/bind codex {2}abc {2}its hook said so$/)
  expect(agentLogText([])).toBe('No agent was detected here.')
})
