/** Cline. Its conversations lie in one place for all projects, each with the process, the directory and the status. */

import type { FileSight, Finding, Look, PlaceLook, Reading, Transcript } from '../agent.ts'
import { flagValue } from '../commandLine.ts'
import { at, jsonLines, listAt, numberAt, parseJson, shownWords, sumAt, textAt, timeAt } from '../decode.ts'
import { beganInRun, isSelf, report, SLACK_MS, spellingsOf, stored, TAIL_BYTES } from '../files.ts'
import { CLINE_FLAGS } from '../flags/cline.ts'
import { flagTable, wordsOf } from '../flags/flagTable.ts'
import { shownBy } from '../shown.ts'
import type { StateReport } from '../state.ts'
import { plainAgent } from './plainAgent.ts'

/** Its --help says that `--thinking` needs a value, which it does not; others it leaves out. */
const MEASURED = flagTable({
  none: '--act -a --yolo -y',
  one: '--team-name',
  optional: '--thinking --reasoning-effort',
})

const CLINE_ID = /^\d{10,16}_[0-9A-Za-z]{3,32}$/

export const cline = plainAgent({
  id: 'cline',
  label: 'Cline',
  recognise: { names: ['cline'], paths: ['/node_modules/cline/'] },
  idPattern: CLINE_ID,
  resume: (id) => ['--id', id],
  flags: {
    grammar: 'commander',
    takes: { ...CLINE_FLAGS, ...MEASURED },
    choosing: ['--id'],
    once: ['--worktree'],
    notConversation: wordsOf(`
      -h --help -V --version --acp --cline-hub-daemon --kanban --update -z --zen
      auth config connect dashboard doctor h history hook hub kanban mcp plugin schedule skill update version
    `),
  },
  configEnv: ['CLINE_DIR', 'CLINE_DATA_DIR', 'CLINE_SESSION_DATA_DIR'],
  exitHint: /Continue cline --id (\d{10,16}_[0-9A-Za-z]{3,32})/,
  findings: clineFindings,
  transcript: clineTranscript,
  reading: clineReading,
  shown: shownBy({
    asks: { question: /^\s*Cline needs permission\b/, choice: /^\s*\[y\] Approve\s+\[n\] Deny/ },
    prompt: /^\s*❯ /,
    // Its files tell of work and rest. Before the first prompt there are none.
    rests: /^\s*❯ What can I do for you\?/,
  }),
})

/** Where Cline keeps its conversations, which of its processes has which, and what they say about its state. */
const absoluteIn = ({ cwd }: PlaceLook, path: string): string => (path.startsWith('/') ? path : `${cwd}/${path}`)

/** Cline's own order: `--data-dir`, the variable for its data, `--config`, the variable for its directory, the home directory. */
function dataOf(look: PlaceLook): string {
  const { argv, env, home } = look
  const data = flagValue(argv, '--data-dir') ?? env['CLINE_DATA_DIR']
  if (data) return absoluteIn(look, data)
  return `${absoluteIn(look, flagValue(argv, '--config') ?? (env['CLINE_DIR'] || `${home}/.cline`))}/data`
}

function sessionsOf(look: PlaceLook): string {
  const sessions = flagValue(look.argv, '--data-dir') === null ? look.env['CLINE_SESSION_DATA_DIR'] : undefined
  return sessions ? absoluteIn(look, sessions) : `${dataOf(look)}/sessions`
}

async function clineTranscript(look: PlaceLook, id: string): Promise<Transcript> {
  const path = `${sessionsOf(look)}/${id}`
  return (await look.stat(path)) === null ? { kind: 'gone' } : { kind: 'there', path }
}

const MOST_CONVERSATIONS = 50 // the newest of all projects: one that began in this run is among them

/**
 * Each process of Cline logs which conversation it opens: at its start, after `/new`, from its history. Where the log says
 * nothing, the conversation itself names the process that began it: the agent, or the hub that all of Cline's terminals
 * share. Then only the directory and the times tell whose it is.
 */
async function clineFindings(look: Look): Promise<readonly Finding[]> {
  const opened = await openedIn(look)
  const last = opened.findLast(({ pid }) => look.process.pids.includes(pid))
  if (last !== undefined) return await findingOf(look, last)
  const all = (await look.list(sessionsOf(look))).filter(({ name }) => beganInRun(bornOf(name), look))
  const recent = all.toSorted((a, b) => bornOf(b.name) - bornOf(a.name)).slice(0, MOST_CONVERSATIONS)
  const others = new Set(opened.map(({ id }) => id))
  const cwds = await spellingsOf(look)
  return (await Promise.all(recent.filter(({ name }) => !others.has(name)).map((found) => findingIn(look, found, cwds)))).flat()
}

type Opened = { readonly id: string; readonly pid: number }

/** What processes have opened since this one started, the newest last. Numbers inside of sandboxes repeat: there it tells nothing. */
async function openedIn(look: Look): Promise<readonly Opened[]> {
  if (look.process.selves.some(({ isInside }) => isInside)) return []
  const log = (await look.readText(`${dataOf(look)}/logs/cline.log`, { tail: TAIL_BYTES })) ?? ''
  const lines = log.split('\n').filter((line) => line.includes('"session.started"'))
  return jsonLines(lines.join('\n')).flatMap((row) => {
    const id = textAt(row, 'properties', 'sessionId')
    const pid = numberAt(row, 'pid')
    const time = timeAt(row, 'time')
    const isOne = at(row, 'event') === 'session.started' && id !== null && pid !== null && time !== null && beganInRun(time, look)
    return isOne ? [{ id, pid }] : []
  })
}

/** Before the first prompt it has no files: there is nothing to resume yet. */
async function findingOf(look: Look, { id }: Opened): Promise<readonly Finding[]> {
  const path = `${sessionsOf(look)}/${id}`
  const entry = CLINE_ID.test(id) ? await entryOf(look, path, id) : undefined
  const isThere = textAt(entry, 'session_id') === id
  if (isThere && at(entry, 'interactive') === false) return []
  return [{ id, provenance: 'registration', transcript: isThere ? path : null, began: bornOf(id) || null }]
}

/** An id begins with the time at which its conversation began, in ms. */
const bornOf = (id: string): number => Number.parseInt(id, 10) || 0

async function findingIn(look: Look, { name: id, path }: FileSight, cwds: readonly string[]): Promise<readonly Finding[]> {
  const entry = await entryOf(look, path, id)
  const began = timeAt(entry, 'started_at')
  if (textAt(entry, 'session_id') !== id || at(entry, 'interactive') === false || began === null) return []
  if (began < look.process.startedAt - SLACK_MS) return []
  const told = { pid: numberAt(entry, 'pid'), start: null, space: null }
  if (look.process.selves.some((self) => isSelf(self, told))) return [{ id, provenance: 'registration', transcript: path, began }]
  // The hub begins it when its terminal starts, and writes it when something is said: only then is it told whose it is.
  const asked = cwds.includes(textAt(entry, 'cwd') ?? '') ? await askedIn(look, `${path}/${id}.messages.json`) : null
  return asked === null ? [] : [{ ...stored(id, began, path), asked }]
}

const entryOf = async (look: PlaceLook, path: string, id: string): Promise<unknown> => parseJson(await look.readText(`${path}/${id}.json`))

async function clineReading(look: Look, { id }: Pick<Finding, 'id'>): Promise<Reading | null> {
  const path = `${sessionsOf(look)}/${id}`
  const file = await look.stat(`${path}/${id}.json`)
  if (file === null) return null
  const entry = await entryOf(look, path, id)
  const newest = (await messagesIn(look, `${path}/${id}.messages.json`)).at(-1)
  return {
    state: stateOf(textAt(entry, 'status'), newest, file.modified),
    model: shownWords(textAt(entry, 'model')),
    title: shownWords(textAt(entry, 'metadata', 'title')),
    tokens: sumAt(at(newest, 'metrics'), ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens']),
  }
}

const MOST_BYTES = 1 << 20 // the messages are one document, read as a whole at each look

async function messagesIn(look: PlaceLook, path: string): Promise<readonly unknown[]> {
  const file = await look.stat(path)
  if (file === null || file.size > MOST_BYTES) return []
  return listAt(parseJson(await look.readText(path)), 'messages')
}

/** When something was first said; null where that is not known. */
async function askedIn(look: PlaceLook, path: string): Promise<number | null> {
  return numberAt(
    (await messagesIn(look, path)).find((message) => at(message, 'role') === 'user'),
    'ts',
  )
}

function stateOf(status: string | null, newest: unknown, time: number): StateReport | null {
  const content = listAt(newest, 'content')
  switch (status) {
    case 'running':
      return report('registration', 'working', time)
    case 'pending':
      return report('registration', 'needs-you', time, wantedBy(content.findLast((part) => at(part, 'type') === 'tool_use')))
    case 'idle':
    case 'completed':
    case 'failed':
    case 'cancelled': {
      const words = content.findLast((part) => at(part, 'type') === 'text')
      return report('registration', 'idle', time, { words: at(newest, 'role') === 'assistant' ? shownWords(textAt(words, 'text')) : null })
    }
    default:
      return null
  }
}

function wantedBy(tool: unknown): Pick<StateReport, 'wants' | 'words'> {
  const question = textAt(tool, 'input', 'question')
  if (question !== null) return { wants: 'question', words: shownWords(question) }
  const [command] = listAt(tool, 'input', 'commands')
  return { wants: 'permission', words: shownWords(typeof command === 'string' ? command : textAt(tool, 'name')) }
}
