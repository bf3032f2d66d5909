/** What the daemon tells of its decisions about agents. */
import { z } from 'zod'

export const AGENT_EVENTS = ['seen', 'bind', 'rebind', 'reject', 'left', 'resumed', 'mismatch'] as const

export const agentLogEntrySchema = z.object({
  at: z.number(),
  event: z.enum(AGENT_EVENTS),
  agent: z.string(),
  /** Of the conversation; null where none is known. */
  id: z.string().nullable(),
  provenance: z.string().nullable(),
  why: z.string(),
})
export type AgentLogEntry = z.infer<typeof agentLogEntrySchema>
