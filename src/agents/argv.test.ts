import { describe, expect, test } from 'vitest'
import type { Agent } from './agent.ts'
import { againArgv, assignedArgs, isConversation, resumeArgv } from './argv.ts'
import { AGENTS, agentNamed } from './programs/all.ts'

const ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d3e'
const agent = (id: string): Agent => agentNamed(AGENTS, id)!
const words = (line: string) => line.split(' ')

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

  test('keeps the interpreter of a script that cannot be run by itself', () => {
    const argv = words('node --no-warnings /x/@google/gemini-cli/dist/index.js hello')
    expect(resumeArgv(agent('gemini'), { argv, id: ID })).toEqual([...argv.slice(0, 3), '--resume', ID])
  })

  test.each([
    ['/usr/bin/env node /x/.bin/kilo --pure go', ['/x/.bin/kilo']],
    ['/usr/bin/env -S_node_--no-warnings /x/.bin/kilo --pure', ['/x/.bin/kilo']],
    ['/usr/bin/env node /x/@kilocode/cli/kilo.js --pure', ['/usr/bin/env', 'node', '/x/@kilocode/cli/kilo.js']],
  ])('starts the script that env was about to start: %s', (line, program) => {
    const argv = words(line).map((word) => word.replaceAll('_', ' '))
    expect(resumeArgv(agent('kilo'), { argv, id: 'ses_12345678' })).toEqual([...program, '-s', 'ses_12345678', '--pure'])
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
})
