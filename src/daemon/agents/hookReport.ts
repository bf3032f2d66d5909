/** What an agent's hook says of its conversation: taken only from the agent that has the terminal, never from one inside it. */
import type { Agent } from '../../agents/agent.ts'
import { agentOfProcess } from '../../agents/recognise.ts'
import type { StateReport } from '../../agents/state.ts'
import type { TerminalId } from '../../base/ids.ts'
import { note } from './agentAudit.ts'
import type { ProcessName, Sight } from './processLook.ts'
import { isSameProcess, type Watched } from './watched.ts'
import type { AgentWorld } from './world.ts'

export type HookReport = {
  readonly terminal: TerminalId
  readonly agent: string
  /** Null where it speaks of its state only. */
  readonly conversation: string | null
  readonly transcript: string | null
  /** The process that reports; the agent is above it. */
  readonly reporter: { readonly pid: number }
  readonly state: StateReport | null
}

/** `why` goes on from "it was not taken: ". */
export type Verdict = { readonly ok: true } | { readonly ok: false; readonly why: string }

export async function judge(judging: Judging, report: HookReport): Promise<Verdict> {
  const { daemon, watched } = judging
  const verdict = await verdictOn(judging, report)
  if (!verdict.ok) await reject(daemon, watched, report, verdict.why)
  return verdict
}

type Judging = { readonly daemon: AgentWorld; readonly watched: Watched; readonly sight: Sight }

async function verdictOn({ daemon, watched: { agent: seen }, sight }: Judging, report: HookReport): Promise<Verdict> {
  if (seen === null) return { ok: false, why: 'no agent has the keyboard of this terminal' }
  if (seen.agent.id !== report.agent) return { ok: false, why: `the terminal is that of ${seen.agent.id}, not of ${report.agent}` }
  const { conversation } = report
  if (conversation !== null && !seen.agent.idPattern.test(conversation)) return { ok: false, why: 'it is not a valid conversation id' }
  const above = await nearestAgent(sight, report.reporter.pid, daemon.config.agents)
  if (above === null) return { ok: false, why: 'it comes from no agent' }
  const isRoot = seen.own.some((own) => isSameProcess(own, above))
  return isRoot ? { ok: true } : { ok: false, why: 'it comes from an agent that the terminal’s own one has started' }
}

const HIGHEST_TREE = 64

async function nearestAgent(sight: Sight, from: number, agents: readonly Agent[]): Promise<ProcessName | null> {
  let pid = from
  for (let level = 0; level < HIGHEST_TREE && pid > 1; level++) {
    const process = await sight.find(pid)
    if (process === null) return null
    if (agentOfProcess(process, agents) !== null) return process
    pid = process.parent
  }
  return null
}

async function reject(daemon: AgentWorld, watched: Watched, { agent, conversation }: HookReport, why: string): Promise<void> {
  const said = `hook ${agent} ${conversation} ${why}`
  if (watched.said.has(said)) return
  watched.said.add(said)
  await note(daemon, watched.terminal, { event: 'reject', agent, id: conversation, provenance: 'hook', why })
}
