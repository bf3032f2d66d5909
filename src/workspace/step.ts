import { assertNever } from '../base/assertNever.ts'
import type { RunId, TerminalId } from '../base/ids.ts'
import { isSize } from '../base/size.ts'
import type { Rest } from './beforeWake.ts'
import { betterRestore, leftOf } from './restore.ts'
import type { Conversation } from './resume.ts'
import { failsToResume, isOnTrial } from './resumeFailure.ts'
import { sameValue } from './sameValue.ts'
import { asBefore, lastWordsHeard, resumeFailed, wakeAsked, wakeRefused, wakeUp, withConversation } from './stepWake.ts'
import type {
  AfterSettling,
  Asleep,
  Because,
  ExitStatus,
  Foreground,
  Link,
  Live,
  OnRestore,
  Restore,
  Settling,
  Size,
  Slept,
  Spec,
} from './terminal.ts'
import { type Kept, keptOf, type Terminal, type WakeMode, type Waking } from './terminal.ts'
import { MAX_REASON_LENGTH, MAX_TITLE_LENGTH, safeText } from './text.ts'

/**
 * The whole life of a terminal as one pure function. It decides, the daemon carries out: effects run in order,
 * and what must survive is written before anything that cannot be undone. What does not fit the state, or speaks
 * of a run that is not the current one, changes nothing.
 */

/** Everything that can happen to a terminal. */
export type TerminalEvent =
  /** `isConfirmed`: the user has seen the command of an imported terminal, and wants it to run. */
  | {
      readonly kind: 'wakeAsked'
      readonly run: RunId
      readonly mode: WakeMode
      readonly chosen?: Conversation
      readonly isConfirmed?: boolean
    }
  /** It was to be woken, and nothing can be started as things are. */
  | { readonly kind: 'wakeRefused'; readonly reason: string }
  /** `mode` is how it was started in the end: a resume that has nothing to resume is a fresh start. */
  | { readonly kind: 'started'; readonly run: RunId; readonly pid: number; readonly holderPid: number; readonly mode: WakeMode }
  | { readonly kind: 'startFailed'; readonly run: RunId; readonly reason: string }
  | { readonly kind: 'sleepAsked'; readonly graceMs: number; readonly slept?: Slept }
  | { readonly kind: 'closeAsked'; readonly graceMs: number }
  | { readonly kind: 'settleTimedOut'; readonly run: RunId }
  /** `at` is given where it is known to be earlier than now: nobody looked when it ended. */
  | { readonly kind: 'exited'; readonly run: RunId; readonly status: ExitStatus; readonly at?: number }
  | { readonly kind: 'lastWordsHeard'; readonly run: RunId; readonly words: string }
  | { readonly kind: 'holderLost'; readonly run: RunId }
  | { readonly kind: 'linkChanged'; readonly run: RunId; readonly link: Link }
  | { readonly kind: 'foregroundSeen'; readonly run: RunId; readonly foreground: Foreground | null }
  | { readonly kind: 'conversationSeen'; readonly run: RunId; readonly restore: Restore; readonly agent: string | null }
  /** It was seen that the user has left the agent, and that the shell it was started from has the keyboard again. */
  | { readonly kind: 'agentLeft'; readonly run: RunId; readonly agent: string }
  | { readonly kind: 'titled'; readonly run: RunId; readonly title: string }
  | { readonly kind: 'resized'; readonly size: Size }
  | { readonly kind: 'renamed'; readonly name: string | null }
  | { readonly kind: 'themed'; readonly theme: string | null }
  | { readonly kind: 'pinnedSet'; readonly pinned: boolean }
  | { readonly kind: 'mutedSet'; readonly muted: boolean }
  /** Its agent asks or is done, or its bell rang. */
  | { readonly kind: 'noticed'; readonly run: RunId }
  | { readonly kind: 'looked' }
  | { readonly kind: 'onRestoreSet'; readonly onRestore: OnRestore }
  /** Its user does without the arguments that were not stored: from now on its command is all that it runs. */
  | { readonly kind: 'withheldDropped' }

/** What the daemon must do, in this order. `keep` writes the record that stands beside it in the outcome. */
export type Effect =
  | { readonly kind: 'keep' }
  | { readonly kind: 'keepScreen'; readonly run: RunId }
  /** `after` is left out where the terminal is new. */
  | { readonly kind: 'spawn'; readonly run: RunId; readonly mode: WakeMode; readonly after?: Rest }
  /** Asks the program to finish. Asked again for the same run, it moves the deadline, and reaches a run that had not started before. */
  | { readonly kind: 'settle'; readonly run: RunId; readonly graceMs: number; readonly then: AfterSettling }
  | { readonly kind: 'kill'; readonly run: RunId }
  /** Reads the last line of a run whose screen is not shown, and tells it. */
  | { readonly kind: 'hearLastWords'; readonly run: RunId }
  | { readonly kind: 'releaseHolder'; readonly run: RunId }
  /** Takes the terminal away; `record` is what comes back if that is taken back in time. */
  | { readonly kind: 'forget'; readonly record: Asleep }
  | { readonly kind: 'announce' }

export type Outcome = { readonly terminal: Terminal | null; readonly effects: readonly Effect[] }

type Held = Waking | Live | Settling
type Event<Kind extends TerminalEvent['kind']> = Extract<TerminalEvent, { readonly kind: Kind }>
type RunEvent = Exclude<Extract<TerminalEvent, { readonly run: RunId }>, Event<'wakeAsked' | 'lastWordsHeard'>>

const keep: Effect = { kind: 'keep' }
const announce: Effect = { kind: 'announce' }
const forget = (record: Asleep): Effect => ({ kind: 'forget', record })

export function newTerminal(born: {
  readonly id: TerminalId
  readonly spec: Spec
  readonly name: string | null
  /** Left out: it is not. */
  readonly private?: boolean
  readonly run: RunId
  readonly onRestore?: OnRestore
  readonly now: number
}): { readonly terminal: Waking; readonly effects: readonly Effect[] } {
  const { id, spec, name, private: isPrivate = false, run, onRestore = 'policy', now } = born
  const details = { title: '', theme: null, pinned: false, muted: false, unread: false, private: isPrivate, created: now, touched: now }
  return wakeUp({ id, spec, name, lastRun: null, onRestore, ...details, restore: { kind: 'shell' } }, { run, mode: 'fresh' }, now)
}

export function step(terminal: Terminal, event: TerminalEvent, now: number): Outcome {
  switch (event.kind) {
    case 'wakeAsked':
      return mayWake(terminal, event) ? wakeAsked(terminal, event, now) : unchanged(terminal)
    case 'wakeRefused':
      return terminal.state === 'asleep' ? wakeRefused(terminal, event) : unchanged(terminal)
    case 'lastWordsHeard':
      return terminal.state === 'asleep' ? lastWordsHeard(terminal, event) : unchanged(terminal)
    case 'sleepAsked':
      return terminal.state === 'live' ? settle(terminal, 'sleep', { ...event, now }) : unchanged(terminal)
    case 'closeAsked':
      return close(terminal, event.graceMs, now)
    case 'resized':
      return isSize(event.size) ? changeKept(terminal, { spec: { ...terminal.spec, size: event.size } }) : unchanged(terminal)
    case 'renamed':
      return changeKept(terminal, { name: event.name }, now)
    case 'themed':
      return changeKept(terminal, { theme: event.theme }, now)
    case 'pinnedSet':
      return changeKept(terminal, { pinned: event.pinned }, now)
    case 'mutedSet':
      return changeKept(terminal, { muted: event.muted }, now)
    case 'looked':
      return changeKept(terminal, { unread: false })
    case 'onRestoreSet':
      return changeKept(terminal, { onRestore: event.onRestore }, now)
    case 'withheldDropped':
      return terminal.state === 'asleep' ? changeKept(terminal, { spec: withoutWithheld(terminal.spec) }) : unchanged(terminal)
    case 'started':
    case 'startFailed':
    case 'settleTimedOut':
    case 'exited':
    case 'holderLost':
    case 'linkChanged':
    case 'foregroundSeen':
    case 'conversationSeen':
    case 'agentLeft':
    case 'titled':
    case 'noticed':
      return terminal.state !== 'asleep' && terminal.run === event.run ? stepRun(terminal, event, now) : unchanged(terminal)
  }
  return assertNever(event)
}

/** Whoever asks: what came from another machine starts nothing before the user has confirmed it. */
const mayWake = (terminal: Terminal, { isConfirmed = false }: Event<'wakeAsked'>): terminal is Asleep =>
  terminal.state === 'asleep' && (terminal.imported === undefined || isConfirmed)

function stepRun(terminal: Held, event: RunEvent, now: number): Outcome {
  switch (event.kind) {
    case 'started':
      return started(terminal, event, now)
    case 'startFailed':
      return startFailed(terminal, event.reason, now)
    case 'settleTimedOut':
      return terminal.state === 'settling' ? { terminal, effects: [keep, { kind: 'kill', run: terminal.run }] } : unchanged(terminal)
    case 'exited':
      return exited(terminal, event, now)
    case 'holderLost':
      return holderLost(terminal, now)
    case 'linkChanged':
      return terminal.state === 'live' ? changeSight(terminal, { ...terminal, link: event.link }) : unchanged(terminal)
    case 'foregroundSeen':
      return terminal.state === 'live' ? foregroundSeen(terminal, event.foreground) : unchanged(terminal)
    case 'conversationSeen':
      return conversationSeen(terminal, event)
    case 'agentLeft':
      return terminal.state === 'live' ? agentLeft(terminal, event.agent) : unchanged(terminal)
    case 'titled':
      return titled(terminal, event.title)
    case 'noticed':
      return terminal.state === 'live' ? changeKept(terminal, { unread: true }) : unchanged(terminal)
  }
  return assertNever(event)
}

/** A title is something that the program printed, and would be kept with the record. */
function titled(terminal: Held, title: string): Outcome {
  return terminal.private ? unchanged(terminal) : changeSight(terminal, { ...terminal, title: safeText(title, MAX_TITLE_LENGTH) })
}

export function withoutWithheld({ withheld: _, ...spec }: Spec): Spec {
  return spec
}

const unchanged = (terminal: Terminal): Outcome => ({ terminal, effects: [] })

function changeKept(terminal: Terminal, changes: Partial<Kept>, touched: number = terminal.touched): Outcome {
  const changed = { ...terminal, ...changes }
  return sameValue(changed, terminal) ? unchanged(terminal) : { terminal: { ...changed, touched }, effects: [keep, announce] }
}

/** What is only seen is shown at once and written with the next `keep`: spinning titles must not become a disk flood. */
function changeSight(terminal: Terminal, changed: Terminal): Outcome {
  return sameValue(changed, terminal) ? unchanged(terminal) : { terminal: changed, effects: [announce] }
}

function started(terminal: Held, { pid, holderPid, mode }: Event<'started'>, now: number): Outcome {
  switch (terminal.state) {
    case 'waking': {
      const { previousRun, previousRestore } = terminal
      const seen = { pid, holderPid, link: { kind: 'connected' }, foreground: null, agent: null } as const
      const trial = { mode, previousRun, previousRestore }
      const live: Live = { ...keptOf(terminal), touched: now, state: 'live', run: terminal.run, since: now, ...seen, ...trial }
      return { terminal: live, effects: [keep, announce] }
    }
    case 'settling': {
      if (terminal.pid !== null) return unchanged(terminal)
      return { terminal: { ...terminal, pid, holderPid }, effects: [keep, settleBy(terminal, now), announce] }
    }
    case 'live':
      return unchanged(terminal)
  }
  return assertNever(terminal)
}

function startFailed(terminal: Held, reason: string, now: number): Outcome {
  switch (terminal.state) {
    case 'waking':
      return neverStarted(terminal, reason, now)
    case 'settling':
      return settled(terminal, now)
    case 'live':
      return unchanged(terminal)
  }
  return assertNever(terminal)
}

function neverStarted(terminal: Waking, reason: string, now: number): Outcome {
  const because: Because = { kind: 'failed', reason: safeText(reason, MAX_REASON_LENGTH), resumed: null }
  return asleep({ ...asBefore(terminal), lastRun: terminal.previousRun }, because, now)
}

function exited(terminal: Held, { status, ...when }: Event<'exited'>, now: number): Outcome {
  const { at = now } = when
  const release: Effect = { kind: 'releaseHolder', run: terminal.run }
  if (terminal.state === 'settling') return settled(terminal, now, [release])
  if (failsToResume(terminal, { status, at })) return resumeFailed(terminal, { status, at }, now)
  const { terminal: ended } = asleep({ ...keptOf(terminal), unread: true }, { kind: 'exited', status }, now)
  return { terminal: ended, effects: [{ kind: 'keepScreen', run: terminal.run }, keep, release, announce] }
}

function holderLost(terminal: Held, now: number): Outcome {
  switch (terminal.state) {
    case 'waking':
      return asleep(asBefore(terminal), { kind: 'lost' }, now)
    case 'live': {
      const lost = asleep(isOnTrial(terminal, now) ? asBefore(terminal) : keptOf(terminal), { kind: 'lost' }, now)
      return { ...lost, effects: [{ kind: 'keepScreen', run: terminal.run }, ...lost.effects] }
    }
    case 'settling':
      return settled(terminal, now)
  }
  return assertNever(terminal)
}

function asleep(kept: Kept, because: Because, now: number): Outcome {
  return { terminal: { ...kept, state: 'asleep', since: now, because }, effects: [keep, announce] }
}

/** The run has ended, as was asked for; the picture was kept before the program began to tidy up. */
function settled(terminal: Settling, now: number, release: readonly Effect[] = []): Outcome {
  const slept: Asleep = { ...keptOf(terminal), state: 'asleep', since: now, because: { kind: 'slept', ...terminal.slept } }
  if (terminal.then === 'close') return { terminal: null, effects: [forget(slept), ...release, announce] }
  return { terminal: slept, effects: [keep, ...release, announce] }
}

function settle(
  terminal: Waking | Live,
  then: AfterSettling,
  { graceMs, slept, now }: { readonly graceMs: number; readonly slept?: Slept; readonly now: number },
): Outcome {
  const { run } = terminal
  const { pid, holderPid } = terminal.state === 'live' ? terminal : { pid: null, holderPid: null }
  const wish = { deadline: now + graceMs, then, ...(slept === undefined ? {} : { slept }) }
  const settling: Settling = { ...keptOf(terminal), touched: now, state: 'settling', run, pid, holderPid, ...wish }
  // Told before it is asked: whoever draws it is to stop before it begins to tidy up.
  const effects: readonly Effect[] = [keep, announce, settleBy(settling, now)]
  return { terminal: settling, effects: terminal.state === 'live' ? [{ kind: 'keepScreen', run }, ...effects] : effects }
}

function settleBy({ run, deadline, then }: Settling, now: number): Effect {
  return { kind: 'settle', run, graceMs: Math.max(0, deadline - now), then }
}

function close(terminal: Terminal, graceMs: number, now: number): Outcome {
  switch (terminal.state) {
    case 'asleep':
      return { terminal: null, effects: [forget(terminal), announce] }
    case 'waking':
    case 'live':
      return settle(terminal, 'close', { graceMs, now })
    case 'settling':
      return terminal.then === 'close' ? unchanged(terminal) : closeInsteadOfSleep(terminal, graceMs, now)
  }
  return assertNever(terminal)
}

/** A program that is settling already gets no more time than it had. */
function closeInsteadOfSleep(terminal: Settling, graceMs: number, now: number): Outcome {
  const then: AfterSettling = 'close'
  const closing: Settling = { ...terminal, touched: now, then, deadline: Math.min(terminal.deadline, now + graceMs) }
  const sooner = closing.deadline < terminal.deadline
  return { terminal: closing, effects: sooner ? [keep, settleBy(closing, now), announce] : [keep, announce] }
}

function foregroundSeen(terminal: Live, seen: Foreground | null): Outcome {
  const foreground = seen === null ? null : { ...seen, name: safeText(seen.name, MAX_TITLE_LENGTH) }
  return changeSight(terminal, { ...terminal, foreground })
}

/** An agent that could not be made out does not un-know the one that was. */
function conversationSeen(terminal: Held, { restore: seen, agent }: Event<'conversationSeen'>): Outcome {
  const restore = betterRestore(terminal.restore, seen)
  const changed = withConversation(terminal, { restore, agent, isReal: restore === seen && seen.kind === 'conversation' })
  return sameValue(changed, terminal) ? unchanged(terminal) : { terminal: changed, effects: [keep, announce] }
}

/** A terminal that settles has its agent ended for it: only a user who leaves it while it is live wants a shell. */
function agentLeft(terminal: Live, agent: string): Outcome {
  const { restore } = terminal
  const isOthers = restore.kind !== 'shell' && restore.agent !== agent
  if (isOthers)
    return terminal.agent === agent ? { terminal: { ...terminal, agent: null }, effects: [keep, announce] } : unchanged(terminal)
  const left: Live = { ...terminal, agent: null, restore: leftOf(agent, restore), previousRestore: null }
  return sameValue(left, terminal) ? unchanged(terminal) : { terminal: left, effects: [keep, announce] }
}
