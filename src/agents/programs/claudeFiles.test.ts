import { describe, expect, test } from 'vitest'
import { type Memory, memoryLook, START } from '../../../test/support/memoryLook.ts'
import { claude } from './claude.ts'

const ID = '8f3a19f8-d49a-417e-871b-ea7e3f2ae73c'
const entry = (more: object = {}) =>
  JSON.stringify({ pid: 7, sessionId: ID, cwd: '/p/one', startedAt: START + 900, procStart: '4264076', status: 'idle', ...more })
const REGISTRY = '/h/.claude/sessions/7.json'
const TRANSCRIPT = `/h/.claude/projects/-p-one/${ID}.jsonl`
const findings = (memory: Memory) => claude.findings(memoryLook(memory))

describe('the conversation of a process of Claude Code', () => {
  test('is the one that its registry names, resumable once there is a transcript', async () => {
    const found = { id: ID, provenance: 'registration', began: null }
    expect(await findings({ files: { [REGISTRY]: entry() } })).toEqual([{ ...found, transcript: null }])
    expect(await findings({ files: { [REGISTRY]: entry(), [TRANSCRIPT]: '' } })).toEqual([{ ...found, transcript: TRANSCRIPT }])
  })

  test.each([
    ['of an earlier process with this number', entry({ procStart: '99' })],
    ['from before this start', entry({ procStart: 'Mon', startedAt: START - 60_000 })],
    ['of another process', entry({ pid: 8 })],
    ['that is being written', entry().slice(0, 40)],
    ['of a shape to come', '[{"id":1}]'],
  ])('is not taken from an entry %s', async (_, text) => expect(await findings({ files: { [REGISTRY]: text } })).toEqual([]))

  test('is found where CLAUDE_CONFIG_DIR says, and below a wrapper', async () => {
    const files = { '/c/sessions/9.json': entry({ pid: 9 }) }
    expect(await findings({ files, env: { CLAUDE_CONFIG_DIR: '/c' }, pids: [7, 9] })).toMatchObject([{ id: ID }])
  })

  test('is the one with which it was started until the registry says another', async () => {
    expect(await findings({ argv: ['claude', '--session-id', ID] })).toEqual([
      { id: ID, provenance: 'assigned', transcript: null, began: null },
    ])
    expect(await findings({ argv: ['claude', '--resume', ID, '--model', 'x'] })).toMatchObject([{ id: ID, provenance: 'user' }])
    expect(await findings({ argv: ['claude', '--resume', ID, '--fork-session'] })).toEqual([])
    expect(await findings({ argv: ['claude', '--resume', '--', '--resume', ID] })).toEqual([])
  })
})

describe('a transcript of Claude Code', () => {
  test('is found by the directory without links, or wherever it began', async () => {
    const linked = memoryLook({ files: { [TRANSCRIPT]: '' }, cwd: '/link', links: { '/link': '/p/one' } })
    expect(await claude.transcript(linked, ID)).toEqual({ kind: 'there', path: TRANSCRIPT })
    const deep = `/h/.claude/projects/-p-very-deep-1a2b/${ID}.jsonl`
    expect(await claude.transcript(memoryLook({ files: { [deep]: '' } }), ID)).toEqual({ kind: 'there', path: deep })
  })

  test('of a sub-agent is none', async () => {
    const files = { [`/h/.claude/projects/-p-one/${ID.replace('8', '9')}/subagents/${ID}.jsonl`]: '' }
    expect(await claude.transcript(memoryLook({ files }), ID)).toEqual({ kind: 'gone' })
  })
})

const T = '2026-11-16T09:27:54.678Z'
const row = (value: object) => `${JSON.stringify({ timestamp: T, isSidechain: false, ...value })}\n`
const user = (content: unknown, more: object = {}) => row({ type: 'user', message: { role: 'user', content }, ...more })
const assistant = (content: readonly object[], stop: string | null, more: object = {}) =>
  row({
    type: 'assistant',
    message: {
      ...{ role: 'assistant', model: 'claude-opus-5-5', content, stop_reason: stop },
      usage: { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 1, output_tokens: 5 },
    },
    ...more,
  })
const text = (said: string) => ({ type: 'text', text: said })
const tool = (name: string, input: object = {}) => ({ type: 'tool_use', name, input })
const reading = (files: Record<string, string>) => claude.reading!(memoryLook({ files }), { id: ID, transcript: TRANSCRIPT })

describe('what Claude Code does', () => {
  test.each([
    ['its answer is finished', [user('hi'), assistant([text('Done.\u001b[2J')], 'end_turn')], 'idle', 'Done. [2J'],
    ['it was asked something', [user('hi')], 'working', null],
    ['a tool runs', [assistant([tool('Bash')], 'tool_use')], 'working', null],
    ['a tool has answered', [assistant([tool('Bash')], 'tool_use'), user([{ type: 'tool_result' }])], 'working', null],
    ['it was interrupted', [user('hi'), user([text('[Request interrupted by user]')])], 'idle', null],
    ['only a local command came', [assistant([text('Yes')], 'end_turn'), user('<command-name>/cost</command-name>')], 'idle', 'Yes'],
    ['only a sub-agent speaks', [user('hi'), assistant([text('sub')], 'end_turn', { isSidechain: true })], 'working', null],
    ['only a summary came', [assistant([text('Yes')], 'end_turn'), user('Summary', { isCompactSummary: true })], 'idle', 'Yes'],
  ])('when %s', async (_, rows, state, words) => {
    expect((await reading({ [TRANSCRIPT]: rows.join('') }))?.state).toMatchObject({ source: 'transcript', state, words, at: Date.parse(T) })
  })

  test('is asking, where all its tools are questions', async () => {
    const asks = assistant([tool('AskUserQuestion', { questions: [{ question: 'Which?' }] })], 'tool_use')
    expect((await reading({ [TRANSCRIPT]: asks }))?.state).toMatchObject({ state: 'needs-you', wants: 'question', words: 'Which?' })
  })

  test('is what its registry says, in the words of the transcript', async () => {
    const files = { [TRANSCRIPT]: assistant([text('Yes')], 'end_turn') }
    const registered = (more: object) => reading({ ...files, [REGISTRY]: entry({ statusUpdatedAt: START + 5, ...more }) })
    expect((await registered({}))?.state).toEqual({ source: 'registration', state: 'idle', wants: null, words: 'Yes', at: START + 5 })
    expect((await registered({ status: 'busy' }))?.state).toMatchObject({ state: 'working' })
    expect((await registered({ status: 'waiting', waitingFor: 'permission prompt' }))?.state).toMatchObject({
      state: 'needs-you',
      wants: 'permission',
    })
    expect((await registered({ status: 'dreaming' }))?.state).toMatchObject({ source: 'transcript' })
  })

  test('comes with the model, the tokens in its context and its title', async () => {
    const rows = [
      assistant([text('Yes')], 'end_turn'),
      row({ type: 'summary', summary: 'Old' }),
      row({ type: 'ai-title', aiTitle: 'Fix it' }),
    ]
    expect(await reading({ [TRANSCRIPT]: rows.join('') })).toMatchObject({ model: 'claude-opus-5-5', tokens: 116, title: 'Fix it' })
  })

  test('is not told by a transcript of a shape to come, or one cut in the middle', async () => {
    expect(await reading({ [TRANSCRIPT]: 'garbage\n{"type":"assistant"}\n{"type":7}\n[1]\n{"type":"user","timest' })).toEqual({
      state: null,
      model: null,
      title: null,
      tokens: null,
    })
  })
})
