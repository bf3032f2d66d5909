import { describe, expect, test } from 'vitest'
import { spec } from '../../../test/support/terminals.ts'
import { AGENTS } from '../../agents/programs/all.ts'
import type { AgentState } from '../../agents/state.ts'
import { type BeforeSleep, lossesOf } from './losses.ts'
import type { Restore } from './terminal.ts'

const ways = { table: { vim: ['-r'] }, agents: AGENTS, shell: 'zsh' }
const root = { pid: 10, parent: 1, session: 's', name: 'zsh', argv: ['-zsh'], startedAt: 0 }
const running = { processes: [root], root: 10, agent: [] }
const known: Restore = { kind: 'conversation', agent: 'claude', id: 'c1', provenance: 'hook', argv: ['claude', '--resume', 'c1'] }

const seen = (changes: Partial<BeforeSleep> = {}): BeforeSleep => ({
  ...{ place: { spec, restore: { kind: 'shell' } }, ways, private: false, agent: null, running },
  ...changes,
})
const claude = (state: AgentState, restore: Restore = known): BeforeSleep =>
  seen({ place: { spec, restore }, agent: { id: 'claude', label: 'Claude Code', state } })
const program = (command: string, ...args: string[]): BeforeSleep =>
  seen({ place: { spec: { ...spec, command, args }, restore: { kind: 'shell' } } })

describe('nothing is lost', () => {
  test('of a shell at its prompt', () => expect(lossesOf(seen())).toEqual([]))
  test.each(['idle', 'done'] as const)('of an agent that is %s and whose conversation is known', (state) =>
    expect(lossesOf(claude(state))).toEqual([]),
  )
  test('of a program that the resume table knows', () => expect(lossesOf(program('/usr/bin/vim', 'notes.md'))).toEqual([]))
})

describe('something is lost', () => {
  test.each([
    ['working', 'Claude Code is working'],
    ['needs-you', 'Claude Code is waiting for your answer'],
    ['unknown', 'Claude Code may be working: its state is unknown'],
  ] as const)('of an agent that is %s', (state, why) => expect(lossesOf(claude(state))).toEqual([why]))

  test('of an agent whose conversation is not known, also where the user has a command for that', () => {
    const unknown = 'the conversation of Claude Code is not known, so it cannot be resumed'
    expect(lossesOf(claude('idle', { kind: 'shell' }))).toEqual([unknown])
    expect(lossesOf(claude('idle', { ...known, agent: 'codex', argv: ['codex', 'resume', 'c1'] }))).toEqual([unknown])
    expect(lossesOf(claude('idle', { kind: 'unknown', agent: 'claude' }))).toEqual([unknown])
    const open = { ...claude('idle', { kind: 'unknown', agent: 'claude' }), ways: { ...ways, table: { claude: ['--continue'] } } }
    expect(lossesOf(open)).toEqual([unknown])
  })

  test('of a program that would start from the beginning', () => {
    expect(lossesOf(program('/usr/bin/htop'))).toEqual(['htop would start from the beginning'])
    expect(lossesOf(program('sh', '-c', 'exec sleep 300'))).toEqual(['sh would start from the beginning'])
  })

  test('of programs that run, named as far as there is room', () => {
    const child = (pid: number, name: string) => ({ ...root, pid, parent: 10, name, argv: [name] })
    const withPrograms = (...names: string[]) =>
      seen({ running: { ...running, processes: [root, ...names.map((name, at) => child(20 + at, name))] } })
    expect(lossesOf(withPrograms('npm'))).toEqual(['npm is running and would be ended'])
    expect(lossesOf(withPrograms('npm', 'tail'))).toEqual(['npm and tail are running and would be ended'])
    expect(lossesOf(withPrograms('a', 'b', 'c', 'd', 'e'))).toEqual(['a, b, c and 2 more are running and would be ended'])
  })

  test('where nobody could see what runs, it may', () => {
    expect(lossesOf(seen({ running: null }))).toEqual(['its running programs cannot be seen'])
  })

  test('of a private terminal, beside everything else', () => {
    expect(lossesOf({ ...claude('working'), private: true })).toEqual([
      'Claude Code is working',
      'it is private, so its output is not kept',
    ])
  })
})
