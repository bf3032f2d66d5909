/** Where Cline keeps its conversations, which of its processes has which, and what they say about its state. */
import type { FileSight, Finding, Look, PlaceLook, Reading, Transcript } from './agent.ts'
import { at, listAt, numberAt, parseJson, shownWords, sumAt, textAt, timeAt } from './decode.ts'
import { beganInRun, report, SLACK_MS, spellingsOf, stored } from './files.ts'
import { flagValue } from './flagValue.ts'
import type { StateReport } from './state.ts'

/** Cline's own order: `--data-dir`, the variables for its data, `--config`, the variable for its directory, the home directory. */
function sessionsOf(look: PlaceLook): string {
  const { argv, env, home, cwd } = look
  const absolute = (path: string): string => (path.startsWith('/') ? path : `${cwd}/${path}`)
  const data = flagValue(argv, '--data-dir')
  if (data !== null) return `${absolute(data)}/sessions`
  if (env['CLINE_SESSION_DATA_DIR']) return absolute(env['CLINE_SESSION_DATA_DIR'])
  if (env['CLINE_DATA_DIR']) return `${absolute(env['CLINE_DATA_DIR'])}/sessions`
  const own = flagValue(argv, '--config') ?? (env['CLINE_DIR'] || `${home}/.cline`)
  return `${absolute(own)}/data/sessions`
}

export async function clineTranscript(look: PlaceLook, id: string): Promise<Transcript> {
  const path = `${sessionsOf(look)}/${id}`
  return (await look.stat(path)) === null ? { kind: 'gone' } : { kind: 'there', path }
}

const MOST_CONVERSATIONS = 50 // the newest of all projects: one that began in this run is among them

/**
 * A conversation names the process that began it. That is the agent itself, or the hub that all of Cline's terminals share:
 * then only the directory and the times tell whose it is.
 */
export async function clineFindings(look: Look): Promise<readonly Finding[]> {
  const all = (await look.list(sessionsOf(look))).filter(({ name }) => beganInRun(bornOf(name), look))
  const recent = all.toSorted((a, b) => bornOf(b.name) - bornOf(a.name)).slice(0, MOST_CONVERSATIONS)
  const cwds = await spellingsOf(look)
  return (await Promise.all(recent.map((directory) => findingIn(look, directory, cwds)))).flat()
}

/** An id begins with the time at which its conversation began, in ms. */
const bornOf = (id: string): number => Number.parseInt(id, 10) || 0

async function findingIn(look: Look, { name: id, path }: FileSight, cwds: readonly string[]): Promise<readonly Finding[]> {
  const entry = await entryOf(look, path, id)
  const began = timeAt(entry, 'started_at')
  if (textAt(entry, 'session_id') !== id || at(entry, 'interactive') === false || began === null) return []
  if (began < look.process.startedAt - SLACK_MS) return []
  const { pids, innerPid } = look.process
  const pid = numberAt(entry, 'pid')
  if (pid !== null && (pids.includes(pid) || pid === innerPid)) return [{ id, provenance: 'registration', transcript: path, began }]
  return cwds.includes(textAt(entry, 'cwd') ?? '') ? [{ ...stored(id, began, path), asked: began }] : []
}

const entryOf = async (look: PlaceLook, path: string, id: string): Promise<unknown> => parseJson(await look.readText(`${path}/${id}.json`))

export async function clineReading(look: Look, { id }: Pick<Finding, 'id'>): Promise<Reading | null> {
  const path = `${sessionsOf(look)}/${id}`
  const file = await look.stat(`${path}/${id}.json`)
  if (file === null) return null
  const entry = await entryOf(look, path, id)
  const newest = await newestMessage(look, `${path}/${id}.messages.json`)
  return {
    state: stateOf(textAt(entry, 'status'), newest, file.modified),
    model: shownWords(textAt(entry, 'model')),
    title: shownWords(textAt(entry, 'metadata', 'title')),
    tokens: sumAt(at(newest, 'metrics'), ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens']),
  }
}

const MOST_BYTES = 1 << 20 // the messages are one document, read as a whole at each look

async function newestMessage(look: PlaceLook, path: string): Promise<unknown> {
  const file = await look.stat(path)
  if (file === null || file.size > MOST_BYTES) return undefined
  return listAt(parseJson(await look.readText(path)), 'messages').at(-1)
}

function stateOf(status: string | null, newest: unknown, time: number): StateReport | null {
  const content = listAt(newest, 'content')
  switch (status) {
    case 'running':
      return report('registration', 'working', time)
    case 'pending':
      return report('registration', 'needs-you', time, askedIn(content.findLast((part) => at(part, 'type') === 'tool_use')))
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

function askedIn(tool: unknown): Pick<StateReport, 'wants' | 'words'> {
  const question = textAt(tool, 'input', 'question')
  if (question !== null) return { wants: 'question', words: shownWords(question) }
  const [command] = listAt(tool, 'input', 'commands')
  return { wants: 'permission', words: shownWords(typeof command === 'string' ? command : textAt(tool, 'name')) }
}
