/** One connected client, whichever transport it came by. Transports know nothing of commands; commands nothing of transports. */
import type { DeviceId } from '../../base/ids.ts'
import type { Capability } from '../../wire/capability.ts'
import type { Frame } from '../../wire/frames.ts'

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

/**
 * A peer that cannot make the daemon hold more than a bound for it. Channels have windows and events are coalesced, so only a
 * client that asks and does not read gets there. It loses its connection, comes back by itself, and gets everything anew.
 */
export const MOST_EACH_BYTES = 32 << 20 // the largest answers are some megabytes
export const MOST_ALL_BYTES = 128 << 20 // of all clients together
const WORTH_COUNTING_BYTES = 1 << 20 // below, a client is not behind

export type AllPeers = {
  /** All peers there are, this one too. */
  all(): Iterable<Peer>
  /** One was dropped. */
  dropped(peer: Peer, why: string): void
}

export function boundPeer(peer: Peer, { all, dropped }: AllPeers): Peer {
  const drop = (slowest: Peer, why: string): void => {
    dropped(slowest, why)
    slowest.drop()
  }
  const relieve = (): void => {
    if (peer.backlog > MOST_EACH_BYTES) return drop(peer, `it is ${peer.backlog} bytes behind`)
    const peers = [...all()]
    const total = peers.reduce((sum, { backlog }) => sum + backlog, 0)
    if (total <= MOST_ALL_BYTES) return
    const slowest = peers.reduce((most, other) => (other.backlog > most.backlog ? other : most), peer)
    drop(slowest, `clients are ${total} bytes behind, and it most of all`)
  }
  return {
    origin: peer.origin,
    ...(peer.device === undefined ? {} : { device: peer.device }),
    get capability() {
      return peer.capability // what a program may do can change while it is connected
    },
    get backlog() {
      return peer.backlog
    },
    send: (frame) => {
      if (peer.backlog > WORTH_COUNTING_BYTES) relieve()
      peer.send(frame)
    },
    close: () => peer.close(),
    drop: () => peer.drop(),
  }
}
