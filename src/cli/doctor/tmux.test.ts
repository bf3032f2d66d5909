import { expect, test } from 'vitest'
import { tmuxFindings } from './tmux.ts'

const installed = { ok: true, version: '3.4' } as const
const missing = { ok: false, why: 'tmux is not installed' } as const
const nothing = { kind: 'known', sessions: [] } as const

test('a tmux that is not used is named, and its limits are nobody’s business', () => {
  expect(tmuxFindings({ installed, isWanted: false, held: nothing })).toEqual([
    { name: 'tmux', level: 'ok', detail: '3.4, can hold programs', advice: '' },
  ])
})

test('one that is used comes with how many programs it holds and what it cannot do', () => {
  const findings = tmuxFindings({ installed, isWanted: true, held: nothing })
  expect(findings[0]?.detail).toBe('3.4, can hold programs, holds none now')
  expect(findings.map(({ detail }) => detail).join(' ')).toMatch(/not byte for byte.*keyboard protocols/)
})

test('where it is wanted and missing, it is said who holds programs instead', () => {
  const [finding] = tmuxFindings({ installed: missing, isWanted: true, held: nothing })
  expect([finding?.level, finding?.advice]).toEqual(['warn', expect.stringContaining('new programs run in holders')])
  expect(tmuxFindings({ installed: missing, isWanted: false, held: nothing })[0]?.advice).toContain('Optional')
})

test('a server that does not answer is no server without programs', () => {
  const [finding] = tmuxFindings({ installed, isWanted: false, held: { kind: 'unknown', why: 'it hangs' } })
  expect([finding?.level, finding?.detail]).toEqual(['warn', expect.stringContaining('it hangs')])
})
