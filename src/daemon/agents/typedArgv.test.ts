import { describe, expect, test } from 'vitest'
import type { ProcessSight } from '../../agents/agent.ts'
import { AGENTS, agentNamed } from '../../agents/programs/all.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { loginStart } from '../../workspace/command/loginShell.ts'
import type { Restore } from '../../workspace/terminal/terminal.ts'
import { typedArgv } from './typedArgv.ts'

const pi = agentNamed(AGENTS, 'pi')!
const BLANK = ['pi', '', '', '']
const at = (pid: number, parent: number, argv: readonly string[]): ProcessSight => ({
  ...{ pid, parent, argv, start: '1', group: pid, session: '1', name: 'pi', executable: '/usr/bin/node' },
})
const cardOf = (command: string, args: readonly string[]) => ({ pid: 10, command, args }) as unknown as HolderCard
const kept: Restore = { kind: 'conversation', agent: 'pi', id: 'x', provenance: 'store', argv: ['pi', '--session', 'x', '--no-tools'] }
const SHELL: Restore = { kind: 'shell' }

describe('the command line of an agent', () => {
  test('is that of the terminal, where the agent is its command, whatever the process calls itself', () => {
    const process = at(10, 1, BLANK)
    const seen = { agent: pi, process, processes: [process] }
    expect(typedArgv({ terminal: { restore: SHELL }, card: cardOf('pi', ['--no-tools', 'go']) }, seen)).toEqual(['pi', '--no-tools', 'go'])
    expect(typedArgv({ terminal: { restore: SHELL }, card: cardOf('bash', []) }, seen)).toBe(BLANK)
  })

  test('is the one that was kept, where Holdfast has resumed the agent', () => {
    const { command, args } = loginStart({ shell: '/bin/bash', argv: ['pi'], cwd: '/', env: {}, path: '', trialEnds: 0 })!
    const root = ['/bin/sh', '-c', args.at(-1)!.replace(/^exec \/bin\/sh -c '(.*)'$/, '$1')]
    const process = at(11, 10, BLANK)
    const seen = (parent: readonly string[]) => ({ agent: pi, process, processes: [at(10, 1, parent), process] })
    const place = (restore: Restore) => ({ terminal: { restore }, card: cardOf(command, args) })
    expect(typedArgv(place(kept), seen(root))).toBe(kept.argv)
    // The agent was left, and another one typed into the shell that is there then.
    expect(typedArgv(place(kept), seen(['/bin/bash']))).toBe(BLANK)
    expect(typedArgv(place({ kind: 'quit', agent: 'pi', id: 'x' }), seen(root))).toBe(BLANK)
    expect(typedArgv(place({ ...kept, agent: 'claude' }), seen(root))).toBe(BLANK)
  })
})
