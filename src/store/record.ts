/**
 * Records as they stand in the database, decoded exactly: a state that holds what it cannot have is not decoded.
 * The checks at the end let the compiler reject a schema that says less or more than the type.
 */
import { z } from 'zod'
import {
  type CheckpointId,
  type DeviceId,
  type GroupId,
  isId,
  type RunId,
  type SessionId,
  type TerminalId,
  type WorkspaceId,
} from '../base/ids.ts'
import { isWebAddress } from '../base/webAddress.ts'
import { capabilitySchema } from '../wire/capability.ts'
import { type AgentMetadata, CHECKPOINT_KINDS, type Checkpoint } from '../workspace/checkpoint/checkpoint.ts'
import type { HostId } from '../workspace/checkpoint/checkpointHost.ts'
import type { LayoutNode } from '../workspace/layout/layout.ts'
import type { Topology } from '../workspace/layout/topology.ts'
import type { Environment } from '../workspace/redact/environment.ts'
import type { Closed } from '../workspace/terminal/closed.ts'
import { ON_RESTORE, PROGRAM_GRANTS, type Terminal, UNKNOWN_WHYS } from '../workspace/terminal/terminal.ts'
import type { ForgetOrder } from './forgetOrder.ts'
import type { Device } from './store.ts'

const terminalId = z.custom<TerminalId>((value) => typeof value === 'string' && isId('terminal', value), 'not the id of a terminal')
const runId = z.custom<RunId>((value) => typeof value === 'string' && isId('run', value), 'not the id of a run')
const workspaceId = z.custom<WorkspaceId>((value) => typeof value === 'string' && isId('workspace', value), 'not the id of a workspace')
const groupId = z.custom<GroupId>((value) => typeof value === 'string' && isId('group', value), 'not the id of a group')
const checkpointId = z.custom<CheckpointId>((value) => typeof value === 'string' && isId('checkpoint', value), 'not the id of a checkpoint')
const sessionId = z.custom<SessionId>((value) => typeof value === 'string' && isId('session', value), 'not the id of a session')
const deviceId = z.custom<DeviceId>((value) => typeof value === 'string' && isId('device', value), 'not the id of a device')
const texts = z.array(z.string()).readonly()

const wrapperLine = z.strictObject({
  kind: z.literal('line'),
  before: texts,
  text: z.strictObject({ words: texts, after: texts }).exactOptional(),
  cwd: z.string().exactOptional(),
})

const wrapper = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  wrapperLine,
  z.strictObject({ kind: z.literal('unsure'), ran: z.string(), why: z.string(), inside: wrapperLine.exactOptional() }),
])

const restoreSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('shell') }),
  z.strictObject({
    kind: z.literal('conversation'),
    agent: z.string(),
    id: z.string(),
    provenance: z.string(),
    argv: texts,
    cwd: z.string().exactOptional(),
    env: z.record(z.string(), z.string()).readonly().exactOptional(),
    wrapper: wrapper.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('unknown'), agent: z.string(), why: z.enum(UNKNOWN_WHYS).exactOptional() }),
  z.strictObject({ kind: z.literal('quit'), agent: z.string(), id: z.string().nullable(), wrapper: wrapper.exactOptional() }),
])

/** Earlier versions resumed the newest conversation of the directory. That may be another terminal's: this one's is not known. */
const isNewest = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'latest'

const restore = z.preprocess((value) => (isNewest(value) ? { ...value, kind: 'unknown' } : value), restoreSchema)

const kept = {
  id: terminalId,
  name: z.string().nullable(),
  spec: z.strictObject({
    command: z.string(),
    args: texts,
    cwd: z.string(),
    env: z.record(z.string(), z.string()).readonly(),
    size: z.strictObject({ cols: z.int().positive(), rows: z.int().positive() }),
    backend: z
      .discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('tmux') }),
        z.strictObject({ kind: z.literal('guest'), socket: z.string(), pane: z.string(), pid: z.int(), session: z.string() }),
      ])
      .exactOptional(),
    may: z.enum(PROGRAM_GRANTS).exactOptional(),
    withheld: z.strictObject({ args: z.int().min(0), env: z.int().min(0) }).exactOptional(),
  }),
  lastRun: runId.nullable(),
  title: z.string(),
  theme: z.string().nullable(),
  pinned: z.boolean(),
  muted: z.boolean().default(false), // this and the next: records from before there were such
  unread: z.boolean().default(false),
  private: z.boolean().default(false), // records from before there were private terminals
  restore,
  onRestore: z.enum(ON_RESTORE).default('policy'), // records from before there was a choice
  created: z.number(),
  touched: z.number(),
  imported: z.strictObject({ from: z.string(), at: z.number() }).exactOptional(),
}

const slept = {
  by: z.enum(['idle', 'memory']).exactOptional(),
  context: z
    .strictObject({
      directory: z.string(),
      branch: z.string().nullable(),
      agent: z.string().nullable(),
      pullRequest: z
        .strictObject({ number: z.int(), title: z.string(), url: z.string().refine(isWebAddress), state: z.string() })
        .nullable()
        .catch(null), // it is only shown: one that cannot be a link costs nothing else
      freedBytes: z.number().nullable(),
    })
    .exactOptional(),
}

const because = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('slept'), ...slept }),
  z.strictObject({
    kind: z.literal('exited'),
    status: z.union([z.strictObject({ code: z.int() }), z.strictObject({ signal: z.string() })]),
  }),
  z.strictObject({ kind: z.literal('lost') }),
  z.strictObject({ kind: z.literal('failed'), reason: z.string(), resumed: runId.nullable().default(null) }),
])

const link = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('connected') }),
  z.strictObject({ kind: z.literal('unreachable'), why: z.string() }),
  z.strictObject({ kind: z.literal('incompatible'), speaks: z.string() }),
  z.strictObject({ kind: z.literal('unattached') }),
])

/** Earlier versions knew of no resume: what they started was started afresh, and has nothing to go back to. */
const trial = {
  mode: z.enum(['resume', 'fresh']).default('fresh'),
  previousRun: runId.nullable().default(null),
  previousRestore: restore.nullable().default(null),
}

const terminalSchema = z.discriminatedUnion('state', [
  z.strictObject({ ...kept, state: z.literal('asleep'), since: z.number(), because }),
  z.strictObject({ ...kept, state: z.literal('waking'), run: runId, since: z.number(), ...trial, previousRun: runId.nullable() }),
  z.strictObject({
    ...kept,
    state: z.literal('live'),
    run: runId,
    since: z.number(),
    pid: z.int(),
    holderPid: z.int(),
    link,
    foreground: z.strictObject({ pid: z.int(), name: z.string() }).nullable(),
    agent: z.string().nullable(),
    ...trial,
  }),
  z.strictObject({
    ...kept,
    state: z.literal('settling'),
    run: runId,
    pid: z.int().nullable(),
    holderPid: z.int().nullable(),
    deadline: z.number(),
    then: z.enum(['sleep', 'close']),
    slept: z.strictObject(slept).exactOptional(),
  }),
]) satisfies z.ZodType<Terminal>

const slot = z.strictObject({ kind: z.literal('slot'), terminals: z.array(terminalId).readonly(), active: terminalId })
const split = z.strictObject({
  kind: z.literal('split'),
  direction: z.enum(['row', 'column']),
  get children() {
    return z.array(z.strictObject({ node: nodeSchema, size: z.number() })).readonly()
  },
})
const nodeSchema: z.ZodType<LayoutNode> = z.discriminatedUnion('kind', [slot, split])

const workspace = z.strictObject({
  id: workspaceId,
  name: z.string(),
  layout: z.strictObject({ root: nodeSchema.nullable(), zoomed: terminalId.nullable() }),
  canvas: z.record(terminalId, z.strictObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })).readonly(),
  view: z.enum(['split', 'canvas']),
})

/** Only the shape: what it says about terminals is judged, and mended, against the records. */
const topologySchema = z.strictObject({
  groups: z
    .array(z.strictObject({ id: groupId, name: z.string(), color: z.string(), workspaces: z.array(workspace).readonly() }))
    .readonly(),
  dock: z.array(terminalId).readonly(),
}) satisfies z.ZodType<Topology>

const hostSchema = z.strictObject({ machine: z.string(), boot: z.string(), name: z.string() }) satisfies z.ZodType<HostId>
const environmentSchema = z.record(z.string(), z.string()).readonly() satisfies z.ZodType<Environment>
const agentSchema = z.strictObject({
  agent: z.string(),
  conversation: z.string().nullable(),
  details: z.record(z.string(), z.string()).readonly(),
}) satisfies z.ZodType<AgentMetadata>

const checkpointSchema = z.strictObject({
  id: checkpointId,
  session: sessionId,
  at: z.number(),
  kind: z.enum(CHECKPOINT_KINDS),
  note: z.string().nullable(),
  stateHash: z.string(),
  knownGood: z.boolean(),
  bytes: z.number(),
  topology: topologySchema,
  terminals: z
    .array(
      z.strictObject({
        terminal: terminalSchema,
        cwd: z.string().nullable(),
        agent: agentSchema.nullable(),
        env: environmentSchema,
        screen: z.strictObject({ run: runId, seq: z.number(), hash: z.string() }).nullable(),
      }),
    )
    .readonly(),
}) satisfies z.ZodType<Checkpoint>

const closedSchema = z.strictObject({
  at: z.number(),
  until: z.number(),
  before: topologySchema,
  seen: z.strictObject({ cwd: z.string().nullable(), env: environmentSchema }),
  worktree: z.strictObject({ path: z.string(), root: z.string(), branch: z.string().nullable(), commit: z.string() }).nullable(),
}) satisfies z.ZodType<Omit<Closed, 'terminal'>>

const forgetOrderSchema = z.strictObject({
  terminals: z.array(terminalId).readonly(),
  runs: z.array(runId).readonly(),
  before: z.number().nullable(),
}) satisfies z.ZodType<ForgetOrder>
const deviceSchema = z.strictObject({
  id: deviceId,
  name: z.string(),
  origin: z.string(),
  key: z.string(),
  capability: capabilitySchema,
  created: z.number(),
  used: z.number(),
  addedBy: z.string().nullable(),
}) satisfies z.ZodType<Device>

type Covers<Type extends Schema, Schema> = [Type, Schema]
/** Read by the compiler alone. @public */
export type SchemasCoverTheirTypes = [
  Covers<Terminal, z.infer<typeof terminalSchema>>,
  Covers<Topology, z.infer<typeof topologySchema>>,
  Covers<Checkpoint, z.infer<typeof checkpointSchema>>,
  Covers<Omit<Closed, 'terminal'>, z.infer<typeof closedSchema>>,
  Covers<Device, z.infer<typeof deviceSchema>>,
]

export type Decoded<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly why: string }

/** `id` is the key it was found under: a record under another's key would take that terminal's place. */
export function decodeTerminal(id: string, raw: string): Decoded<Terminal> {
  const decoded = decode(terminalSchema, raw)
  if (decoded.ok && decoded.value.id !== id) return { ok: false, why: `it is the record of ${decoded.value.id}` }
  return decoded
}

/** Both columns of the row of a terminal that was closed. */
export function decodeClosed(id: string, row: { readonly record: string; readonly closed: string }): Decoded<Closed> {
  const terminal = decodeTerminal(id, row.record)
  if (!terminal.ok) return terminal
  if (terminal.value.state !== 'asleep') return { ok: false, why: `it is ${terminal.value.state}` }
  const closed = decode(closedSchema, row.closed)
  return closed.ok ? { ok: true, value: { ...closed.value, terminal: terminal.value } } : closed
}

export function decodeDevice(id: string, raw: string): Decoded<Device> {
  const decoded = decode(deviceSchema, raw)
  if (decoded.ok && decoded.value.id !== id) return { ok: false, why: `it is the record of ${decoded.value.id}` }
  return decoded
}

export const decodeTopology = (raw: string): Decoded<Topology> => decode(topologySchema, raw)
export const decodeEnvironment = (raw: string): Decoded<Environment> => decode(environmentSchema, raw)
export const decodeCheckpoint = (raw: string): Decoded<Checkpoint> => decode(checkpointSchema, raw)
export const decodeForgetOrder = (raw: string): Decoded<ForgetOrder> => decode(forgetOrderSchema, raw)
export const decodeAgent = (raw: string): Decoded<AgentMetadata> => decode(agentSchema, raw)

/** A host that cannot be decoded equals no real host. */
export function decodeHostId(raw: string): HostId {
  const decoded = decode(hostSchema, raw)
  return decoded.ok ? decoded.value : { machine: '', boot: '', name: '' }
}

function decode<Value>(schema: z.ZodType<Value>, raw: string): Decoded<Value> {
  let json: unknown
  try {
    json = JSON.parse(raw)
  } catch (error) {
    return { ok: false, why: `it is not JSON: ${String(error)}` }
  }
  try {
    const parsed = schema.safeParse(json)
    return parsed.success ? { ok: true, value: parsed.data } : { ok: false, why: z.prettifyError(parsed.error).replaceAll('\n', ' ') }
  } catch (error) {
    return { ok: false, why: `it is nested too deeply or cannot be read: ${String(error)}` } // a layout of a hundred thousand levels
  }
}
