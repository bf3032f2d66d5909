/** One conversation belongs to one terminal, whether that one is awake or asleep. */
import type { TerminalId } from '../../base/ids.ts'
import type { Terminal } from '../../workspace/terminal.ts'
import type { Watched } from './watched.ts'

export type Claims = {
  /** The conversations of this agent that other terminals have. */
  ofOthers(terminal: TerminalId, agent: string): ReadonlyMap<string, TerminalId>
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
})
