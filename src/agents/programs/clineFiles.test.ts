import { describe, expect, test } from 'vitest'
import { type Memory, memoryLook, START } from '../../../test/support/memoryLook.ts'
import { cline } from './cline.ts'

const ID = `${START + 5_000}_0ecbk`
const SESSIONS = '/h/.cline/data/sessions'
const entry = (id: string, more: object = {}) =>
  JSON.stringify({
    ...{ version: 1, session_id: id, source: 'cli', pid: 7, started_at: new Date(START + 5_000).toISOString(), status: 'idle' },
    ...{ interactive: true, model: 'opus', cwd: '/p/one', metadata: { title: 'Fix the bug' } },
    ...more,
  })
const at = (sessions: string, id: string, text: string) => ({ [`${sessions}/${id}/${id}.json`]: text })
const findings = (files: Memory['files'], more: Memory = {}) => cline.findings(memoryLook({ argv: ['cline'], files: files ?? {}, ...more }))

describe('the conversation of a process of Cline', () => {
  test('is the one that names this process', async () => {
    expect(await findings(at(SESSIONS, ID, entry(ID)))).toEqual([
      { id: ID, provenance: 'registration', transcript: `${SESSIONS}/${ID}`, began: START + 5_000 },
    ])
  })

  test('may be one that the shared hub began for this directory, from the first thing that was said in it on', async () => {
    const messages = (...all: readonly object[]) => ({ [`${SESSIONS}/${ID}/${ID}.messages.json`]: JSON.stringify({ messages: all }) })
    const asked = messages({ role: 'user', ts: START + 9_000 }, { role: 'assistant', ts: START + 9_500 })
    expect(await findings({ ...at(SESSIONS, ID, entry(ID, { pid: 99 })), ...asked })).toEqual([
      { id: ID, provenance: 'store', transcript: `${SESSIONS}/${ID}`, began: START + 5_000, asked: START + 9_000 },
    ])
    expect(await findings({ ...at(SESSIONS, ID, entry(ID, { pid: 99, cwd: '/p/two' })), ...asked })).toEqual([])
    for (const unknown of [{}, messages(), messages({ role: 'assistant', ts: START + 9_500 }), messages({ role: 'user' })])
      expect(await findings({ ...at(SESSIONS, ID, entry(ID, { pid: 99 })), ...unknown })).toEqual([])
  })

  test('is none that began before the process, runs without a terminal or is named otherwise inside', async () => {
    const old = `${START - 60_000}_0ecbk`
    expect(await findings(at(SESSIONS, old, entry(old)))).toEqual([])
    expect(await findings(at(SESSIONS, ID, entry(ID, { interactive: false })))).toEqual([])
    expect(await findings(at(SESSIONS, ID, entry(ID, { started_at: new Date(START - 60_000).toISOString() })))).toEqual([])
    expect(await findings(at(SESSIONS, ID, entry('1_other')))).toEqual([])
  })

  test('is the one that its command line names, also after a resume, when the file names another process', async () => {
    const old = `${START - 60_000}_0ecbk`
    const files = at(SESSIONS, old, entry(old, { pid: 3 }))
    expect(await findings(files, { argv: ['cline', '--id', old] })).toEqual([
      { id: old, provenance: 'user', transcript: `${SESSIONS}/${old}`, began: null },
    ])
  })
})

describe('the log of Cline', () => {
  const OTHER = `${START + 6_000}_1fdcl`
  const OLD = `${START - 60_000}_2gedm`
  const row = (pid: number, id: string, { after = 5_000, event = 'session.started' } = {}) =>
    `${JSON.stringify({ level: 30, time: new Date(START + after).toISOString(), pid, event, properties: { sessionId: id } })}\n`
  const log = (...rows: readonly string[]) => ({ '/h/.cline/data/logs/cline.log': rows.join('') })
  const said = (id: string, ts: number) => ({
    [`${SESSIONS}/${id}/${id}.messages.json`]: JSON.stringify({ messages: [{ role: 'user', ts }] }),
  })
  /** Both were begun by the hub, for terminals in the same directory. */
  const files = {
    ...at(SESSIONS, ID, entry(ID, { pid: 99 })),
    ...at(SESSIONS, OTHER, entry(OTHER, { pid: 99 })),
    ...said(ID, START + 9_000),
    ...said(OTHER, START + 9_010),
  }
  const found = (id: string, began: number, transcript: string | null = `${SESSIONS}/${id}`) => [
    { id, provenance: 'registration', transcript, began },
  ]

  test('tells the conversations of two processes apart that were begun at once', async () => {
    const both = { ...files, ...log(row(8, OTHER), row(7, ID)) }
    expect(await findings(both)).toEqual(found(ID, START + 5_000))
    expect(await findings(both, { pids: [8] })).toEqual(found(OTHER, START + 6_000))
    expect(await findings(both, { pids: [9] })).toEqual([])
  })

  test('names the last that a process has opened, also an old one, and one in which nothing was said yet', async () => {
    expect(await findings({ ...files, ...log(row(7, ID), row(7, OTHER)) })).toEqual(found(OTHER, START + 6_000))
    const old = { ...files, ...at(SESSIONS, OLD, entry(OLD, { pid: 3 })) }
    expect(await findings({ ...old, ...log(row(7, ID), row(7, OLD)) })).toEqual(found(OLD, START - 60_000))
    expect(await findings(log(row(7, ID)))).toEqual(found(ID, START + 5_000, null))
  })

  test('says nothing of a process that had the number before, of one in a sandbox, of other events and of what runs without a terminal', async () => {
    const others = { ...files, ...log(row(7, ID, { after: -9_000 }), row(7, ID, { event: 'session.stopped' }), 'torn "session.started"\n') }
    expect((await findings(others)).map(({ provenance }) => provenance)).toEqual(['store', 'store'])
    const look = memoryLook({
      argv: ['cline'],
      files: { ...files, ...log(row(7, ID)), ...at(SESSIONS, ID, entry(ID, { pid: 7 })) },
      pids: [70],
    })
    const inside = await cline.findings({
      ...look,
      process: { ...look.process, selves: look.process.selves.map((self) => ({ ...self, isInside: true })) },
    })
    expect(inside.map(({ provenance }) => provenance)).toEqual(['store', 'store'])
    expect(await findings({ ...log(row(7, ID)), ...at(SESSIONS, ID, entry(ID, { interactive: false })) })).toEqual([])
  })

  test('lies beside the conversations, where its data is, and leads nowhere else', async () => {
    const elsewhere = { '/d/logs/cline.log': row(7, ID) }
    expect(await findings(elsewhere, { argv: ['cline', '--data-dir', '/d'] })).toEqual(found(ID, START + 5_000, null))
    expect(await findings(elsewhere, { env: { CLINE_DATA_DIR: '/d' } })).toEqual(found(ID, START + 5_000, null))
    expect(await findings({ ...log(row(7, '../../x')), '/h/.cline/data/x/../../x.json': entry('../../x') })).toMatchObject([
      { transcript: null },
    ])
  })
})

describe('Cline keeps its conversations', () => {
  const place = async (sessions: string, more: Memory) =>
    (await cline.transcript(memoryLook({ files: at(sessions, ID, entry(ID)), ...more }), ID)).kind

  test.each<[string, Memory]>([
    [SESSIONS, {}],
    ['/d/sessions', { argv: ['cline', '--data-dir', '/d'] }],
    ['/d/sessions', { argv: ['cline', '--data-dir=/d'], env: { CLINE_SESSION_DATA_DIR: '/e' } }],
    ['/p/one/d/sessions', { argv: ['cline', '--data-dir', 'd'] }],
    ['/e', { env: { CLINE_SESSION_DATA_DIR: '/e', CLINE_DATA_DIR: '/f' } }],
    ['/f/sessions', { env: { CLINE_DATA_DIR: '/f', CLINE_DIR: '/g' }, argv: ['cline', '--config', '/c'] }],
    ['/c/data/sessions', { argv: ['cline', '--config', '/c'], env: { CLINE_DIR: '/g' } }],
    ['/g/data/sessions', { env: { CLINE_DIR: '/g' } }],
    [SESSIONS, { argv: ['cline', '--', '--data-dir', '/d'] }],
  ])('in %s with %j', async (sessions, more) => {
    expect(await place(sessions, more)).toBe('there')
    expect(await place('/elsewhere', more)).toBe('gone')
  })
})

describe('Cline', () => {
  const reading = (status: string, ...messages: readonly object[]) => {
    const files = { ...at(SESSIONS, ID, entry(ID, { status })), [`${SESSIONS}/${ID}/${ID}.messages.json`]: JSON.stringify({ messages }) }
    return cline.reading!(memoryLook({ files }), { id: ID, transcript: `${SESSIONS}/${ID}` })
  }
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'All green.' }], metrics: { inputTokens: 10, outputTokens: 5 } }
  const tool = (name: string, input: object) => ({ role: 'assistant', content: [{ type: 'tool_use', name, input }] })

  test('works, asks or rests as its status says', async () => {
    expect((await reading('running', answer))?.state).toMatchObject({ source: 'registration', state: 'working', at: START })
    expect(await reading('idle', answer)).toMatchObject({
      state: { state: 'idle', words: 'All green.' },
      ...{ model: 'opus', title: 'Fix the bug', tokens: 15 },
    })
    for (const status of ['completed', 'failed', 'cancelled']) expect((await reading(status))?.state?.state).toBe('idle')
    expect((await reading('something new'))?.state).toBeNull()
  })

  test('asks for a permission or a question, and says what', async () => {
    expect((await reading('pending', tool('run_commands', { commands: ['rm -r x'] })))?.state).toMatchObject({
      ...{ state: 'needs-you', wants: 'permission', words: 'rm -r x' },
    })
    expect((await reading('pending', tool('ask_question', { question: 'Which?' })))?.state).toMatchObject({
      ...{ state: 'needs-you', wants: 'question', words: 'Which?' },
    })
  })
})
