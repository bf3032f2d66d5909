/** Waiting times between attempts: quick at first, because a daemon restarts in a fraction of a second; then patient. */
const FIRST_MS = 50
const LONGEST_MS = 2_000

export class Backoff {
  private next = FIRST_MS

  take(): number {
    const delay = this.next
    this.next = Math.min(LONGEST_MS, delay * 2)
    return delay
  }

  reset(): void {
    this.next = FIRST_MS
  }
}
