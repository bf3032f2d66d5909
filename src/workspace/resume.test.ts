import { describe, expect, test } from 'vitest'
import { asleep } from '../../test/support/terminals.ts'
import { argvFor, DEFAULT_RESUME, parseResumeTable } from './resume.ts'

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

describe('the table', () => {
  test('of the user stands over the built-in one', () => {
    expect(parseResumeTable({ claude: ['--resume', 'x'], mine: [] })).toEqual({
      ok: true,
      table: { ...DEFAULT_RESUME, claude: ['--resume', 'x'], mine: [] },
    })
  })

  test.each([
    [7, 'must be a table'],
    [['claude'], 'must be a table'],
    [{ claude: '--continue' }, '[resume] claude must be a list of arguments'],
    [{ claude: ['a', 7] }, 'argument 2 must be text'],
    [{ claude: ['a\u001b'] }, 'argument 1 holds a control character'],
    [{ '/usr/bin/claude': [] }, 'write only the last part of the path, "claude"'],
    [{ 'my agent': [] }, 'cannot be the name of a command'],
    [{ '': [] }, 'without a name'],
    [{ claude: Array.from({ length: 51 }, () => 'x') }, '50 are the most'],
  ])('%j is refused with a reason', (value, reason) => {
    expect(parseResumeTable(value)).toMatchObject({ ok: false, problems: [expect.stringContaining(reason)] })
  })

  test('names every problem at once', () => {
    expect(parseResumeTable({ 'a/b': [], c: 1 })).toMatchObject({ problems: [expect.any(String), expect.any(String)] })
  })
})
