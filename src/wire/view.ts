/** What the daemon shows of a terminal: the shape behind `ls --json`, events and the page. */

import { z } from 'zod'
import { AGENT_STATES } from '../agents/state.ts'
import { COMES_BACK } from '../workspace/resume/comesBack.ts'
import { ON_RESTORE, PROGRAM_GRANTS } from '../workspace/terminal/terminal.ts'

const WAKE_PHASES = ['checking', 'starting', 'resuming'] as const
export type WakePhase = (typeof WAKE_PHASES)[number]

export const sizeSchema = z.object({ cols: z.int().min(2).max(1000), rows: z.int().min(1).max(1000) })

const sleepContextSchema = z.object({
  directory: z.string(),
  branch: z.string().nullable(),
  agent: z.string().nullable(),
  pullRequest: z.object({ number: z.int(), title: z.string(), url: z.string(), state: z.string() }).nullable(), // `url` is a link only where it is one of the web
  freedBytes: z.number().nullable(),
})

export const becauseSchema = z.discriminatedUnion('kind', [
  /** `by` is left out where the user asked. */
  z.object({ kind: z.literal('slept'), by: z.enum(['idle', 'memory']).exactOptional(), context: sleepContextSchema.exactOptional() }),
  z.object({ kind: z.literal('exited'), status: z.union([z.object({ code: z.int() }), z.object({ signal: z.string() })]) }),
  z.object({ kind: z.literal('lost') }),
  /** `resumed` is the run of a resume that ended at once; null when nothing could be started. */
  z.object({ kind: z.literal('failed'), reason: z.string(), resumed: z.string().nullable().default(null) }),
])

const lookerSchema = z.object({ client: z.int(), who: z.string() })

/** What decides the size: a client by its number, which it learns from `terminal.look`. */
const sizedBySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nobody') }),
  lookerSchema.extend({ kind: z.literal('client') }),
  z.object({ kind: z.literal('smallest'), cols: lookerSchema, rows: lookerSchema }),
  z.object({ kind: z.literal('hand') }),
  z.object({ kind: z.literal('fixed') }),
  z.object({ kind: z.literal('tmux') }),
])

/** Command lines are texts, to be read. */
const offersSchema = z.object({
  /** Null where it would be the same as `fresh`. */
  resume: z.string().nullable(),
  /** Where that may leave out something that the agent was started with: it is only done if the user chooses it. */
  unsure: z.object({ ran: z.string(), why: z.string() }).exactOptional(),
  /** Whether another conversation can be chosen by its id. */
  conversation: z.boolean(),
  fresh: z.string(),
})

const comesBackSchema = z.object({ kind: z.enum(COMES_BACK), agent: z.string().nullable(), text: z.string() })

/** What a wake would run, in full; texts, to be read. */
export const wouldStartSchema = z.object({ command: z.string(), directory: z.string(), environment: z.record(z.string(), z.string()) })

/** The agent that has the keyboard, and how it does. */
export const agentViewSchema = z.object({
  /** Its id, such as `claude`; `label` is for reading. */
  name: z.string(),
  label: z.string(),
  pid: z.int(),
  state: z.enum(AGENT_STATES),
  /** What it wants from the user, in the state needs-you. */
  wants: z.enum(['permission', 'question']).nullable(),
  /** Since when it has been in this state, in ms. */
  since: z.number(),
  words: z.string().nullable(),
  model: z.string().nullable(),
  title: z.string().nullable(),
  tokens: z.number().nullable(),
})
export type AgentView = z.infer<typeof agentViewSchema>

const repositoryViewSchema = z.object({
  root: z.string(),
  name: z.string(),
  /** Null where no branch is checked out. */
  branch: z.string().nullable(),
  /** The name of the worktree; null in the repository itself. */
  worktree: z.string().nullable(),
})
export type RepositoryView = z.infer<typeof repositoryViewSchema>

export const terminalStateSchema = z.enum(['asleep', 'waking', 'live', 'settling'])

/** What a terminal has in every state. */
const keptSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  title: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string(),
  size: sizeSchema,
  /** What holds its program; `guest`: the user's own tmux. */
  backend: z.enum(['holder', 'tmux', 'guest']).default('holder'),
  /** Of a guest: its session in the user's tmux, for reading; null otherwise. */
  tmuxSession: z.string().nullable().default(null),
  sizedBy: sizedBySchema,
  workspace: z.string(),
  /** The agent's own id; of an asleep terminal, the conversation that a wake resumes. */
  conversation: z.string().nullable(),
  /** The source that names this conversation, such as `hook` or `store`. */
  provenance: z.string().nullable().default(null),
  /** How far its wake is; null unless it is being woken. */
  wakePhase: z.enum(WAKE_PHASES).nullable().default(null),
  /** When it last printed something or was typed into, in ms; not announced by itself. Null if unknown. */
  activeAt: z.number().nullable().default(null),
  /** What a wake brings back, or, after a wake, what came back. Null if unknown. */
  back: comesBackSchema.nullable().default(null),
  /** Where its program is now, as far as that can be seen; else where it was started. */
  directory: z.string(),
  /** The git repository that the directory is in. */
  repository: repositoryViewSchema.nullable(),
  /** The repository that it was started in. The dock groups by it: what a program does moves nothing there. */
  project: z.object({ root: z.string(), name: z.string() }).nullable(),
  theme: z.string().nullable(),
  pinned: z.boolean(),
  /** Its notifications are off. */
  muted: z.boolean(),
  /** Its agent asks or is done, its bell rang or its program ended, and no client has shown it since. */
  unread: z.boolean(),
  /** How many arguments and variables of a private terminal were not stored: it cannot be woken as it was. */
  withheld: z.object({ args: z.int(), env: z.int() }).optional(),
  /** Left out by daemons that know no private terminals. */
  private: z.boolean().optional(),
  /** Whether it is woken by itself after a crash: as the policy says, always, or never. */
  onRestore: z.enum(ON_RESTORE),
  /** What its programs may do through HOLDFAST_SOCKET. Left out by daemons that let them do everything. */
  may: z.enum(PROGRAM_GRANTS).exactOptional(),
  created: z.number(),
  since: z.number(),
  /** It came from another machine, and is not started before the user has confirmed what it runs; null otherwise. */
  imported: z.object({ from: z.string(), at: z.number(), resume: wouldStartSchema, fresh: wouldStartSchema }).nullable().default(null),
})

/**
 * A terminal is a sum, here as in the domain: a client asks for the state before it touches what only that state has. In JSON each
 * state has the fields of all others too, as null (`ABSENT`): scripts that read `ls --json` rely on it.
 */
export const terminalViewSchema = z.discriminatedUnion('state', [
  /** `run` is its last one. */
  keptSchema.extend({ state: z.literal('asleep'), run: z.string().nullable(), because: becauseSchema, offers: offersSchema }),
  keptSchema.extend({ state: z.literal('waking'), run: z.string() }),
  keptSchema.extend({
    state: z.literal('live'),
    run: z.string(),
    pid: z.int(),
    holderPid: z.int(),
    /** Null unless the holder cannot be talked to; then a sentence that says why. */
    trouble: z.string().nullable(),
    foreground: z.string().nullable(),
    agent: agentViewSchema.nullable(),
    /** A sentence if it resumed another conversation than it should have. */
    mismatch: z.string().nullable(),
  }),
  keptSchema.extend({
    state: z.literal('settling'),
    run: z.string(),
    pid: z.int().nullable(),
    holderPid: z.int().nullable(),
    /** What comes after its program has ended. */
    settlesTo: z.enum(['sleep', 'close']),
  }),
])
export type TerminalView = z.infer<typeof terminalViewSchema>
export type Because = z.infer<typeof becauseSchema>
type AsleepView = Extract<TerminalView, { readonly state: 'asleep' }>

/** Null where the terminal is in a state that has none. */
export const agentOf = (terminal: TerminalView): AgentView | null => (terminal.state === 'live' ? terminal.agent : null)
export const troubleOf = (terminal: TerminalView): string | null => (terminal.state === 'live' ? terminal.trouble : null)
export const becauseOf = (terminal: TerminalView): Because | null => (terminal.state === 'asleep' ? terminal.because : null)
export const offersOf = (terminal: TerminalView): AsleepView['offers'] | null => (terminal.state === 'asleep' ? terminal.offers : null)

/** What a terminal lacks in one state or another, as it stands in JSON. */
export const ABSENT = {
  because: null,
  trouble: null,
  run: null,
  pid: null,
  holderPid: null,
  foreground: null,
  agent: null,
  mismatch: null,
  settlesTo: null,
  offers: null,
} as const

export const workspaceListedSchema = z.object({
  id: z.string(),
  name: z.string(),
  group: z.string(),
  /** Ids, in the order of the layout. */
  terminals: z.array(z.string()),
})
export type WorkspaceListed = z.infer<typeof workspaceListedSchema>
