/**
 * Whether a resume has gone on with the conversation that it was meant to. It is asked of what the agent itself shows; where
 * that tells nothing, nothing is said.
 */
import type { RunId, TerminalId } from '../../base/ids.ts'
import { note } from './agentAudit.ts'
import type { AgentWorld } from './world.ts'

const LOOK_EVERY_MS = 500
/** An agent that has not shown its conversation by then shows it in another way, or not at all. */
const SHOWN_WITHIN_MS = 60_000
/** Until an agent that has just begun says which one it has, that which it was given lies in its directory as its newest. */
const BELIEVED_AFTER_MS = 3_000

export type Expected = { readonly terminal: TerminalId; readonly run: RunId; readonly agent: string; readonly id: string }

type Surroundings = AgentWorld & { readonly agents: { conversationOf(run: RunId): string | null } }

export class Verification {
  private readonly others = new Map<RunId, string>()

  constructor(private readonly daemon: Surroundings) {}

  /** A sentence where it went on with another conversation. */
  troubleOf(run: RunId): string | null {
    return this.others.get(run) ?? null
  }

  forget(run: RunId): void {
    this.others.delete(run)
  }

  expect(expected: Expected): void {
    const { daemon } = this
    const until = Date.now() + SHOWN_WITHIN_MS
    let sameSince: number | null = null
    const timer = setInterval(() => {
      const shown = daemon.agents.conversationOf(expected.run)
      const isOver = Date.now() > until || daemon.registry.byRun(expected.run)?.state !== 'live'
      sameSince = shown === expected.id ? (sameSince ?? Date.now()) : null
      const isBelieved = shown !== null && (sameSince === null || Date.now() - sameSince >= BELIEVED_AFTER_MS)
      if (!isBelieved && !isOver) return
      clearInterval(timer)
      if (shown !== null) this.tell(expected, shown).catch((error: Error) => daemon.log.warn({ error: error.message }, 'not in the audit'))
    }, LOOK_EVERY_MS).unref()
  }

  private async tell({ terminal, run, agent, id }: Expected, shown: string): Promise<void> {
    const isSame = shown === id
    if (!isSame) this.others.set(run, `it was to go on with the conversation ${id}, and has gone on with ${shown}`)
    if (!isSame) this.daemon.audience.announceTerminal(terminal)
    const why = isSame ? 'it has gone on with the conversation that was meant' : `the conversation ${id} was meant`
    await note(this.daemon, terminal, { event: isSame ? 'resumed' : 'mismatch', agent, id: shown, provenance: null, why })
  }
}
