import { z } from 'zod'
import { nothing, row } from './row.ts'

const optionSchema = z.object({
  /** As in the file: `web.port`. */
  key: z.string(),
  type: z.string(),
  bounds: z.string(),
  sentence: z.string(),
  /** Where it is one of a few. */
  choices: z.array(z.string()).nullable(),
  value: z.unknown(),
  default: z.unknown(),
  /** Whether the file sets it. */
  isSet: z.boolean(),
  /** Whether a change is heard at once, or by the next daemon. */
  needsRestart: z.boolean(),
})
export type OptionShown = z.infer<typeof optionSchema>

const shownSchema = z.object({ file: z.string(), options: z.array(optionSchema), problems: z.array(z.string()) })

export const configCommands = {
  'config.show': row({
    help: 'List every option of config.toml with its value.',
    changes: false,
    needs: 'everything',
    params: nothing,
    result: shownSchema,
  }),
  'config.set': row({
    help: 'Set an option in config.toml, or remove it with null; comments stay.',
    changes: true,
    needs: 'everything',
    params: z.object({ key: z.string().max(200), value: z.unknown() }),
    result: shownSchema,
  }),
} as const
