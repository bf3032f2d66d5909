/**
 * What can be watched. A part describes it like this and hands it to `HealthMonitor.add`; when it is gone,
 * it is removed by its id. Everything else (when it is looked at, what counts as dead, how often it is recovered) is the monitor's.
 */
import type { TerminalId } from '../../base/ids.ts'
import type { WatchedView } from '../../wire/healthView.ts'
import type { HealthPolicy, Sight } from '../../workspace/health.ts'

export type { Sight }

export type Watched = {
  /** Unique among all, such as `holder:r0123456789` or `store`. */
  readonly id: string
  readonly kind: WatchedView['kind']
  /** For reading; asked for each time it is shown. */
  name(): string
  /** The terminal that it belongs to, if it belongs to one. */
  readonly terminal: TerminalId | null
  /**
   * One look. What answers within `withinMs` has answered; after that there is a moment left to find out why it did not. A look that
   * takes longer, or rejects, counts as silent.
   */
  check(look: { readonly withinMs: number }): Promise<Sight>
  /** Tries to bring it back, and rejects when that cannot be; whether it has helped is found out by a look. Null: nothing can be done. */
  readonly recover: ((attempt: number) => Promise<void>) | null
}

export const answered = (note: string | null = null): Sight => ({ kind: 'answered', note })
export const silent = (why: string): Sight => ({ kind: 'silent', why })
export const gone = (why: string): Sight => ({ kind: 'gone', why })

/** A question that is worth no second thought when it is not answered. */
export function inTime(question: Promise<void>, withinMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`it did not answer within ${withinMs / 1_000} s`)), withinMs)
    question.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** A busy machine misses one look, and two; three with pauses in between it does not. */
const STRIKES = 3
const STRIKE_MS = 3_000
/** A laptop that was just opened finds its disk and network again within this time. */
const AFTER_JUMP_MS = 2_000
const RECOVERIES = 5

export function policyFor({ recover }: Watched, intervalMs: number): HealthPolicy {
  return {
    intervalMs,
    strikes: STRIKES,
    strikeMs: Math.min(STRIKE_MS, intervalMs),
    afterJumpMs: Math.min(AFTER_JUMP_MS, intervalMs),
    recovery: {
      most: recover === null ? 0 : RECOVERIES,
      windowMs: 10 * 60_000,
      firstMs: Math.min(1_000, intervalMs),
      longestMs: 60_000,
      pauseMs: 5 * 60_000,
    },
  }
}
