/** Who has the keyboard of which terminal, and what is known about it. */
import type { AgentProcess } from '../../agents/agent.ts'
import type { AgentSummary } from '../../agents/state.ts'
import type { RunId } from '../../base/ids.ts'
import type { AgentView } from '../../wire/view.ts'

type Known = { readonly label: string; readonly process: AgentProcess; readonly summary: AgentSummary }

export class Agents {
  private readonly known = new Map<RunId, Known>()

  /** The agent that has the keyboard; null where there is none. */
  of(run: RunId): AgentProcess | null {
    return this.known.get(run)?.process ?? null
  }

  summary(run: RunId): AgentSummary | null {
    return this.known.get(run)?.summary ?? null
  }

  /** As clients see it. */
  shown(run: RunId): AgentView | null {
    const known = this.known.get(run)
    return known === undefined ? null : { name: known.process.agent, label: known.label, pid: known.process.process.pid, ...known.summary }
  }
}
