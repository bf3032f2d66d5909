/** What was running when the machine, or everything on it, went down, and has not been asked about yet. */
import { z } from 'zod'

export const HAPPENED = ['reboot', 'crash', 'shutdown'] as const

export const recoveryViewSchema = z.object({
  /** When it was found, in ms. */
  at: z.number(),
  happened: z.enum(HAPPENED),
  /** Ids, in the order of the dock. */
  terminals: z.array(z.string()),
})
export type RecoveryView = z.infer<typeof recoveryViewSchema>
