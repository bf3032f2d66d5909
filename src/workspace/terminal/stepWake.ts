/** The part of `step` about waking: how a run begins, and how a resume that fails leaves everything as it was. */
import { assertNever } from '../../base/assertNever.ts'
import type { RunId } from '../../base/ids.ts'
import { sameValue } from '../sameValue.ts'
import { MAX_REASON_LENGTH, safeText } from '../text.ts'
import type { Rest } from './beforeWake.ts'
import type { Effect, Outcome, TerminalEvent } from './events.ts'
import { withLastWords, wordsOfFailure } from './resumeFailure.ts'
import type { Asleep, Because, ExitStatus, Kept, Live, Restore, Settling, WakeMode, Waking } from './terminal.ts'
import { keptOf } from './terminal.ts'

type Event<Kind extends TerminalEvent['kind']> = Extract<TerminalEvent, { readonly kind: Kind }>

const keep: Effect = { kind: 'keep' }
const announce: Effect = { kind: 'announce' }

/** What was to be resumed until now comes back if the chosen conversation cannot be. */
export function wakeAsked(terminal: Asleep, { run, mode, chosen }: Event<'wakeAsked'>, now: number): Outcome {
  const { imported: _confirmed, ...kept } = keptOf(terminal)
  const after = { because: terminal.because, since: terminal.since }
  if (chosen === undefined) return wakeUp(kept, { run, mode, after }, now)
  const { terminal: waking, effects } = wakeUp({ ...kept, restore: chosen }, { run, mode: 'resume', after }, now)
  return { terminal: { ...waking, previousRestore: kept.restore }, effects }
}

/** Nothing was started, and nothing is lost: it says why, and what is there to be resumed stays. */
export function wakeRefused(terminal: Asleep, { reason }: Event<'wakeRefused'>): Outcome {
  const because: Because = { kind: 'failed', reason: safeText(reason, MAX_REASON_LENGTH), resumed: null }
  return sameValue(because, terminal.because)
    ? { terminal, effects: [] }
    : { terminal: { ...terminal, because }, effects: [keep, announce] }
}

type Start = { readonly run: RunId; readonly mode: WakeMode; readonly after?: Rest }

export function wakeUp(kept: Kept, { run, mode, ...rest }: Start, now: number) {
  const trial = { mode, previousRun: kept.lastRun, previousRestore: null }
  const terminal: Waking = { ...kept, lastRun: run, touched: now, state: 'waking', run, since: now, ...trial }
  const effects: readonly Effect[] = [keep, { kind: 'spawn', run, mode, ...rest }, announce]
  return { terminal, effects }
}

/** As before the wake; a terminal that never showed anything shows what there is. */
export function asBefore(terminal: Waking | Live): Kept {
  const kept = keptOf(terminal)
  return { ...kept, lastRun: terminal.previousRun ?? kept.lastRun, restore: terminal.previousRestore ?? kept.restore }
}

/** Never fresh instead: what can be resumed stays, and so does the last picture, however often it is tried. */
export function resumeFailed(terminal: Waking | Live, end: { readonly status: ExitStatus; readonly at: number }, now: number): Outcome {
  const { run } = terminal
  const because: Because = { kind: 'failed', reason: wordsOfFailure(terminal, end), resumed: run }
  const failed: Asleep = { ...asBefore(terminal), state: 'asleep', since: now, because }
  return { terminal: failed, effects: [{ kind: 'hearLastWords', run }, keep, { kind: 'releaseHolder', run }, announce] }
}

export function lastWordsHeard(terminal: Asleep, { run, words }: Event<'lastWordsHeard'>): Outcome {
  const { because } = terminal
  if (because.kind !== 'failed' || because.resumed !== run) return { terminal, effects: [] }
  const reason = withLastWords(because.reason, words)
  if (reason === because.reason) return { terminal, effects: [] }
  return { terminal: { ...terminal, because: { ...because, reason } }, effects: [keep, announce] }
}

type Held = Waking | Live | Settling
type Seen = { readonly restore: Restore; readonly agent: string | null; readonly isReal: boolean }

/** A conversation that was seen is real: whatever becomes of this run, nothing goes back behind it. */
export function withConversation(terminal: Held, { restore, agent, isReal }: Seen): Held {
  switch (terminal.state) {
    case 'waking':
      return { ...terminal, restore, previousRestore: isReal ? null : terminal.previousRestore }
    case 'live': {
      const previousRestore = isReal ? null : terminal.previousRestore
      return { ...terminal, restore, previousRestore, agent: agent ?? terminal.agent }
    }
    case 'settling':
      return { ...terminal, restore }
  }
  return assertNever(terminal)
}
