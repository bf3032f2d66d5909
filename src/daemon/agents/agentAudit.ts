/** What was decided about agents and their conversations, and why: what `holdfast agent log` shows. */
import type { TerminalId } from '../../base/ids.ts'
import { type AgentLogEntry, agentLogEntrySchema } from '../../wire/commands/agent.ts'
import type { AuditWorld } from './world.ts'

const AGENT_AUDIT = 'agent'

export type AgentDecision = Omit<AgentLogEntry, 'at'>

/** A disk that is full costs the entry, not what was decided. Conversations of private terminals are not written down. */
export async function note(daemon: AuditWorld, terminal: TerminalId, decision: AgentDecision): Promise<void> {
  if (daemon.registry.get(terminal)?.private === true) return
  daemon.log.info({ terminal, ...decision }, 'agent')
  const entry = { session: daemon.checkpoints.session, terminal, what: AGENT_AUDIT, details: decision }
  await daemon.store.appendAudit(entry).catch((error: Error) => daemon.log.warn({ error: error.message }, 'a decision is not in the audit'))
}

/** All that the audit still holds. */
const ALL_ENTRIES = 10_000

/** Every conversation that a terminal was given, the newest last, also of terminals that are gone. */
export async function givenConversations(daemon: Pick<AuditWorld, 'store'>): Promise<readonly Given[]> {
  const entries = await daemon.store.audit({ limit: ALL_ENTRIES })
  return entries.toReversed().flatMap(({ at, terminal, what, details }) => {
    if (what !== AGENT_AUDIT || terminal === null || typeof details !== 'object') return []
    const { success, data } = agentLogEntrySchema.safeParse({ ...details, at })
    if (!success || data.id === null || (data.event !== 'bind' && data.event !== 'rebind')) return []
    return [{ agent: data.agent, conversation: data.id, terminal }]
  })
}

type Given = { readonly agent: string; readonly conversation: string; readonly terminal: TerminalId }

/** Entries that cannot be read are those of a later version, or damaged: the others are still true. */
export async function agentLog(daemon: AuditWorld, terminal: TerminalId, limit: number): Promise<readonly AgentLogEntry[]> {
  const entries = await daemon.store.audit({ terminal, limit })
  return entries.flatMap(({ at, what, details }) => {
    if (what !== AGENT_AUDIT || typeof details !== 'object') return []
    const parsed = agentLogEntrySchema.safeParse({ ...details, at })
    return parsed.success ? [parsed.data] : []
  })
}

const FAR_ENOUGH = 200
/** What was found, and changed nothing. */
const SAYS_ONLY: ReadonlySet<AgentLogEntry['event']> = new Set(['reject', 'resumed', 'mismatch'])

async function lastChange(daemon: AuditWorld, terminal: TerminalId): Promise<AgentLogEntry | null> {
  const log = await agentLog(daemon, terminal, FAR_ENOUGH)
  return log.find(({ event }) => !SAYS_ONLY.has(event)) ?? null
}

export const lastAgentEvent = async (daemon: AuditWorld, terminal: TerminalId): Promise<AgentLogEntry['event'] | null> =>
  (await lastChange(daemon, terminal))?.event ?? null

/** The conversation that the terminal’s agent was last given; null where it has been left since, or another one has come. */
export const lastBound = async (daemon: AuditWorld, terminal: TerminalId): Promise<string | null> =>
  (await lastChange(daemon, terminal))?.id ?? null
