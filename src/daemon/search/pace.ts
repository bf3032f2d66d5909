/** How fast runs print, for the indexer: a flood is indexed rarely, a quiet run at once. */
import type { RunId } from '../../base/ids.ts'

/** More than a user can read. Most of it is overwritten in the log before it could be indexed. */
const FLOOD_LINES_PER_S = 2_000
/** A run that has not moved for this long has calmed down. */
const CALM_AFTER_MS = 3_000
/** One step in this time of a run that floods. */
const FLOOD_STEP_EVERY_MS = 5_000

type Seen = { readonly top: number; readonly at: number; readonly isFlood: boolean; readonly steppedAt: number }

export class Pace {
  private readonly seen = new Map<RunId, Seen>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  printed(run: RunId, top: number): void {
    const at = this.now()
    const before = this.seen.get(run)
    const lines = top - (before?.top ?? top)
    const seconds = Math.max(0.5, (at - (before?.at ?? at)) / 1_000)
    this.seen.set(run, { top, at, isFlood: lines / seconds > FLOOD_LINES_PER_S, steppedAt: before?.steppedAt ?? Number.NEGATIVE_INFINITY })
  }

  stepped(run: RunId): void {
    const before = this.seen.get(run)
    if (before !== undefined) this.seen.set(run, { ...before, steppedAt: this.now() })
  }

  /** How many ms ago it last moved; null if that was not seen. */
  movedAgo(run: RunId): number | null {
    const seen = this.seen.get(run)
    return seen === undefined ? null : this.now() - seen.at
  }

  isMoving(run: RunId): boolean {
    return (this.movedAgo(run) ?? Number.POSITIVE_INFINITY) < CALM_AFTER_MS
  }

  isHeldBack(run: RunId): boolean {
    const seen = this.seen.get(run)
    return seen !== undefined && this.floods(seen) && this.now() - seen.steppedAt < FLOOD_STEP_EVERY_MS
  }

  get isFlooding(): boolean {
    return [...this.seen.values()].some((seen) => this.floods(seen))
  }

  forget(run: RunId): void {
    this.seen.delete(run)
  }

  private floods({ isFlood, at }: Seen): boolean {
    return isFlood && this.now() - at < CALM_AFTER_MS
  }
}
