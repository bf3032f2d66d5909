/**
 * A regular expression that a client has written, matched within a limit of time: one such as (a+)+$ takes longer than the
 * universe for a line of fifty letters, and everything else in its thread would wait.
 */
import { type Context, createContext, Script } from 'node:vm'

/** The engine is interrupted then. A thousand lines take a millisecond; the rest is for machines that are busy with other things. */
export const LOOK_MS = 500
/** All looks of one wait together, and what a wait may take of its thread in the long run. */
const BUDGET = { atFirstMs: 2_000, share: 0.1 }

export class PatternTooSlow extends Error {}

const MATCH = new Script('expression.exec(text)')
/** One for the thread: making one takes a millisecond. */
let context: Context | null = null

export class TimedPattern {
  private readonly expression: RegExp
  private readonly began = performance.now()
  private spentMs = 0

  constructor(pattern: string) {
    this.expression = new RegExp(pattern, 'm')
  }

  /** What matches first, or null. Throws PatternTooSlow. */
  find(text: string): string | null {
    const from = performance.now()
    const found = this.tryTwice(text)
    const now = performance.now()
    this.spentMs += now - from
    if (this.spentMs > BUDGET.atFirstMs + (now - this.began) * BUDGET.share) throw new PatternTooSlow()
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

const isTimeout = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
