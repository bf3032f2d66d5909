/** One connected client, whichever transport it came by. Transports know nothing of commands; commands nothing of transports. */
import type { DeviceId } from '../base/ids.ts'
import type { Capability } from '../wire/capability.ts'
import type { Frame } from '../wire/frames.ts'

export type Peer = {
  /** `frame` is length-prefixed as made by the encoders; a transport that frames by itself leaves the length out. */
  send(frame: Uint8Array<ArrayBuffer>): void
  /** Bytes that were sent and that the client has not read yet. */
  readonly backlog: number
  /** Ends the connection when everything that was sent has been read. */
  close(): void
  /** Ends it now. */
  drop(): void
  readonly origin: 'socket' | 'web'
  readonly capability: Capability
  /** The browser it comes from. */
  readonly device?: DeviceId
}

export type PeerHandlers = {
  receive(frame: Frame): void
  closed(): void
}

export type AcceptPeer = (peer: Peer) => PeerHandlers
