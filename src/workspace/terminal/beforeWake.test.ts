import { describe, expect, it } from 'vitest'
import { runId } from '../../../test/support/terminals.ts'
import { type BeforeWake, beforeWords, durationWords, endOf, momentWords } from './beforeWake.ts'

const at = (hour: number, minute = 0): number => new Date(2026, 10, 17, hour, minute).getTime()
const words = (before: Partial<BeforeWake>): string =>
  beforeWords({ run: runId(1), end: { kind: 'slept' }, since: at(6, 55), woken: at(9), isResume: true, ...before })

describe('the line between two runs', () => {
  it('says how long it was asleep, and when it was woken', () => {
    expect(words({})).toBe('── asleep for 2 h 5 min, woken Tue 17 Nov 09:00 ──')
  })

  it('says how the program before ended, and how the next one began', () => {
    expect(words({ end: { kind: 'lost' } })).toBe('── lost by Tue 17 Nov 06:55, resumed Tue 17 Nov 09:00 ──')
    expect(words({ end: { kind: 'exited', status: { code: 3 } }, isResume: false })).toBe(
      '── ended with code 3 Tue 17 Nov 06:55, started again Tue 17 Nov 09:00 ──',
    )
    expect(words({ end: { kind: 'exited', status: { signal: 'SIGKILL' } } })).toMatch(/ended by SIGKILL/)
    expect(words({ end: { kind: 'failed' } })).toBe('── a wake had failed, resumed Tue 17 Nov 09:00 ──')
  })

  it('holds nothing of the reason but what it says', () => {
    const context = { directory: '/secret', branch: null, agent: null, pullRequest: null, freedBytes: null }
    expect(endOf({ kind: 'slept', by: 'idle', context })).toEqual({ kind: 'slept' })
    expect(endOf({ kind: 'failed', reason: 'why', resumed: null })).toEqual({ kind: 'failed' })
    expect(endOf({ kind: 'exited', status: { code: 1 } })).toEqual({ kind: 'exited', status: { code: 1 } })
  })
})

describe('times', () => {
  it('are told in the two largest units', () => {
    const minute = 60_000
    expect([59_999, minute, 60 * minute, 125 * minute, 24 * 60 * minute, 51 * 60 * minute + 5 * minute].map(durationWords)).toEqual([
      'less than a minute',
      '1 min',
      '1 h',
      '2 h 5 min',
      '1 d',
      '2 d 3 h',
    ])
  })

  it('are those of the clock on the wall', () => {
    expect(momentWords(at(23, 7))).toBe('Tue 17 Nov 23:07')
  })
})
