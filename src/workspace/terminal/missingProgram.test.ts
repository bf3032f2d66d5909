import { describe, expect, it } from 'vitest'
import { type Disk, missingProgram } from './losses.ts'

const disk = (there: readonly string[], more: Partial<Disk> = {}): Disk => ({
  isThere: (path) => there.includes(path),
  agentPath: '/usr/bin',
  terminalPath: '/usr/bin',
  temporary: ['/tmp', '/var/tmp'],
  ...more,
})
const resume = (...[command = '', ...args]: string[]) => ({ command, args })

describe('the program of a resume', () => {
  it('is found again where it was, or by its name', () => {
    expect(missingProgram(resume('/opt/claude', '--resume', 'x'), disk(['/opt/claude']))).toBeNull()
    expect(missingProgram(resume('claude'), disk(['/usr/bin/claude']))).toBeNull()
    expect(missingProgram(resume('/opt/gone/claude'), disk(['/usr/bin/claude']))).toBeNull() // updated, and moved
    expect(missingProgram(resume('/tmp/x/claude'), disk(['/tmp/x/claude', '/usr/bin/claude']))).toBeNull()
  })

  it('is missed where it was removed', () => {
    expect(missingProgram(resume('/opt/claude'), disk([]))).toEqual({ path: '/opt/claude', why: 'removed' })
    expect(missingProgram(resume('claude'), disk([]))).toEqual({ path: 'claude', why: 'removed' })
    const node = disk(['/usr/bin/node'])
    expect(missingProgram(resume('node', '/opt/agent.js'), node)).toEqual({ path: '/opt/agent.js', why: 'removed' })
  })

  it('is missed where it lies in a directory for temporary files or a runner’s cache', () => {
    for (const path of ['/tmp/x/claude', '/home/u/.npm/_npx/1f/node_modules/.bin/claude', '/home/u/.cache/uv/archive-v0/x/bin/claude'])
      expect(missingProgram(resume(path), disk([path]))).toEqual({ path, why: 'temporary' })
    const own = disk(['/tmp/v/claude'], { agentPath: '/tmp/v:/usr/bin' }) // only the agent has it in its PATH
    expect(missingProgram(resume('claude'), own)).toEqual({ path: '/tmp/v/claude', why: 'temporary' })
  })

  it('is not looked for elsewhere if it is what the agent ran in: another one of that name may do less', () => {
    const jailed = { ...resume('/opt/jail', 'claude'), isWrapped: true } as const
    expect(missingProgram(jailed, disk(['/usr/bin/jail']))).toEqual({ path: '/opt/jail', why: 'removed' })
    expect(missingProgram(jailed, disk(['/opt/jail']))).toBeNull()
  })
})
