/** What the daemon shows of checkpoints: secrets are taken out before anything leaves it. */
import { z } from 'zod'
import { CHECKPOINT_KINDS } from '../workspace/checkpoint.ts'
import { topologyViewSchema } from './topologyView.ts'
import { becauseSchema, sizeSchema } from './view.ts'

export const checkpointSummarySchema = z.object({
  id: z.string(),
  at: z.number(),
  kind: z.enum(CHECKPOINT_KINDS),
  note: z.string().nullable(),
  /** Has terminals, and was taken of a workspace that was whole. */
  knownGood: z.boolean(),
  terminalCount: z.int(),
  /** Of its texts and of its screens unpacked; what it shares with others is counted too. */
  bytes: z.number(),
  stateHash: z.string(),
  session: z.string(),
})
export type CheckpointSummaryView = z.infer<typeof checkpointSummarySchema>

const environmentSchema = z.record(z.string(), z.string())

export const checkpointTerminalSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  title: z.string(),
  state: z.enum(['asleep', 'waking', 'live', 'settling']),
  because: becauseSchema.nullable(),
  command: z.string(),
  args: z.array(z.string()),
  /** Where its program was; null when that could not be seen. */
  cwd: z.string().nullable(),
  startedIn: z.string(),
  /** What its user set for it. */
  setEnv: environmentSchema,
  /** What its program was seen with, of what the allow-list names. */
  env: environmentSchema,
  agent: z.object({ agent: z.string(), conversation: z.string().nullable(), details: environmentSchema }).nullable(),
  size: sizeSchema,
  /** Its own scheme of colours. */
  theme: z.string().nullable(),
  workspace: z.string().nullable(),
  screen: z.object({ run: z.string(), seq: z.number(), hash: z.string() }).nullable(),
})
export type CheckpointTerminalView = z.infer<typeof checkpointTerminalSchema>

export const checkpointViewSchema = checkpointSummarySchema.extend({
  counts: z.object({
    terminals: z.int(),
    withProgram: z.int(),
    asleep: z.int(),
    screens: z.int(),
    workspaces: z.int(),
    groups: z.int(),
  }),
  workspaces: z.array(z.object({ id: z.string(), name: z.string(), group: z.string(), terminals: z.array(z.string()) })),
  terminals: z.array(checkpointTerminalSchema),
  /** The whole layout, as it is kept. */
  topology: topologyViewSchema,
})
export type CheckpointView = z.infer<typeof checkpointViewSchema>

const differencesSchema = z.array(z.object({ what: z.string(), from: z.string(), to: z.string() })).readonly()
const thing = { id: z.string(), name: z.string() }
const came = z.object({ ...thing, kind: z.literal('appeared') })
const went = z.object({ ...thing, kind: z.literal('went') })
const differs = z.object({ ...thing, kind: z.literal('differs'), changes: differencesSchema })
const thingsSchema = z.array(z.discriminatedUnion('kind', [came, went, differs])).readonly()
const workspace = z.string().nullable()

/** `CheckpointDiff` of the domain, as it crosses. */
export const checkpointDiffSchema = z.object({
  groups: thingsSchema,
  workspaces: thingsSchema,
  terminals: z
    .array(
      z.discriminatedUnion('kind', [came.extend({ workspace }), went.extend({ workspace }), differs.extend({ moves: differencesSchema })]),
    )
    .readonly(),
})
