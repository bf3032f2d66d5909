import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Agent } from './agent.ts'
import { AGENTS, agentNamed } from './all.ts'
import { againArgv, assignedArgs, carriedFlags, isConversation, isOverwritten, resumeArgv } from './argv.ts'

const ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d3e'
const agent = (id: string): Agent => agentNamed(AGENTS, id)!
const words = (line: string) => line.split(' ')

describe('what a resume carries', () => {
  test.each([
    ['claude', 'claude fix the bug', ''],
    ['claude', 'claude --model opus fix it', '--model opus'],
    ['claude', 'claude --model=opus --session-id x --verbose go', '--model=opus --verbose'],
    ['claude', 'claude --resume --permission-mode plan', '--permission-mode plan'],
    ['claude', `claude --resume ${ID} -c --fork-session`, ''],
    ['claude', 'claude --add-dir ../a ../b --settings s.json', '--add-dir ../a ../b --settings s.json'],
    ['claude', 'claude --unknown value --dangerously-skip-permissions', '--dangerously-skip-permissions'],
    ['claude', 'claude --name --dangerously-skip-permissions', ''],
    ['claude', 'claude -- --dangerously-skip-permissions', ''],
    ['claude', 'claude --model', ''],
    ['codex', 'codex resume x --no-daemon -c a=b -mo3 hello', '--no-daemon -c a=b -mo3'],
    ['codex', 'node /x/.bin/codex -s read-only -i a.png look', '-s read-only'],
    ['gemini', 'gemini -i hello --yolo --include-directories a b -m x', '--yolo --include-directories a b -m x'],
    ['opencode', 'opencode ../project -s ses_123456789 --agent plan --prompt hello', '--agent plan'],
    ['pi', 'pi  ', ''],
  ])('%s: %s', (id, line, carried) => {
    expect(carriedFlags(agent(id), words(line))).toEqual(carried === '' ? [] : words(carried))
  })

  test('is never more than was typed, nor a word behind --, nor a plain first word', () => {
    const known = fc.constantFrom(...AGENTS)
    fc.assert(
      fc.property(
        known.chain((one) => {
          const { withValue, withMany, alone, droppedWithValue, choosing } = one.flags
          const word = fc.oneof(
            fc.constantFrom('--', 'fix', '-', '--unknown', ...withValue, ...withMany, ...alone, ...droppedWithValue, ...choosing),
            fc.string(),
          )
          return fc.tuple(fc.constant(one), fc.array(word, { maxLength: 12 }))
        }),
        ([one, args]) => {
          const typed = args.includes('--') ? args.slice(0, args.lastIndexOf('--')) : args
          const carried = carriedFlags(one, [one.id, ...args])
          for (const flag of one.flags.alone) expect(count(carried, flag)).toBeLessThanOrEqual(count(args, flag))
          expect(isSubsequence(carried, args)).toBe(true)
          if (typed.every((word) => !word.startsWith('-'))) expect(carried).toEqual([])
          if (carried.length > 0) expect(carried[0]).toMatch(/^-./)
        },
      ),
    )
  })
})

const count = (all: readonly string[], word: string) => all.filter((one) => one === word).length

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  for (const word of whole) if (word === part[at]) at += 1
  return at === part.length
}

describe('the command line of a resume', () => {
  test('names the conversation and repeats the flags, not the prompt', () => {
    expect(resumeArgv(agent('claude'), { argv: ['claude', '--model', 'opus', 'fix it'], id: ID })).toEqual([
      'claude',
      '--resume',
      ID,
      '--model',
      'opus',
    ])
    expect(resumeArgv(agent('codex'), { argv: words('node /x/.bin/codex --no-daemon hello'), id: ID })).toEqual([
      '/x/.bin/codex',
      'resume',
      ID,
      '--no-daemon',
    ])
    expect(againArgv(agent('gemini'), words('/opt/gemini -y --resume latest hi'))).toEqual(['/opt/gemini', '-y'])
    expect(againArgv(agent('gemini'), words('/opt/gemini -y hi'), ['--resume'])).toEqual(['/opt/gemini', '--resume', '-y'])
  })

  test('is not read from a title that a process has written over its words', () => {
    for (const argv of [['pi', '', ''], ['pi - project'], ['pi - project', '']]) expect(isOverwritten(argv), argv.join('|')).toBe(true)
    for (const argv of [['pi'], ['pi', '--no-tools'], ['pi', '', 'hi'], []]) expect(isOverwritten(argv), argv.join('|')).toBe(false)
  })

  test('keeps the interpreter of a script that cannot be run by itself', () => {
    const argv = words('node --no-warnings /x/@google/gemini-cli/dist/index.js hello')
    expect(resumeArgv(agent('gemini'), { argv, id: ID })).toEqual([...argv.slice(0, 3), '--resume', ID])
  })

  test('is the agent’s usual name where its own command line is blank', () => {
    expect(resumeArgv(agent('pi'), { argv: [], id: ID })).toEqual(['pi', '--session', ID])
  })

  test.each(['', '--help', 'x y', `${ID}x`, `${ID}\n`, '../a', 'latest'])('is none for the id %j', (id) => {
    for (const one of AGENTS) expect(resumeArgv(one, { argv: [one.id], id }), one.id).toBeNull()
  })

  test('is none where the agent has no way to it', () => {
    expect(resumeArgv(agent('amp'), { argv: ['amp'], id: ID })).toBeNull()
  })
})

describe('an id of ours', () => {
  test('is given to a new conversation, before everything that was typed', () => {
    expect(assignedArgs(agent('claude'), ['--model', 'opus', 'fix it'], ID)).toEqual(['--session-id', ID, '--model', 'opus', 'fix it'])
    expect(assignedArgs(agent('copilot'), [], ID)).toEqual([`--session-id=${ID}`])
  })

  test.each(['--resume', '-c', '--continue', '--session-id x', '--resume=x', '-p hi', 'mcp list', '--version', '--model x --fork-session'])(
    'is not given to claude %s',
    (line) => expect(assignedArgs(agent('claude'), words(line), ID)).toBeNull(),
  )

  test('is not given to an agent that takes none, nor one that is no id', () => {
    expect(assignedArgs(agent('codex'), [], ID)).toBeNull()
    expect(assignedArgs(agent('claude'), [], 'x')).toBeNull()
  })
})

describe('a conversation', () => {
  test.each([
    ['claude', 'mcp', false],
    ['claude', '--model mcp', true],
    ['claude', 'fix mcp', true],
    ['claude', '-- mcp', true],
    ['claude', '--print=x', false],
    ['codex', '-c a=b exec', false],
    ['codex', 'resume', true],
    ['gemini', '-i exec', true],
    ['opencode', 'run', false],
    ['opencode', './run', true],
  ])('%s %s: %s', (id, line, expected) => expect(isConversation(agent(id), words(line))).toBe(expected))

  test('is what every agent opens without arguments', () => {
    for (const one of AGENTS) expect(isConversation(one, []), one.id).toBe(true)
  })
})

describe('every agent', () => {
  test('has an id and names of its own', () => {
    const names = AGENTS.flatMap(({ recognise }) => recognise.names)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(AGENTS.map(({ id }) => id)).size).toBe(AGENTS.length)
  })

  test('has each flag in one list only', () => {
    for (const { id, flags } of AGENTS) {
      const all = [...flags.withValue, ...flags.withMany, ...flags.alone, ...flags.droppedWithValue]
      expect(all.length, id).toBe(new Set(all).size)
      expect(
        all.filter((flag) => flags.notConversation.includes(flag)),
        id,
      ).toEqual([])
    }
  })
})
