/** The only file that knows `ws`: an upgrade whose device has proved itself becomes a peer, one frame per message. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import type { DeviceId } from '../../base/ids.ts'
import type { Device } from '../../store/store.ts'
import { fromMessage, toMessage } from '../../wire/daemon.ts'
import { type Admitted, CLOSE_LOGGED_OUT } from '../../wire/deviceProof.ts'
import { FrameError } from '../../wire/frames.ts'
import type { AcceptPeer, Peer, PeerHandlers } from '../clients/peer.ts'
import type { AuthLog } from '../devices/authLog.ts'
import type { Devices } from '../devices/devices.ts'
import { Handshake } from '../devices/handshake.ts'
import type { Identity } from '../devices/identity.ts'
import type { Bearers } from '../devices/secrets.ts'

const MESSAGE_LIMIT = 16 << 20 // a paste is one message; what a page sends beyond this is not typed by anyone
const SOCKETS_LIMIT = 64
const PING_EVERY_MS = 30_000 // a tunnel that went away without a word is noticed within two of these

const PROVED_WITHIN_MS = 10_000
const UNPROVED_LIMIT = 16

/** The page reconnects after these. */
const CLOSE_GOING_AWAY = 1001
const CLOSE_PROTOCOL = 1002
const CLOSE_NOT_BYTES = 1003
const CLOSE_FAILED = 1011

export type Upgrade = { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer; readonly origin: string }

export type WebSocketsOptions = {
  readonly accept: AcceptPeer
  readonly identity: Identity
  readonly devices: Devices
  readonly bearers: Bearers
  readonly authLog: AuthLog
}

/** `device` is null until it has proved itself; `over` lets go of everything that was open for it. */
type Entry = { readonly device: DeviceId | null; readonly over: () => void; answered: boolean }

export class WebSockets {
  private readonly server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MESSAGE_LIMIT,
    clientTracking: false,
  })
  private readonly open = new Map<WebSocket, Entry>()
  private readonly timer: NodeJS.Timeout

  constructor(private readonly options: WebSocketsOptions) {
    this.timer = setInterval(() => this.pingAll(), PING_EVERY_MS)
    this.timer.unref()
  }

  get full(): boolean {
    const unproved = [...this.open.values()].filter(({ device }) => device === null).length
    return this.open.size >= SOCKETS_LIMIT || unproved >= UNPROVED_LIMIT
  }

  admit({ request, socket, head, origin }: Upgrade): void {
    this.server.handleUpgrade(request, socket, head, (webSocket) => this.ask(webSocket, origin))
  }

  /** Closed in this moment: nothing that was on its way is heard any more. */
  endDevice(device: DeviceId, why: 'loggedOut' | 'changed'): void {
    for (const [webSocket, entry] of this.open) {
      if (entry.device !== device) continue
      webSocket.close(why === 'loggedOut' ? CLOSE_LOGGED_OUT : CLOSE_GOING_AWAY)
      entry.over()
    }
  }

  /** How many pages the device has open. */
  countOf(device: DeviceId): number {
    return [...this.open.values()].filter((entry) => entry.device === device).length
  }

  get devices(): ReadonlySet<DeviceId> {
    return new Set([...this.open.values()].flatMap(({ device }) => device ?? []))
  }

  close(): void {
    clearInterval(this.timer)
    for (const webSocket of this.open.keys()) {
      webSocket.close(CLOSE_GOING_AWAY)
      webSocket.terminate()
    }
    this.server.close()
  }

  /** Nothing but the exchange of proofs is heard until it is done. */
  private ask(webSocket: WebSocket, origin: string): void {
    const { identity, devices, authLog } = this.options
    const handshake = new Handshake({ origin, identity, findDevice: (id) => devices.find(id) })
    this.open.set(webSocket, { device: null, over: () => undefined, answered: true })
    const late = setTimeout(() => webSocket.terminate(), PROVED_WITHIN_MS)
    webSocket.on('error', () => webSocket.terminate()) // a broken message or link; 'close' follows
    webSocket.on('close', () => {
      clearTimeout(late)
      this.open.delete(webSocket)
    })
    webSocket.on('message', (data, isBinary) => {
      if (webSocket.readyState !== WebSocket.OPEN) return
      if (isBinary || !Buffer.isBuffer(data)) return webSocket.close(CLOSE_PROTOCOL)
      const step = handshake.take(data.toString('utf8'))
      switch (step.kind) {
        case 'say':
          return webSocket.send(JSON.stringify(step.message))
        case 'nonsense':
          return webSocket.close(CLOSE_PROTOCOL)
        case 'refuse':
          authLog.note({ what: 'refused', details: `${step.device} at ${origin}: ${step.why}` })
          return webSocket.close(CLOSE_LOGGED_OUT, 'logged out')
        case 'admit':
          clearTimeout(late)
          webSocket.removeAllListeners('message')
          return this.serve(webSocket, step.device)
      }
    })
  }

  private serve(webSocket: WebSocket, device: Device): void {
    const { accept, bearers, devices } = this.options
    devices.use(device.id)
    const { bearer, end } = bearers.issue(device.id)
    webSocket.send(JSON.stringify({ bearer } satisfies Admitted))
    const handlers = accept(peerOf(webSocket, device))
    let isOver = false
    const over = (): void => {
      if (isOver) return
      isOver = true
      end()
      webSocket.removeAllListeners('message')
      handlers.closed()
    }
    const entry: Entry = { device: device.id, over, answered: true }
    this.open.set(webSocket, entry)
    webSocket.on('pong', () => {
      entry.answered = true
    })
    webSocket.on('message', (data, isBinary) => {
      if (!isBinary || !Buffer.isBuffer(data)) return webSocket.close(CLOSE_NOT_BYTES)
      receive(webSocket, handlers, data)
    })
    webSocket.on('close', over)
  }

  private pingAll(): void {
    for (const [webSocket, entry] of this.open) {
      if (!entry.answered) webSocket.terminate()
      entry.answered = false
      if (webSocket.readyState === WebSocket.OPEN) webSocket.ping()
    }
  }
}

function peerOf(webSocket: WebSocket, device: Device): Peer {
  return {
    origin: 'web',
    capability: device.capability,
    device: device.id,
    send: (frame) => {
      if (webSocket.readyState === WebSocket.OPEN) webSocket.send(toMessage(frame))
    },
    get backlog() {
      return webSocket.bufferedAmount
    },
    close: () => webSocket.close(),
    drop: () => webSocket.terminate(),
  }
}

/** A faulty message ends this connection only. Nothing after it is read. */
function receive(webSocket: WebSocket, handlers: PeerHandlers, data: Buffer): void {
  if (webSocket.readyState !== WebSocket.OPEN) return
  try {
    handlers.receive(fromMessage(data))
  } catch (error) {
    webSocket.close(error instanceof FrameError ? CLOSE_PROTOCOL : CLOSE_FAILED)
  }
}
