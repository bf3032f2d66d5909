/** Which terminal owns a conversation, where several have the same agent in one directory: told by which terminal moved when. */
import { SLACK_MS } from './files.ts'

/** When a terminal moved: what begins in its directory shortly after that may be its own. */
export type Moments = {
  readonly startedAt: number
  /** When it was last given something to do: a line was entered, or it began to work; null where that was not observed. */
  readonly workingSince: number | null
  /** When the conversation began that it has, or the start if it was started with it; null where it has none. */
  readonly hasSince: number | null
  /** When exactly it was given something to do; left out where that was not observed. */
  readonly entered?: readonly number[]
  /** From when on its moves were seen; left out: all of them were. */
  readonly seenSince?: number
  /** When something was last written in the conversation that it has; left out where that is not known. */
  readonly usedAt?: number
  /** When its agent ended; left out while it is there. */
  readonly endedAt?: number
}

type Begun = { readonly id: string; readonly began: number; readonly asked?: number }

/** An agent that is slow to start begins its first conversation at most this long after. */
const AFTER_START_MS = 30_000
const AFTER_WORK_MS = 10_000
/** Two terminals that moved within this time cannot be told apart. */
const TOGETHER_MS = 500
const JUST_THEN_MS = 2_000
const LONG_BEFORE_MS = 5_000

/** A terminal that had ended by then, or that used another conversation afterwards, did not begin it. */
export const couldHaveBegun = ({ startedAt, hasSince, usedAt, endedAt }: Moments, began: number): boolean =>
  startedAt <= began + SLACK_MS &&
  (endedAt === undefined || endedAt >= began - SLACK_MS) &&
  (hasSince === null || hasSince > began || usedAt === undefined || usedAt <= began + SLACK_MS)

/** Both times are of the clock of this machine. */
const isSeen = ({ seenSince = 0 }: Moments, began: number): boolean => seenSince <= began

/** Null where no terminal, or more than one, may own it. */
export function ownerOf(one: Begun, all: readonly Begun[], everybody: readonly Moments[]): Moments | null {
  const terminals = everybody.filter((terminal) => couldHaveBegun(terminal, one.began))
  if (terminals.length > 1 && !terminals.every((terminal) => isSeen(terminal, one.began)))
    return one.asked === undefined ? null : askedBy(one.asked, terminals)
  const owners = ownersOf(one, terminals)
  const [first] = owners
  if (one.asked !== undefined) return askedBy(one.asked, terminals) ?? ownerByMoves(one.asked, terminals) ?? onlyOf(owners)
  if (first === undefined || owners.length === 1) return first?.terminal ?? null
  const nearest = clearlyNearest(one, owners)
  if (nearest !== null) return nearest
  if (owners.some(({ at }, index) => index > 0 && at - (owners[index - 1]?.at ?? 0) < TOGETHER_MS)) return null
  // They begin in the order in which their terminals moved, if there is one for each.
  const likewise = distinct(all).filter((other) => haveSameOwners(ownersOf(other, terminals), owners))
  if (likewise.length !== owners.length) return null
  return owners[likewise.findIndex(({ id }) => id === one.id)]?.terminal ?? null
}

/** An agent that is told something has it in its files at once, on a busy machine a little later. */
const ASKED_WITHIN_MS = 3_000
const SAME_CLOCK_MS = 100

/** The terminal that was given something to do just before; two such terminals cannot be told apart. */
function askedBy(asked: number, terminals: readonly Moments[]): Moments | null {
  const [nearest, next] = terminals
    .flatMap((terminal) => {
      const at = terminal.entered?.findLast((entered) => entered <= asked + SAME_CLOCK_MS)
      return at === undefined || asked - at > ASKED_WITHIN_MS ? [] : [{ terminal, at }]
    })
    .sort((a, b) => b.at - a.at)
  if (nearest === undefined || (next !== undefined && nearest.at - next.at < TOGETHER_MS)) return null
  return nearest.terminal
}

const onlyOf = (owners: readonly Owner[]): Moments | null => (owners.length === 1 ? (owners[0]?.terminal ?? null) : null)

const ownerByMoves = (asked: number, terminals: readonly Moments[]): Moments | null => {
  const moved = { id: '', began: asked }
  return clearlyNearest(moved, ownersOf(moved, terminals))
}

/** The terminal that had no conversation and was given something to do just then, while no other terminal had moved for a while. */
function clearlyNearest({ began }: Begun, owners: readonly Owner[]): Moments | null {
  const last = owners.at(-1)
  if (last === undefined || last.terminal.hasSince !== null || last.at !== last.terminal.workingSince) return null
  const isAlone = owners.every(({ at }) => at === last.at || last.at - at >= LONG_BEFORE_MS)
  return isAlone && began - last.at <= JUST_THEN_MS ? last.terminal : null
}

type Owner = { readonly terminal: Moments; readonly at: number }

/** Those that moved shortly before it began and have had nothing since, in the order in which they moved. */
function ownersOf({ began }: Begun, terminals: readonly Moments[]): readonly Owner[] {
  return terminals
    .flatMap((terminal) => {
      const at = movedBefore(terminal, began)
      return at === null ? [] : [{ terminal, at }]
    })
    .sort((a, b) => a.at - b.at)
}

function movedBefore({ startedAt, workingSince, hasSince }: Moments, began: number): number | null {
  const moments = [
    { at: startedAt, within: AFTER_START_MS },
    ...(workingSince === null ? [] : [{ at: workingSince, within: AFTER_WORK_MS }]),
  ].filter(({ at, within }) => at <= began + SLACK_MS && began - at <= within)
  const at = Math.max(...moments.map((moment) => moment.at))
  return moments.length === 0 || (hasSince !== null && hasSince >= at - TOGETHER_MS) ? null : at
}

const distinct = (all: readonly Begun[]): readonly Begun[] =>
  [...new Map(all.map((one) => [one.id, one])).values()].sort((a, b) => a.began - b.began)

const haveSameOwners = (some: readonly Owner[], others: readonly Owner[]): boolean =>
  some.length === others.length && some.every(({ terminal, at }, index) => terminal === others[index]?.terminal && at === others[index]?.at)
