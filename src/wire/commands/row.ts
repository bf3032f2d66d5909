/** What a row of the command table is, and the shapes that several rows share. */
import { z } from 'zod'

/**
 * The least that a peer must be allowed: to report about its own terminal, to read the terminals it sees, to type into its own one, or
 * everything. Below `everything` a terminal is named by the parameter `terminal` and by nothing else: it is looked up among those that
 * the peer sees, and what a limited peer is shown of the result is in the daemon's `clients/allowed.ts`.
 */
const NEEDS = ['report', 'read', 'send', 'everything'] as const
export type Need = (typeof NEEDS)[number]

export const row = <const Needs extends Need, Params extends z.ZodType, Outcome extends z.ZodType>(definition: {
  readonly help: string
  readonly changes: boolean
  readonly needs: Needs
  readonly params: Params
  readonly result: Outcome
}) => definition

export const ref = z.string().describe('id, unique prefix of an id, or name')
export const checkpointRef = z.string().describe('id, unique prefix of an id, latest, or latest~N')
export const absolutePath = z.string().min(1).max(4_096).startsWith('/')
export const nothing = z.object({})
/**
 * Lines are numbered from the run's first one, 0, whatever the width: a line that wraps is one line. Those of the run before it
 * have numbers below 0; -1 is the line between the two.
 */
export const lineNumber = z.int()
