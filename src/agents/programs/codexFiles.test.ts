import { describe, expect, test } from 'vitest'
import { type Memory, memoryLook, START } from '../../../test/support/memoryLook.ts'
import { bornOfId } from '../files.ts'
import { codex } from './codex.ts'

/** An id of a conversation that began so many ms after the start of the process. */
const idAt = (after: number) => {
  const hex = (START + after).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7f01-bec8-f201e5dce374`
}
const [ONE, TWO] = [idAt(1_000), idAt(9_000)]
const rollout = (id: string) => `/h/.codex/sessions/2026/11/16/rollout-2026-11-16T10-00-00-${id}.jsonl`
const lock = (id: string) => `/h/.codex/thread-writer-locks/${id}.lock`
const meta = (more = '"source":"cli","thread_source":"user"') => `{"type":"session_meta","payload":{${more},"base_instructions":"…`
const findings = (memory: Memory) => codex.findings(memoryLook({ argv: ['codex'], ...memory }))

describe('the conversation of a process of Codex', () => {
  test('is the one whose transcript it holds open', async () => {
    expect(await findings({ open: [rollout(ONE), lock(ONE), '/dev/tty'], files: { [rollout(ONE)]: meta() } })).toEqual([
      { id: ONE, provenance: 'open-file', transcript: rollout(ONE), began: START + 1_000 },
    ])
  })

  test('has no transcript while only its lock is there', async () => {
    expect(await findings({ open: [lock(ONE)] })).toMatchObject([{ id: ONE, transcript: null }])
  })

  test('is none of those that belong to agents of its own', async () => {
    const files = { [rollout(ONE)]: meta(), [rollout(TWO)]: meta('"source":{"subagent":{}},"thread_source":"subagent"') }
    expect(await findings({ open: Object.keys(files), files })).toMatchObject([{ id: ONE }])
  })

  const thread = (id: string, more: object = {}) => ({ id, rollout_path: rollout(id), cwd: '/p/one', thread_source: 'user', ...more })
  const served: Memory = {
    files: { '/h/.codex/state_4.sqlite': '', '/h/.codex/state_12.sqlite': '' },
    query: (_sql, [cwd], database) =>
      cwd === '/p/one' && database.endsWith('state_12.sqlite')
        ? [thread(ONE), thread(TWO, { thread_source: 'title' }), thread(idAt(-600_000)), { id: 7 }]
        : [],
  }

  test('is found by its time in the newest database where its server holds the transcript', async () => {
    expect(await findings(served)).toEqual([{ id: ONE, provenance: 'store', transcript: rollout(ONE), began: START + 1_000 }])
  })

  test('is told with the moment at which something was first said in it', async () => {
    const task = (at: string) => `${JSON.stringify({ timestamp: at, type: 'event_msg', payload: { type: 'task_started' } })}\n`
    const said = `${JSON.stringify({ type: 'session_meta', payload: {} })}\n${task('2026-11-16T09:28:39.133Z')}${task('2026-11-16T09:30:00.000Z')}`
    const found = await findings({ ...served, files: { ...served.files, [rollout(ONE)]: said } })
    expect(found).toMatchObject([{ id: ONE, asked: Date.parse('2026-11-16T09:28:39.133Z') }])
  })

  test.each(['codex --no-daemon', 'codex -c a=b', 'node /x/.bin/codex --config=a=b'])('is not looked for there by %s', async (line) => {
    expect(await findings({ ...served, argv: line.split(' ') })).toEqual([])
  })

  test('is the one that it was told to resume', async () => {
    expect(await findings({ argv: ['codex', 'resume', ONE, '--no-daemon'] })).toMatchObject([{ id: ONE, provenance: 'user' }])
    expect(await findings({ argv: ['codex', 'fork', ONE, '--no-daemon'] })).toEqual([])
  })
})

describe('a transcript of Codex', () => {
  test('is found by the day of its id, without a database', async () => {
    expect(await codex.transcript(memoryLook({ files: { [rollout(ONE)]: '' } }), ONE)).toEqual({ kind: 'there', path: rollout(ONE) })
    expect(await codex.transcript(memoryLook({}), ONE)).toEqual({ kind: 'gone' })
  })

  test('under an id without a time is not known to be gone', async () => {
    expect(await codex.transcript(memoryLook({}), 'fcdae86b-0dcb-45e4-b21c-ea38d8eb2b9c')).toEqual({ kind: 'unknown' })
    expect(bornOfId('fcdae86b-0dcb-45e4-b21c-ea38d8eb2b9c')).toBeNull()
  })
})

describe('what Codex does', () => {
  const T = '2026-11-16T09:28:39.133Z'
  const row = (type: string, payload: object) => `${JSON.stringify({ timestamp: T, type, payload })}\n`
  const event = (type: string, more: object = {}) => row('event_msg', { type, ...more })
  const started = event('task_started')
  const asks = row('response_item', { type: 'function_call', name: 'request_user_input', call_id: 'c', arguments: '{"question":"Which?"}' })
  const answer = row('response_item', { type: 'function_call_output', call_id: 'c' })
  const reading = (...rows: readonly string[]) =>
    codex.reading!(memoryLook({ files: { [rollout(ONE)]: rows.join('') } }), { id: ONE, transcript: rollout(ONE) })

  test.each([
    ['works', [started, row('response_item', { type: 'message' })], { state: 'working' }],
    ['has finished', [started, event('task_complete', { last_agent_message: 'All\nset' })], { state: 'idle', words: 'All set' }],
    ['was interrupted', [started, event('turn_aborted')], { state: 'idle' }],
    ['asks', [started, asks], { state: 'needs-you', wants: 'question', words: 'Which?' }],
    ['has its answer', [started, asks, answer], { state: 'working' }],
    ['wants a permission', [started, event('exec_approval_request', { call_id: 'd' })], { state: 'needs-you', wants: 'permission' }],
  ])('when it %s', async (_, rows, state) => {
    expect((await reading(...rows))?.state).toEqual({ source: 'transcript', wants: null, words: null, at: Date.parse(T), ...state })
  })

  test('comes with the model and the tokens of the newest answer', async () => {
    const rows = [row('turn_context', { model: 'gpt-6' }), event('token_count', { info: { last_token_usage: { total_tokens: 15 } } })]
    expect(await reading(...rows)).toMatchObject({ model: 'gpt-6', tokens: 15 })
  })
})
