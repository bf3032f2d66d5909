/** Every address of the web server, one row each. A row without `access` does not compile. */
import type { IncomingMessage } from 'node:http'
import type { Device } from '../../store/store.ts'
import type { Capability } from '../../wire/capability.ts'
import type { AuthLog } from '../devices/authLog.ts'
import { browserName, type Devices } from '../devices/devices.ts'
import { type Identity, isPublicKey } from '../devices/identity.ts'
import type { LoginLinks } from '../devices/loginLinks.ts'
import { type Answer, assetAnswer, jsonAnswer, textAnswer } from './answer.ts'
import type { Asset } from './assets.ts'
import { type ReceiveFile, receiveFile, UPLOAD_WITHIN_MS } from './files.ts'
import type { Access } from './gate.ts'
import { type DrawStill, stillAnswer } from './stills.ts'

export type Route = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly access: Access
  /** How long its body may take, where that is not the usual time. */
  readonly bodyWithinMs?: number
  readonly handle: (request: IncomingMessage, device: Device | null) => Answer | Promise<Answer>
}

export const SOCKET_PATH = '/ws'

export type RouteOptions = {
  readonly assets: readonly Asset[]
  readonly links: LoginLinks
  readonly devices: Devices
  readonly identity: Identity
  readonly authLog: AuthLog
  readonly receive: ReceiveFile
  readonly drawStill: DrawStill
}

export function makeRoutes(options: RouteOptions): Route[] {
  return [...apiRoutes(options), ...options.assets.map(assetRoute)]
}

function apiRoutes(options: RouteOptions): Route[] {
  const { receive, drawStill } = options
  return [
    { method: 'POST', path: '/api/login', access: 'public', handle: (request) => login(request, options) },
    {
      method: 'GET',
      path: SOCKET_PATH,
      access: 'device',
      handle: () => textAnswer(426, 'This address accepts only WebSocket.', { Upgrade: 'websocket' }),
    },
    {
      method: 'POST',
      path: '/api/files',
      access: 'device',
      bodyWithinMs: UPLOAD_WITHIN_MS,
      handle: (request, device) => receiveFile(request, receive, mayOf(device)),
    },
    {
      method: 'GET',
      path: '/api/still',
      access: 'device',
      handle: (request, device) => stillAnswer(request, drawStill, mayOf(device)),
    },
  ]
}

/** The gate requires a device for such a row. */
function mayOf(device: Device | null): Capability {
  if (device === null) throw new Error('a row that needs a device was reached without one')
  return device.capability
}

function assetRoute(asset: Asset): Route {
  return { method: 'GET', path: asset.path, access: asset.access, handle: (request) => assetAnswer(asset, request) }
}

/** The token is used up by any attempt that names it with a key: what fails after that needs a new link. */
async function login(request: IncomingMessage, { links, devices, identity, authLog }: RouteOptions): Promise<Answer> {
  const body = await readBody(request)
  if (body.kind === 'bad') return textAnswer(body.status, body.why)
  const [token, key] = [body.fields['token'], body.fields['key']].map((field) => (typeof field === 'string' ? field : ''))
  if (!isPublicKey(key ?? '')) return textAnswer(400, 'The login has no usable key of this browser.')
  const origin = request.headers.origin ?? ''
  const grant = links.redeem(token ?? '')
  if (grant === null) {
    authLog.note({ what: 'refused', details: `a login at ${origin}: the link is used, expired or invalid` })
    return textAnswer(401, 'This link is used, expired or invalid.')
  }
  const { capability, addedBy } = grant
  const name = grant.name ?? browserName(request.headers['user-agent'] ?? '')
  const device = await devices.register({ key: key ?? '', origin, name, capability, addedBy })
  const by = addedBy === null ? '' : `, added by "${addedBy}"`
  authLog.note({ what: 'login', device: device.id, details: `"${device.name}" at ${origin}${by}` })
  return jsonAnswer({ device: device.id, daemon: identity.publicKey })
}

/** Bodies are one small JSON object. Requiring the type keeps plain forms of other sites out even without an Origin. */
const BODY_LIMIT = 4096 // a token has 43 characters

type Body =
  | { readonly kind: 'object'; readonly fields: Readonly<Record<string, unknown>> }
  | { readonly kind: 'bad'; readonly status: 400 | 413 | 415; readonly why: string }

const bad = (status: 400 | 413 | 415, why: string): Body => ({ kind: 'bad', status, why })

async function readBody(request: IncomingMessage): Promise<Body> {
  if (!/^application\/json\b/.test(String(request.headers['content-type'] ?? ''))) return bad(415, 'The body must be JSON.')
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) return bad(413, 'The body is too large.')
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request) {
    size += piece.length
    if (size > BODY_LIMIT) return bad(413, 'The body is too large.')
    pieces.push(piece)
  }
  return parse(Buffer.concat(pieces).toString('utf8'))
}

function parse(text: string): Body {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { kind: 'object', fields: { ...value } }
  } catch {
    // Not JSON at all is refused like JSON of another shape.
  }
  return bad(400, 'The body must be a JSON object.')
}
