/**
 * The one gate before every route and every upgrade. A page of any other site can make a browser send requests here, so
 * nothing passes by being local: the connection must come from a user who may (Linux), the Host must be one of ours (DNS
 * rebinding), the Origin must be ours (cross-site requests and WebSockets). Public are the page's own files, which hold
 * no user's data; everything else needs a device: the WebSocket by proof of its key, requests by the bearer that an open
 * WebSocket was given. No cookie is ever read or set. What is not allowed is denied.
 */
import type { IncomingMessage } from 'node:http'
import type { Device } from '../../store/store.ts'

/** `login`: public, and other sites and files may lead there. `proof`: let in to prove itself. */
export type Access = 'public' | 'login' | 'proof' | 'device'

export type RequestFacts = {
  readonly method: string
  readonly upgrade: boolean
  /** Every value that was sent, because a second Host or Origin is an attempt to be two things at once. */
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  readonly fetchSite: string | null
  /** Whether a person goes there in a window of their own: nothing is embedded or fetched. */
  readonly isNavigation: boolean
  readonly authorization: readonly string[]
  /** Whether the connection comes from another user of this machine, who may not use the page. */
  readonly isForeign: boolean
}

export type Verdict =
  | { readonly kind: 'pass'; readonly device: Device | null }
  | { readonly kind: 'deny'; readonly status: 401 | 403; readonly why: string }

export type GateOptions = {
  readonly hosts: ReadonlySet<string>
  readonly origins: ReadonlySet<string>
  /** Origins of added hosts over plain HTTP, refused by name. */
  readonly plain: ReadonlySet<string>
  readonly findDevice: (authorization: string) => Device | null
}

const deny = (status: 401 | 403, why: string): Verdict => ({ kind: 'deny', status, why })

export function judge(gate: GateOptions, asked: RequestFacts, access: Access): Verdict {
  if (asked.isForeign) return deny(403, 'This Holdfast belongs to another user of this machine.')
  const [host] = asked.hosts
  if (host === undefined || asked.hosts.length > 1 || !gate.hosts.has(host)) return deny(403, 'Holdfast does not serve this address.')
  const [origin] = asked.origins
  if (origin === undefined) {
    if (asked.upgrade || asked.method !== 'GET') return deny(403, 'The request has no Origin.')
  } else if (asked.origins.length > 1 || !gate.origins.has(origin)) {
    return deny(403, gate.plain.has(origin) ? PLAIN : 'The request comes from another site.')
  }
  if (asked.fetchSite !== null && !OWN_SITES.has(asked.fetchSite) && !(access === 'login' && asked.isNavigation))
    return deny(403, 'Another site opened this address. Type it into the address bar instead.')
  if (access !== 'device') return { kind: 'pass', device: null }
  const [authorization] = asked.authorization
  const device = authorization === undefined || asked.authorization.length > 1 ? null : gate.findDevice(authorization)
  if (device === null) return deny(401, 'You are not logged in.')
  if (origin !== undefined && origin !== device.origin) return deny(403, 'This browser is logged in under another address.')
  return { kind: 'pass', device }
}

const PLAIN = 'Holdfast serves this host name only over HTTPS. Use a TLS proxy, or a tunnel to localhost.'

/** `none` is the address bar. Other ports of this machine are `same-site`, and strangers. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none'])

export function readFacts(request: IncomingMessage, options: { readonly upgrade: boolean; readonly isForeign: boolean }): RequestFacts {
  const all = request.headersDistinct
  return {
    method: request.method ?? '',
    ...options,
    hosts: all['host'] ?? [],
    origins: all['origin'] ?? [],
    fetchSite: all['sec-fetch-site']?.join() ?? null,
    isNavigation: request.method === 'GET' && all['sec-fetch-mode']?.join() === 'navigate' && all['sec-fetch-dest']?.join() === 'document',
    authorization: all['authorization'] ?? [],
  }
}

/**
 * `hosts` are names the user added. One of this machine itself is the end of a tunnel; any other is a proxy with TLS: over plain
 * HTTP others could read along, and browsers give no keys.
 */
export function allowed(port: number, hosts: readonly string[]): Pick<GateOptions, 'hosts' | 'origins' | 'plain'> {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((name) => `${name}:${port}`)
  const added = hosts.map((host) => host.toLowerCase())
  const [tunnels, proxies] = [added.filter(isLoopback), added.filter((host) => !isLoopback(host))]
  return {
    hosts: new Set([...own, ...added]),
    origins: new Set([...[...own, ...tunnels].map((host) => `http://${host}`), ...added.map((host) => `https://${host}`)]),
    plain: new Set(proxies.map((host) => `http://${host}`)),
  }
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host)
