/**
 * How much output a screen lets its holder send ahead. Ordinary output is parsed at fifty megabytes a second, a flood of links or
 * colors at one: with the same window it would be seconds ahead of the screen, and all that asks for the screen would wait for it.
 * So a slow screen keeps part of its credit back.
 */
const AHEAD_MS = 200 // so long what is under way may take to be read
const LEAST_BYTES = 64 << 10
const STEPS = 8 // acknowledgements for a window's worth
const NEWEST_SHARE = 0.3

export class AckWindow {
  private unacknowledged = 0
  private bytesPerMs = Number.POSITIVE_INFINITY

  constructor(private readonly windowBytes: number) {}

  /** Called with how much was read, and in what time. Returns how much to acknowledge now. */
  consumed(bytes: number, ms: number): number {
    const speed = bytes / Math.max(ms, 0.1)
    // A short piece says nothing about the speed.
    if (bytes >= LEAST_BYTES / 16)
      this.bytesPerMs = this.bytesPerMs === Number.POSITIVE_INFINITY ? speed : this.bytesPerMs + (speed - this.bytesPerMs) * NEWEST_SHARE
    this.unacknowledged += bytes
    const due = this.unacknowledged - (this.windowBytes - this.ahead)
    if (due < this.ahead / STEPS) return 0
    this.unacknowledged -= due
    return due
  }

  /** How many bytes may be under way. */
  get ahead(): number {
    return Math.round(Math.min(this.windowBytes, Math.max(LEAST_BYTES, this.bytesPerMs * AHEAD_MS)))
  }
}
