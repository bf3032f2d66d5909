import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '../milestone.ts'
import { field, textOf } from './jsonPick.ts'
import { type Reply, streamOf } from './modelReplies.ts'
import { type Api, type RequestSeen, seeRequest } from './requestSeen.ts'
import { wholeAnswer } from './sideAnswers.ts'

/** One time that a person's words reached the model. */
export type Turn = Pick<RequestSeen, 'users' | 'marks' | 'tools' | 'isToolAnswer'> & {
  readonly api: Api
  /** The conversation, where the agent names it in a header. */
  readonly conversation: string | null
}

/**
 * A model on loopback that answers with what it was sent: `REPLY users=2 marks=ONE+TWO` proves that a conversation went on.
 * In a prompt, `HOLD` makes an answer that never ends, and `TOOL:command` asks for the agent's shell tool.
 */
export type FakeModel = AsyncDisposable & {
  readonly url: string
  /** Every turn so far. Titles, summaries and the like are no turns. */
  turns(): readonly Turn[]
  /** Waits for the turn in which this mark is the newest. */
  turnWith(mark: string, timeoutMs?: number): Promise<Turn>
  /** What was asked for besides models: nothing of it left the machine. */
  strays(): readonly string[]
}

const TURN_MS = 30_000
const HOLD_EVERY_MS = 200

export async function startFakeModel(): Promise<FakeModel> {
  const turns: Turn[] = []
  const strays: string[] = []
  const server = createServer((request, response) => {
    answer(request, response, { turns, strays }).catch(() => response.destroy()) // the agent went away in the middle
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    strays.push(`CONNECT ${request.url}`)
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    turns: () => turns,
    strays: () => strays,
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

type Ledger = { readonly turns: Turn[]; readonly strays: string[] }

async function answer(request: IncomingMessage, response: ServerResponse, { turns, strays }: Ledger): Promise<void> {
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
  if (!(route.streams ?? field(body, 'stream') === true)) return sendJson(response, wholeAnswer(api, { model, body }))
  const seen = seeRequest(api, body)
  // Agents ask for titles and the like without offering tools.
  const isTurn = seen.tools.length > 0 && seen.users > 0
  const { users, marks, tools, isToolAnswer } = seen
  if (isTurn) turns.push({ api, users, marks, tools, isToolAnswer, conversation: conversationOf(request) })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for await (const { name, data } of streamOf(api, model, isTurn ? replyTo(seen, response) : words('A title'))) {
    response.write(`${name === null ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
  }
  response.end(api === 'chat' ? 'data: [DONE]\n\n' : '')
}

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

const SHELL_TOOLS = /^(Bash|bash|shell|shell_command|exec_command|run_shell_command)$/

function replyTo(seen: RequestSeen, response: ServerResponse): Reply {
  const text = `REPLY users=${seen.users} marks=${seen.marks.join('+')}`
  const [, directive, command] = seen.last.match(/(TOOL|ASK):(.+)$/m) ?? []
  const tool = seen.tools.find((name) => SHELL_TOOLS.test(name))
  if (command !== undefined && tool !== undefined && !seen.isToolAnswer)
    return { kind: 'tool', tool, input: toolInput(tool, command, directive === 'ASK') }
  return seen.last.includes('HOLD') ? { kind: 'words', pieces: neverEnding(text, response) } : words(text)
}

/** Codex asks its user only if the model wants it to. */
const ESCALATED = { sandbox_permissions: 'require_escalated', justification: 'May I?' }

function toolInput(tool: string, command: string, asks: boolean): Readonly<Record<string, unknown>> {
  if (tool === 'exec_command') return { cmd: command, ...(asks ? ESCALATED : {}) }
  if (tool === 'shell') return { command: ['bash', '-lc', command] }
  return { command, description: 'run what was asked for' }
}

const words = (text: string): Reply => ({ kind: 'words', pieces: [text] })

async function* neverEnding(text: string, response: ServerResponse): AsyncGenerator<string> {
  yield text
  while (!response.closed) {
    await delay(HOLD_EVERY_MS)
    yield ' more'
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
