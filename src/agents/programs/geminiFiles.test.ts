import { describe, expect, test } from 'vitest'
import { type Memory, memoryLook, START } from '../../../test/support/memoryLook.ts'
import { gemini } from './gemini.ts'

const ONE = 'd18b9d77-bb1e-4030-81fd-347a173c8dac'
const TWO = 'b006168d-c9dc-492f-b3ab-f39cc21df6cb'
const OTHER = 'fcdae86b-0dcb-45e4-b21c-ea38d8eb2b9c'
const time = (after: number) => new Date(START + after).toISOString()
const chat = (id: string, after: number, more: object = {}) =>
  `${JSON.stringify({ sessionId: id, startTime: time(after), kind: 'main', ...more })}\n{"$set":{"messages":["${'long '.repeat(9_000)}`
const path = (id: string) => `/h/.gemini/tmp/one/chats/session-2026-11-16T09-00-${id.slice(0, 8)}.jsonl`
const PROJECTS = { '/h/.gemini/projects.json': JSON.stringify({ projects: { '/p/one': 'one' } }) }
const said = (id: string, message: string, after: number) => ({
  sessionId: id,
  messageId: 1,
  type: 'user',
  message,
  timestamp: time(after),
})
const log = (...entries: readonly object[]) => ({ '/h/.gemini/tmp/one/logs.json': JSON.stringify(entries, null, 2) })
const findings = (memory: Memory) => gemini.findings(memoryLook({ argv: ['gemini'], ...memory }))

describe('the conversation of a process of Gemini CLI', () => {
  const chats = { [path(ONE)]: chat(ONE, 2_000), [path(TWO)]: chat(TWO, 60_100), [path(OTHER)]: chat(OTHER, 59_000) }

  test('may be any that began in its directory since it was started', async () => {
    const files = { ...PROJECTS, ...chats, [path(TWO)]: chat(TWO, 9_000, { kind: 'subagent' }), [path(OTHER)]: chat(OTHER, -90_000) }
    expect(await findings({ files })).toEqual([{ id: ONE, provenance: 'store', transcript: path(ONE), began: START + 2_000 }])
  })

  test('is the one it was started with', async () => {
    const argv = ['node', '/x/.bin/gemini', '--session-id', ONE]
    expect(await findings({ files: { ...PROJECTS, ...chats }, argv })).toEqual([
      { id: ONE, provenance: 'assigned', transcript: path(ONE), began: null },
    ])
  })

  test('is the one that began when that one was cleared, whatever began beside it', async () => {
    const entries = [said(ONE, 'tell me of /clear', 30_000), said(ONE, '/clear', 60_000), said(OTHER, '/clear', 90_000)]
    const found = await findings({ files: { ...PROJECTS, ...chats, ...log(...entries) }, argv: ['gemini', '--session-id', ONE] })
    expect(found.at(-1)).toEqual({ id: TWO, provenance: 'registration', transcript: path(TWO), began: START + 60_100 })
  })

  test('is none where the project has no directory, or a name that leads elsewhere', async () => {
    expect(await findings({ files: chats })).toEqual([])
    expect(await findings({ files: { '/h/.gemini/projects.json': '{"projects":{"/p/one":"../../one"}}' } })).toEqual([])
  })

  test('is looked for where GEMINI_CLI_HOME says', async () => {
    const files = Object.fromEntries(Object.entries({ ...PROJECTS, ...chats }).map(([name, text]) => [name.replace('/h/', '/g/'), text]))
    expect(await findings({ files, env: { GEMINI_CLI_HOME: '/g' } })).toHaveLength(3)
  })
})

describe('a transcript of Gemini CLI', () => {
  test('is the one that names the id, not one whose name is like it', async () => {
    const twin = ONE.replace('bb1e', 'bb1f')
    const look = memoryLook({ files: { ...PROJECTS, [path(ONE)]: chat(ONE, 0) } })
    expect(await gemini.transcript(look, ONE)).toEqual({ kind: 'there', path: path(ONE) })
    const resumed = { ...PROJECTS, [path(ONE).replace('09-00', '08-00')]: chat(ONE, 0).slice(0, 200), [path(ONE)]: chat(ONE, 0) }
    expect(await gemini.transcript(memoryLook({ files: resumed }), ONE)).toEqual({ kind: 'there', path: path(ONE) })
    expect(await gemini.transcript(look, twin)).toEqual({ kind: 'gone' })
    expect(await gemini.transcript(memoryLook({}), ONE)).toEqual({ kind: 'unknown' })
  })

  const first = (id: string) => `${JSON.stringify({ sessionId: id, startTime: time(0), kind: 'main' })}\n`
  const line = (value: object) => `${JSON.stringify(value)}\n`
  const by = (type: string, text: string) => ({ id: 'm', timestamp: time(5), type, content: [{ text }] })
  const context = line({ $set: { messages: [by('user', '<session_context>\nToday')], lastUpdated: time(0) } })
  const kindOf = async (text: string) => (await gemini.transcript(memoryLook({ files: { ...PROJECTS, [path(ONE)]: text } }), ONE)).kind

  test.each([
    ['nothing', ''],
    ['the context that Gemini CLI begins with', context],
    ['what a hook adds', `${context}${line(by('user', '<hook_context>be kind'))}`],
    ['the time of the last change', `${context}${line({ $set: { lastUpdated: time(1) } })}`],
  ])('is empty with %s', async (_, rows) => expect(await kindOf(`${first(ONE)}${rows}`)).toBe('empty'))

  test.each([
    ['a prompt', line(by('user', 'hi'))],
    ['a prompt behind what a hook adds', line({ ...by('user', ''), content: [{ text: '<hook_context>' }, { text: 'hi' }] })],
    ['a prompt in another shape', line({ ...by('user', ''), content: '<session_context>' })],
    ['an answer', line(by('gemini', '<session_context>'))],
    ['messages that were written anew', line({ $set: { messages: [by('user', '<session_context>'), by('user', 'hi')] } })],
    ['messages in another shape', line({ $set: { messages: { 0: by('user', 'hi') } } })],
    ['a summary', line({ $set: { summary: 'They said hi' } })],
    ['a row of another kind', line({ $rewindTo: 'm' })],
    ['a row that is no JSON', 'torn\n'],
    ['a row that is still being written', '{"type":"us'],
    ['more than is read', context.replace('Today', 'x'.repeat(200_000))],
  ])('is there with %s', async (_, rows) => expect(await kindOf(`${first(ONE)}${context}${rows}`)).toBe('there'))

  test('is there if any of its files is not empty, however small', async () => {
    const files = {
      ...PROJECTS,
      [path(ONE).replace('09-00', '08-00')]: `${first(ONE)}${line(by('user', 'hi'))}`,
      [path(ONE)]: `${first(ONE)}${context}`,
    }
    expect((await gemini.transcript(memoryLook({ files }), ONE)).kind).toBe('there')
  })

  test('is not found while nothing was said: there is nothing to resume yet', async () => {
    const files = { ...PROJECTS, [path(ONE)]: `${first(ONE)}${context}` }
    expect(await findings({ files })).toMatchObject([{ id: ONE, provenance: 'store', transcript: null }])
    expect(await findings({ files, argv: ['gemini', '--session-id', ONE] })).toMatchObject([{ id: ONE, transcript: null }])
  })
})

describe('what Gemini CLI does', () => {
  const row = (value: object) => `${JSON.stringify({ timestamp: time(5), ...value })}\n`
  const reading = (...rows: readonly string[]) =>
    gemini.reading!(memoryLook({ files: { [path(ONE)]: rows.join('') } }), { id: ONE, transcript: path(ONE) })
  const user = row({ type: 'user', content: [{ text: 'hi' }] })
  const answer = (more: object = {}) => row({ type: 'gemini', content: 'Hello', model: 'gemini-3', tokens: { total: 15 }, ...more })

  test.each([
    ['was asked', [answer(), user], { state: 'working', words: null }],
    ['has answered', [user, answer(), '{"$set":{"lastUpdated":"x"}}\n'], { state: 'idle', words: 'Hello' }],
    ['uses a tool', [user, answer({ toolCalls: [{ name: 'ls' }] })], { state: 'working', words: null }],
  ])('when it %s', async (_, rows, state) => expect((await reading(...rows))?.state).toMatchObject(state))

  test('comes with the model and the tokens', async () => {
    expect(await reading(user, answer())).toMatchObject({ model: 'gemini-3', tokens: 15, title: null })
  })
})
