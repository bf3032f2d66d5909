/** Waiting times between attempts: quick at first, because a daemon restarts in a fraction of a second; then patient. */
const FIRST_MS = 50
const LONGEST_MS = 2_000

export const backoffMs = (failures: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** failures)

export class Backoff {
  private failures = 0

  take(): number {
    this.failures += 1
    return backoffMs(this.failures - 1)
  }

  reset(): void {
    this.failures = 0
  }
}
