/** What the daemon shows of a terminal: the shape behind `ls --json`, events and the page. */
import { z } from 'zod'
import { ON_RESTORE } from '../workspace/terminal.ts'

export const sizeSchema = z.object({ cols: z.int().min(2).max(1000), rows: z.int().min(1).max(1000) })

const becauseSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('slept') }),
  z.object({ kind: z.literal('exited'), status: z.union([z.object({ code: z.int() }), z.object({ signal: z.string() })]) }),
  z.object({ kind: z.literal('lost') }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
])

const lookerSchema = z.object({ client: z.int(), who: z.string() })

/** Who decides the size: a client by its number, which it learns from `terminal.look`. */
const sizedBySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nobody') }),
  lookerSchema.extend({ kind: z.literal('client') }),
  z.object({ kind: z.literal('smallest'), cols: lookerSchema, rows: lookerSchema }),
  z.object({ kind: z.literal('hand') }),
  z.object({ kind: z.literal('fixed') }),
])

export const terminalViewSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  title: z.string(),
  state: z.enum(['asleep', 'waking', 'live', 'settling']),
  because: becauseSchema.nullable(),
  /** Null unless the holder cannot be talked to; then a sentence that says why. */
  trouble: z.string().nullable(),
  run: z.string().nullable(),
  pid: z.int().nullable(),
  holderPid: z.int().nullable(),
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  size: sizeSchema,
  sizedBy: sizedBySchema,
  workspace: z.string(),
  foreground: z.string().nullable(),
  agent: z.string().nullable(),
  conversation: z.string().nullable(),
  /** Whether it is woken by itself after a crash: as the policy says, always, or never. */
  onRestore: z.enum(ON_RESTORE),
  created: z.number(),
  since: z.number(),
})
export type TerminalView = z.infer<typeof terminalViewSchema>

export const workspaceViewSchema = z.object({ id: z.string(), name: z.string() })
