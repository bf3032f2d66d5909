/** One conversation belongs to one terminal, whether that one is awake or asleep. */
import type { Moments } from '../../agents/owner.ts'
import type { TerminalId } from '../../base/ids.ts'
import type { Terminal } from '../../workspace/terminal.ts'
import { enteredAt, lastMove, type Moved, type Watched } from './watched.ts'

/** What is seen at looks may be seen in another order than it happened. */
const UNSURE_MS = 3_000

export type Claims = {
  /** The conversations of this agent that other terminals have. */
  ofOthers(terminal: TerminalId, agent: string): ReadonlyMap<string, TerminalId>
  /** When other terminals with the same agent in the same directory last moved before something `began`. */
  rivalsOf(watched: Watched, began: number): readonly Moments[]
}

/** What is kept, and what was seen of live ones since. A terminal whose user has left the agent claims nothing. */
export const claimsIn = (terminals: () => readonly Terminal[], watched: () => Iterable<Watched>): Claims => ({
  ofOthers: (terminal, agent) => {
    const kept = terminals().flatMap(({ id, restore }) =>
      restore.kind === 'conversation' && restore.agent === agent ? [[restore.id, id] as const] : [],
    )
    const seen = [...watched()].flatMap(({ terminal: id, agent: each }) =>
      each !== null && each.agent.id === agent && each.bound !== null ? [[each.bound.id, id] as const] : [],
    )
    return new Map([...kept, ...seen].filter(([, owner]) => owner !== terminal))
  },
  rivalsOf: ({ terminal, agent: mine }, began) =>
    [...watched()].flatMap(({ terminal: id, agent: theirs }) => {
      if (mine === null || theirs === null || id === terminal || theirs.agent.id !== mine.agent.id) return []
      const { cwd, startedAt } = theirs.process
      const workingSince = movedBeside(lastMove(theirs, began), lastMove(mine, began))
      const hasSince = theirs.bound === null ? null : (theirs.bound.began ?? startedAt)
      return cwd === mine.process.cwd ? [{ startedAt, workingSince, hasSince, entered: enteredAt(theirs) }] : []
    }),
})

/** Two of which nobody knows exactly which moved first have moved together: nothing is guessed from that. */
function movedBeside(theirs: Moved | null, mine: Moved | null): number | null {
  if (theirs === null || mine === null || (theirs.isExact && mine.isExact)) return theirs?.at ?? null
  return Math.abs(theirs.at - mine.at) < UNSURE_MS ? mine.at : theirs.at
}
