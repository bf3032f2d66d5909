import { assertNever } from '../../base/assertNever.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import { isSize } from '../../base/size.ts'
import { sameValue } from '../sameValue.ts'
import { MAX_REASON_LENGTH, MAX_TITLE_LENGTH, safeText } from '../text.ts'
import type { Effect, Outcome, TerminalEvent } from './events.ts'
import { betterRestore, leftOf } from './resume.ts'
import { failsToResume, isOnTrial } from './resumeFailure.ts'
import { asBefore, lastWordsHeard, resumeFailed, wakeAsked, wakeRefused, wakeUp, withConversation } from './stepWake.ts'
import type { AfterSettling, Asleep, Because, Foreground, Live, OnRestore, Settling, Slept, Spec } from './terminal.ts'
import { type Kept, keptOf, type Terminal, type Waking } from './terminal.ts'

/**
 * The whole life of a terminal as one pure function. It decides, the daemon carries out: effects run in order,
 * and what must survive is written before anything that cannot be undone. What does not fit the state, or speaks
 * of a run that is not the current one, changes nothing.
 */

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

/** An imported terminal starts nothing before the user has confirmed its command, whichever client asks. */
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
  // Announced before the program is asked to end: clients stop drawing before it tidies up its screen.
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
