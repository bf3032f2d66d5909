/**
 * Notices that time has jumped: the machine slept, the clock was set, or the daemon was stopped. What did not answer meanwhile is not
 * to blame.
 */
export type Clock = { now(): number; monotonic(): number }

export const LOOK_EVERY_MS = 5_000
/** A clock that is being corrected gains or loses far less between two looks. */
const SKEW_MS = 2_000
/** A timer is late by this much only when the whole process stood still. */
const LATE_MS = 10_000

export class ClockWatch {
  private wall: number
  private monotonic: number

  constructor(private readonly clock: Clock) {
    this.wall = clock.now()
    this.monotonic = clock.monotonic()
  }

  /** By how much time has jumped since the last look, or null. To be called at least every `LOOK_EVERY_MS`. */
  look(): number | null {
    const [wall, monotonic] = [this.clock.now(), this.clock.monotonic()]
    const passed = monotonic - this.monotonic
    const skew = wall - this.wall - passed
    this.wall = wall
    this.monotonic = monotonic
    if (Math.abs(skew) > SKEW_MS) return skew
    return passed > LOOK_EVERY_MS + LATE_MS ? passed : null
  }
}
