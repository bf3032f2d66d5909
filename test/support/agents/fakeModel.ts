import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '../milestone.ts'
import { field, listOf, textOf } from './jsonPick.ts'
import { type Reply, streamOf } from './modelReplies.ts'
import { type Api, type RequestSeen, seeRequest, summaryOf, toolSchema } from './requestSeen.ts'
import { fill, wholeAnswer } from './sideAnswers.ts'

/** One time that a person's words reached the model. */
export type Turn = Pick<RequestSeen, 'users' | 'marks' | 'compacted' | 'isToolAnswer' | 'tools'> & {
  readonly api: Api
  /** The conversation, where the agent names it in a header. */
  readonly conversation: string | null
}

/**
 * A model on loopback that answers with what it was sent: `REPLY users=2 marks=ONE+TWO` proves that a conversation went on.
 * In a prompt, `HOLD` makes an answer that never ends, `SLOW` one that ends after some seconds with SLOW-END, and `TOOL:command`
 * asks for the agent's shell tool, `ASK:command` in such a way that the user is asked first.
 */
export type FakeModel = AsyncDisposable & {
  readonly url: string
  /** Every turn so far. Titles, summaries and the like are no turns. */
  turns(): readonly Turn[]
  /** What has reached it, each mark once: an agent may send one prompt several times. */
  said(): readonly string[]
  /** Waits for the turn in which this mark is the newest. */
  turnWith(mark: string, timeoutMs?: number): Promise<Turn>
  /** How often an agent has asked for a summary to go on with. */
  summaries(): number
  /** What was asked for besides models: nothing of it left the machine. */
  strays(): readonly string[]
}

const TURN_MS = 30_000
const HOLD_EVERY_MS = 200
const BYTES_PER_TOKEN = 4
const SLOW_MS = 8_000 // time enough to look at it in between

export async function startFakeModel(): Promise<FakeModel> {
  const turns: Turn[] = []
  const strays: string[] = []
  const summaries: RequestSeen[] = []
  const server = createServer((request, response) => {
    answer(request, response, { turns, strays, summaries }).catch(() => response.destroy()) // the agent went away in the middle
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    strays.push(`CONNECT ${request.url}`)
    socket.on('error', () => undefined) // an agent that is killed resets it
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    turns: () => turns,
    said: () => [...new Set(turns.flatMap(({ marks }) => marks))],
    strays: () => strays,
    summaries: () => summaries.length,
    turnWith: (mark, timeoutMs = TURN_MS) =>
      until(() => turns.find(({ marks, isToolAnswer }) => marks.at(-1) === mark && !isToolAnswer), {
        what: `the model to be sent ${mark} (so far: ${turns.map(({ marks }) => marks.join('+')).join(', ')})`,
        timeoutMs,
      }),
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((settle) => server.close(settle))
      server.closeAllConnections()
      await closed
    },
  }
}

type Ledger = { readonly turns: Turn[]; readonly strays: string[]; readonly summaries: RequestSeen[] }

async function answer(request: IncomingMessage, response: ServerResponse, { turns, strays, summaries }: Ledger): Promise<void> {
  const body = await bodyOf(request)
  const path = new URL(request.url ?? '/', 'http://model').pathname
  const route = routeOf(path)
  if (request.method !== 'POST' || route === null) {
    strays.push(`${request.method} ${path}`)
    return sendJson(response, path.endsWith('/models') ? { object: 'list', data: [], models: [] } : {})
  }
  if (route.kind === 'count') return sendJson(response, { input_tokens: 42, totalTokens: 42 })
  const { api } = route
  const model = route.model ?? (textOf(field(body, 'model')) || 'fake-model')
  const seen = seeRequest(api, body)
  if (seen.wantsSummary) summaries.push(seen)
  const aside = seen.wantsSummary ? summaryFor(seen) : 'A title'
  if (!(route.streams ?? field(body, 'stream') === true)) return sendJson(response, wholeAnswer(api, { model, body, text: aside }))
  const isTurn = isTurnOf(seen, body)
  if (isTurn) turns.push({ api, conversation: conversationOf(request), ...turnOf(seen) })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for await (const { name, data } of streamOf(
    api,
    { model, tokens: tokensOf(body) },
    isTurn ? replyTo(seen, body, response) : words(aside),
  )) {
    response.write(`${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
  }
  response.end(api === 'chat' ? 'data: [DONE]\n\n' : '')
}

/** Agents ask for titles and the like without offering tools; one that may use none sends its prompts so too. */
function isTurnOf(seen: RequestSeen, body: unknown): boolean {
  if (seen.users === 0 || seen.wantsSummary) return false
  return seen.tools.length > 0 || (/^say MARK-/.test(seen.last) && !/\btitle\b/i.test(JSON.stringify(body)))
}

const turnOf = ({ users, marks, compacted, isToolAnswer, tools }: RequestSeen) => ({ users, marks, compacted, isToolAnswer, tools })

/** Roughly, as agents estimate it themselves: they look whether a summary is shorter than what it stands for. */
const tokensOf = (body: unknown): number => Math.ceil(JSON.stringify(body).length / BYTES_PER_TOKEN)

/** In the tags that one or the other agent looks for. */
const summaryFor = ({ marks, compacted }: RequestSeen): string =>
  `<summary>\n<state_snapshot>\n${summaryOf([...compacted, ...marks])}\n</state_snapshot>\n</summary>`

type Route =
  | { readonly kind: 'count' }
  | { readonly kind: 'model'; readonly api: Api; readonly model: string | null; readonly streams: boolean | null }

function routeOf(path: string): Route | null {
  if (path.endsWith('/count_tokens') || path.endsWith(':countTokens')) return { kind: 'count' }
  const [, model = null, method] = path.match(/\/models\/([^:/]+):(generateContent|streamGenerateContent)$/) ?? []
  if (method !== undefined) return { kind: 'model', api: 'gemini', model, streams: method === 'streamGenerateContent' }
  const api = path.endsWith('/messages') ? 'anthropic' : path.endsWith('/responses') ? 'responses' : null
  const found = api ?? (path.endsWith('/chat/completions') ? 'chat' : null)
  return found === null ? null : { kind: 'model', api: found, model: null, streams: null }
}

const SHELL_TOOLS = /^(Bash|bash|shell|shell_command|exec_command|run_shell_command|run_commands|execute_command)$/

function replyTo(seen: RequestSeen, body: unknown, response: ServerResponse): Reply {
  const text = `REPLY users=${seen.users} marks=${seen.marks.join('+')}`
  const [, directive, command] = seen.last.match(/(TOOL|ASK):(.+?)(?:<\/.*)?$/m) ?? []
  const tool = seen.tools.find((name) => SHELL_TOOLS.test(name))
  if (command !== undefined && tool !== undefined && !seen.isToolAnswer)
    return { kind: 'tool', tool, input: { ...toolInput(toolSchema(body, tool), command), ...(directive === 'ASK' ? asksFirst(tool) : {}) } }
  if (seen.last.includes('SLOW') && !seen.isToolAnswer) return { kind: 'words', pieces: slowly(text, response) }
  return seen.last.includes('HOLD') ? { kind: 'words', pieces: neverEnding(text, response) } : words(text)
}

/** Codex asks its user only if the model wants it to. */
const asksFirst = (tool: string): object =>
  tool === 'exec_command' ? { sandbox_permissions: 'require_escalated', justification: 'May I?' } : {}

const COMMAND_NAMES = ['command', 'cmd', 'commands']

/** What the tool must be given is made up; the command stands where its schema has a place for one. */
function toolInput(schema: unknown, command: string): Readonly<Record<string, unknown>> {
  const properties = field(schema, 'properties') ?? {}
  const required = listOf(field(schema, 'required')).map((name) => [String(name), fill(field(properties, String(name)))])
  const name = COMMAND_NAMES.find((each) => field(properties, each) !== undefined) ?? 'command'
  const isList = String(field(field(properties, name), 'type')).toLowerCase() === 'array'
  const words = name === 'commands' ? [command] : ['bash', '-lc', command]
  return { ...Object.fromEntries(required), [name]: isList ? words : command }
}

const words = (text: string): Reply => ({ kind: 'words', pieces: [text] })

const neverEnding = (text: string, response: ServerResponse): AsyncGenerator<string> => piecemeal(text, response, Number.POSITIVE_INFINITY)

async function* slowly(text: string, response: ServerResponse): AsyncGenerator<string> {
  yield* piecemeal(text, response, SLOW_MS / HOLD_EVERY_MS)
  yield ' SLOW-END'
}

/** No piece is like another: an agent may stop a model that repeats itself. */
async function* piecemeal(text: string, response: ServerResponse, most: number): AsyncGenerator<string> {
  yield text
  for (let count = 1; count <= most && !response.closed; count++) {
    await delay(HOLD_EVERY_MS)
    yield ` more${count}`
  }
}

/** Each agent has a header of its own. */
function conversationOf({ headers }: IncomingMessage): string | null {
  const names = ['x-claude-code-session-id', 'thread-id', 'session_id', 'session-id', 'x-session-affinity']
  const found = names.map((name) => headers[name]).find((value) => typeof value === 'string')
  return typeof found === 'string' ? found : null
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    return null // no request of an agent to a model
  }
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}
