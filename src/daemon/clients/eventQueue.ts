/**
 * Events on their way to one client that watches. Each holds a whole record, so for a client that reads slowly only the newest of
 * each record waits: it skips what it could not see, and ends with what is.
 */
import { type DaemonEvent, encodeFromDaemon } from '../../wire/daemon.ts'
import type { Peer } from './peer.ts'

/** From so many unread bytes on, events wait: some hundred of them. */
export const EVENTS_WAIT_AT_BYTES = 256 << 10
const LOOK_AGAIN_MS = 100

export class EventQueue {
  private readonly waiting = new Map<string, DaemonEvent>()
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly peer: Peer) {}

  /** `frame` is the event encoded, made once for all clients. */
  push(event: DaemonEvent, frame: () => Uint8Array<ArrayBuffer>): void {
    if (this.waiting.size === 0 && this.peer.backlog < EVENTS_WAIT_AT_BYTES) return this.peer.send(frame())
    const key = keyOf(event)
    this.waiting.delete(key)
    this.waiting.set(key, event)
    this.timer ??= setTimeout(() => this.pass(), LOOK_AGAIN_MS).unref()
  }

  /** How many wait. */
  get size(): number {
    return this.waiting.size
  }

  close(): void {
    clearTimeout(this.timer)
    this.waiting.clear()
  }

  private pass(): void {
    this.timer = undefined
    for (const [key, event] of this.waiting) {
      if (this.peer.backlog >= EVENTS_WAIT_AT_BYTES) break
      this.waiting.delete(key)
      this.peer.send(encodeFromDaemon({ kind: 'event', event }))
    }
    if (this.waiting.size > 0) this.timer = setTimeout(() => this.pass(), LOOK_AGAIN_MS).unref()
  }
}

/** What the event is about: a later one about the same replaces it. */
function keyOf(event: DaemonEvent): string {
  if (event.kind === 'terminal') return event.terminal.id
  return event.kind === 'closed' ? event.terminal : event.kind
}
