/** The only file that knows `ws`: turns an admitted upgrade into a peer, one frame per message. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { EVERYTHING } from '../../wire/capability.ts'
import { fromMessage, toMessage } from '../../wire/daemon.ts'
import { FrameError } from '../../wire/frames.ts'
import type { AcceptPeer, Peer, PeerHandlers } from '../peer.ts'

const MESSAGE_LIMIT = 16 << 20 // a paste is one message; what a page sends beyond this is not typed by anyone
const SOCKETS_LIMIT = 64
const PING_EVERY_MS = 30_000 // a tunnel that went away without a word is noticed within two of these

/** The page asks for a login when it sees the first; it reconnects after the others. */
const CLOSE_LOGGED_OUT = 4401
const CLOSE_GOING_AWAY = 1001
const CLOSE_PROTOCOL = 1002
const CLOSE_NOT_BYTES = 1003
const CLOSE_FAILED = 1011

export type Upgrade = { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer; readonly session: string }

export class WebSockets {
  private readonly server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MESSAGE_LIMIT,
    clientTracking: false,
  })
  private readonly open = new Map<WebSocket, { readonly session: string; answered: boolean }>()
  private readonly timer: NodeJS.Timeout
  private readonly accept: AcceptPeer

  constructor(accept: AcceptPeer) {
    this.accept = accept
    this.timer = setInterval(() => this.pingAll(), PING_EVERY_MS)
    this.timer.unref()
  }

  get full(): boolean {
    return this.open.size >= SOCKETS_LIMIT
  }

  admit({ request, socket, head, session }: Upgrade): void {
    this.server.handleUpgrade(request, socket, head, (webSocket) => this.serve(webSocket, session))
  }

  endSession(session: string): void {
    for (const [webSocket, entry] of this.open) if (entry.session === session) webSocket.close(CLOSE_LOGGED_OUT, 'logged out')
  }

  close(): void {
    clearInterval(this.timer)
    for (const webSocket of this.open.keys()) {
      webSocket.close(CLOSE_GOING_AWAY)
      webSocket.terminate()
    }
    this.server.close()
  }

  private serve(webSocket: WebSocket, session: string): void {
    const entry = { session, answered: true }
    this.open.set(webSocket, entry)
    const handlers = this.accept(peerOf(webSocket))
    webSocket.on('pong', () => {
      entry.answered = true
    })
    webSocket.on('message', (data, isBinary) => {
      if (!isBinary || !Buffer.isBuffer(data)) return webSocket.close(CLOSE_NOT_BYTES)
      receive(webSocket, handlers, data)
    })
    webSocket.on('error', () => webSocket.terminate()) // a broken message or link; 'close' follows
    webSocket.on('close', () => {
      this.open.delete(webSocket)
      handlers.closed()
    })
  }

  private pingAll(): void {
    for (const [webSocket, entry] of this.open) {
      if (!entry.answered) webSocket.terminate()
      entry.answered = false
      if (webSocket.readyState === WebSocket.OPEN) webSocket.ping()
    }
  }
}

function peerOf(webSocket: WebSocket): Peer {
  return {
    origin: 'web',
    capability: EVERYTHING,
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

/** Whatever goes wrong with one message ends this connection only. Nothing that comes after it is heard. */
function receive(webSocket: WebSocket, handlers: PeerHandlers, data: Buffer): void {
  if (webSocket.readyState !== WebSocket.OPEN) return
  try {
    handlers.receive(fromMessage(data))
  } catch (error) {
    webSocket.close(error instanceof FrameError ? CLOSE_PROTOCOL : CLOSE_FAILED)
  }
}
