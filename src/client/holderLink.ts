/**
 * One connection to a holder: says hello, then carries messages both ways. The daemon's control link, the screen model,
 * the relay of a page and `attach` all use it; each decides for itself what a lost link means.
 */
import { connect, type Socket } from 'node:net'
import { type Frame, FrameDecoder } from '../wire/frames.ts'
import {
  commonVersion,
  decodeFromHolder,
  encodeToHolder,
  type FromHolder,
  HOLDER_PROTOCOL,
  type HolderHello,
  type ToHolder,
} from '../wire/holder.ts'
import { whyNotOurs } from './ownSocket.ts'

/** Read without a stream in between, which is a fifth of the way of a keystroke's echo. The memory is used again for each read. */
const READ_BYTES = 64 << 10
/** A holder answers within a millisecond; after this long it is stuck or stopped. */
const HELLO_WITHIN_MS = 3_000

export type HolderLink = {
  readonly hello: HolderHello
  send(message: ToHolder): void
  close(): void
}

type HolderLinkHandlers = {
  message(message: FromHolder): void
  /** Called once, also after `close`. */
  closed(why: string): void
}

export type Linking =
  | { readonly kind: 'linked'; readonly link: HolderLink }
  | { readonly kind: 'incompatible'; readonly hello: HolderHello; readonly speaks: string }
  | { readonly kind: 'unreachable'; readonly why: string }

export type LinkOptions = { socketPath: string; who: string; handlers: HolderLinkHandlers; withinMs?: number }

export function linkHolder({ socketPath, who, handlers, withinMs = HELLO_WITHIN_MS }: LinkOptions): Promise<Linking> {
  const foreign = whyNotOurs(socketPath)
  if (foreign !== null) return Promise.resolve({ kind: 'unreachable', why: `its socket is not safe to use: ${foreign}` })
  return new Promise((resolve) => {
    const socket = connect({
      path: socketPath,
      onread: { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback: (count, buffer) => take(buffer.subarray(0, count)) },
    })
    const decoder = new FrameDecoder()
    let linked = false
    let why = 'the holder closed the connection'
    const timer = setTimeout(() => fail('it does not answer'), withinMs)
    const fail = (reason: string): void => {
      why = reason
      socket.destroy()
    }
    const greet = (message: FromHolder): void => {
      if (message.kind !== 'hello') return
      clearTimeout(timer)
      const { hello } = message
      if (commonVersion(HOLDER_PROTOCOL, hello.speaks) === null) {
        resolve({ kind: 'incompatible', hello, speaks: `${hello.speaks.oldest}–${hello.speaks.newest}` })
        socket.destroy()
        return
      }
      linked = true
      resolve({ kind: 'linked', link: linkOver(socket, hello) })
    }
    const receive = (frame: Frame): void => {
      const message = decodeFromHolder(frame)
      if (message === null) return
      if (linked) handlers.message(message)
      else greet(message)
    }
    const take = (chunk: Uint8Array): boolean => {
      try {
        for (const frame of decoder.push(new Uint8Array(chunk))) receive(frame) // a copy; a Buffer's own slice would be none
      } catch (error) {
        fail(String(error))
      }
      return true
    }
    socket.on('connect', () => socket.write(encodeToHolder({ kind: 'hello', hello: { speaks: HOLDER_PROTOCOL, who } })))
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.message))
    socket.on('close', () => {
      clearTimeout(timer)
      if (linked) handlers.closed(why)
      else resolve({ kind: 'unreachable', why })
    })
  })
}

function linkOver(socket: Socket, hello: HolderHello): HolderLink {
  return {
    hello,
    send: (message) => {
      if (socket.writable) socket.write(encodeToHolder(message))
    },
    close: () => socket.destroy(),
  }
}
