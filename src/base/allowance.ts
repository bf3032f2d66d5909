/** A token bucket: so many at once, and so many a second in the long run. The clock is in milliseconds. */
export type AllowanceOptions = { readonly burst: number; readonly perSecond: number }

export class Allowance {
  private left: number
  private at: number
  private readonly options: AllowanceOptions
  private readonly now: () => number

  constructor(options: AllowanceOptions, now: () => number) {
    this.options = options
    this.now = now
    this.left = options.burst
    this.at = now()
  }

  /** False where there are not so many left; then none is taken. */
  take(count = 1): boolean {
    if (this.left < count) this.refill()
    if (this.left < count) return false
    this.left -= count
    return true
  }

  private refill(): void {
    const now = this.now()
    this.left = Math.min(this.options.burst, this.left + ((now - this.at) / 1_000) * this.options.perSecond)
    this.at = now
  }
}
