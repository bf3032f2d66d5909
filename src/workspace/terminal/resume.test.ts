import { describe, expect, test } from 'vitest'
import { asleep } from '../../../test/support/terminals.ts'
import { AGENTS } from '../../agents/programs/all.ts'
import { chosenConversation, isConversationId, offersOf } from '../resume/chosenConversation.ts'
import { argvFor, environmentOf, parseResumeTable, type ResumeTable, resumes, type Ways } from './resume.ts'
import type { Restore, WakeMode } from './terminal.ts'

const ID = '0198f7c1-9c1e-4f50-b111-0c2b7e1a2d3e'
const OTHER = '0198f7c1-9c1e-4f50-b111-000000000002'
const ways: Ways = { table: {}, agents: AGENTS, shell: '/bin/fish' }
const running = (command: string, ...args: readonly string[]) => asleep({ spec: { ...asleep().spec, command, args } })
const conversation = { kind: 'conversation', agent: 'claude', id: ID, provenance: 'hook', argv: ['claude', '--resume', ID] } as const
const startOf = (terminal: ReturnType<typeof running>, mode: WakeMode = 'resume', table: ResumeTable = {}) => {
  const { command, args, from } = argvFor(terminal, mode, { ...ways, table })
  return `${from}: ${[command, ...args].join(' ')}`
}

describe('what is started', () => {
  test('by a resume of a conversation is its own argv, whatever the table says', () => {
    const terminal = { ...running('/usr/bin/zsh'), restore: conversation }
    expect(startOf(terminal, 'resume', { claude: ['--other'] })).toBe(`conversation: claude --resume ${ID}`)
    expect(argvFor(terminal, 'resume', ways).agent).toBe('claude')
  })

  test('by a resume of an agent without a known conversation is a new one, with the user’s flags, never a prompt and no one’s choice', () => {
    expect(startOf(running('/opt/bin/claude', 'fix the bug'))).toBe('new: /opt/bin/claude')
    expect(startOf(running('claude', '--model', 'opus', '--continue', 'fix the bug'))).toBe('new: claude --model opus')
    expect(startOf(running('codex', 'resume', '--last'))).toBe('new: codex')
    expect(startOf({ ...running('pi'), restore: { kind: 'unknown', agent: 'pi' } })).toBe('new: pi')
  })

  test('in the shell of an agent whose conversation is not known is that shell', () => {
    expect(startOf({ ...running('zsh'), restore: { kind: 'unknown', agent: 'gemini' } })).toBe('original: zsh')
  })

  test('by a resume of a command that the user has mapped is what the table says', () => {
    expect(startOf(running('claude', 'fix it'), 'resume', { claude: ['--resume', 'x'] })).toBe('table: claude --resume x')
    expect(startOf(running('claude', '--restricted', 'fix it'), 'resume', { claude: ['-c'] })).toBe('table: claude -c --restricted')
    expect(startOf(running('mine', 'fix it'), 'resume', { mine: [] })).toBe('table: mine')
  })

  test('by a resume of any other command is the command as it was', () => {
    expect(startOf(running('make', 'test'))).toBe('original: make test')
    expect(startOf(running('constructor'))).toBe('original: constructor')
    expect(startOf(running('claude', 'mcp', 'serve'))).toBe('original: claude mcp serve')
  })

  test('after the user has left the agent is a shell, or what the terminal was made for', () => {
    const restore: Restore = { kind: 'quit', agent: 'claude', id: ID }
    expect(startOf({ ...running('claude', 'fix it'), restore })).toBe('shell: /bin/fish')
    expect(startOf({ ...running('zsh', '-l'), restore })).toBe('original: zsh -l')
    expect(startOf({ ...running('claude', 'fix it'), restore }, 'fresh')).toBe('original: claude fix it')
  })

  test('afresh is what was started first', () => {
    const terminal = { ...running('claude', '--model', 'opus'), restore: conversation }
    expect(startOf(terminal, 'fresh')).toBe('original: claude --model opus')
  })

  test('by a resume of a conversation without an id is not made up from it', () => {
    expect(startOf({ ...running('claude'), restore: { ...conversation, id: '' } })).toBe('new: claude')
    expect(startOf({ ...running('zsh'), restore: { ...conversation, argv: [] } })).toBe('original: zsh')
  })

  test('of a conversation has what its agent was started with, and nothing else has', () => {
    const terminal = { ...running('zsh'), restore: { ...conversation, env: { CLAUDE_CONFIG_DIR: '/c' } } }
    expect(environmentOf(terminal, argvFor(terminal, 'resume', ways))).toEqual({ CLAUDE_CONFIG_DIR: '/c' })
    expect(environmentOf(terminal, argvFor(terminal, 'fresh', ways))).toEqual({})
  })
})

describe('a resume', () => {
  const goesOn = (terminal: ReturnType<typeof running>) => resumes(argvFor(terminal, 'resume', ways), terminal)

  test('is one only if it starts something else than at first', () => {
    expect(goesOn(running('claude', 'fix the bug'))).toBe(false)
    expect(goesOn({ ...running('claude', '--resume', ID), restore: conversation })).toBe(true)
    expect(goesOn(running('make', 'test'))).toBe(false)
    expect(goesOn({ ...running('claude'), restore: { kind: 'quit', agent: 'claude', id: null } })).toBe(false)
    expect(resumes(argvFor(running('claude'), 'fresh', ways), running('claude'))).toBe(false)
  })

  test('is offered as it would go, and a conversation where its program knows them by id', () => {
    expect(offersOf(running('/opt/claude', 'fix it'), ways)).toEqual({
      resume: '/opt/claude',
      conversation: true,
      fresh: "/opt/claude 'fix it'",
    })
    expect(offersOf(running('zsh', '-l'), ways)).toEqual({ resume: null, conversation: false, fresh: 'zsh -l' })
    expect(offersOf({ ...running('zsh'), restore: conversation }, { ...ways, table: {} })).toEqual({
      resume: `claude --resume ${ID}`,
      conversation: true,
      fresh: 'zsh',
    })
    const mine = { resume: 'mine -c', conversation: false, fresh: 'mine' }
    expect(offersOf(running('mine'), { ...ways, table: { mine: ['-c'] } })).toEqual(mine)
  })

  test('is a shell where the user has left the agent, and the conversation can still be chosen', () => {
    expect(offersOf({ ...running('claude'), restore: { kind: 'quit', agent: 'claude', id: ID } }, ways)).toEqual({
      resume: '/bin/fish',
      conversation: true,
      fresh: 'claude',
    })
  })
})

describe('a conversation that the user chooses', () => {
  test.each([
    ['/opt/claude', ID, ['/opt/claude', '--resume', ID]],
    ['codex', ID, ['codex', 'resume', ID]],
    ['gemini', ID, ['gemini', '--resume', ID]],
    ['opencode', 'ses_4f2Ab1234x', ['opencode', '-s', 'ses_4f2Ab1234x']],
    ['copilot', ID, ['copilot', `--resume=${ID}`]],
  ])('of %s is resumed the way it knows', (command, id, argv) => {
    const chosen = chosenConversation(running(command, 'a prompt'), id, AGENTS)
    expect(chosen).toEqual({ kind: 'conversation', agent: command.replace(/.*\//, ''), id, provenance: 'user', argv })
  })

  test('belongs to the agent that was seen here, started as it was then and where it was', () => {
    const seen = { ...conversation, argv: ['/opt/claude', '--resume', ID, '--model', 'opus'], cwd: '/p', env: { CLAUDE_CONFIG_DIR: '/c' } }
    expect(chosenConversation({ ...running('zsh'), restore: seen }, OTHER, AGENTS)).toEqual({
      ...seen,
      id: OTHER,
      provenance: 'user',
      argv: ['/opt/claude', '--resume', OTHER, '--model', 'opus'],
    })
    for (const restore of [{ kind: 'unknown', agent: 'codex' } as const, { kind: 'quit', agent: 'codex', id: null } as const])
      expect(chosenConversation({ ...running('zsh'), restore }, ID, AGENTS)?.argv).toEqual(['codex', 'resume', ID])
  })

  test('is none where the program has no way to it, or names its conversations otherwise', () => {
    for (const command of ['zsh', 'make', 'constructor', 'toString'])
      expect(chosenConversation(running(command), ID, AGENTS), command).toBeNull()
    expect(chosenConversation(running('claude'), 'ses_4f2Ab1234x', AGENTS)).toBeNull()
  })

  test.each(['', '-', '--help', '-x', 'a b', 'a\n', '../a', 'a/b', "a'b", 'a;b', 'é', '.', '_a', 'a'.repeat(129)])('cannot be %j', (id) => {
    expect(isConversationId(id)).toBe(false)
    expect(chosenConversation(running('claude'), id, AGENTS)).toBeNull()
  })

  test.each(['5', 'latest', 'ses_4f2Ab', ID, 'a'.repeat(128)])('can be %s', (id) => expect(isConversationId(id)).toBe(true))
})

describe('the table', () => {
  test('is what the user wrote', () => {
    expect(parseResumeTable({ claude: ['--resume', 'x'], mine: [] })).toEqual({
      ok: true,
      table: { claude: ['--resume', 'x'], mine: [] },
    })
  })

  test.each([
    [7, null, 'is a section'],
    [['claude'], null, 'is a section'],
    [{ claude: '--continue' }, 'claude', 'must be a list of arguments'],
    [{ claude: ['a', 7] }, 'claude', 'has an argument 2 that is not a text'],
    [{ claude: ['a\u001b'] }, 'claude', 'has an argument 1 that holds a control character'],
    [{ '/usr/bin/claude': [] }, '/usr/bin/claude', 'write only its last part, "claude"'],
    [{ 'my agent': [] }, 'my agent', 'cannot be the name of a command'],
    [{ '': [] }, '', 'without a name'],
    [{ claude: Array.from({ length: 51 }, () => 'x') }, 'claude', '50 are the most'],
  ])('%j is refused with a reason', (value, command, why) => {
    expect(parseResumeTable(value)).toEqual({ ok: false, problems: [{ command, why: expect.stringContaining(why) }] })
  })

  test('names every problem at once', () => {
    expect(parseResumeTable({ 'a/b': [], c: 1 })).toMatchObject({ problems: [{ command: 'a/b' }, { command: 'c' }] })
  })
})
