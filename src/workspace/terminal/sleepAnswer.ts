import { assertNever } from '../../base/assertNever.ts'
import type { Because, Terminal } from './terminal.ts'

/**
 * What may be answered to the wish to put a terminal to sleep. Second law: what was promised is kept before it is acknowledged,
 * so that nothing is answered while an effect of the terminal is under way.
 */
export type SleepAnswer =
  | { readonly kind: 'slept' }
  | { readonly kind: 'ending' }
  /** Its run ended before the program was asked to. Nothing was kept for a sleep, so none is reported. */
  | { readonly kind: 'endedBefore'; readonly because: Because }

export function sleepAnswer(terminal: Terminal, { isQuiet }: { readonly isQuiet: boolean }): SleepAnswer {
  if (!isQuiet) return { kind: 'ending' }
  switch (terminal.state) {
    case 'asleep':
      return terminal.because.kind === 'slept' ? { kind: 'slept' } : { kind: 'endedBefore', because: terminal.because }
    case 'waking':
    case 'live':
      return { kind: 'slept' } // another client has woken it since
    case 'settling':
      return { kind: 'ending' }
  }
  return assertNever(terminal)
}
