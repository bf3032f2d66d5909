/** What the daemon shows of checkpoints: secrets are taken out before anything leaves it. */
import { z } from 'zod'
import { CHECKPOINT_KINDS } from '../workspace/checkpoint/checkpoint.ts'
import { topologyViewSchema } from './topologyView.ts'
import { becauseSchema, sizeSchema, terminalStateSchema, wouldStartSchema } from './view.ts'

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

const checkpointTerminalSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  title: z.string(),
  state: terminalStateSchema,
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

/** What restoring would do, as the daemon tells it: the shape behind `restore --plan --json`. */

export const restorePlanSchema = z.object({
  checkpoint: z.object({ id: z.string(), at: z.number(), kind: z.enum(CHECKPOINT_KINDS), note: z.string().nullable() }),
  /** The one workspace that is restored, or null for everything. */
  only: z.string().nullable(),
  steps: z.array(
    z.object({
      /** `adopt` and `keepStranger` keep running; `lost`, `rest` and `bringBack` are asleep afterwards. */
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
