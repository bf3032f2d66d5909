/**
 * The way of one run's events out of its screen thread, at the rates of eventRates.ts. At most one event of each kind waits, and
 * nothing is sent before the main thread has taken what was sent before: a main thread that is late is never flooded.
 */
import { EVENT_RATES, type LeavingKind } from './eventRates.ts'

export class EventGate<Event extends { readonly kind: LeavingKind }> {
  private readonly waiting = new Map<LeavingKind, Event>()
  private readonly notBefore = new Map<LeavingKind, number>()
  private timer: NodeJS.Timeout | undefined
  private isUnheard = false
  private readonly send: (events: readonly Event[]) => void
  private readonly dropped: (kind: LeavingKind) => void

  constructor({ send, dropped }: { send(events: readonly Event[]): void; dropped(kind: LeavingKind): void }) {
    this.send = send
    this.dropped = dropped
  }

  take(event: Event): void {
    const isCoalesced = this.waiting.has(event.kind)
    this.waiting.set(event.kind, event)
    if (isCoalesced) this.dropped(event.kind)
    else this.pass()
  }

  /** The main thread has taken what was sent. */
  heard(): void {
    this.isUnheard = false
    this.pass()
  }

  /** What waits goes now: the run has ended, or is about to be kept or closed. */
  flush(): void {
    clearTimeout(this.timer)
    this.sendAll([...this.waiting.values()])
  }

  private pass(): void {
    clearTimeout(this.timer)
    if (this.isUnheard) return
    const now = performance.now()
    this.sendAll([...this.waiting.values()].filter(({ kind }) => this.dueAt(kind) <= now))
    if (this.isUnheard || this.waiting.size === 0) return
    const next = Math.min(...[...this.waiting.keys()].map((kind) => this.dueAt(kind)))
    this.timer = setTimeout(() => this.pass(), next - now).unref()
  }

  private sendAll(events: readonly Event[]): void {
    if (events.length === 0) return
    const now = performance.now()
    for (const { kind } of events) {
      this.waiting.delete(kind)
      this.notBefore.set(kind, now + EVENT_RATES[kind].everyMs)
    }
    this.isUnheard = true
    this.send(events)
  }

  private dueAt(kind: LeavingKind): number {
    return this.notBefore.get(kind) ?? 0
  }
}
