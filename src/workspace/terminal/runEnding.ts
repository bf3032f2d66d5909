/**
 * How one run ends, as a pure machine. It begins when the wish to end it is on disk (`settle` comes after `keep`, see
 * `keepBeforeKill.ts`) or when the run ends by itself. It is over when `step` has been told, exactly once, how the run ended.
 *
 *     running ─ asked ─┬─ leaving (an agent takes its own way out) ─┐
 *                      └──────────────────────────────────────── hungUp ─ late (killed)
 *     any of them ─ ended (the end is known, an agent's last words are not yet) ─ over
 */
import { assertNever } from '../../base/assertNever.ts'
import type { ExitStatus } from './terminal.ts'

/** The agent that was in front. Its end is told after it is gone and its last words are read: they may name its conversation. */
type Agent = { readonly isGone: boolean; readonly words: 'unread' | 'reading' | 'read' }

export type RunEnd = { readonly kind: 'exited'; readonly status: ExitStatus; readonly at?: number } | { readonly kind: 'lost' }

export type RunEnding =
  | { readonly at: 'running' }
  /** It is not known yet whether an agent is in front. */
  | { readonly at: 'asked' }
  | { readonly at: 'leaving'; readonly agent: Agent }
  | { readonly at: 'hungUp'; readonly agent: Agent | null }
  | { readonly at: 'late'; readonly agent: Agent | null }
  /** `isOurs`: false while the machine may be going down. Then the next daemon judges the end, and `step` is not told. */
  | { readonly at: 'ended'; readonly agent: Agent | null; readonly end: RunEnd; readonly isOurs: boolean }
  | { readonly at: 'over' }

export type EndingEvent =
  /** Asked again, only the deadline moves. */
  | { readonly kind: 'asked'; readonly graceMs: number }
  | { readonly kind: 'looked'; readonly hasAgent: boolean }
  /** The program could not be asked; the effect is run again. */
  | { readonly kind: 'unasked' }
  | { readonly kind: 'agentGone' }
  | { readonly kind: 'wordsRead' }
  | { readonly kind: 'hangUpDue' }
  | { readonly kind: 'termDue' }
  | { readonly kind: 'deadline' }
  | { readonly kind: 'ended'; readonly end: RunEnd; readonly hasAgent: boolean; readonly isOurs: boolean }
  /** The end is kept, and the holder was let go. */
  | { readonly kind: 'released' }

export type EndingEffect =
  | { readonly kind: 'schedule'; readonly graceMs: number }
  | { readonly kind: 'unschedule' }
  /** Finds out whether an agent is in front. */
  | { readonly kind: 'look' }
  | { readonly kind: 'showOut' }
  /** `hasEnded`: the screen shows all that the run will ever print. */
  | { readonly kind: 'readWords'; readonly hasEnded: boolean }
  | { readonly kind: 'hangUp' }
  | { readonly kind: 'term' }
  | { readonly kind: 'timeOut' }
  | { readonly kind: 'tell'; readonly end: RunEnd }

export type EndingStep = { readonly ending: RunEnding; readonly effects: readonly EndingEffect[] }

export const RUNNING: RunEnding = { at: 'running' }
const OVER: RunEnding = { at: 'over' }

export function stepEnding(ending: RunEnding, event: EndingEvent): EndingStep {
  switch (event.kind) {
    case 'asked':
      return asked(ending, event.graceMs)
    case 'looked':
      if (ending.at !== 'asked') return same(ending)
      return event.hasAgent
        ? { ending: { at: 'leaving', agent: { isGone: false, words: 'unread' } }, effects: [{ kind: 'showOut' }] }
        : { ending: { at: 'hungUp', agent: null }, effects: [{ kind: 'hangUp' }] }
    case 'unasked':
      return ending.at === 'ended' || ending.at === 'over' ? same(ending) : { ending: RUNNING, effects: [{ kind: 'unschedule' }] }
    case 'agentGone':
      return withAgent(ending, (agent) => ({ ...agent, isGone: true }))
    case 'wordsRead':
      return withAgent(ending, (agent) => ({ ...agent, words: 'read' }))
    case 'hangUpDue':
      return ending.at === 'leaving' ? hungUp(ending.agent) : same(ending)
    case 'termDue':
      return isUnderWay(ending) ? { ending, effects: [{ kind: 'term' }] } : same(ending)
    case 'deadline':
      if (!isUnderWay(ending)) return same(ending)
      return { ending: { at: 'late', agent: ending.at === 'asked' ? null : ending.agent }, effects: [{ kind: 'timeOut' }] }
    case 'ended':
      return ended(ending, event)
    case 'released':
      return { ending: OVER, effects: [{ kind: 'unschedule' }] }
  }
  return assertNever(event)
}

const same = (ending: RunEnding): EndingStep => ({ ending, effects: [] })

const isUnderWay = (ending: RunEnding): ending is Extract<RunEnding, { readonly at: 'asked' | 'leaving' | 'hungUp' | 'late' }> =>
  ending.at === 'asked' || ending.at === 'leaving' || ending.at === 'hungUp' || ending.at === 'late'

function asked(ending: RunEnding, graceMs: number): EndingStep {
  const schedule: EndingEffect = { kind: 'schedule', graceMs }
  if (ending.at === 'running') return { ending: { at: 'asked' }, effects: [schedule, { kind: 'look' }] }
  return isUnderWay(ending) ? { ending, effects: [schedule] } : same(ending)
}

/** Hanging up is what closing a window does. The agent, if it is still there, has had its share of the time. */
const hungUp = (agent: Agent): EndingStep => ({ ending: { at: 'hungUp', agent }, effects: [{ kind: 'hangUp' }] })

function withAgent(ending: RunEnding, change: (agent: Agent) => Agent): EndingStep {
  if (!('agent' in ending) || ending.agent === null) return same(ending)
  const agent = change(ending.agent)
  switch (ending.at) {
    case 'leaving':
      if (agent.words === 'read') return hungUp(agent)
      if (!agent.isGone || agent.words === 'reading') return same({ ...ending, agent })
      return { ending: { ...ending, agent: { ...agent, words: 'reading' } }, effects: [{ kind: 'readWords', hasEnded: false }] }
    case 'hungUp':
    case 'late':
      return same({ ...ending, agent })
    case 'ended':
      return told({ ...ending, agent })
  }
  return assertNever(ending)
}

type Ended = Extract<RunEnding, { readonly at: 'ended' }>

/** The first end counts: a holder that leaves while last words are read takes nothing back of what it told. */
function ended(ending: RunEnding, { end, hasAgent, isOurs }: Extract<EndingEvent, { readonly kind: 'ended' }>): EndingStep {
  if (ending.at === 'ended' || ending.at === 'over') return same(ending)
  // Without its holder nothing more is read, and nobody is left to be shown out.
  if (end.kind === 'lost') return told({ at: 'ended', agent: null, end, isOurs })
  // An agent that was not shown out ended with its run.
  const agent = 'agent' in ending ? ending.agent : hasAgent ? ({ isGone: true, words: 'unread' } as const) : null
  if (agent === null || agent.words !== 'unread') return told({ at: 'ended', agent, end, isOurs })
  return {
    ending: { at: 'ended', agent: { ...agent, words: 'reading' }, end, isOurs },
    effects: [{ kind: 'readWords', hasEnded: true }],
  }
}

function told(ending: Ended): EndingStep {
  const { agent, end, isOurs } = ending
  if (agent !== null && !(agent.isGone && agent.words === 'read')) return same(ending)
  return { ending: OVER, effects: isOurs ? [{ kind: 'tell', end }] : [] }
}
