import { describe, expect, test } from 'vitest'
import type { ProcessSight } from '../../agents/agent.ts'
import { whatRuns } from './running.ts'

const process = (pid: number, argv: readonly string[], changes: Partial<ProcessSight> = {}): ProcessSight => ({
  ...{ pid, start: '1', parent: pid === 1 ? 0 : 1, group: pid, session: '1', name: argv[0] ?? '', executable: null, argv },
  ...changes,
})
const shell = process(1, ['-zsh'])

describe('what runs in a terminal', () => {
  test.each([['-zsh'], ['/bin/bash'], ['fish', '--login'], ['bash', '-i']])('is nothing, with %s at its prompt', (...argv) => {
    expect(whatRuns({ processes: [process(1, argv)], root: 1, group: 1 })).toEqual({ program: null, others: 0 })
  })

  test.each([
    ['sh', '-c', 'sleep 5; true'],
    ['bash', 'build.sh'],
    ['vim', 'notes.md'],
    ['zsh', '-lic', 'x'],
  ])('is %s itself', (...argv) => {
    expect(whatRuns({ processes: [process(1, argv)], root: 1, group: 1 })).toEqual({
      program: argv.join(' ').replace('sleep 5; true', "'sleep 5; true'"),
      others: 0,
    })
  })

  test('is what was started from the shell and has the keyboard, with what that has started', () => {
    const make = process(2, ['/usr/bin/make', 'all'])
    const cc = process(3, ['cc1'], { parent: 2, group: 2 })
    expect(whatRuns({ processes: [shell, make, cc], root: 1, group: 2 })).toEqual({ program: 'make all', others: 1 })
  })

  test('is a job in the background, too', () => {
    expect(whatRuns({ processes: [shell, process(2, ['npm', 'run', 'dev'])], root: 1, group: 1 })).toEqual({ program: null, others: 1 })
  })

  test('is not what a prompt keeps beside its shell', () => {
    const helpers = [process(2, ['-zsh']), process(3, ['/home/ada/.cache/gitstatus/gitstatusd-linux-x86_64', '-G', 'v1'])]
    expect(whatRuns({ processes: [shell, ...helpers], root: 1, group: 1 })).toEqual({ program: null, others: 0 })
  })
})
