import { describe, expect, test } from 'vitest'
import { asleep } from '../../test/support/terminals.ts'
import { argvFor, chosenConversation, DEFAULT_RESUME, isConversationId, offersOf, parseResumeTable, resumes } from './resume.ts'

const running = (command: string, ...args: readonly string[]) => asleep({ spec: { ...asleep().spec, command, args } })
const conversation = { kind: 'conversation', agent: 'claude', id: 'one', provenance: 'hook', argv: ['claude', '--resume', 'one'] } as const

describe('what is started', () => {
  test('by a resume of a conversation is its own argv, whatever the table says', () => {
    const terminal = { ...running('/usr/bin/zsh'), restore: conversation }
    expect(argvFor(terminal, 'resume', { claude: ['--other'] })).toEqual({
      command: 'claude',
      args: ['--resume', 'one'],
      from: 'conversation',
    })
  })

  test('by a resume of a mapped command is the command with the arguments of the table, never its old prompt', () => {
    const terminal = running('/opt/bin/claude', 'fix the bug')
    expect(argvFor(terminal, 'resume')).toEqual({ command: '/opt/bin/claude', args: ['--continue'], from: 'table' })
    expect(argvFor(running('codex', 'hello'), 'resume').args).toEqual(['resume', '--last'])
    expect(argvFor(running('gemini'), 'resume').args).toEqual(['--resume', 'latest'])
  })

  test('by a resume of any other command is the command as it was', () => {
    expect(argvFor(running('make', 'test'), 'resume')).toEqual({ command: 'make', args: ['test'], from: 'original' })
    expect(argvFor(running('constructor'), 'resume').from).toBe('original')
  })

  test('afresh is what was started first', () => {
    const terminal = { ...running('claude', '--model', 'opus'), restore: conversation }
    expect(argvFor(terminal, 'fresh')).toEqual({ command: 'claude', args: ['--model', 'opus'], from: 'original' })
  })

  test('by a resume of a conversation without an id is not made up from it', () => {
    expect(argvFor({ ...running('claude'), restore: { ...conversation, id: '' } }, 'resume').from).toBe('table')
    expect(argvFor({ ...running('zsh'), restore: { ...conversation, argv: [] } }, 'resume').from).toBe('original')
  })
})

describe('a resume', () => {
  const goesOn = (terminal: ReturnType<typeof running>) => resumes(argvFor(terminal, 'resume'), terminal)

  test('is one only if it starts something else than at first', () => {
    expect(goesOn(running('claude', 'fix the bug'))).toBe(true)
    expect(goesOn({ ...running('claude', '--resume', 'one'), restore: conversation })).toBe(true)
    expect(goesOn(running('make', 'test'))).toBe(false)
    expect(goesOn(running('claude', '--continue'))).toBe(false)
    expect(resumes(argvFor(running('claude'), 'fresh'), running('claude'))).toBe(false)
  })

  test('is offered as it would go, and a conversation where its program knows them by id', () => {
    expect(offersOf(running('/opt/claude', 'fix it'), DEFAULT_RESUME)).toEqual({
      resume: '/opt/claude --continue',
      conversation: true,
      fresh: "/opt/claude 'fix it'",
    })
    expect(offersOf(running('zsh', '-l'), DEFAULT_RESUME)).toEqual({ resume: null, conversation: false, fresh: 'zsh -l' })
    expect(offersOf({ ...running('zsh'), restore: conversation }, {})).toEqual({
      resume: 'claude --resume one',
      conversation: true,
      fresh: 'zsh',
    })
    expect(offersOf(running('mine'), { mine: ['-c'] })).toEqual({ resume: 'mine -c', conversation: false, fresh: 'mine' })
  })
})

describe('a conversation that the user chooses', () => {
  test.each([
    ['/opt/claude', ['/opt/claude', '--resume', 'abc']],
    ['codex', ['codex', 'resume', 'abc']],
    ['gemini', ['gemini', '--resume', 'abc']],
    ['opencode', ['opencode', '-s', 'abc']],
    ['copilot', ['copilot', '--resume=abc']],
    ['cline', ['cline', '--id', 'abc']],
  ])('of %s is resumed the way it knows', (command, argv) => {
    const chosen = chosenConversation(running(command, 'a prompt'), 'abc')
    expect(chosen).toMatchObject({ kind: 'conversation', id: 'abc', provenance: 'user', argv })
  })

  test('belongs to the agent that was seen here, started as it was then', () => {
    const seen = { ...conversation, argv: ['/opt/claude', '--resume', 'one'] }
    expect(chosenConversation({ ...running('zsh'), restore: seen }, 'abc')?.argv).toEqual(['/opt/claude', '--resume', 'abc'])
    expect(chosenConversation({ ...running('zsh'), restore: { kind: 'latest', agent: 'codex' } }, 'abc')?.argv).toEqual([
      'codex',
      'resume',
      'abc',
    ])
  })

  test('is none where the program has no way to it', () => {
    for (const command of ['zsh', 'make', 'constructor', 'toString'])
      expect(chosenConversation(running(command), 'abc'), command).toBeNull()
  })

  test.each(['', '-', '--help', '-x', 'a b', 'a\n', '../a', 'a/b', "a'b", 'a;b', 'é', '.', '_a', 'a'.repeat(129)])('cannot be %j', (id) => {
    expect(isConversationId(id)).toBe(false)
    expect(chosenConversation(running('claude'), id)).toBeNull()
  })

  test.each(['5', 'latest', 'ses_4f2Ab', '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d3e', 'a'.repeat(128)])('can be %s', (id) =>
    expect(isConversationId(id)).toBe(true),
  )
})

describe('the table', () => {
  test('of the user stands over the built-in one', () => {
    expect(parseResumeTable({ claude: ['--resume', 'x'], mine: [] })).toEqual({
      ok: true,
      table: { ...DEFAULT_RESUME, claude: ['--resume', 'x'], mine: [] },
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
