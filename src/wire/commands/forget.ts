/** Forgetting: every trace of a terminal, or of what is older than a moment. */
import { z } from 'zod'
import { ref, row } from './row.ts'

/** What is to be forgotten. */
const forgetWhatSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('terminals'), terminals: z.array(ref).min(1).max(1_000) }),
  /** `at` in ms: terminals not used since, checkpoints, old runs, audit and log from before. */
  z.object({ kind: z.literal('before'), at: z.number().min(0) }),
  /** Everything of terminals that are not in the workspace. */
  z.object({ kind: z.literal('closed') }),
])
export type ForgetWhat = z.infer<typeof forgetWhatSchema>

const forgetParams = z.object({
  what: forgetWhatSchema,
  /** Ends programs that run. Left out: a terminal that runs is refused. */
  force: z.boolean().optional(),
})

const forgetPlanSchema = z.object({
  /** `closed`: it could still be reopened; `gone`: only checkpoints, logs or the audit know it. */
  terminals: z.array(z.object({ id: z.string(), name: z.string().nullable(), state: z.enum(['running', 'asleep', 'closed', 'gone']) })),
  /** Logs of runs, with the anchors beside them. */
  runs: z.int(),
  screens: z.int(),
  checkpoints: z.object({ removed: z.int(), changed: z.int() }),
  auditEntries: z.int(),
  /** That were dropped onto a terminal. */
  files: z.int(),
  /** Files of damaged databases that were set aside: nothing can be cut from them, so they go. */
  copies: z.int(),
  bytes: z.number(),
})
export type ForgetPlanView = z.infer<typeof forgetPlanSchema>

export const forgetCommands = {
  'forget.plan': row({
    help: 'Show what forgetting would remove.',
    changes: false,
    needs: 'everything',
    params: forgetParams,
    result: forgetPlanSchema,
  }),
  'forget.apply': row({
    help: 'Forget terminals: remove every trace of them.',
    changes: true,
    needs: 'everything',
    params: forgetParams,
    /** What was removed. `trouble`: what is still to be done, and will be at the next start; null when all of it is done. */
    result: forgetPlanSchema.extend({ trouble: z.string().nullable() }),
  }),
} as const
