import { describe, expect, it } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import type { Because } from '../../wire/view.ts'
import { commandText } from '../../workspace/command/commandText.ts'
import { shortPath, stateText } from './format.ts'

describe('a terminal in words', () => {
  it('says why it is asleep, and that it cannot be reached', () => {
    const asleep = (because: Because) => stateText(terminalView({ state: 'asleep', because }))
    expect(asleep({ kind: 'exited', status: { code: 3 } })).toBe('asleep (exit 3)')
    expect(asleep({ kind: 'exited', status: { signal: 'SIGKILL' } })).toBe('asleep (killed by SIGKILL)')
    expect(asleep({ kind: 'lost' })).toBe('asleep (lost)')
    expect(asleep({ kind: 'failed', reason: 'no shell', resumed: null })).toBe('asleep (failed: no shell)')
    expect(stateText(terminalView())).toBe('live')
    expect(stateText(terminalView({ trouble: 'its holder…' }))).toBe('live (unreachable)')
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
})
