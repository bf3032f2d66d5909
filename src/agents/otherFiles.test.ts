import { describe, expect, test } from 'vitest'
import { type Memory, memoryLook, START } from '../../test/support/memoryLook.ts'
import { cline } from './programs/cline.ts'
import { copilot } from './programs/copilot.ts'
import { kilo, opencode } from './programs/opencode.ts'
import { pi } from './programs/pi.ts'
import { qwen } from './programs/qwen.ts'

const ID = '8f3a19f8-d49a-417e-871b-ea7e3f2ae73c'
const SES = 'ses_e1c36be09ffe3XdHDKmlgfkfw1'
const DATABASE = '/h/.local/share/opencode/opencode.db'

describe('opencode', () => {
  const session = (more: object = {}) => ({
    id: SES,
    directory: '/p/one',
    parent_id: null,
    time_created: START + 900,
    title: 'Fix',
    ...more,
  })
  const answering =
    (tables: Record<string, readonly object[]>): NonNullable<Memory['query']> =>
    (sql, parameters, database) => {
      const table = /FROM (\w+)/.exec(sql)?.[1] ?? ''
      if (sql.includes('count(*)')) return [{ sessions: 1 }]
      const isAsked = database === DATABASE && ['/p/one', SES, 'msg_1'].includes(String(parameters[0]))
      return isAsked ? ((tables[table] ?? []) as readonly Record<string, unknown>[]) : []
    }
  const message = (data: object) => ({ id: 'msg_1', time_updated: START + 5, data: JSON.stringify(data) })
  const reading = (data: object, ...parts: readonly object[]) => {
    const rows = { session: [session()], message: [message(data)], part: parts.map((part) => ({ data: JSON.stringify(part) })) }
    return opencode.reading!(memoryLook({ query: answering(rows) }), { id: SES, transcript: DATABASE })
  }

  test('may have any conversation of its directory that no agent began', async () => {
    const query = answering({ session: [session(), session({ id: 'ses_child123', parent_id: SES }), { id: 7 }] })
    expect(await opencode.findings(memoryLook({ query }))).toEqual([
      { id: SES, provenance: 'store', transcript: DATABASE, began: START + 900, asked: START + 900 },
    ])
    expect(await kilo.findings(memoryLook({ query }))).toEqual([])
  })

  test('has the one that its command line names', async () => {
    expect(await opencode.findings(memoryLook({ argv: ['opencode', '-s', SES] }))).toMatchObject([{ id: SES, provenance: 'user' }])
  })

  test('has lost a conversation only if the database could be read', async () => {
    const there = memoryLook({ query: answering({ session: [session()] }) })
    expect(await opencode.transcript(there, SES)).toEqual({ kind: 'there', path: DATABASE })
    expect(await opencode.transcript(there, 'ses_123456789')).toEqual({ kind: 'gone' })
    expect(await opencode.transcript(memoryLook({ files: { [DATABASE]: '' } }), SES)).toEqual({ kind: 'unknown' })
    expect(await opencode.transcript(memoryLook({}), SES)).toEqual({ kind: 'gone' })
  })

  test('works, rests or asks as its newest message says', async () => {
    const over = { role: 'assistant', modelID: 'm', time: { completed: 7 }, finish: 'stop', tokens: { total: 15 } }
    expect(await reading(over, { type: 'step-finish' }, { type: 'text', text: 'Yes' })).toMatchObject({
      state: { state: 'idle', words: 'Yes', at: START + 5 },
      ...{ model: 'm', title: 'Fix', tokens: 15 },
    })
    expect((await reading({ role: 'user' }))?.state?.state).toBe('working')
    expect((await reading({ role: 'assistant', time: { created: 1 } }))?.state?.state).toBe('working')
    expect((await reading({ ...over, finish: 'tool-calls' }))?.state?.state).toBe('working')
    const asks = { type: 'tool', tool: 'question', state: { status: 'running', input: { questions: [{ question: 'Which?' }] } } }
    expect((await reading({ role: 'assistant' }, asks))?.state).toMatchObject({ state: 'needs-you', wants: 'question', words: 'Which?' })
    expect((await reading({ role: 'ghost' }))?.state).toBeNull()
  })
})

describe('others', () => {
  test('Qwen Code has the conversation that the file of its process names', async () => {
    const files = { '/h/.qwen/sessions/7.json': `{"pid":7,"sessionId":"${ID}"}`, [`/h/.qwen/projects/-p-one/chats/${ID}.jsonl`]: '' }
    expect(await qwen.findings(memoryLook({ files }))).toMatchObject([
      { id: ID, provenance: 'registration', transcript: `/h/.qwen/projects/-p-one/chats/${ID}.jsonl` },
    ])
    expect(await qwen.findings(memoryLook({ files, modified: { '/h/.qwen/sessions/7.json': START - 9_000 } }))).toEqual([])
  })

  test('Copilot has the conversation whose lock names its process', async () => {
    const base = `/h/.copilot/session-state/${ID}`
    const files = { [`${base}/events.jsonl`]: '', [`${base}/inuse.8.lock`]: '' }
    expect(await copilot.findings(memoryLook({ files, pids: [7, 8] }))).toMatchObject([{ id: ID, transcript: `${base}/events.jsonl` }])
    expect(await copilot.findings(memoryLook({ files }))).toEqual([])
  })

  test('pi may have any conversation that began in its directory since it was started', async () => {
    const name = (time: string) => `/h/.pi/agent/sessions/--p-one--/${time}_${ID}.jsonl`
    const asked = { type: 'message', timestamp: '2026-11-16T09:00:04.000Z', message: { role: 'user', timestamp: START + 3_900 } }
    const now = name('2026-11-16T09-00-01-250Z')
    const files = { [now]: `${JSON.stringify(asked)}\n`, [name('2026-11-15T09-00-00-000Z')]: '', [name('soon')]: '' }
    expect(await pi.findings(memoryLook({ files }))).toEqual([
      { id: ID, provenance: 'store', transcript: now, began: START + 1_250, asked: START + 3_900, used: expect.any(Number) },
    ])
    expect((await pi.transcript(memoryLook({ files }), ID)).kind).toBe('there')
  })

  test('pi has its conversations where its command line or a variable says, among those of other projects', async () => {
    const name = (second: number, id: string) => `/d/2026-11-16T09-00-0${second}-000Z_${id}.jsonl`
    const other = ID.replace('9c1e', '9c1f')
    const header = (cwd: string) => `${JSON.stringify({ type: 'session', cwd })}\n`
    const files = { [name(5, ID)]: header('/p/one'), [name(6, other)]: header('/p/two') }
    const places: readonly Memory[] = [
      { argv: ['pi', '--session-dir', '/d', 'hello'] },
      { argv: ['pi', '--session-dir', '/x', '--session-dir', '../../d'] },
      { env: { PI_CODING_AGENT_SESSION_DIR: '/d' } },
      { env: { PI_CODING_AGENT_SESSION_DIR: '~/d' } },
      { argv: ['pi', '--session-dir', '/d'], env: { PI_CODING_AGENT_SESSION_DIR: '/x' } },
    ]
    for (const place of places) {
      const at =
        place.argv?.includes('../../d') === true ? '/p/one/../../d' : place.env?.['PI_CODING_AGENT_SESSION_DIR'] === '~/d' ? '/h/d' : '/d'
      const there = Object.fromEntries(Object.entries(files).map(([path, text]) => [path.replace('/d', at), text]))
      const look = memoryLook({ files: there, ...place })
      expect(await pi.findings(look)).toMatchObject([{ id: ID, provenance: 'store', transcript: name(5, ID).replace('/d', at) }])
      expect([(await pi.transcript(look, ID)).kind, (await pi.transcript(look, other)).kind]).toEqual(['there', 'there'])
    }
    for (const argv of [['pi'], ['pi', '--append-system-prompt', '--session-dir', '/d'], ['pi', '--session-dir=/d']]) {
      expect(await pi.findings(memoryLook({ files, argv }))).toEqual([])
      expect((await pi.transcript(memoryLook({ files, argv }), ID)).kind).toBe('gone')
    }
  })

  test('Cline has a conversation while its directory is there', async () => {
    const id = '1794772872079_paw08'
    const look = memoryLook({ files: { [`/h/.cline/data/sessions/${id}/x.messages.json`]: '' } })
    expect((await cline.transcript(look, id)).kind).toBe('there')
    expect(await cline.transcript(look, '1794772872079_other')).toEqual({ kind: 'gone' })
  })
})
