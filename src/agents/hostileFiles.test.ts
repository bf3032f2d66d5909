import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryLook, START } from '../../test/support/memoryLook.ts'
import type { Look } from './agent.ts'
import { AGENTS } from './programs/all.ts'

const ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d3e'
const SES = 'ses_e1c36be09ffe3XdHDKmlgfkfw1'
const TIME = new Date(START + 5).toISOString()

/** Words that the readers look for, so that chance leads deep into them. */
const KEYS = [
  ...['type', 'payload', 'message', 'content', 'timestamp', 'sessionId', 'pid', 'startedAt', 'procStart', 'status', 'role', 'usage'],
  ...['stop_reason', 'model', 'toolCalls', 'tokens', 'input', 'questions', 'state', 'tool', 'data', 'id', 'projects', '/p/one', '$set'],
  ...[
    'startTime',
    'kind',
    'isSidechain',
    'rollout_path',
    'time_created',
    'call_id',
    'name',
    'info',
    'session_id',
    'started_at',
    '__proto__',
    'constructor',
  ],
]
const VALUES = [
  ...['assistant', 'user', 'gemini', 'event_msg', 'task_complete', 'function_call', 'request_user_input', 'tool_use', 'text', 'waiting'],
  ...[TIME, ID, SES, 'one', '../..', '\u001b]0;x\u0007', '', '{', '[1'],
]
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>(...VALUES, null, true, 7, -1, START, 1e308),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('json'), { maxKeys: 6 }),
  ),
}))
/** As the programs write it, but for one value. */
const value = fc.oneof(json, fc.constant('\u001b]0;x\u0007'))
const likely = value.map((given) => [
  {
    type: 'assistant',
    timestamp: TIME,
    message: { model: given, content: [{ type: 'text', text: given }], stop_reason: 'end_turn', usage: given },
  },
  { type: 'turn_context', timestamp: TIME, payload: { model: given } },
  { type: 'event_msg', timestamp: TIME, payload: { type: 'task_complete', last_agent_message: given } },
  { type: 'gemini', timestamp: TIME, sessionId: ID, startTime: TIME, model: given, content: given, tokens: { total: given } },
  { type: 'summary', summary: given, $set: { summary: given } },
])
const likelyRow = value.map((given) => ({
  ...{ id: SES, title: given, model: given, time_updated: given, time_created: given },
  data: JSON.stringify({ role: 'assistant', modelID: given, type: 'text', text: given, time: { completed: 7 }, tokens: { total: given } }),
}))
const text = fc.oneof(
  likely.map((rows) => rows.map((row) => JSON.stringify(row)).join('\n')),
  fc.array(json, { maxLength: 4 }).map((rows) => rows.map((row) => JSON.stringify(row)).join('\n')),
  fc.string(),
)
const row = fc.oneof(likelyRow, fc.dictionary(fc.constantFrom(...KEYS), json, { maxKeys: 8 }))

/** Every file is there, and any file may hold anything. */
function hostileLook(texts: readonly string[], rows: readonly Record<string, unknown>[]): Look {
  let asked = 0
  const next = () => texts[asked++ % texts.length] ?? null
  const names = [
    `${ID}`,
    `rollout-x-${ID}.jsonl`,
    `session-x-${ID.slice(0, 8)}.jsonl`,
    'state_5.sqlite',
    '7.json',
    `${ID}.runtime.json`,
    `2026-11-16T09-00-01-1Z_${ID}.jsonl`,
  ]
  const sight = (path: string) => ({ name: path, path, isDirectory: false, size: 9, modified: START, born: START })
  return {
    ...memoryLook({ argv: ['agent'], open: [`/x/rollout-x-${ID}.jsonl`, `/x/thread-writer-locks/${SES}.lock`] }),
    readText: () => Promise.resolve(next()),
    list: (directory) => Promise.resolve(names.map((name) => ({ ...sight(`${directory}/${name}`), name }))),
    stat: (path) => Promise.resolve(sight(path)),
    query: () => Promise.resolve(rows),
  }
}

test.each(AGENTS.map(({ id }) => id))('whatever lies where %s keeps its files, nothing throws and nothing unsafe comes out', async (id) => {
  const agent = AGENTS.find((one) => one.id === id)!
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), fc.array(row, { maxLength: 3 }), async (texts, rows) => {
      const look = hostileLook(texts, rows)
      for (const { began } of await agent.findings(look)) expect(began === null || Number.isFinite(began)).toBe(true)
      await agent.transcript(look, ID)
      const reading = await agent.reading?.(look, { id: ID, transcript: '/t' })
      for (const shown of [reading?.title, reading?.model, reading?.state?.words]) expect(shown ?? '').not.toMatch(/\p{Cc}/u)
      expect(Number.isFinite(reading?.state?.at ?? 0)).toBe(true)
      expect(Number.isFinite(reading?.tokens ?? 0)).toBe(true)
    }),
    { numRuns: 150 },
  )
})
