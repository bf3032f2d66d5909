/** What restoring would do, as the daemon tells it: the shape behind `restore --plan --json`. */
import { z } from 'zod'
import { CHECKPOINT_KINDS } from '../workspace/checkpoint.ts'
import { wouldStartSchema } from './view.ts'

export const restorePlanSchema = z.object({
  checkpoint: z.object({ id: z.string(), at: z.number(), kind: z.enum(CHECKPOINT_KINDS), note: z.string().nullable() }),
  /** The one workspace that is restored, or null for everything. */
  only: z.string().nullable(),
  steps: z.array(
    z.object({
      /** `adopt` and `keepStranger` go on as they are; `lost`, `rest` and `bringBack` are asleep afterwards. */
      kind: z.enum(['adopt', 'keepStranger', 'lost', 'rest', 'bringBack', 'forget']),
      terminal: z.string(),
      name: z.string().nullable(),
      workspace: z.string().nullable(),
      why: z.string(),
      /** Of a terminal from another machine: what a wake would run, once the user has confirmed it. */
      start: wouldStartSchema.nullable().default(null),
    }),
  ),
  host: z.object({ name: z.string(), isSame: z.boolean() }),
  missingPaths: z.array(z.object({ path: z.string(), terminals: z.array(z.string()) })),
  /** The same for people. */
  lines: z.array(z.string()),
})
export type RestorePlanView = z.infer<typeof restorePlanSchema>
