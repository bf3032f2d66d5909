/**
 * The page's server: loopback only, one gate, one table of routes, one WebSocket that speaks the daemon's protocol.
 * It owns logins and files; it knows nothing of terminals. Without a port the daemon runs on without a page and says so.
 */
import { createServer, type Server } from 'node:http'
import type { AcceptPeer } from '../peer.ts'
import { readAssets } from './assets.ts'
import { dispatch } from './dispatch.ts'
import { type ReceiveFile, UPLOAD_WITHIN_MS } from './files.ts'
import { allowed } from './gate.ts'
import { listen, type PortStore, portOf } from './listen.ts'
import { LoginTokens } from './loginTokens.ts'
import { pingPage } from './pingPage.ts'
import { makeRoutes, type Route } from './routes.ts'
import type { DrawStill } from './stills.ts'
import type { WebLog } from './webLog.ts'
import { type SessionStore, WebSessions } from './webSessions.ts'
import { WebSockets } from './webSockets.ts'

const HEADERS_TIMEOUT_MS = 5_000
const REQUEST_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 5_000
const HEADER_BYTES = 16 << 10
const CONNECTIONS_LIMIT = 256
const SWEEP_EVERY_MS = 60_000 // an expired session loses its open WebSocket within this time

export type WebOptions = {
  readonly config: { readonly port: number; readonly hosts: readonly string[] }
  readonly store: SessionStore & PortStore
  readonly accept: AcceptPeer
  /** keeps a file that was dropped onto a terminal */
  readonly receive: ReceiveFile
  /** draws the last screen of a terminal */
  readonly drawStill: DrawStill
  /** directory of the built page */
  readonly assets: string
  /** short hash of the state directory: browsers share cookies between ports, so two instances need two names */
  readonly instance: string
  readonly now: () => number
  readonly log: WebLog
  /** shorter in tests */
  readonly timeouts?: { readonly headersMs: number; readonly requestMs: number; readonly checkMs: number }
}

export type Web = {
  readonly url: string | null
  /** a sentence, when the page cannot be used as it should */
  readonly trouble: string | null
  /** The address carries the token in its fragment, which browsers never send. Only to be called when `url` is not null. */
  makeLogin(): { readonly url: string }
  /** Asks for the login as a browser would, through the gate; rejects when no page comes back. */
  ping(withinMs: number): Promise<void>
  /** Takes a port again, the same one if it can be had; clients connect anew. Rejects when there is none. */
  listenAgain(): Promise<void>
  close(): Promise<void>
  readonly routes: readonly Route[]
}

export async function startWeb(options: WebOptions): Promise<Web> {
  const { config, store, now, log } = options
  const cookieName = `holdfast_${options.instance}`
  const tokens = new LoginTokens(now)
  const sessions = await WebSessions.open({ store, now, log })
  const assets = await readAssets(options.assets)
  const routes = makeRoutes({ assets, tokens, sessions, cookieName, receive: options.receive, drawStill: options.drawStill })
  const sockets = new WebSockets(options.accept)
  sessions.onEnd((hash) => sockets.endSession(hash))
  const server = makeServer(options)
  const bodyWithinMs = options.timeouts?.requestMs ?? REQUEST_TIMEOUT_MS
  let mayAsk = allowed(config.port, config.hosts)
  server.on('listening', () => {
    mayAsk = allowed(portOf(server), config.hosts)
  })
  dispatch(server, {
    routes,
    sockets,
    cookieName,
    log,
    bodyWithinMs,
    gate: () => ({ ...mayAsk, findSession: (secrets) => sessions.find(secrets) }),
  })
  const takePort = (): Promise<number> => listen(server, config.port, store)
  let port = await takePort().catch((error) => {
    log.warn({ error: String(error) }, 'the page has no port')
    return null
  })
  server.on('error', (error) => log.warn({ error: String(error) }, 'the web server had an error'))
  const sweep = setInterval(() => sessions.endExpired(), SWEEP_EVERY_MS)
  sweep.unref()
  const urlOf = (): string | null => (port === null ? null : `http://127.0.0.1:${port}/`)
  const pageFound = assets.some((asset) => asset.path === '/')
  return {
    get url() {
      return urlOf()
    },
    get trouble() {
      return troubleOf({ port, pageFound, directory: options.assets })
    },
    routes,
    makeLogin: () => {
      const url = urlOf()
      if (url === null) throw new Error('there is no page to log in to')
      return { url: `${url}login#${tokens.make()}` }
    },
    ping: (withinMs) => pingPage(urlOf(), withinMs),
    listenAgain: async () => {
      if (server.listening) server.close() // open WebSockets stay, and are not waited for
      port = null
      port = await takePort()
    },
    close: () => {
      clearInterval(sweep)
      sockets.close()
      return closeServer(server)
    },
  }
}

function troubleOf(found: { readonly port: number | null; readonly pageFound: boolean; readonly directory: string }): string | null {
  if (found.port === null) return 'The page cannot be served: no port of 127.0.0.1 could be opened.'
  return found.pageFound ? null : `The page has not been built: ${found.directory} holds no index.html.`
}

function makeServer({ timeouts }: WebOptions): Server {
  const server = createServer({
    headersTimeout: timeouts?.headersMs ?? HEADERS_TIMEOUT_MS,
    requestTimeout: UPLOAD_WITHIN_MS, // for each route there is a limit of its own
    connectionsCheckingInterval: timeouts?.checkMs ?? HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: HEADER_BYTES,
    noDelay: true,
  })
  server.maxConnections = CONNECTIONS_LIMIT
  return server
}

function closeServer(server: Server): Promise<void> {
  if (!server.listening) return Promise.resolve()
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
