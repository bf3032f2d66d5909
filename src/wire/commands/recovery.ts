import { z } from 'zod'
import { recoveryViewSchema } from '../recoveryView.ts'
import { nothing, row } from './row.ts'

export const recoveryCommands = {
  'recovery.show': row({
    help: 'What was running when everything went down, until somebody has said what to do about it.',
    changes: false,
    needs: 'everything',
    params: nothing,
    result: recoveryViewSchema.nullable(),
  }),
  'recovery.answer': row({
    help: 'Wake some of those that were running, one after the other, and leave the others asleep; it is not asked again.',
    changes: true,
    needs: 'everything',
    params: z.object({ wake: z.array(z.string()), mode: z.enum(['resume', 'fresh']).optional() }),
    /** Ids, in the order in which they are woken; how it went is told by each terminal. */
    result: z.object({ wakes: z.array(z.string()) }),
  }),
} as const
