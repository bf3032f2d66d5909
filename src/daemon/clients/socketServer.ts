/** The daemon's Unix socket. Only the user can open it, because its directory is 0700. */
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { type Capability, EVERYTHING } from '../../wire/capability.ts'
import { FrameDecoder } from '../../wire/frames.ts'
import { MOST_CONNECTIONS } from './limits.ts'
import type { AcceptPeer } from './peer.ts'

/** The largest request is a paste; what is larger is not typed by anyone. The same for pages. */
const MESSAGE_LIMIT = 16 << 20

/** The caller holds the instance lock, so a socket file that exists already is stale. */
export async function listenOnSocket(path: string, accept: AcceptPeer): Promise<Server> {
  rmSync(path, { force: true })
  const server = serverOf(accept, () => EVERYTHING)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  return server
}

/** `capability` is asked for at every use: what the user changes counts for connections that are open. */
export function serverOf(accept: AcceptPeer, capability: () => Capability): Server {
  const server = createServer((socket) => serve(socket, accept, capability))
  server.maxConnections = MOST_CONNECTIONS
  return server
}

function serve(socket: Socket, accept: AcceptPeer, capability: () => Capability): void {
  const decoder = new FrameDecoder(MESSAGE_LIMIT)
  const handlers = accept({
    origin: 'socket',
    get capability() {
      return capability()
    },
    send: (frame) => {
      if (socket.writable) socket.write(frame)
    },
    get backlog() {
      return socket.writableLength
    },
    close: () => socket.end(),
    drop: () => socket.destroy(),
  })
  socket.on('data', (chunk) => {
    try {
      for (const frame of decoder.push(chunk)) handlers.receive(frame)
    } catch {
      socket.destroy() // not our protocol, or a fault of ours: no other client is affected
    }
  })
  socket.on('error', () => undefined) // `close` follows
  socket.on('close', () => handlers.closed())
}
