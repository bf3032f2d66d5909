/** Codex. It holds the transcript of its conversation open, or leaves both to a server of its own that all its terminals share. */

import type { Finding, Look, PlaceLook, Reading, Transcript } from '../agent.ts'
import { argsOf } from '../argv.ts'
import { at, jsonLines, numberAt, parseJson, shownWords, textAt, timeAt } from '../decode.ts'
import { beganInRun, bornOfId, HEAD_BYTES, report, spellingsOf, stored, TAIL_BYTES, transcriptAt, UUID } from '../files.ts'
import { CODEX_FLAGS } from '../flags/codex.ts'
import { flagTable, wordsOf } from '../flags/flagTable.ts'
import { SPINNER, shownBy } from '../shown.ts'
import type { StateReport } from '../state.ts'
import { plainAgent } from './plainAgent.ts'

export const codex = plainAgent({
  id: 'codex',
  label: 'Codex',
  recognise: { names: ['codex'], paths: ['/@openai/codex/'] },
  resume: (id) => ['resume', id],
  flags: {
    grammar: 'clap',
    takes: { ...CODEX_FLAGS, ...flagTable({ none: '--full-auto --yolo' }) },
    choosing: ['resume', 'fork', '--last', '--all', '--include-non-interactive'],
    prompting: ['-i', '--image'],
    once: ['--worktree'],
    notConversation: wordsOf(`
      -h --help -V --version a agents app-server apply archive cloud completion debug delete doctor e exec exec-server features help
      login logout mcp mcp-server migrate-nfs-db migrate-rollouts plugin proto queue remote-control responses-api-proxy review
      sandbox unarchive update
    `),
  },
  configEnv: ['CODEX_HOME', 'CODEX_SQLITE_HOME'],
  // Signals make it leave without a word and with the terminal in disorder. One press leaves; while it works or text is typed it takes more.
  quit: { kind: 'keys', keys: ['C-c', 'C-c', 'C-c'], everyMs: 400 },
  exitHint: /To (?:continue this session|reconnect), run: ?codex resume ([0-9a-f-]{36})/i,
  findings: codexFindings,
  transcript: codexTranscript,
  reading: codexReading,
  shown: shownBy({
    asks: { question: /^\s*Would you like to\b/, choice: /^\s*› \d+\. \S/ },
    titles: [
      [/^\[ . \] Action Required\b/, 'needs-you'],
      [SPINNER, 'working'],
    ],
    prompt: /^›(?! \d+\. )(?:\s|$)/,
    busy: /^\s*[•◦] .*\besc to interrupt\b/,
    busyAbove: 4,
  }),
})

/** Where Codex keeps its conversations. Its own process holds the transcript open; if it leaves that to its server, only times tell. */
const baseOf = ({ env, home }: PlaceLook): string => env['CODEX_HOME'] || `${home}/.codex`

const ROLLOUT = /\/rollout-[^/]*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/i
const LOCK = /\/thread-writer-locks\/([0-9a-f-]{36})\.lock$/i

async function codexFindings(look: Look): Promise<readonly Finding[]> {
  const open = await look.openFiles()
  const rollouts = open.flatMap((path) => idAndPath(ROLLOUT, path))
  const own = (await Promise.all(rollouts.map(async (one) => ((await isUsers(look, one.path)) ? [one] : [])))).flat()
  const locked = open.flatMap((path) => idAndPath(LOCK, path)).filter(({ id }) => !rollouts.some((one) => one.id === id))
  const held = [...own, ...locked.map(({ id }) => ({ id, path: null }))].map(
    ({ id, path }): Finding => ({ id, provenance: 'open-file', transcript: path, began: bornOfId(id) }),
  )
  return held.length > 0 || hasNoServer(look) ? held : storedThreads(look)
}

const idAndPath = (pattern: RegExp, path: string): readonly { readonly id: string; readonly path: string }[] => {
  const id = pattern.exec(path)?.[1]
  return id === undefined ? [] : [{ id, path }]
}

/** Agents that it starts itself have transcripts too, open in the same process. The line is too long to be read as a whole. */
async function isUsers(look: PlaceLook, path: string): Promise<boolean> {
  const head = (await look.readText(path, { head: HEAD_BYTES })) ?? ''
  const source = /"thread_source":"(\w+)"/.exec(head)?.[1] ?? 'user'
  return source === 'user' && !/"source":\{"sub_?agent"/i.test(head)
}

/** With these it keeps its conversation in its own process, so what lies elsewhere is not its. */
function hasNoServer({ process: { process } }: Look): boolean {
  const args = argsOf({ id: 'codex', recognise: { names: ['codex'] } }, process.argv)
  return args.some((word) => /^(?:--no-daemon$|-c|--config\b|--remote\b)/.test(word))
}

async function storedThreads(look: Look): Promise<readonly Finding[]> {
  const database = await databaseOf(look)
  if (database === null) return []
  const rows = await Promise.all(
    (await spellingsOf(look)).map((cwd) =>
      look.query(database, 'SELECT * FROM threads WHERE cwd = ? ORDER BY updated_at DESC LIMIT 50', [cwd]),
    ),
  )
  const threads = rows.flat().flatMap((row) => {
    const id = textAt(row, 'id') ?? ''
    const began = bornOfId(id)
    const path = textAt(row, 'rollout_path')
    if (!UUID.test(id) || began === null || path === null || !beganInRun(began, look)) return []
    return (textAt(row, 'thread_source') ?? 'user') === 'user' ? [{ id, began, path }] : []
  })
  return await Promise.all(
    threads.map(async ({ id, began, path }): Promise<Finding> => {
      const asked = await firstTask(look, path)
      return { ...stored(id, began, path), ...(asked === null ? {} : { asked }) }
    }),
  )
}

/** Its first line holds all of its instructions. */
const BEGINNING_BYTES = 128 << 10

/** Threads may be made in another order than their terminals were started; what is said in them first is not. */
async function firstTask(look: PlaceLook, path: string): Promise<number | null> {
  const rows = jsonLines(await look.readText(path, { head: BEGINNING_BYTES }))
  const started = rows.find((row) => /^(?:task|turn)_started$/.test(textAt(row, 'payload', 'type') ?? ''))
  return started === undefined ? null : timeAt(started, 'timestamp')
}

/** Its number grows with each change of its shape; earlier ones stay behind. */
async function databaseOf(look: PlaceLook): Promise<string | null> {
  const files = await look.list(look.env['CODEX_SQLITE_HOME'] || baseOf(look))
  const numbered = files.flatMap(({ name, path }) => {
    const number = /^state_(\d{1,6})\.sqlite$/.exec(name)?.[1]
    return number === undefined ? [] : [{ path, number: Number(number) }]
  })
  return numbered.sort((a, b) => b.number - a.number)[0]?.path ?? null
}

async function codexTranscript(look: PlaceLook, id: string): Promise<Transcript> {
  const row = await threadOf(look, id)
  const path = textAt(row, 'rollout_path')
  if (path !== null && (await look.stat(path)) !== null) return { kind: 'there', path }
  const began = bornOfId(id)
  if (began === null) return path === null ? { kind: 'unknown' } : { kind: 'gone' }
  const files = (await Promise.all(daysAround(began).map((day) => look.list(`${baseOf(look)}/sessions/${day}`)))).flat()
  const found = files.find(({ name }) => name.endsWith(`-${id}.jsonl`))
  return transcriptAt(found?.path ?? null)
}

async function threadOf(look: PlaceLook, id: string): Promise<unknown> {
  const database = await databaseOf(look)
  return database === null ? undefined : (await look.query(database, 'SELECT * FROM threads WHERE id = ?', [id]))[0]
}

const DAY_MS = 86_400_000

/** Its directories are named after the local day, which is not known here. */
const daysAround = (time: number): readonly string[] =>
  [time - DAY_MS, time, time + DAY_MS].map((day) => new Date(day).toISOString().slice(0, 10).replaceAll('-', '/'))

async function codexReading(look: Look, { id, transcript }: Pick<Finding, 'id' | 'transcript'>): Promise<Reading | null> {
  if (transcript === null) return null
  const [tail, row] = await Promise.all([look.readText(transcript, { tail: TAIL_BYTES }), threadOf(look, id)])
  const turn = codexTurn(tail)
  return { ...turn, model: turn.model ?? shownWords(textAt(row, 'model')), title: shownWords(textAt(row, 'title')) }
}

/** What the end of a transcript of Codex says about how it does. */
function codexTurn(tail: string | null): Reading {
  const newestFirst = jsonLines(tail).toReversed()
  const answered = new Set(newestFirst.flatMap((row) => answeredCall(row) ?? []))
  const state = newestFirst.reduce<StateReport | null>((found, row) => found ?? stateIn(row, answered), null)
  const count = newestFirst.find((row) => at(row, 'payload', 'type') === 'token_count')
  const context = newestFirst.find((row) => at(row, 'type') === 'turn_context')
  return {
    state,
    model: shownWords(textAt(context, 'payload', 'model')),
    title: null,
    tokens: numberAt(count, 'payload', 'info', 'last_token_usage', 'total_tokens'),
  }
}

const answeredCall = (row: unknown): string | null =>
  /_call_output$/.test(textAt(row, 'payload', 'type') ?? '') ? textAt(row, 'payload', 'call_id') : null

const QUESTIONS = new Set(['request_user_input'])
const PERMISSIONS = new Set(['request_permissions', 'exec_approval_request', 'apply_patch_approval_request'])

function stateIn(row: unknown, answered: ReadonlySet<string>): StateReport | null {
  const time = timeAt(row, 'timestamp')
  const type = textAt(row, 'payload', 'type') ?? ''
  if (time === null) return null
  const name = type === 'function_call' ? (textAt(row, 'payload', 'name') ?? '') : type
  if (QUESTIONS.has(name) || PERMISSIONS.has(name)) return asked(row, { name, time, answered })
  switch (type) {
    case 'task_complete':
    case 'turn_complete':
      return report('transcript', 'idle', time, { words: shownWords(textAt(row, 'payload', 'last_agent_message')) })
    case 'turn_aborted':
      return report('transcript', 'idle', time)
    case 'task_started':
    case 'turn_started':
    case 'function_call_output':
      return report('transcript', 'working', time)
    default:
      return null
  }
}

type Asked = { readonly name: string; readonly time: number; readonly answered: ReadonlySet<string> }

function asked(row: unknown, { name, time, answered }: Asked): StateReport {
  if (answered.has(textAt(row, 'payload', 'call_id') ?? '')) return report('transcript', 'working', time)
  const input = parseJson(textAt(row, 'payload', 'arguments'))
  const words = shownWords(textAt(input, 'question') ?? textAt(input, 'prompt') ?? textAt(row, 'payload', 'reason'))
  return report('transcript', 'needs-you', time, { wants: QUESTIONS.has(name) ? 'question' : 'permission', words })
}
