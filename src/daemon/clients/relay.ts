/**
 * A channel: one client's view of one run, through the daemon. It is a holder link of its own whose credit is the
 * client's, so a slow page slows no other client and the daemon buffers at most one window for it.
 */
import { type HolderLink, linkHolder } from '../../client/holderLink.ts'
import { encodeFromDaemon } from '../../wire/daemon.ts'
import type { FromHolder } from '../../wire/holder.ts'
import { isSameSize } from '../../workspace/terminal/sizing.ts'
import type { Size } from '../../workspace/terminal/terminal.ts'
import type { Peer } from './peer.ts'

export type Relay = { input(bytes: Uint8Array): void; ack(bytes: number): void; close(): void }

/** Stands in for a relay that is being opened: what is typed meanwhile waits, and a close is remembered. */
export class OpeningRelay implements Relay {
  private readonly waiting: Uint8Array[] = []
  isClosed = false

  input(bytes: Uint8Array): void {
    this.waiting.push(bytes.slice())
  }

  ack(): void {
    // Nothing has been sent that could be acknowledged.
  }

  close(): void {
    this.isClosed = true
  }

  handOver(relay: Relay): void {
    for (const bytes of this.waiting.splice(0)) relay.input(bytes)
  }
}

export type RelayOrder = {
  readonly peer: Peer
  readonly channel: number
  readonly socketPath: string
  readonly from: number
  /** Of the snapshot that the client begins with; null where it has none. */
  readonly size: Size | null
  readonly window: number
  closed(): void
}

export async function openRelay(order: RelayOrder): Promise<Relay | { readonly why: string }> {
  const { peer, channel } = order
  let over = false
  const end = (why: string | null): void => {
    if (over) return
    over = true
    if (why !== null) peer.send(encodeFromDaemon({ kind: 'channel', channel, note: { kind: 'broken', why } }))
    order.closed()
  }
  const linking = await linkHolder({
    socketPath: order.socketPath,
    who: 'relay',
    handlers: {
      message: (message) => {
        if (!over) pass(message, order, end)
      },
      closed: (why) => end(why),
    },
  })
  if (linking.kind !== 'linked') return { why: linking.kind === 'unreachable' ? linking.why : `its holder speaks ${linking.speaks}` }
  const { link } = linking
  link.send({ kind: 'subscribe', subscribe: { from: order.from, window: order.window, follow: true } })
  return relayOver(link, () => end(null))
}

function relayOver(link: HolderLink, end: () => void): Relay {
  return {
    input: (bytes) => link.send({ kind: 'input', bytes }),
    ack: (bytes) => link.send({ kind: 'ack', bytes }),
    close: () => {
      end()
      link.close()
    },
  }
}

function pass(message: FromHolder, { peer, channel, size }: RelayOrder, end: (why: string | null) => void): void {
  switch (message.kind) {
    case 'output':
      return peer.send(encodeFromDaemon({ kind: 'output', channel, seq: message.seq, bytes: message.bytes }))
    case 'resized':
      return peer.send(encodeFromDaemon({ kind: 'channel', channel, note: { kind: 'resized', seq: message.seq, size: message.size } }))
    case 'caughtUp':
      return peer.send(encodeFromDaemon({ kind: 'channel', channel, note: { kind: 'caughtUp', seq: message.seq } }))
    case 'exited':
      peer.send(encodeFromDaemon({ kind: 'channel', channel, note: { kind: 'exited', seq: message.seq, status: message.status } }))
      return end(null)
    case 'gap':
      return end('it fell behind what the log still holds')
    case 'subscribed':
      // Resized after the snapshot was taken, but before the next byte: that is not told again.
      if (size !== null && !isSameSize(size, message.size))
        peer.send(encodeFromDaemon({ kind: 'channel', channel, note: { kind: 'resized', seq: message.from, size: message.size } }))
      return
    case 'hello':
    case 'status':
      return
  }
}
