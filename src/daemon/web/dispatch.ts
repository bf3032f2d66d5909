/** Leads every request and every upgrade through the gate, then to its row of the table. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebLog } from '../base/log.ts'
import { type Answer, headersOf, send, textAnswer } from './answer.ts'
import { type GateOptions, judge, readFacts, type Verdict } from './gate.ts'
import { type Route, SOCKET_PATH } from './routes.ts'
import type { WebSockets } from './webSockets.ts'

/** What comes in this time is not kept. */
const LISTEN_ON_MS = 5_000

export type Dispatch = {
  /** Asked for at each request: the port, and with it the allowed hosts, is known once the server listens. */
  readonly gate: () => GateOptions
  readonly routes: readonly Route[]
  readonly sockets: WebSockets
  readonly log: WebLog
  /** Whether a connection comes from a user of this machine who may not use the page. */
  readonly isForeign: (socket: Socket) => Promise<boolean>
  /** How long a body may take on a route that does not say. */
  readonly bodyWithinMs: number
}

export function dispatch(server: Server, to: Dispatch): void {
  server.on('request', (request, response) => {
    answer(to, request, response).catch((error) => {
      // The body broke off or the browser went away: there is no one left to answer.
      to.log.warn({ error: String(error) }, 'a web request failed')
      response.destroy()
    })
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    upgrade(to, { request, socket, head }).catch((error) => {
      to.log.warn({ error: String(error) }, 'a WebSocket could not be opened')
      socket.destroy()
    })
  })
}

async function answer(to: Dispatch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = pathOf(request)
  const { verdict, route } = await pass(to, request, { path, upgrade: false })
  const limit = setTimeout(() => request.destroy(), route?.bodyWithinMs ?? to.bodyWithinMs)
  request.once('close', () => clearTimeout(limit))
  const result = await answerOf(to, { request, path, verdict, route })
  if (!request.complete && verdict.kind === 'pass' && route?.bodyWithinMs !== undefined) return sendFirst(request, response, result)
  // The unread rest of a body is not wanted: the connection ends with the answer.
  const ending = request.complete ? {} : { Connection: 'close' }
  send(response, { ...result, headers: { ...result.headers, ...ending } })
}

/** A browser that is still sending a long body reads the answer only if the connection stays open until it is done, or for a while. */
function sendFirst(request: IncomingMessage, response: ServerResponse, result: Answer): void {
  response.writeHead(result.status, headersOf(result)).write(result.body)
  const end = setTimeout(() => request.destroy(), LISTEN_ON_MS)
  request.once('end', () => response.end())
  request.once('close', () => clearTimeout(end))
  request.resume()
}

type Judged = { readonly request: IncomingMessage; readonly path: string; readonly verdict: Verdict; readonly route: Route | undefined }

function answerOf({ routes }: Dispatch, { request, path, verdict, route }: Judged): Answer | Promise<Answer> {
  if (verdict.kind === 'deny') return textAnswer(verdict.status, verdict.why)
  if (route !== undefined) return route.handle(request, verdict.device)
  const methods = routes.filter((other) => other.path === path).map((other) => other.method)
  if (methods.length === 0) return textAnswer(404, 'Not found.')
  return textAnswer(405, 'Method not allowed.', { Allow: methods.join(', ') })
}

type Upgrade = { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer }

async function upgrade(to: Dispatch, { request, socket, head }: Upgrade): Promise<void> {
  const path = pathOf(request)
  const { verdict } = await pass(to, request, { path, upgrade: true })
  if (verdict.kind === 'deny') refuseUpgrade(socket, textAnswer(verdict.status, verdict.why))
  else if (path !== SOCKET_PATH) refuseUpgrade(socket, textAnswer(404, 'Not found.'))
  else if (to.sockets.full) refuseUpgrade(socket, textAnswer(503, 'Too many pages are open.'))
  else to.sockets.admit({ request, socket, head, origin: request.headers.origin ?? '' })
}

/** Nothing looks at a request before this. An address that is in no row needs a device as well, so strangers learn no names. */
async function pass(
  { gate, routes, log, isForeign }: Dispatch,
  request: IncomingMessage,
  { path, upgrade }: { path: string; upgrade: boolean },
) {
  const route = routes.find((other) => other.path === path && other.method === request.method)
  const access = upgrade ? (path === SOCKET_PATH ? 'proof' : 'device') : (route?.access ?? 'device')
  const asked = readFacts(request, { upgrade, isForeign: await isForeign(request.socket) })
  const verdict = judge(gate(), asked, access)
  if (verdict.kind === 'deny' && verdict.status === 403) {
    log.warn({ route: route?.path ?? null, upgrade, why: verdict.why }, 'a web request was refused')
  }
  return { verdict, route }
}

/** Never decoded nor normalised: it is only compared with the paths of the table. */
const pathOf = (request: IncomingMessage): string => (request.url ?? '').split(/[?#]/, 1)[0] ?? ''

function refuseUpgrade(socket: Duplex, refusal: Answer): void {
  const headers = Object.entries({ ...headersOf(refusal), Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${refusal.status} Refused\r\n${headers.join('\r\n')}\r\n\r\n${refusal.body}`)
}
