/** Every address of the web server, one row each. A row without `access` does not compile; only the login is public. */
import type { IncomingMessage } from 'node:http'
import type { WebSession } from '../../store/store.ts'
import { EVERYTHING } from '../../wire/capability.ts'
import { type Answer, assetAnswer, jsonAnswer, textAnswer } from './answer.ts'
import type { Asset } from './assets.ts'
import { readBody } from './body.ts'
import { type ReceiveFile, receiveFile, UPLOAD_WITHIN_MS } from './files.ts'
import type { Access } from './gate.ts'
import type { LoginTokens } from './loginTokens.ts'
import { type DrawStill, stillAnswer } from './stills.ts'
import { SESSION_LIFE_MS, shortId, type WebSessions } from './webSessions.ts'

export type Route = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: Access
  /** How long its body may take, where that is not the usual time. */
  readonly bodyWithinMs?: number
  readonly handle: (request: IncomingMessage, session: WebSession | null) => Answer | Promise<Answer>
}

export const SOCKET_PATH = '/ws'

export type RouteOptions = {
  readonly assets: readonly Asset[]
  readonly tokens: LoginTokens
  readonly sessions: WebSessions
  readonly cookieName: string
  readonly receive: ReceiveFile
  readonly drawStill: DrawStill
}

export function makeRoutes(options: RouteOptions): Route[] {
  return [...apiRoutes(options), ...options.assets.map(assetRoute)]
}

function apiRoutes({ tokens, sessions, cookieName, receive, drawStill }: RouteOptions): Route[] {
  const withoutCookie = { 'Set-Cookie': `${cookieName}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0` }
  return [
    { method: 'POST', path: '/api/login', access: 'public', handle: (request) => login({ request, tokens, sessions, cookieName }) },
    {
      method: 'GET',
      path: SOCKET_PATH,
      access: 'session',
      handle: () => textAnswer(426, 'This address speaks WebSocket only.', { Upgrade: 'websocket' }),
    },
    {
      method: 'GET',
      path: '/api/sessions',
      access: 'session',
      handle: (_, session) => jsonAnswer({ current: session && shortId(session.hash), sessions: sessions.list() }),
    },
    {
      method: 'POST',
      path: '/api/logout',
      access: 'session',
      handle: (_, session) => {
        if (session !== null) sessions.end(session.hash)
        return jsonAnswer({}, withoutCookie)
      },
    },
    {
      method: 'POST',
      path: '/api/files',
      access: 'session',
      bodyWithinMs: UPLOAD_WITHIN_MS,
      handle: (request) => receiveFile(request, receive, EVERYTHING),
    },
    { method: 'GET', path: '/api/still', access: 'session', handle: (request) => stillAnswer(request, drawStill, EVERYTHING) },
    {
      method: 'POST',
      path: '/api/sessions/revoke',
      access: 'session',
      handle: async (request) => {
        const body = await readBody(request)
        if (body.kind === 'bad') return textAnswer(body.status, body.why)
        return sessions.revoke(String(body.fields['id'])) ? jsonAnswer({}) : textAnswer(404, 'There is no such session.')
      },
    },
  ]
}

function assetRoute(asset: Asset): Route {
  return { method: 'GET', path: asset.path, access: asset.access, handle: (request) => assetAnswer(asset, request) }
}

type LoginAttempt = Pick<RouteOptions, 'tokens' | 'sessions' | 'cookieName'> & { readonly request: IncomingMessage }

async function login({ request, tokens, sessions, cookieName }: LoginAttempt): Promise<Answer> {
  const body = await readBody(request)
  if (body.kind === 'bad') return textAnswer(body.status, body.why)
  const redeemed = tokens.redeem(String(body.fields['token'] ?? ''))
  switch (redeemed.kind) {
    case 'wrong':
      return textAnswer(401, 'This link is used up, too old or not from here.')
    case 'tooMany':
      return textAnswer(429, 'Too many attempts. Wait a minute.', { 'Retry-After': String(Math.ceil(redeemed.retryMs / 1000)) })
    case 'right': {
      const secret = await sessions.begin(String(request.headers['user-agent'] ?? ''))
      const secure = request.headers.origin?.startsWith('https:') ? '; Secure' : ''
      const life = Math.floor(SESSION_LIFE_MS / 1000)
      return jsonAnswer({}, { 'Set-Cookie': `${cookieName}=${secret}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${life}${secure}` })
    }
  }
}
