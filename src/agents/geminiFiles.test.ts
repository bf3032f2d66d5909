import { describe, expect, test } from 'vitest'
import { type Memory, memoryLook, START } from '../../test/support/memoryLook.ts'
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
