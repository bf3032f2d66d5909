/**
 * Web: the page's server. It listens on loopback only and has one gate (`gate.ts`), one table of routes (`routes.ts`) and one WebSocket
 * that speaks the daemon's protocol (`webSockets.ts`). Requests come in from browsers; accepted peers go out to `clients/`. It knows
 * devices and files, but no terminals. Start here. Without a port the daemon runs without a page and says so.
 */
import { createServer, type Server } from 'node:http'
import type { DeviceId } from '../../base/ids.ts'
import type { Device } from '../../store/store.ts'
import { EVERYTHING } from '../../wire/capability.ts'
import type { WebLog } from '../base/log.ts'
import type { AcceptPeer } from '../clients/peer.ts'
import { AuthLog, type AuthLogStore } from '../devices/authLog.ts'
import { type DeviceStore, Devices } from '../devices/devices.ts'
import { openIdentity } from '../devices/identity.ts'
import { directoryFor, type Grant, LoginLinks, removeOldRedirects, writeRedirect } from '../devices/loginLinks.ts'
import { foreignPeers } from '../devices/peerUser.ts'
import { Bearers } from '../devices/secrets.ts'
import { readAssets } from './assets.ts'
import { dispatch } from './dispatch.ts'
import { type ReceiveFile, UPLOAD_WITHIN_MS } from './files.ts'
import { allowed } from './gate.ts'
import { type Listening, listen, type PortStore, pingPage, portOf, stolenText } from './listen.ts'
import { makeRoutes, type Route } from './routes.ts'
import type { DrawStill } from './stills.ts'
import { WebSockets } from './webSockets.ts'

const HEADERS_TIMEOUT_MS = 5_000
const REQUEST_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 5_000
const HEADER_BYTES = 16 << 10
const CONNECTIONS_LIMIT = 256
const SWEEP_EVERY_MS = 60_000
const DAY_MS = 24 * 60 * 60_000

export type WebOptions = {
  readonly config: { readonly port: number; readonly hosts: readonly string[]; readonly trustedUids: readonly string[] }
  readonly store: DeviceStore & AuthLogStore & PortStore
  readonly accept: AcceptPeer
  /** keeps a file that was dropped onto a terminal */
  readonly receive: ReceiveFile
  /** draws the last screen of a terminal */
  readonly drawStill: DrawStill
  /** directory of the built page */
  readonly assets: string
  /** directory for files that lead a browser to its login */
  readonly redirects: string
  /** after how many days without use a device expires; asked for each time */
  readonly expireDays: () => number
  readonly now: () => number
  readonly log: WebLog
  /** shorter in tests */
  readonly timeouts?: { readonly headersMs: number; readonly requestMs: number; readonly checkMs: number }
}

export type LoginWish = Pick<Grant, 'capability' | 'name' | 'addedBy'> & {
  /** Also write a file that leads a browser there; `snap` is the snap that the browser lives in. */
  readonly file?: { readonly snap: string | null }
}
type Login = { readonly url: string; readonly file?: string }

export type Web = {
  readonly url: string | null
  /** a sentence, when the page cannot be used as it should */
  readonly trouble: string | null
  readonly devices: Devices
  readonly authLog: AuthLog
  /** How many pages a device has open. */
  countOf(device: DeviceId): number
  /** The address carries the token in its fragment, which browsers never send. Only to be called when `url` is not null. */
  makeLogin(wish?: LoginWish): Login
  /** Asks for the login as a browser would, through the gate; rejects when no page comes back. */
  ping(withinMs: number): Promise<void>
  /** Takes a port again, the same one if it can be had; clients connect anew. Rejects when there is none. */
  listenAgain(): Promise<void>
  close(): Promise<void>
  readonly routes: readonly Route[]
}

const USUAL_LOGIN: LoginWish = { capability: EVERYTHING, name: null, addedBy: null }

export async function startWeb(options: WebOptions): Promise<Web> {
  const { config, store, now, log } = options
  const links = new LoginLinks(now)
  const authLog = new AuthLog({ store, now })
  const expireMs = (): number => options.expireDays() * DAY_MS
  const devices = await Devices.open({ store, now, log, authLog, expireMs })
  const identity = await openIdentity(store)
  const assets = await readAssets(options.assets)
  const { receive, drawStill } = options
  const routes = makeRoutes({ assets, links, devices, identity, authLog, receive, drawStill })
  const bearers = new Bearers()
  const sockets = new WebSockets({ accept: options.accept, identity, devices, bearers, authLog })
  devices.onEnd((id, why) => sockets.endDevice(id, why))
  const server = makeServer(options)
  const bodyWithinMs = options.timeouts?.requestMs ?? REQUEST_TIMEOUT_MS
  let mayAsk = allowed(config.port, config.hosts)
  server.on('listening', () => {
    mayAsk = allowed(portOf(server), config.hosts)
  })
  const findDevice = (authorization: string): Device | null => devices.find(bearers.find(authorization) ?? '')
  const isForeign = foreignPeers(server, { trustedUids: config.trustedUids.map(Number), authLog })
  dispatch(server, { routes, sockets, log, bodyWithinMs, isForeign, gate: () => ({ ...mayAsk, findDevice }) })
  let at: Listening | null = null
  const urlOf = (): string | null => (at === null ? null : `http://127.0.0.1:${at.port}/`)
  const takePort = async (): Promise<void> => {
    at = null
    at = await listen(server, config.port, store)
    for (const stolen of at.stolen) {
      const sentence = stolenText(stolen, urlOf() ?? '')
      log.warn({ port: stolen.port, uid: stolen.uid }, sentence)
      authLog.note({ what: 'port', details: sentence })
    }
  }
  await takePort().catch((error) => log.warn({ error: String(error) }, 'the page has no port'))
  server.on('error', (error) => log.warn({ error: String(error) }, 'the web server had an error'))
  removeOldRedirects(options.redirects)
  const sweep = setInterval(() => {
    devices.sweep(sockets.devices)
    links.sweep()
  }, SWEEP_EVERY_MS)
  sweep.unref()
  const pageFound = assets.some((asset) => asset.path === '/')
  return {
    get url() {
      return urlOf()
    },
    get trouble() {
      return troubleOf({ at, url: urlOf(), pageFound, directory: options.assets })
    },
    devices,
    authLog,
    countOf: (device) => sockets.countOf(device),
    routes,
    makeLogin: ({ file, ...grant } = USUAL_LOGIN) => {
      const url = urlOf()
      if (url === null) throw new Error('there is no page to log in to')
      if (file === undefined) return { url: `${url}login#${links.make(grant)}` }
      let over = (): void => undefined
      const link = `${url}login#${links.make({ ...grant, over: () => over() })}`
      const redirect = writeRedirect(directoryFor(file.snap, options.redirects), link)
      over = redirect.remove
      return { url: link, file: redirect.path }
    },
    ping: (withinMs) => pingPage(urlOf(), withinMs),
    listenAgain: async () => {
      if (server.listening) server.close() // open WebSockets stay, and are not waited for
      await takePort()
    },
    close: () => {
      clearInterval(sweep)
      links.close()
      sockets.close()
      return closeServer(server)
    },
  }
}

type Serving = { readonly at: Listening | null; readonly url: string | null; readonly pageFound: boolean; readonly directory: string }

function troubleOf({ at, url, pageFound, directory }: Serving): string | null {
  if (at === null) return 'cannot serve the page: no port of 127.0.0.1 could be opened.'
  if (!pageFound) return `The page has not been built: ${directory} holds no index.html.`
  const [stolen] = at.stolen
  return stolen === undefined ? null : stolenText(stolen, url ?? '')
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
