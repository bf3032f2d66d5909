import { z } from 'zod'
import { HOOK_FIELDS, LONGEST_FIELD } from '../../agents/hooks/hookEvent.ts'
import { agentLogEntrySchema } from '../agentView.ts'
import { nothing, ref, row } from './row.ts'

export const agentCommands = {
  'agent.log': row({
    help: 'What was decided about the agents of a terminal and their conversations, and why; newest first.',
    changes: false,
    needs: 'everything',
    params: z.object({ terminal: ref, limit: z.int().min(1).max(1_000).optional() }),
    result: z.array(agentLogEntrySchema),
  }),
  'agent.report': row({
    help: 'What an agent’s hook says; taken only from below the agent that has the terminal’s keyboard.',
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
    help: 'Which of the known agents are installed on this machine.',
    changes: false,
    needs: 'everything',
    params: nothing,
    /** `path` is the program that would be started. */
    result: z.array(z.object({ name: z.string(), label: z.string(), command: z.string(), path: z.string() })),
  }),
} as const
