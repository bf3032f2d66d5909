/** What was running when the machine, or everything on it, went down, and has not been asked about yet. */
import { z } from 'zod'

const HAPPENED = ['reboot', 'crash', 'shutdown'] as const

export const recoveryViewSchema = z.object({
  /** When it was found, in ms. */
  at: z.number(),
  happened: z.enum(HAPPENED),
  /** Ids, in the order of the dock. */
  terminals: z.array(z.string()),
})
export type RecoveryView = z.infer<typeof recoveryViewSchema>

/** As the daemon keeps it. What was lost before the last answer is never asked about again. */
export const recoveryKeptSchema = z.object({ open: recoveryViewSchema.nullable(), answeredAt: z.number() })
export type RecoveryKept = z.infer<typeof recoveryKeptSchema>
