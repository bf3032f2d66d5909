/**
 * A regular expression from a client, matched within a limit of time: one such as (a+)+$ takes practically forever for a line of fifty
 * letters, and would block its thread.
 */
import { readFileSync } from 'node:fs'
import { type Context, createContext, Script } from 'node:vm'

/** The engine is interrupted then. A thousand lines take a millisecond; the rest is for machines that are busy with other things. */
const LOOK_MS = 500
/** Processor time of all looks of one wait together, and the share of its thread that a wait may take in the long run. */
const BUDGET = { atFirstMs: 2_000, share: 0.1 }

export class PatternTooSlow extends Error {}

const MATCH = new Script('expression.exec(text)')
/** One for the thread: making one takes a millisecond. */
let context: Context | null = null

export class TimedPattern {
  private readonly expression: RegExp
  private readonly began = performance.now()
  private spentMs = 0

  constructor(
    pattern: string,
    private readonly busyMs: () => number = threadBusyMs,
  ) {
    this.expression = new RegExp(pattern, 'm')
  }

  /** What matches first, or null. Throws PatternTooSlow. */
  find(text: string): string | null {
    const from = this.busyMs()
    const found = this.tryTwice(text)
    this.spentMs += this.busyMs() - from
    if (this.spentMs > BUDGET.atFirstMs + (performance.now() - this.began) * BUDGET.share) throw new PatternTooSlow()
    return found
  }

  /** Once may be the machine's fault: the clock runs while the thread waits for a processor. */
  private tryTwice(text: string): string | null {
    try {
      return this.within(LOOK_MS, text)
    } catch (error) {
      if (!isTimeout(error)) throw error
      return this.withinOrTooSlow(text)
    }
  }

  private withinOrTooSlow(text: string): string | null {
    try {
      return this.within(LOOK_MS, text)
    } catch (error) {
      throw isTimeout(error) ? new PatternTooSlow() : error
    }
  }

  private within(timeout: number, text: string): string | null {
    context ??= createContext(Object.create(null) as Context)
    context['expression'] = this.expression
    context['text'] = text
    const found = MATCH.runInContext(context, { timeout }) as RegExpExecArray | null
    context['text'] = ''
    return found?.[0] ?? null
  }
}

/**
 * How long this thread has had a processor. On a busy machine a thread waits most of the time, for which its pattern is not to blame.
 * Only Linux tells; elsewhere it is the clock.
 */
function threadBusyMs(): number {
  try {
    const nanoseconds = Number.parseInt(readFileSync('/proc/thread-self/schedstat', 'latin1'), 10)
    return nanoseconds > 0 ? nanoseconds / 1e6 : performance.now() // a kernel may be built without these figures
  } catch {
    return performance.now()
  }
}

const isTimeout = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
