/** One conversation belongs to one terminal, whether that one is awake, asleep or closed and can be reopened. */
import type { Agent } from '../../agents/agent.ts'
import type { Moments } from '../../agents/owner.ts'
import type { TerminalId } from '../../base/ids.ts'
import { agentOfCommand } from '../../workspace/terminal/resume.ts'
import type { Restore, Terminal } from '../../workspace/terminal/terminal.ts'
import { enteredAt, lastMove, type Moved, mayHaveMore, type SeenAgent, type Watched } from './watched.ts'

/** What is seen at looks may be seen in another order than it happened. */
const UNSURE_MS = 3_000
/** Agents that have ended, the newest: what they began shows within seconds. */
const MOST_ENDED = 200

export type ClaimsOptions = {
  readonly terminals: () => readonly Terminal[]
  /** Those that can be reopened. */
  readonly closed: () => readonly Terminal[]
  readonly watched: () => Iterable<Watched>
}

type Ended = { readonly terminal: TerminalId; readonly seen: SeenAgent; readonly seenSince: number; readonly endedAt: number }

export class Claims {
  /** By agent and conversation, the terminal that had it last. */
  private readonly owners = new Map<string, TerminalId>()
  private ended: readonly Ended[] = []

  constructor(private readonly options: ClaimsOptions) {}

  /** This terminal has had this conversation. */
  remember(agent: string, conversation: string, terminal: TerminalId): void {
    this.owners.set(keyOf(agent, conversation), terminal)
  }

  /** The agent of a terminal is gone: what it has begun is still not another one's. */
  agentEnded({ terminal, agent, seenSince }: Watched, endedAt: number): void {
    if (agent !== null) this.ended = [...this.ended, { terminal, seen: agent, seenSince, endedAt }].slice(-MOST_ENDED)
  }

  /** The conversations of this agent that other terminals have: what is kept, and what was seen of live ones since. */
  ofOthers(terminal: TerminalId, agent: string): ReadonlyMap<string, TerminalId> {
    const terminals = this.options.terminals()
    const ids = new Set(terminals.map(({ id }) => id))
    const kept = terminals.flatMap((each) =>
      restoresOf(each).flatMap((restore) =>
        // A terminal whose user has left the agent claims nothing.
        restore.kind === 'conversation' && restore.agent === agent ? [[restore.id, each.id] as const] : [],
      ),
    )
    // What was seen of a run is kept for a while after its end, also where its terminal was closed since.
    const seen = [...this.options.watched()].flatMap(({ terminal: id, agent: each }) =>
      ids.has(id) && each !== null && each.agent.id === agent && each.bound !== null ? [[each.bound.id, id] as const] : [],
    )
    return new Map([...kept, ...seen].filter(([, owner]) => owner !== terminal))
  }

  /** Of these conversations, those that another terminal has had. */
  hadByOthers(terminal: TerminalId, agent: string, conversations: readonly string[]): ReadonlySet<string> {
    const others = [...this.options.terminals(), ...this.options.closed()].filter(({ id }) => id !== terminal)
    const kept = new Set(others.flatMap((other) => restoresOf(other).flatMap((restore) => conversationOf(restore, agent))))
    const isOthers = (id: string): boolean => kept.has(id) || (this.owners.get(keyOf(agent, id)) ?? terminal) !== terminal
    return new Set(conversations.filter(isOthers))
  }

  /** When other terminals with the same agent in the same directory last moved before something `began`. */
  rivalsOf({ terminal, agent: mine }: Watched, began: number): readonly Moments[] {
    if (mine === null) return []
    const there = [...this.options.watched()].flatMap(({ terminal: id, agent: seen, seenSince }) =>
      seen === null ? [] : [{ terminal: id, seen, seenSince }],
    )
    const moments = [...there, ...this.ended].flatMap((rival) => {
      const { agent, process } = rival.seen
      const isRival = rival.terminal !== terminal && agent.id === mine.agent.id && process.cwd === mine.process.cwd
      return isRival ? [momentsOf(rival, mine, began)] : []
    })
    return [...moments, ...this.unseen(terminal, mine.agent), ...this.unlooked(terminal, began)]
  }

  /** Terminals that have not been looked at since: the agent that began it may have come there. */
  private unlooked(terminal: TerminalId, began: number): readonly Moments[] {
    return [...this.options.watched()].flatMap((other) => {
      if (other.terminal === terminal || !mayHaveMore(other, began)) return []
      return [{ ...UNSEEN, startedAt: other.lookedAt, entered: other.entered }]
    })
  }

  /** Terminals that sleep and of whose agent only the record tells: it may have begun anything until they fell asleep. */
  private unseen(terminal: TerminalId, agent: Agent): readonly Moments[] {
    const known = new Set(this.ended.map((ended) => ended.terminal))
    return [...this.options.terminals(), ...this.options.closed()].flatMap((other) => {
      if (other.state !== 'asleep' || other.id === terminal || known.has(other.id) || !hasUnknown(other, agent)) return []
      return [{ ...UNSEEN, startedAt: other.created, endedAt: other.since }]
    })
  }
}

const UNSEEN: Moments = { startedAt: 0, workingSince: null, hasSince: null, seenSince: Number.POSITIVE_INFINITY }

/** It has had this agent, and which conversation that had is not known. */
const hasUnknown = ({ restore, spec }: Terminal, agent: Agent): boolean =>
  (restore.kind === 'unknown' && restore.agent === agent.id) || (restore.kind === 'shell' && agentOfCommand(spec.command, [agent]) !== null)

const keyOf = (agent: string, conversation: string): string => `${agent} ${conversation}`

/** What it would resume, also if the wake that is under way fails. */
function restoresOf(terminal: Terminal): readonly Restore[] {
  const before = terminal.state === 'waking' || terminal.state === 'live' ? terminal.previousRestore : null
  return before === null ? [terminal.restore] : [terminal.restore, before]
}

function conversationOf(restore: Restore, agent: string): readonly string[] {
  if (restore.kind !== 'conversation' && restore.kind !== 'quit') return []
  return restore.agent === agent && restore.id !== null ? [restore.id] : []
}

type Rival = { readonly seen: SeenAgent; readonly seenSince: number; readonly endedAt?: number }

function momentsOf({ seen, seenSince, ...end }: Rival, mine: SeenAgent, began: number): Moments {
  const { bound } = seen
  const { startedAt } = seen.process
  return {
    startedAt,
    workingSince: movedBeside(lastMove(seen, began), lastMove(mine, began)),
    hasSince: bound === null ? null : (bound.began ?? startedAt),
    entered: enteredAt(seen),
    seenSince,
    ...(bound?.used === undefined ? {} : { usedAt: bound.used }),
    ...(end.endedAt === undefined ? {} : { endedAt: end.endedAt }),
  }
}

/** Two of which it is not known exactly which moved first have moved together: nothing is guessed from that. */
function movedBeside(theirs: Moved | null, mine: Moved | null): number | null {
  if (theirs === null || mine === null || (theirs.isExact && mine.isExact)) return theirs?.at ?? null
  return Math.abs(theirs.at - mine.at) < UNSURE_MS ? mine.at : theirs.at
}
