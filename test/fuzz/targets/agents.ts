/** The files of every agent, as its object reads them: in memory by chance, and on disk through the daemon's own eyes. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import type { Agent, Finding, Look } from '../../../src/agents/agent.ts'
import { AGENTS, agentNamed } from '../../../src/agents/programs/all.ts'
import { hintIn } from '../../../src/agents/shown.ts'
import { placeLook } from '../../../src/daemon/agents/nodeLook.ts'
import { memoryLook, START } from '../../support/memoryLook.ts'
import { damagedBytes, jsonTextOf, nastyJson, nastyText, randomBytes } from '../nasty.ts'
import { demand, fuzzTarget } from '../target.ts'

const ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d3e'
const SES = 'ses_e1c36be09ffe3XdHDKmlgfkfw1'
const TIME = new Date(START + 5).toISOString()

/** Words that the readers look for, so that chance leads deep into them. */
const KEYS = [
  ...['type', 'payload', 'message', 'content', 'timestamp', 'sessionId', 'pid', 'startedAt', 'procStart', 'status', 'role', 'usage'],
  ...['stop_reason', 'model', 'toolCalls', 'tokens', 'input', 'questions', 'question', 'state', 'tool', 'data', 'id', 'projects', '/p/one'],
  ...['$set', 'startTime', 'kind', 'isSidechain', 'rollout_path', 'time_created', 'call_id', 'name', 'info', 'customTitle', 'waitingFor'],
]
const VALUES = [
  ...['assistant', 'user', 'gemini', 'event_msg', 'task_complete', 'function_call', 'request_user_input', 'tool_use', 'text', 'waiting'],
  ...['AskUserQuestion', 'summary', 'busy', 'idle', TIME, ID, SES, 'one', 7, START],
]
const json = nastyJson(KEYS, VALUES)
const entry = fc.oneof(
  json,
  json.map((given) => ({
    type: 'assistant',
    timestamp: TIME,
    message: { model: given, content: [{ type: 'text', text: given }], usage: given },
  })),
  json.map((given) => ({
    type: 'event_msg',
    timestamp: TIME,
    payload: { type: 'task_complete', last_agent_message: given, call_id: given },
  })),
  json.map((given) => ({
    type: 'gemini',
    timestamp: TIME,
    sessionId: ID,
    startTime: TIME,
    model: given,
    content: given,
    toolCalls: given,
  })),
  json.map((given) => ({ pid: 7, sessionId: ID, status: 'waiting', updatedAt: START, waitingFor: given, name: given, projects: given })),
)
const text = fc.oneof({ weight: 4, arbitrary: fc.array(jsonTextOf(entry), { maxLength: 5 }).map((lines) => lines.join('\n')) }, nastyText)
const row = fc.dictionary(fc.constantFrom(...KEYS), json, { maxKeys: 8 })
const NAMES = [
  ...[ID, `rollout-x-${ID}.jsonl`, `session-x-${ID.slice(0, 8)}.jsonl`, 'state_5.sqlite', '7.json'],
  `2026-11-16T09-00-01-1Z_${ID}.jsonl`,
]
/** Whatever a file can be called. */
const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES) },
  nastyText.map((given) => `x${given.replace(/[/\0]/g, '-')}`.slice(0, 255)),
)

/** Every file is there, and any file may hold anything. */
function hostileLook({ texts, rows, names }: { texts: readonly string[]; rows: readonly object[]; names: readonly string[] }): Look {
  let asked = 0
  const sight = (path: string) => ({ name: path, path, isDirectory: asked % 2 === 0, size: 9, modified: START, born: START })
  return {
    ...memoryLook({
      argv: ['agent'],
      open: [`/x/rollout-x-${ID}.jsonl`, `/x/thread-writer-locks/${ID}.lock`, ...names.map((one) => `/x/${one}`)],
    }),
    readText: () => Promise.resolve(texts[asked++ % (texts.length + 1)] ?? null),
    list: (directory) => Promise.resolve(names.map((one) => ({ ...sight(`${directory}/${one}`), name: one }))),
    stat: (path) => Promise.resolve(asked++ % 3 === 2 ? null : sight(path)),
    query: () => Promise.resolve(rows as readonly Record<string, unknown>[]),
  }
}

export const agents = fuzzTarget({
  name: 'agents',
  what: 'What every agent’s object reads: transcripts, registrations, names of files, rows, titles, screens.',
  cases: 500,
  input: fc.record({
    agent: fc.constantFrom(...AGENTS.map(({ id }) => id)),
    texts: fc.array(text, { minLength: 1, maxLength: 4 }),
    rows: fc.array(row, { maxLength: 3 }),
    names: fc.array(name, { maxLength: 4 }),
    id: fc.oneof(fc.constantFrom(ID, SES), nastyText),
    title: nastyText,
  }),
  open: () => ({
    judge: async ({ agent: called, id, title, ...files }) => {
      const agent = named(called)
      await judgeAgent(agent, hostileLook(files), id)
      const screen = files.texts.join('\n').split('\n')
      agent.shown?.({ title, screen })
      const hint = hintIn(agent, screen.join('\n'))
      demand(hint === null || agent.idPattern.test(hint), 'an exit hint is no id')
    },
  }),
})

function named(id: string): Agent {
  const agent = agentNamed(AGENTS, id)
  demand(agent !== null, `there is no agent ${id}`)
  return agent
}

async function judgeAgent(agent: Agent, look: Look, id: string): Promise<void> {
  const findings = await agent.findings(look)
  for (const found of findings) judgeFinding(found)
  await agent.transcript(look, id)
  const reading = (await agent.reading?.(look, { id, transcript: '/x/transcript' })) ?? null
  for (const shown of [reading?.model, reading?.title, reading?.state?.words])
    demand(
      shown === undefined || shown === null || (!/[\p{Cc}\p{Cs}]/u.test(shown) && shown.length <= 800),
      'words are not fit to be shown',
    )
  demand(reading?.tokens === undefined || reading.tokens === null || Number.isFinite(reading.tokens), 'tokens are no number')
}

function judgeFinding({ id, began, transcript }: Finding): void {
  demand(typeof id === 'string' && id !== '', 'a finding without an id')
  demand(began === null || Number.isFinite(began), 'a finding that began at no time')
  demand(transcript === null || typeof transcript === 'string', 'a finding whose transcript is no path')
}

const HOMES = [
  ...['.claude/sessions/7.json', `.claude/projects/-p-one/${ID}.jsonl`, `.codex/sessions/2025/08/29/rollout-x-${ID}.jsonl`],
  ...[
    '.codex/state_5.sqlite',
    '.gemini/projects.json',
    `.gemini/tmp/one/chats/session-x-${ID.slice(0, 8)}.jsonl`,
    '.gemini/tmp/one/logs.json',
  ],
  ...['.local/share/opencode/opencode.db', '.local/share/kilo/kilo.db', '.qwen/sessions/7.json', `.qwen/projects/x/chats/${ID}.jsonl`],
  ...[`.qwen/projects/-p-one/chats/${ID}.runtime.json`, `.qwen/projects/-p-one/chats/${ID}.jsonl`],
  ...[`.copilot/session-state/${ID}/inuse.7.lock`, `.copilot/session-state/${ID}/events.jsonl`],
]
const SQLITE = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(84), Buffer.alloc(4000)])
const content = fc.oneof(
  text.map((given) => Buffer.from(given)),
  damagedBytes(text.map((given) => Buffer.from(given))),
  damagedBytes(fc.constant(SQLITE)),
  randomBytes,
)

export const agentFiles = fuzzTarget({
  name: 'agent-files',
  what: 'The same on a real disk, through the eyes of the daemon: files, directories in their place, databases that are none.',
  cases: 50,
  input: fc.record({
    agent: fc.constantFrom(...AGENTS.map(({ id }) => id)),
    files: fc.uniqueArray(fc.tuple(fc.constantFrom(...HOMES), fc.oneof({ weight: 5, arbitrary: content }, fc.constant(null))), {
      maxLength: 6,
      selector: ([path]) => path,
    }),
  }),
  open: () => {
    const root = mkdtempSync(join(tmpdir(), 'fuzz-agents-'))
    return {
      judge: async ({ agent, files }) => {
        const home = mkdtempSync(join(root, 'h-'))
        for (const [path, bytes] of files) {
          mkdirSync(bytes === null ? join(home, path) : dirname(join(home, path)), { recursive: true })
          if (bytes !== null) writeFileSync(join(home, path), bytes)
        }
        const look = {
          ...memoryLook({ argv: ['agent'] }),
          ...placeLook({ cwd: '/p/one', env: { HOME: home }, argv: ['agent'] }),
          openFiles: () => Promise.resolve([]),
        }
        await judgeAgent(named(agent), look, ID)
        rmSync(home, { recursive: true })
      },
      close: async () => rmSync(root, { recursive: true }),
    }
  },
})
