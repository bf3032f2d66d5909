/** Where Gemini CLI keeps its conversations. */
import type { FileSight, Finding, Look, PlaceLook, Reading, Transcript } from './agent.ts'
import { at, jsonLines, listAt, numberAt, parseJson, shownWords, textAt, timeAt } from './decode.ts'
import { beganInRun, HEAD_BYTES, report, SLACK_MS, spellingsOf, stored, TAIL_BYTES, transcriptAt } from './files.ts'
import type { StateReport } from './state.ts'

const baseOf = ({ env, home }: PlaceLook): string => `${env['GEMINI_CLI_HOME'] || home}/.gemini`

/** Its own directory for this project; null where it has none. */
async function projectOf(look: PlaceLook): Promise<string | null> {
  const projects = at(parseJson(await look.readText(`${baseOf(look)}/projects.json`)), 'projects')
  const slug = (await spellingsOf(look)).map((cwd) => textAt(projects, cwd)).find((found) => found !== null)
  return slug === undefined || slug === null || !/^[\w.-]+$/.test(slug) ? null : `${baseOf(look)}/tmp/${slug}`
}

type Chat = { readonly id: string; readonly began: number; readonly path: string; readonly size: number }

const CHAT = /^session-.*-[0-9a-f]{8}\.jsonl$/i

async function chatOf(look: PlaceLook, { name, path, size }: FileSight): Promise<readonly Chat[]> {
  if (!CHAT.test(name)) return []
  // The second line holds the whole context and may not end within what is read.
  const first = parseJson((await look.readText(path, { head: HEAD_BYTES }))?.split('\n')[0] ?? null)
  const id = textAt(first, 'sessionId')
  const began = timeAt(first, 'startTime')
  return id === null || began === null || (textAt(first, 'kind') ?? 'main') !== 'main' ? [] : [{ id, began, path, size }]
}

/** `launched` is the id with which the process was started; null where its command line names none. */
export async function geminiFindings(look: Look, launched: string | null): Promise<readonly Finding[]> {
  const project = await projectOf(look)
  if (project === null) return []
  const files = (await look.list(`${project}/chats`)).filter(({ modified }) => beganInRun(modified, look))
  const chats = (await Promise.all(files.map((file) => chatOf(look, file)))).flat().filter(({ began }) => beganInRun(began, look))
  if (launched === null) return chats.map(({ id, began, path }) => stored(id, began, path))
  const cleared = clearedAt(await look.readText(`${project}/logs.json`, { tail: TAIL_BYTES }), launched)
  const next = cleared === null ? undefined : firstAfter(chats, cleared)
  return next === undefined ? [] : [{ id: next.id, provenance: 'registration', transcript: next.path, began: next.began }]
}

const firstAfter = (chats: readonly Chat[], time: number): Chat | undefined =>
  [...chats].sort((a, b) => a.began - b.began).find(({ began }) => began >= time - 100 && began - time <= SLACK_MS)

/** In this log each process goes on under the id of its first conversation, so that it tells in which terminal one was cleared. */
function clearedAt(log: string | null, launched: string): number | null {
  const entries = (log ?? '').matchAll(
    /"sessionId": "([0-9a-f-]{36})",[^{}]*?"message": "\/(?:clear|new|reset)\b[^"{}]*",\s*"timestamp": "([^"]+)"/gi,
  )
  const times = [...entries].flatMap(([, id, time]) => (id === launched ? [Date.parse(time ?? '')] : []))
  const last = times.at(-1)
  return last === undefined || Number.isNaN(last) ? null : last
}

export async function geminiTranscript(look: PlaceLook, id: string): Promise<Transcript> {
  const project = await projectOf(look)
  if (project === null) return { kind: 'unknown' }
  const files = (await look.list(`${project}/chats`)).filter(({ name }) => name.endsWith(`-${id.slice(0, 8)}.jsonl`))
  const chats = (await Promise.all(files.map((file) => chatOf(look, file)))).flat()
  // Each resume leaves a file beside it that has the same id and nothing in it.
  const found = chats.filter((chat) => chat.id === id).sort((a, b) => b.size - a.size)[0]
  return transcriptAt(found?.path ?? null)
}

export async function geminiReading(look: Look, { transcript }: Pick<Finding, 'transcript'>): Promise<Reading | null> {
  if (transcript === null) return null
  const newestFirst = jsonLines(await look.readText(transcript, { tail: TAIL_BYTES })).toReversed()
  const answer = newestFirst.find((row) => at(row, 'type') === 'gemini')
  return {
    state: newestFirst.reduce<StateReport | null>((found, row) => found ?? stateIn(row), null),
    model: shownWords(textAt(answer, 'model')),
    title: shownWords(newestFirst.map((row) => textAt(row, '$set', 'summary')).find((summary) => summary !== null) ?? null),
    tokens: numberAt(answer, 'tokens', 'total'),
  }
}

function stateIn(row: unknown): StateReport | null {
  const time = timeAt(row, 'timestamp')
  if (time === null) return null
  switch (at(row, 'type')) {
    case 'user':
      return report('transcript', 'working', time)
    case 'gemini':
      return listAt(row, 'toolCalls').length > 0 || callsInside(row)
        ? report('transcript', 'working', time)
        : report('transcript', 'idle', time, { words: shownWords(textAt(row, 'content')) })
    case 'info':
      return textAt(row, 'content') === 'Request cancelled.' ? report('transcript', 'idle', time) : null
    default:
      return null
  }
}

/** A conversation that was written anew has its calls among the words. */
const callsInside = (row: unknown): boolean => listAt(row, 'content').some((part) => at(part, 'functionCall') !== undefined)
