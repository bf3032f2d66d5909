import { z } from 'zod'
import { terminalViewSchema } from '../view.ts'
import { lineNumber, ref, row } from './row.ts'

export const searchCommands = {
  'search.query': row({
    help: 'Search the history of all terminals, or of one, by words; newest first.',
    changes: false,
    needs: 'read',
    params: z.object({
      query: z.string().max(10_000),
      terminal: ref.optional(),
      /** In ms; left out: from the beginning, until now. */
      since: z.number().optional(),
      until: z.number().optional(),
      limit: z.int().min(1).max(1_000),
      /** Lines before and after each one. */
      context: z.int().min(0).max(50),
    }),
    result: z.object({
      hits: z.array(
        z.object({
          terminal: z.string(),
          run: z.string(),
          /** The terminal has been woken since: the line can be found, but not be read with the others any more. */
          isPast: z.boolean(),
          /** Null on the alternate screen, which has no history. */
          number: lineNumber.min(0).nullable(),
          /** When it was seen, in ms; coarse. */
          at: z.number(),
          line: z.string(),
          /** Where the words stand in it. */
          spans: z.array(z.object({ from: z.int(), to: z.int() })),
          before: z.array(z.string()),
          after: z.array(z.string()),
        }),
      ),
      /** Whether there are more than `limit`. */
      more: z.boolean(),
      /** Terminals of which not all lines are indexed yet; how many are missing, where that is known. */
      pending: z.array(z.object({ terminal: z.string(), lines: z.int().nullable() })),
      terminals: z.array(terminalViewSchema),
    }),
  }),
} as const
