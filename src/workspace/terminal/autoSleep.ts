/**
 * Which terminals are put to sleep by themselves. Only what is idle, unseen and would lose nothing; never what works, waits
 * for somebody, is private or pinned, and never what nobody could look at. It decides on what was seen; looking and doing
 * are others' affairs.
 */
import { type AgentState, isAtRest } from '../../agents/state.ts'
import type { TerminalId } from '../../base/ids.ts'

export type Idler = {
  readonly id: TerminalId
  /** Its program runs and its holder answers. */
  readonly isLive: boolean
  readonly isPrivate: boolean
  /** A pinned terminal stays awake. */
  readonly isPinned: boolean
  /** A client shows it in a visible viewport. */
  readonly isSeen: boolean
  /** Of the agent in front; null where there is none. */
  readonly agent: AgentState | null
  /** When it last printed, was typed into or was seen, in ms. */
  readonly activeAt: number
  /** What it would lose; null if that was not checked. */
  readonly losses: readonly string[] | null
}

export type AutoSleepLook = {
  readonly now: number
  /** Nothing that was before counts as idleness: the clock was set, or the machine slept. */
  readonly steadySince: number
  /** Null: not by idleness. */
  readonly idleMs: number | null
  /** In percent of the machine's memory; null: not by memory, or unknown. */
  readonly memory: { readonly available: number; readonly wanted: number } | null
}

export type AutoSleep = { readonly id: TerminalId; readonly by: 'idle' | 'memory' }

/** A terminal that was left a moment ago is not what memory is short of. */
export const IDLE_FOR_MEMORY_MS = 10 * 60_000

/** For memory one at a time, the longest idle first: then it is measured again. */
export function planAutoSleep(idlers: readonly Idler[], look: AutoSleepLook): readonly AutoSleep[] {
  const ready = idlers.filter((idler) => mayBeSlept(idler, look) && idler.losses?.length === 0)
  const longestFirst = ready.toSorted((a, b) => a.activeAt - b.activeAt)
  const { idleMs } = look
  const idle = idleMs === null ? [] : longestFirst.filter((idler) => idleOf(idler, look) >= idleMs)
  if (idle.length > 0) return idle.map(({ id }) => ({ id, by: 'idle' }))
  const [first] = isShort(look) ? longestFirst.filter((idler) => idleOf(idler, look) >= IDLE_FOR_MEMORY_MS) : []
  return first === undefined ? [] : [{ id: first.id, by: 'memory' }]
}

/** Whether it is worth looking at what it would lose. */
export function mayBeSlept(idler: Omit<Idler, 'losses'>, look: AutoSleepLook): boolean {
  const isResting = idler.agent === null || isAtRest(idler.agent)
  if (!idler.isLive || idler.isPrivate || idler.isPinned || idler.isSeen || !isResting) return false
  const least = Math.min(look.idleMs ?? Number.POSITIVE_INFINITY, isShort(look) ? IDLE_FOR_MEMORY_MS : Number.POSITIVE_INFINITY)
  return idleOf(idler, look) >= least
}

const idleOf = ({ activeAt }: Pick<Idler, 'activeAt'>, { now, steadySince }: AutoSleepLook): number => now - Math.max(activeAt, steadySince)

const isShort = ({ memory }: AutoSleepLook): boolean => memory !== null && memory.available < memory.wanted

/** When one looked last, and since when all looks came when they should. */
export type Steadiness = { readonly lookedAt: number; readonly since: number }

/** A look that comes this much later than it should has slept itself. */
const LATE_MS = 60_000

export function steadiness(before: Steadiness | null, now: number, everyMs: number): Steadiness {
  if (before === null) return { lookedAt: now, since: Number.NEGATIVE_INFINITY }
  const gap = now - before.lookedAt
  return { lookedAt: now, since: gap < 0 || gap > everyMs + LATE_MS ? now : before.since }
}
