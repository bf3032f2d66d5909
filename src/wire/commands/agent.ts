import { z } from 'zod'
import { HOOK_FIELDS, LONGEST_FIELD } from '../../agents/hooks/hookEvent.ts'
import { nothing, ref, row } from './row.ts'

/** What the daemon tells of its decisions about agents. */
const AGENT_EVENTS = ['seen', 'bind', 'rebind', 'reject', 'left', 'resumed', 'mismatch'] as const

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

export const agentCommands = {
  'agent.log': row({
    help: 'Show how the agents and conversations of a terminal were detected, newest first.',
    changes: false,
    needs: 'everything',
    params: z.object({ terminal: ref, limit: z.int().min(1).max(1_000).optional() }),
    result: z.array(agentLogEntrySchema),
  }),
  'agent.report': row({
    help: 'Report a hook event; accepted only from a child of the terminal’s foreground agent.',
    changes: true,
    needs: 'report',
    params: z.object({
      terminal: ref,
      agent: z.string().min(1).max(64),
      event: z.string().regex(/^[A-Za-z][A-Za-z.]{0,39}$/),
      /** Only the fields that are used, each a text. */
      payload: z.partialRecord(z.enum(HOOK_FIELDS), z.string().max(LONGEST_FIELD)),
      /** The process that reports. */
      reporter: z.object({ pid: z.int().min(1) }),
    }),
    result: z.object({ taken: z.boolean(), why: z.string().nullable() }),
  }),
  'agent.installed': row({
    help: 'List the known agents that are installed on this machine.',
    changes: false,
    needs: 'everything',
    params: nothing,
    /** `path` is the program that would be started. */
    result: z.array(z.object({ name: z.string(), label: z.string(), command: z.string(), path: z.string() })),
  }),
} as const
