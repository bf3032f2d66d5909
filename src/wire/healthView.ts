/** How the daemon's parts and the programs' holders do, for showing. The states are those of `workspace/health.ts`. */
import { z } from 'zod'

const HEALTH_STATES = ['unknown', 'verifying', 'alive', 'dead', 'recovering', 'failed'] as const

/** What is watched. A `holder` and a `session` (of tmux) belong to one terminal. */
const WATCHED_KINDS = ['holder', 'session', 'tmux', 'store', 'search', 'screens', 'web', 'loop', 'memory', 'disk'] as const

const watchedViewSchema = z.object({
  /** Unique among all; for programs. */
  id: z.string(),
  kind: z.enum(WATCHED_KINDS),
  /** For reading: a terminal's name, or what the part is called. */
  name: z.string(),
  terminal: z.string().nullable(),
  state: z.enum(HEALTH_STATES),
  since: z.number(),
  /** A sentence: why it is not simply alive, or what is wrong although it is. Null when all is well. */
  why: z.string().nullable(),
  /** Checks in a row that were not answered. */
  strikes: z.int(),
  /** Recoveries that were tried since it was last alive. */
  attempts: z.int(),
  /** How long the last check took to be answered. */
  answeredInMs: z.number().nullable(),
  nextCheckAt: z.number().nullable(),
})

export const healthViewSchema = z.object({
  at: z.number(),
  /** The worst of all: `well`, `degraded` (something is wrong, and everything can be used) or `ill`. */
  overall: z.enum(['well', 'degraded', 'ill']),
  /** What the daemon leaves undone so as not to fall over; 0 is nothing. */
  load: z.object({ stage: z.int(), why: z.string().nullable(), shed: z.array(z.string()) }),
  watched: z.array(watchedViewSchema),
})

export type WatchedView = z.infer<typeof watchedViewSchema>
export type HealthView = z.infer<typeof healthViewSchema>
