/**
 * The one gate before every route and every upgrade. A page of any other site can make a browser send requests here, so
 * nothing passes by being local: the Host must be one of ours (DNS rebinding), the Origin must be ours (cross-site
 * requests and WebSockets), and whoever asks for anything but the login must hold a session. What is not allowed is denied.
 */
import type { IncomingMessage } from 'node:http'
import type { WebSession } from '../../store/store.ts'

export type Access = 'public' | 'session'

export type Asked = {
  readonly method: string
  readonly upgrade: boolean
  /** Every value that was sent, because a second Host or Origin is an attempt to be two things at once. */
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  readonly fetchSite: string | null
  readonly cookies: readonly string[]
}

export type Verdict =
  | { readonly kind: 'pass'; readonly session: WebSession | null }
  | { readonly kind: 'deny'; readonly status: 401 | 403; readonly why: string }

export type GateOptions = {
  readonly hosts: ReadonlySet<string>
  readonly origins: ReadonlySet<string>
  readonly findSession: (secrets: readonly string[]) => WebSession | null
}

const deny = (status: 401 | 403, why: string): Verdict => ({ kind: 'deny', status, why })

export function judge(gate: GateOptions, asked: Asked, access: Access): Verdict {
  const [host] = asked.hosts
  if (host === undefined || asked.hosts.length > 1 || !gate.hosts.has(host))
    return deny(403, 'This address is not one that Holdfast answers to.')
  const [origin] = asked.origins
  if (origin === undefined) {
    if (asked.upgrade || asked.method !== 'GET') return deny(403, 'The request does not say which page it comes from.')
  } else if (asked.origins.length > 1 || !gate.origins.has(origin)) {
    return deny(403, 'The request comes from another site.')
  }
  if (asked.fetchSite === 'cross-site') return deny(403, 'Another site led here. Type the address into the address bar instead.')
  if (access === 'public') return { kind: 'pass', session: null }
  const session = gate.findSession(asked.cookies)
  return session === null ? deny(401, 'You are not logged in.') : { kind: 'pass', session }
}

export function readAsked(request: IncomingMessage, options: { readonly cookieName: string; readonly upgrade: boolean }): Asked {
  const all = request.headersDistinct
  return {
    method: request.method ?? '',
    upgrade: options.upgrade,
    hosts: all['host'] ?? [],
    origins: all['origin'] ?? [],
    fetchSite: all['sec-fetch-site']?.join() ?? null,
    cookies: cookiesNamed(options.cookieName, all['cookie'] ?? []),
  }
}

const COOKIES_LIMIT = 8 // each costs a hash; a browser sends one, two when another path was tossed in

function cookiesNamed(name: string, headers: readonly string[]): string[] {
  const pairs = headers.flatMap((header) => header.split(';')).map((pair) => pair.trim())
  return pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .slice(0, COOKIES_LIMIT)
    .map((pair) => pair.slice(name.length + 1))
}

/** `hosts` are names the user added (a tunnel, a proxy with TLS); they may be reached by either scheme. */
export function allowed(port: number, hosts: readonly string[]): Pick<GateOptions, 'hosts' | 'origins'> {
  const loopback = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)
  const added = hosts.map((host) => host.toLowerCase())
  return {
    hosts: new Set([...loopback, ...added]),
    origins: new Set([...loopback.map((host) => `http://${host}`), ...added.flatMap((host) => [`http://${host}`, `https://${host}`])]),
  }
}
