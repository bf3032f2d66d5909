import { describe, expect, test } from 'vitest'
import { asleep, live, terminalId } from '../../../test/support/terminals.ts'
import { AGENTS } from '../../agents/programs/all.ts'
import { argvFor, type Ways } from '../terminal/resume.ts'
import type { Restore } from '../terminal/terminal.ts'
import { couldOwn } from './chosenConversation.ts'
import { comesBack } from './comesBack.ts'

const ID = '0198f7c1-9c1e-4f50-b111-0c2b7e1a2d3e'
const ways: Ways = { table: {}, agents: AGENTS, shell: '/bin/fish' }
const running = (line: string, restore: Restore = { kind: 'shell' }) => {
  const [command = '', ...args] = line.split(' ')
  return asleep({ spec: { ...asleep().spec, command, args }, restore })
}
const back = (line: string, restore?: Restore, { owners = [], ...more }: Partial<Ways> & { readonly owners?: readonly string[] } = {}) => {
  const terminal = running(line, restore)
  const { kind, text } = comesBack(terminal, argvFor(terminal, 'resume', { ...ways, ...more }), ways, owners)
  return `${kind} · ${text}`
}
const conversation = (argv: string): Restore => ({
  kind: 'conversation',
  agent: 'claude',
  id: ID,
  provenance: 'hook',
  argv: argv.split(' '),
})

describe('a wake says what comes back:', () => {
  test('a conversation that is known', () =>
    expect(back('zsh', conversation(`claude --resume ${ID}`))).toBe(`resumed · resumed: conversation ${ID}`))

  test('a new conversation where none is known, and why', () => {
    expect(back('pi --no-tools')).toBe('new-conversation · new conversation: none was known for this terminal')
    expect(back('pi', { kind: 'unknown', agent: 'pi', why: 'ambiguous' })).toBe(
      'new-conversation · new conversation: it was not distinguishable from another terminal’s',
    )
  })

  test('a new conversation under the same id, where nothing had been said', () =>
    expect(back('claude', conversation(`claude --session-id ${ID}`))).toBe('new-conversation · new conversation: the one before was empty'))

  test('a new conversation under another id, where its agent has a file in which nothing was said', () => {
    const terminal = running('gemini', conversation(`gemini --session-id ${ID}`))
    const argv = { command: 'gemini', args: [], from: 'new', agent: 'gemini' } as const
    expect(comesBack(terminal, argv, ways)).toMatchObject({
      kind: 'new-conversation',
      text: expect.stringContaining('was empty'),
    })
  })

  test('a shell, because the user had quit the agent or its conversation is not known', () => {
    const quit: Restore = { kind: 'quit', agent: 'claude', id: ID }
    expect([back('zsh', quit), back('claude', quit)]).toEqual(Array(2).fill('shell-quit · shell: you had quit Claude Code'))
    expect(back('zsh -l', { kind: 'unknown', agent: 'codex', why: 'taken' })).toBe(
      'shell-unknown · shell: conversation of Codex unknown (another terminal has it)',
    )
  })

  test('a program, as at first or as the user’s table says', () => {
    expect([back('zsh'), back('make test'), back('claude mcp serve')]).toEqual(Array(3).fill('started · started fresh'))
    expect(back('vim notes', undefined, { table: { vim: ['-r'] } })).toBe('resumed · resumed: vim -r')
  })

  test('nothing before the user has chosen, where the agent would choose and another terminal could own that', () => {
    const open = { table: { codex: ['resume', '--last'] } }
    expect(back('codex', undefined, open)).toBe('resumed · resumed: codex resume --last')
    expect(back('codex', undefined, { ...open, owners: ['api'] })).toBe(
      'asks · asks first: "codex resume --last" could open a conversation of "api"',
    )
  })
})

test('every terminal that has or had an agent could own the conversation that the agent would choose', () => {
  const others = [
    running('zsh', conversation(`claude --resume ${ID}`)),
    running('claude'),
    running('zsh', { kind: 'unknown', agent: 'claude' }),
    running('zsh', { kind: 'quit', agent: 'claude', id: null }),
    live({ agent: 'claude' }),
    running('codex'),
    running('zsh'),
  ].map((terminal, index) => ({ ...terminal, id: terminalId(index), name: `${index}` }))
  expect(couldOwn('claude', others, AGENTS)).toEqual(['0', '1', '2', '3', '4'])
  expect(couldOwn('pi', others, AGENTS)).toEqual([])
})
