/** Gemini CLI. Its conversations lie in a directory per project; no file says which process has which. */

import type { FileSight, Finding, Look, PlaceLook, Reading, Transcript } from '../agent.ts'
import { at, jsonLines, listAt, numberAt, parseJson, shownWords, textAt, timeAt } from '../decode.ts'
import { beganInRun, HEAD_BYTES, report, SLACK_MS, spellingsOf, stored, TAIL_BYTES, transcriptAt } from '../files.ts'
import { flagTable, wordsOf } from '../flags/flagTable.ts'
import { GEMINI_FLAGS } from '../flags/gemini.ts'
import { shownBy } from '../shown.ts'
import type { StateReport } from '../state.ts'
import { plainAgent } from './plainAgent.ts'

/** Its --help calls some a list that take one value, which commas divide; others it leaves out. */
const MEASURED = flagTable({
  one: `
    --policy --admin-policy --allowed-mcp-server-names --allowed-tools --extensions -e --include-directories
    --fake-responses --fake-responses-non-strict --record-responses
  `,
})

export const gemini = plainAgent({
  id: 'gemini',
  label: 'Gemini CLI',
  recognise: { names: ['gemini'], paths: ['/@google/gemini-cli/'] },
  resume: (id) => ['--resume', id],
  assign: (id) => ['--session-id', id],
  flags: {
    grammar: 'yargs',
    takes: { ...GEMINI_FLAGS, ...MEASURED },
    choosing: ['-r', '--resume', '--session-id', '--session-file'],
    prompting: ['-i', '--prompt-interactive'],
    once: ['-w', '--worktree'],
    notConversation: wordsOf(`
      -h --help -v --version -p --prompt --acp --experimental-acp -l --list-extensions --list-sessions --delete-session
      mcp extension extensions skill skills hook hooks gemma
    `),
  },
  configEnv: ['GEMINI_CLI_HOME'],
  // A signal makes it leave without a word.
  quit: { kind: 'keys', keys: ['C-c', 'C-c', 'C-c'], everyMs: 400 },
  exitHint: /To ?resume ?this ?session: ?gemini ?--resume ?([0-9a-f-]{36})/i,
  findings: geminiFindings,
  transcript: geminiTranscript,
  reading: geminiReading,
  shown: shownBy({
    asks: { question: /^\s*│ (?:\? \S|Allow\b|Apply\b|Do you\b)/, choice: /^\s*│ ● \d+\. \S/ },
    titles: [
      [/^✋/, 'needs-you'],
      [/^✦/, 'working'],
      [/^◇/, 'idle'],
    ],
    prompt: /^ [>!*] /,
    busy: /^\s*[⠀-⣿] .*\(esc to cancel/,
    busyAbove: 5,
  }),
})

/** Where Gemini CLI keeps its conversations. */
const baseOf = ({ env, home }: PlaceLook): string => `${env['GEMINI_CLI_HOME'] || home}/.gemini`

/** Its own directory for this project; null where it has none. */
async function projectOf(look: PlaceLook): Promise<string | null> {
  const projects = at(parseJson(await look.readText(`${baseOf(look)}/projects.json`)), 'projects')
  const slug = (await spellingsOf(look)).map((cwd) => textAt(projects, cwd)).find((found) => found !== null)
  return slug === undefined || slug === null || !/^[\w.-]+$/.test(slug) ? null : `${baseOf(look)}/tmp/${slug}`
}

type Chat = { readonly id: string; readonly began: number; readonly path: string; readonly size: number; readonly isEmpty: boolean }

const CHAT = /^session-.*-[0-9a-f]{8}\.jsonl$/i
/** A file in which nothing was said holds the context that Gemini CLI begins with: a list of files, some kilobytes. */
const MOST_EMPTY_BYTES = 128 << 10

async function chatOf(look: PlaceLook, { name, path, size }: FileSight): Promise<readonly Chat[]> {
  if (!CHAT.test(name)) return []
  const isWhole = size <= MOST_EMPTY_BYTES
  // The second line holds the whole context and may not end within what is read.
  const text = await look.readText(path, { head: isWhole ? size : HEAD_BYTES })
  const first = parseJson(text?.split('\n')[0] ?? null)
  const id = textAt(first, 'sessionId')
  const began = timeAt(first, 'startTime')
  if (id === null || began === null || (textAt(first, 'kind') ?? 'main') !== 'main') return []
  return [{ id, began, path, size, isEmpty: isWhole && text !== null && isEmptyChat(text) }]
}

/**
 * Gemini CLI writes the file at its start, with a context that it words as the user's. Such a file it does not resume, refuses
 * to begin again under the same id, and deletes when another one starts. Only what is known for certain is empty: whole
 * lines, and in them no message but that context.
 */
function isEmptyChat(text: string): boolean {
  const lines = text.split('\n')
  return lines.pop() === '' && lines.every((line) => isSilent(parseJson(line)))
}

const SILENT_UPDATES: ReadonlySet<string> = new Set(['messages', 'lastUpdated'])

function isSilent(row: unknown): boolean {
  if (textAt(row, 'type') !== null) return isContext(row)
  const update = at(row, '$set')
  if (update === undefined) return textAt(row, 'sessionId') !== null && at(row, 'messages') === undefined
  if (typeof update !== 'object' || update === null || !Object.keys(update).every((key) => SILENT_UPDATES.has(key))) return false
  const messages = at(update, 'messages') ?? []
  return Array.isArray(messages) && messages.every(isContext)
}

/** What it says in the user's place at its start: the context, and what hooks add to it. */
function isContext(message: unknown): boolean {
  const parts = listAt(message, 'content')
  return at(message, 'type') === 'user' && parts.length === 1 && /^\s*<(session|hook)_context>/.test(textAt(parts[0], 'text') ?? '')
}

/** `launched` is the id with which the process was started; null where its command line names none. */
async function geminiFindings(look: Look, launched: string | null): Promise<readonly Finding[]> {
  const project = await projectOf(look)
  if (project === null) return []
  const files = (await look.list(`${project}/chats`)).filter(({ modified }) => beganInRun(modified, look))
  const chats = (await Promise.all(files.map((file) => chatOf(look, file)))).flat().filter(({ began }) => beganInRun(began, look))
  if (launched === null) return chats.map((chat) => stored(chat.id, chat.began, saidIn(chat)))
  const cleared = clearedAt(await look.readText(`${project}/logs.json`, { tail: TAIL_BYTES }), launched)
  const next = cleared === null ? undefined : firstAfter(chats, cleared)
  return next === undefined ? [] : [{ id: next.id, provenance: 'registration', transcript: saidIn(next), began: next.began }]
}

const saidIn = ({ path, isEmpty }: Chat): string | null => (isEmpty ? null : path)

const firstAfter = (chats: readonly Chat[], time: number): Chat | undefined =>
  [...chats].sort((a, b) => a.began - b.began).find(({ began }) => began >= time - 100 && began - time <= SLACK_MS)

/** In this log each process keeps the id of its first conversation, so the log tells in which terminal one was cleared. */
function clearedAt(log: string | null, launched: string): number | null {
  const entries = (log ?? '').matchAll(
    /"sessionId": "([0-9a-f-]{36})",[^{}]*?"message": "\/(?:clear|new|reset)\b[^"{}]*",\s*"timestamp": "([^"]+)"/gi,
  )
  const times = [...entries].flatMap(([, id, time]) => (id === launched ? [Date.parse(time ?? '')] : []))
  const last = times.at(-1)
  return last === undefined || Number.isNaN(last) ? null : last
}

async function geminiTranscript(look: PlaceLook, id: string): Promise<Transcript> {
  const project = await projectOf(look)
  if (project === null) return { kind: 'unknown' }
  const files = (await look.list(`${project}/chats`)).filter(({ name }) => name.endsWith(`-${id.slice(0, 8)}.jsonl`))
  const chats = (await Promise.all(files.map((file) => chatOf(look, file)))).flat()
  // Each resume leaves a file beside it that has the same id and nothing in it.
  const found = chats.filter((chat) => chat.id === id).sort((a, b) => Number(a.isEmpty) - Number(b.isEmpty) || b.size - a.size)[0]
  return found?.isEmpty === true ? { kind: 'empty' } : transcriptAt(found?.path ?? null)
}

async function geminiReading(look: Look, { transcript }: Pick<Finding, 'transcript'>): Promise<Reading | null> {
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
