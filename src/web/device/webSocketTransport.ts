/**
 * The page's way to the daemon: both prove who they are, then one frame per WebSocket message, without its length. This folder is
 * about the device that this browser is to the daemon: its key (keys.ts, keptDevice.ts) and the bearer token for plain requests.
 * Nothing above the transport is imported here.
 */
import { NotOurDaemon, proveLink } from '../../client/deviceLink.ts'
import type { Connect, Transport, TransportHandlers } from '../../client/transport.ts'
import { fromMessage, toMessage } from '../../wire/daemon.ts'
import { CLOSE_LOGGED_OUT } from '../../wire/deviceProof.ts'
import { setBearer } from './bearer.ts'
import { forgetDevice, type KeptDevice, readDevice } from './keptDevice.ts'
import { makeNonce, ownDevice } from './keys.ts'

export const LOGGED_OUT = 'this browser is not logged in any more'
export const STRANGER = 'another program answers at this address'
const AWAY = 'the daemon is away'
/** A daemon answers within milliseconds; the line may be bad. */
const PROVED_WITHIN_MS = 10_000

export const webSocketTransport: Connect = async (handlers) => {
  const kept = await readDevice()
  if (kept === null) throw new Error(LOGGED_OUT)
  return open(kept, handlers)
}

function open(kept: KeptDevice, handlers: TransportHandlers): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`)
    socket.binaryType = 'arraybuffer'
    const texts = new Texts()
    let state: 'asking' | 'proved' | 'admitted' = 'asking'
    let wasOpen = false
    const late = setTimeout(() => socket.close(), PROVED_WITHIN_MS)
    const loggedOut = (): string => {
      void forgetDevice(kept.device)
      return LOGGED_OUT
    }
    const prove = async (): Promise<void> => {
      const link = { say: (text: string) => socket.send(text), hear: () => texts.next() }
      const onProved = (): void => {
        state = 'proved'
      }
      const here = { origin: location.origin, nonce: makeNonce(), onProved }
      const { bearer } = await proveLink(link, ownDevice(kept), here)
      state = 'admitted'
      clearTimeout(late)
      setBearer(bearer)
      resolve({ send: (frame) => socket.readyState === WebSocket.OPEN && socket.send(toMessage(frame)), close: () => socket.close() })
    }
    socket.onopen = () => {
      wasOpen = true
      prove().catch((error) => {
        socket.close()
        // A link that was lost says so itself.
        if (error instanceof NotOurDaemon) reject(new Error(STRANGER, { cause: error }))
      })
    }
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer && state === 'admitted') handlers.onFrame(fromMessage(new Uint8Array(data)))
      else if (typeof data === 'string') texts.add(data)
    }
    socket.onclose = ({ code }) => {
      clearTimeout(late)
      texts.end()
      // Only a daemon that has proved itself is believed that this browser is logged out.
      const why = code === CLOSE_LOGGED_OUT && state !== 'asking' ? loggedOut() : AWAY
      if (state === 'admitted') {
        setBearer(null)
        handlers.onClose(why)
      } else if (wasOpen) reject(new Error(why))
      else void whyNotOpened().then((found) => reject(new Error(found)))
    }
  })
}

/** A browser does not tell why a WebSocket was refused. Our daemon answers a plain request there with a refusal of its own. */
async function whyNotOpened(): Promise<string> {
  const probe = await fetch('/ws').catch(() => null)
  return probe === null || OUR_ANSWERS.has(probe.status) ? AWAY : STRANGER
}

/** Refused by the gate, or a proxy that finds no daemon. */
const OUR_ANSWERS: ReadonlySet<number> = new Set([401, 403, 502, 503, 504])

/** A queue of text messages, read one at a time. */
class Texts {
  private readonly heard: string[] = []
  private waiting: { resolve(text: string): void; reject(error: Error): void } | null = null

  add(text: string): void {
    if (this.waiting === null) this.heard.push(text)
    else this.waiting.resolve(text)
    this.waiting = null
  }

  next(): Promise<string> {
    const first = this.heard.shift()
    if (first !== undefined) return Promise.resolve(first)
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
    })
  }

  end(): void {
    this.waiting?.reject(new Error(AWAY))
  }
}
