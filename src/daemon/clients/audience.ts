/** The clients that are connected, and everything else that wants to hear of changes. */
import type { TerminalId } from '../../base/ids.ts'
import { type DaemonEvent, encodeFromDaemon } from '../../wire/daemon.ts'
import type { TerminalView } from '../../wire/view.ts'
import type { Peer } from './peer.ts'

/** What events need of a client. */
type Listener = {
  readonly peer: Peer
  /** `frame` is the event encoded, once for all clients that are shown all of it. */
  announce(event: DaemonEvent, frame: () => Uint8Array<ArrayBuffer>): void
}

export class Audience {
  readonly clients = new Set<Listener>()
  /** Parts of the daemon: told of every change of a terminal, after the clients and in the order in which they were added. */
  readonly listeners = new Set<(id: TerminalId) => void>()
  private nextClient = 1

  /** `viewOf` answers null once the terminal is gone. */
  constructor(private readonly viewOf: (id: TerminalId) => TerminalView | null) {}

  takeClientNumber(): number {
    return this.nextClient++
  }

  announce(event: DaemonEvent): void {
    let encoded: Uint8Array<ArrayBuffer> | null = null
    const frame = (): Uint8Array<ArrayBuffer> => {
      encoded ??= encodeFromDaemon({ kind: 'event', event })
      return encoded
    }
    for (const client of this.clients) client.announce(event, frame)
  }

  announceTerminal(id: TerminalId): void {
    const terminal = this.viewOf(id)
    this.announce(terminal === null ? { kind: 'closed', terminal: id } : { kind: 'terminal', terminal })
    for (const tell of [...this.listeners]) tell(id)
  }
}
