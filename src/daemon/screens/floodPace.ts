/**
 * What keeps floods of titles, bells, links and questions from taking the machine. The screens of a thread read them for a quarter of
 * its time, all together; while they rest, their holders and programs wait. Output that draws is never slowed down.
 */
import { Allowance } from '../../base/allowance.ts'
import { ASIDE_RATE } from './eventRates.ts'

/** For each millisecond of reading. */
const REST_MS = 3
/** However many read floods. Holders of version 0.1 take a screen that acknowledges nothing for a second for stuck, and let its program run free. */
const LONGEST_REST_MS = 300

/** One for each thread. */
export class FloodPace {
  private freeAt = 0

  /** How long a screen rests after it has read a flood for `ms`. */
  restAfter(ms: number, now: number): number {
    const after = Math.max(now, this.freeAt + ms) // when those that rest already have read, too
    this.freeAt = Math.min(after + ms * REST_MS, now + LONGEST_REST_MS)
    return this.freeAt - now
  }
}

/** A flood is read in pieces of about a millisecond. What else has to run on the processor, like a key that is typed, waits for one. */
const SIP_BYTES = 4 << 10
/** How long a screen reads in such pieces after a flood. */
const SIPS_FOR_MS = 1_000

/** One for each screen: whether what it reads is a flood. */
export class FloodMeter {
  private readonly allowance: Allowance
  private seen = 0
  private sipsUntil = Number.NEGATIVE_INFINITY

  constructor(private readonly now: () => number) {
    this.allowance = new Allowance(ASIDE_RATE, now)
  }

  /** `asides` is how many there were since the screen began. */
  isFlood(asides: number): boolean {
    const count = asides - this.seen
    this.seen = asides
    if (count === 0 || this.allowance.take(count)) return false
    this.sipsUntil = this.now() + SIPS_FOR_MS
    return true
  }

  /** How many bytes are read before the next look at whether they are a flood. */
  get atOnce(): number {
    return this.now() < this.sipsUntil ? SIP_BYTES : Number.POSITIVE_INFINITY
  }
}
