import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { done } from '../../src/base/refusal.ts'
import type { Peer } from '../../src/daemon/clients/peer.ts'
import { KeptFiles } from '../../src/daemon/files/keptFiles.ts'
import type { ReceiveFile } from '../../src/daemon/web/files.ts'
import { type LoginWish, startWeb, type Web, type WebOptions } from '../../src/daemon/web/startWeb.ts'
import type { DrawStill } from '../../src/daemon/web/stills.ts'
import type { Device } from '../../src/store/store.ts'
import type { AuthLogEntry } from '../../src/wire/deviceView.ts'
import { encodeFrame, type Frame, FrameError } from '../../src/wire/frames.ts'
import { deviceOf, makeKeys, type OpenSocket, openProved, type TestDevice, type TestKeys } from './device.ts'

export type Ask = {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly body?: string
  readonly upgrade?: boolean
}
export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly upgraded: boolean
}
export type SeenPeer = { readonly peer: Peer; readonly frames: Frame[]; closed: boolean }

export const INSIDE = 'the inside of the page'
/** A frame of this type is answered like one that the protocol does not have. */
export const WRONG_FRAME = 99
/** A frame of this type makes whoever takes it fail, as a fault of our own would. */
export const FAILING_FRAME = 98
const UPGRADE = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
}

export const portOf = (web: Web): number => Number(new URL(web.url ?? '').port)
export const hostOf = (web: Web): string => `127.0.0.1:${portOf(web)}`
export const originOf = (web: Web): string => `http://${hostOf(web)}`
export const tokenOf = (login: { readonly url: string }): string => new URL(login.url).hash.slice(1)

/** A web server with a page of a few small files, a store in memory, a clock that stands still, and peers that echo. */
export class WebUnderTest {
  readonly directory = mkdtempSync(join(tmpdir(), 'web-'))
  readonly kept = new Map<string, Device>()
  /** Oldest first. */
  readonly authLog: AuthLogEntry[] = []
  readonly settings = new Map<string, string>()
  readonly peers: SeenPeer[] = []
  readonly logged: string[] = []
  /** What was dropped onto terminals. */
  readonly files = new KeptFiles({ directory: join(this.directory, 'files') })
  receive: ReceiveFile = (file) => this.files.receive(file)
  drawStill: DrawStill = () => Promise.resolve(done('<svg xmlns="http://www.w3.org/2000/svg"/>'))
  clock = 1_700_000_000_000
  expireDays = 30
  private readonly sockets: OpenSocket[] = []
  private readonly started: Web[] = []

  readonly store: WebOptions['store'] = {
    devices: () => Promise.resolve([...this.kept.values()]),
    keepDevice: (device) => Promise.resolve(void this.kept.set(device.id, device)),
    forgetDevice: (id) => Promise.resolve(void this.kept.delete(id)),
    appendAuthLog: (entry) => Promise.resolve(void this.authLog.push(entry)),
    authLog: (limit) => Promise.resolve(this.authLog.toReversed().slice(0, limit)),
    setting: (key) => Promise.resolve(this.settings.get(key) ?? null),
    keepSetting: (key, value) => Promise.resolve(void this.settings.set(key, value)),
  }

  constructor() {
    for (const folder of ['login', 'assets', 'icons']) mkdirSync(join(this.directory, folder))
    writeFileSync(join(this.directory, 'index.html'), INSIDE)
    writeFileSync(join(this.directory, 'assets/app.js'), `// ${INSIDE}`)
    writeFileSync(join(this.directory, 'login.html'), 'the login page')
    writeFileSync(join(this.directory, 'login/login.js'), '// the login script')
    writeFileSync(join(this.directory, 'serviceWorker.js'), `// ${INSIDE}`)
    writeFileSync(join(this.directory, 'manifest.webmanifest'), '{}')
    writeFileSync(join(this.directory, 'icons/icon.png'), 'an icon')
  }

  async start(changes: Partial<WebOptions> = {}): Promise<Web> {
    const note = (details: object, message: string) => void this.logged.push(JSON.stringify({ details, message }))
    const web = await startWeb({
      config: { port: 0, hosts: ['box.example'], trustedUids: [] },
      store: this.store,
      accept: (peer) => this.accept(peer),
      receive: (file, capability) => this.receive(file, capability),
      drawStill: (asked) => this.drawStill(asked),
      assets: this.directory,
      redirects: this.directory,
      expireDays: () => this.expireDays,
      now: () => this.clock,
      log: { info: note, warn: note },
      ...changes,
    })
    this.started.push(web)
    return web
  }

  async dispose(): Promise<void> {
    for (const { socket } of this.sockets) socket.terminate()
    await Promise.all(this.started.map((web) => web.close()))
    rmSync(this.directory, { recursive: true })
  }

  /** A link of this device, open until the end of the test. */
  async openSocket(web: Web, device: TestDevice): Promise<OpenSocket> {
    const open = await openSocket(web, device)
    this.sockets.push(open)
    return open
  }

  /** What an open page puts into its requests; the page stays open. */
  async bearer(web: Web, device?: TestDevice): Promise<string> {
    return `Bearer ${(await this.openSocket(web, device ?? (await logIn(web)))).bearer}`
  }

  private accept(peer: Peer) {
    const entry: SeenPeer = { peer, frames: [], closed: false }
    this.peers.push(entry)
    return {
      receive: (frame: Frame) => {
        if (frame.type === WRONG_FRAME) throw new FrameError('not ours')
        if (frame.type === FAILING_FRAME) throw new TypeError('Cannot convert object to primitive value')
        entry.frames.push(frame)
        peer.send(encodeFrame(frame.type, frame.payload))
      },
      closed: () => {
        entry.closed = true
      },
    }
  }
}

/** Sends exactly these headers, as a browser never would. */
export function ask(web: Web, { path, method = 'GET', headers = {}, body, upgrade = false }: Ask): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const all = { Host: hostOf(web), ...(upgrade ? UPGRADE : {}), ...headers }
    const outgoing = request({ host: '127.0.0.1', port: portOf(web), path, method, agent: false, setHost: false, headers: all })
    outgoing.on('upgrade', (reply, socket) => {
      socket.destroy()
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: '', upgraded: true })
    })
    outgoing.on('response', (reply) => {
      const pieces: Buffer[] = []
      reply.on('data', (piece) => pieces.push(piece))
      reply.on('end', () => {
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(pieces).toString(), upgraded: false })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Writes the text as it is and returns whatever comes back until the server closes. */
export function askRaw(web: Web, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(portOf(web), '127.0.0.1', () => socket.write(text))
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => resolve(answer))
    socket.on('close', () => resolve(answer))
  })
}

export function postLogin(web: Web, token: string, keys: TestKeys = makeKeys(), origin = originOf(web)): Promise<Reply> {
  const headers = { Origin: origin, 'Content-Type': 'application/json' }
  return ask(web, { path: '/api/login', method: 'POST', headers, body: JSON.stringify({ token, key: keys.publicKey }) })
}

export async function logIn(web: Web, wish?: LoginWish, keys: TestKeys = makeKeys()): Promise<TestDevice> {
  const reply = await postLogin(web, tokenOf(web.makeLogin(wish)), keys)
  if (reply.status !== 200) throw new Error(reply.body)
  return deviceOf(keys, JSON.parse(reply.body))
}

export const openSocket = (web: Web, device: TestDevice): Promise<OpenSocket> => openProved(originOf(web), device)
