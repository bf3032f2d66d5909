import { describe, expect, it } from 'vitest'
import { resumeArgv } from '../../agents/argv.ts'
import { AGENTS, agentNamed } from '../../agents/programs/all.ts'
import type { Argv } from '../terminal/resume.ts'
import { argvFor, wrapped } from '../terminal/resume.ts'
import { offeredWrapper, unlessInDoubt, type Wrapper, type WrapperLine } from './wrapper.ts'

const ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d3e'
const claude = agentNamed(AGENTS, 'claude')!
const JAIL: WrapperLine = { kind: 'line', before: ['jail', 'claude'] }

const around = (line: string, wrapper: Wrapper = { kind: 'none' }, hasWords = true) =>
  unlessInDoubt(wrapper, { agent: claude, argv: line.split(' '), hasWords })

function resumed(line: string, wrapper: Wrapper): Argv {
  const [command = '', ...args] = resumeArgv(claude, { argv: line.split(' '), id: ID }) ?? []
  return wrapped({ command, args, from: 'conversation', agent: 'claude' }, wrapper, claude)
}

describe('a command line that can be read in two ways', () => {
  it('is not run again: both lines are shown', () => {
    const wrapper = around('claude --new-flag word --verbose')
    expect(wrapper).toMatchObject({ kind: 'unsure', ran: 'claude --new-flag word --verbose', why: expect.stringContaining('"word"') })
    expect(resumed('claude --new-flag word --verbose', wrapper)).toMatchObject({
      ...{ command: 'claude', args: ['--resume', ID, '--verbose', '--new-flag'] },
      unsure: { ran: 'claude --new-flag word --verbose' },
    })
    expect(offeredWrapper(wrapper)).toEqual({ kind: 'none' })
  })

  it('stays in what it ran in, also when the user has chosen', () => {
    const wrapper = around('claude --new-flag word', JAIL)
    expect(wrapper).toMatchObject({ kind: 'unsure', ran: 'jail claude --new-flag word', inside: JAIL })
    expect(resumed('claude --new-flag word', wrapper)).toMatchObject({
      ...{ command: 'jail', args: ['claude', '--resume', ID, '--new-flag'], isWrapped: true },
      unsure: { ran: 'jail claude --new-flag word' },
    })
    expect(offeredWrapper(wrapper)).toEqual(JAIL)
  })

  it('is one whose words are not told apart', () => {
    expect(around('claude fix --dangerously-skip-permissions', { kind: 'none' }, false)).toMatchObject({ kind: 'unsure' })
    expect(around('claude fix it', { kind: 'none' }, false)).toEqual({ kind: 'none' })
  })

  it('is no reason where nothing is in doubt, and no other than the one that is there', () => {
    expect(around('claude --new-flag --verbose')).toEqual({ kind: 'none' })
    expect(around('claude --verbose', JAIL)).toBe(JAIL)
    const other = { kind: 'unsure', ran: 'x', why: 'y' } as const
    expect(around('claude --new-flag word', other)).toBe(other)
  })
})

describe('a terminal whose agent was never seen', () => {
  const ways = { table: { claude: ['--continue'], pi: ['--continue'] }, agents: AGENTS, shell: '/bin/sh' }
  const place = (command: string, ...args: readonly string[]) => ({
    spec: { command, args, cwd: '/', env: {}, size: { cols: 80, rows: 24 } },
    restore: { kind: 'unknown', agent: command } as const,
  })

  it('is not resumed while its command line is in doubt', () => {
    expect(argvFor(place('claude', '--new-flag', 'word'), 'resume', ways)).toMatchObject({ unsure: { ran: 'claude --new-flag word' } })
    expect(argvFor(place('claude', '--verbose'), 'resume', ways)).not.toHaveProperty('unsure')
  })

  it('begins anew, with its flags and without its prompt, where it saves no conversation', () => {
    const argv = argvFor(place('pi', '--no-session', '--no-tools', 'do it'), 'resume', ways)
    expect(argv).toEqual({ command: 'pi', args: ['--no-session', '--no-tools'], from: 'new', agent: 'pi' })
  })
})
