/** The file beside a run's log that says which run was shown before it, and how that one had ended. */
import { z } from 'zod'
import { isId, type RunId } from '../base/ids.ts'
import type { BeforeWake } from '../workspace/terminal/beforeWake.ts'

const schema = z.object({
  run: z.custom<RunId>((value) => typeof value === 'string' && isId('run', value)),
  end: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('slept') }),
    z.object({ kind: z.literal('exited'), status: z.union([z.object({ code: z.int() }), z.object({ signal: z.string() })]) }),
    z.object({ kind: z.literal('lost') }),
    z.object({ kind: z.literal('failed') }),
  ]),
  since: z.number(),
  woken: z.number(),
  isResume: z.boolean(),
}) satisfies z.ZodType<BeforeWake>

export const encodeRunBefore = (before: BeforeWake): string => JSON.stringify(before)

/** Null where it says nothing that is understood: a crash may have left half of it. */
export function decodeRunBefore(text: string): BeforeWake | null {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return null // a value: the earlier run is unknown
  }
}
