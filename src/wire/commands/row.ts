/** What a row of the command table is, and the shapes that several rows share. */
import { z } from 'zod'

export const row = <Params extends z.ZodType, Outcome extends z.ZodType>(definition: {
  readonly help: string
  readonly changes: boolean
  readonly params: Params
  readonly result: Outcome
}) => definition

export const ref = z.string().describe('id, unique beginning of an id, or name')
export const checkpointRef = z.string().describe('id, unique beginning of an id, latest, or latest~N')
export const absolutePath = z.string().min(1).max(4_096).startsWith('/')
export const nothing = z.object({})
/**
 * Lines are numbered from the run's first one, 0, whatever the width: a line that wraps is one line. Those of the run before it
 * have numbers below 0; -1 is the line between the two.
 */
export const lineNumber = z.int()
