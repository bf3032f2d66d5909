/** The page's way to the daemon: one frame per WebSocket message, without its length. */
import type { Connect, Transport, TransportHandlers } from '../client/transport.ts'
import { fromMessage, toMessage } from '../wire/daemon.ts'

export const LOGGED_OUT = 'this browser is not logged in any more'
const CLOSE_LOGGED_OUT = 4401
const AWAY = 'the daemon is away'

/** A browser does not tell why a WebSocket was refused, so a plain request asks whether the login is the reason. */
export const webSocketTransport: Connect = async (handlers) => {
  try {
    return await open(handlers)
  } catch (cause) {
    const probe = await fetch('/api/sessions').catch(() => null)
    throw new Error(probe?.status === 401 ? LOGGED_OUT : AWAY, { cause })
  }
}

function open(handlers: TransportHandlers): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`)
    socket.binaryType = 'arraybuffer'
    let connected = false
    socket.onopen = () => {
      connected = true
      resolve({ send: (frame) => socket.readyState === WebSocket.OPEN && socket.send(toMessage(frame)), close: () => socket.close() })
    }
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) handlers.onFrame(fromMessage(new Uint8Array(data)))
    }
    socket.onclose = ({ code }) => {
      if (!connected) reject(new Error(AWAY))
      else handlers.onClose(code === CLOSE_LOGGED_OUT ? LOGGED_OUT : AWAY)
    }
  })
}
