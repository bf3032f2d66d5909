import { z } from 'zod'
import { healthViewSchema } from '../healthView.ts'
import { row } from './row.ts'

export const healthCommands = {
  'health.show': row({
    help: 'How the daemon’s parts and the programs’ holders do.',
    changes: false,
    needs: 'everything',
    params: z.object({
      /** Everything is looked at first, and what had failed gets another chance. */
      check: z.boolean().optional(),
    }),
    result: healthViewSchema,
  }),
} as const
