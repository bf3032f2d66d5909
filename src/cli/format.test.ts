import { describe, expect, it } from 'vitest'
import { commandText } from '../workspace/commandText.ts'
import { ageText, shortPath, stateText } from './format.ts'

describe('a terminal in words', () => {
  it('says why it is asleep, and that it cannot be reached', () => {
    const asleep = { state: 'asleep', trouble: null } as const
    expect(stateText({ ...asleep, because: { kind: 'exited', status: { code: 3 } } })).toBe('asleep (exit 3)')
    expect(stateText({ ...asleep, because: { kind: 'exited', status: { signal: 'SIGKILL' } } })).toBe('asleep (killed by SIGKILL)')
    expect(stateText({ ...asleep, because: { kind: 'lost' } })).toBe('asleep (lost)')
    expect(stateText({ ...asleep, because: { kind: 'failed', reason: 'no shell', resumed: null } })).toBe('asleep (failed: no shell)')
    expect(stateText({ state: 'live', because: null, trouble: null })).toBe('live')
    expect(stateText({ state: 'live', because: null, trouble: 'its holder…' })).toBe('live (unreachable)')
  })

  it('writes commands so that a shell would read them back', () => {
    expect(commandText('npm', ['run', 'dev'])).toBe('npm run dev')
    expect(commandText('sh', ['-c', "echo 'a b'", ''])).toBe(`sh -c 'echo '\\''a b'\\''' ''`)
  })

  it('shortens the home directory, and only that', () => {
    expect(shortPath('/home/ada', '/home/ada')).toBe('~')
    expect(shortPath('/home/ada/x', '/home/ada')).toBe('~/x')
    expect(shortPath('/home/adam', '/home/ada')).toBe('/home/adam')
    expect(shortPath('/x', '/')).toBe('/x')
    expect(shortPath('/x', undefined)).toBe('/x')
  })

  it('tells ages in the largest whole unit', () => {
    expect([0, 999, 1_000, 59_999, 60_000, 3_600_000, 90_000_000, 8e8].map(ageText)).toEqual([
      '0s',
      '0s',
      '1s',
      '59s',
      '1m',
      '1h',
      '1d',
      '9d',
    ])
    expect(ageText(-5)).toBe('0s')
  })
})
