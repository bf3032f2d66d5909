/** The daemon's Unix socket as a transport. */
import { connect } from 'node:net'
import { refusals } from '../base/refusal.ts'
import { type Frame, FrameDecoder } from '../wire/frames.ts'
import { whyNotOurs } from './ownSocket.ts'
import { type Connect, ConnectRefused, type Transport } from './transport.ts'

/** Why the connection failed; `code` is the system's, such as ENOENT. */
class ConnectError extends Error {
  readonly code: string
  constructor(error: NodeJS.ErrnoException) {
    super(SENTENCES[error.code ?? ''] ?? error.message, { cause: error })
    this.code = error.code ?? ''
  }
}

export const NOT_RUNNING = 'it is not running'

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: NOT_RUNNING,
  ECONNREFUSED: NOT_RUNNING,
  EACCES: 'its socket belongs to another user',
}

export const unixTransport =
  (socketPath: string): Connect =>
  (handlers) =>
    new Promise<Transport>((resolve, reject) => {
      const foreign = whyNotOurs(socketPath)
      if (foreign !== null) return reject(new ConnectRefused(refusals.socketNotOurs(socketPath, foreign)))
      const socket = connect(socketPath)
      const decoder = new FrameDecoder()
      let connected = false
      let why = 'it closed the connection'
      socket.on('connect', () => {
        connected = true
        resolve({
          send: (frame) => {
            if (socket.writable) socket.write(frame)
          },
          close: () => socket.destroy(),
        })
      })
      const framesOf = (chunk: Uint8Array): Frame[] => {
        try {
          return decoder.push(chunk)
        } catch (error) {
          socket.destroy(error instanceof Error ? error : new Error(String(error)))
          return []
        }
      }
      socket.on('data', (chunk) => {
        for (const frame of framesOf(chunk)) handlers.onFrame(frame)
      })
      socket.on('error', (error: NodeJS.ErrnoException) => {
        why = error.message
        if (!connected) reject(new ConnectError(error))
      })
      socket.on('close', () => {
        if (connected) handlers.onClose(why)
      })
    })
