/**
 * Every command of the daemon is one row: name, parameters, result, help, and whether it changes anything.
 * The daemon has one handler per row; the CLI and the page call the same rows.
 */
import { z } from 'zod'
import { HOOK_FIELDS, LONGEST_FIELD } from '../agents/hooks/hookEvent.ts'
import { LEADS } from '../workspace/sizing.ts'
import { STARTED_FROM } from '../workspace/startedFrom.ts'
import { ON_RESTORE } from '../workspace/terminal.ts'
import { agentLogEntrySchema } from './agentView.ts'
import { checkpointDiffSchema, checkpointSummarySchema, checkpointViewSchema } from './checkpointView.ts'
import { restorePlanSchema } from './restoreView.ts'
import { sizeSchema, terminalViewSchema, workspaceListedSchema, workspaceViewSchema } from './view.ts'

const ref = z.string().describe('id, unique beginning of an id, or name')
const checkpointRef = z.string().describe('id, unique beginning of an id, latest, or latest~N')
const absolutePath = z.string().min(1).max(4_096).startsWith('/')
const nothing = z.object({})
/** Lines are numbered from the run's first one, 0, whatever the width: a line that wraps is one line. */
const lineNumber = z.int().min(0)
const linesSchema = z.object({
  /** The oldest line that is still there. */
  first: lineNumber,
  /** The oldest line in this answer. */
  from: lineNumber,
})
const historyLines = z.int().min(0).max(100_000).describe('how many lines above the screen')
const MINUTE_MS = 60_000

const row = <Params extends z.ZodType, Outcome extends z.ZodType>(definition: {
  readonly help: string
  readonly changes: boolean
  readonly params: Params
  readonly result: Outcome
}) => definition

export const COMMANDS = {
  'terminal.list': row({ help: 'List all terminals.', changes: false, params: nothing, result: z.array(terminalViewSchema) }),
  'terminal.new': row({
    help: 'Start a program in a new terminal.',
    changes: true,
    params: z.object({
      name: z.string().optional(),
      cwd: z.string().min(1),
      workspace: z.string().optional(),
      size: sizeSchema.optional(),
      env: z.record(z.string(), z.string()),
      /** The caller’s environment; the daemon takes from it what its allow-list names. */
      inherited: z.record(z.string(), z.string()).optional(),
      /** Left out: the user’s shell. */
      command: z.string().min(1).optional(),
      args: z.array(z.string()),
      /** Nothing that it prints is written to disk. */
      private: z.boolean().optional(),
      onRestore: z.enum(ON_RESTORE).optional(),
    }),
    result: terminalViewSchema,
  }),
  'terminal.attach': row({
    help: 'Where a live terminal can be followed: its holder’s socket and a snapshot (the blob) to begin with.',
    changes: false,
    params: z.object({
      terminal: ref,
      history: historyLines.optional(),
      /** No older line than this one: what came before has been painted already. */
      since: lineNumber.optional(),
    }),
    result: z.object({
      terminal: terminalViewSchema,
      socketPath: z.string(),
      run: z.string(),
      seq: z.number(),
      size: sizeSchema,
      lines: linesSchema,
    }),
  }),
  'terminal.open': row({
    help: 'Follow a terminal through the daemon on a channel of this connection; a snapshot is the blob unless `from` can be continued.',
    changes: false,
    params: z.object({
      terminal: ref,
      from: z.object({ run: z.string(), seq: z.number() }).optional(),
      history: historyLines.optional(),
      window: z
        .int()
        .min(4096)
        .max(16 << 20),
    }),
    result: z.object({
      terminal: terminalViewSchema,
      /** Null for a terminal that is not live: there is only the snapshot. */
      channel: z.int().nullable(),
      run: z.string().nullable(),
      seq: z.number(),
      size: sizeSchema,
      /** Null where there is no snapshot: nothing has run yet, or the stream is continued. */
      lines: linesSchema.nullable(),
      /** True when the stream goes on exactly at `from`: nothing is to be repainted. */
      continued: z.boolean(),
    }),
  }),
  'terminal.send': row({
    help: 'Type into a terminal: text, then keys, then Enter, as separate writes.',
    changes: true,
    params: z.object({ terminal: ref, text: z.string().optional(), keys: z.array(z.string()).optional(), enter: z.boolean().optional() }),
    result: nothing,
  }),
  'terminal.look': row({
    help: 'Say through a place of which size this connection looks at a terminal; it ends with the connection.',
    changes: true,
    params: z.object({
      terminal: ref,
      /** Null when it cannot be seen any more. One that no terminal can have is ignored: hidden windows report such. */
      size: z.object({ cols: z.int(), rows: z.int() }).nullable(),
      lead: z.enum(LEADS),
    }),
    /** `client` is the number by which `sizedBy` names this connection. */
    result: z.object({ client: z.int(), terminal: terminalViewSchema }),
  }),
  'terminal.resize': row({
    help: 'Give a terminal exactly this size, until somebody who looks at it leads again.',
    changes: true,
    params: z.object({ terminal: ref, size: sizeSchema }),
    result: terminalViewSchema,
  }),
  'terminal.read': row({
    help: 'Read the screen and the history of a terminal.',
    changes: false,
    params: z.object({
      terminal: ref,
      history: z.union([z.int().min(0), z.literal('all')]),
      format: z.enum(['text', 'ansi', 'html', 'json']),
    }),
    /** Where an answer would be too long, the oldest lines are left out: `from` is beyond `first` then. `faults`: what of its log is lost. */
    result: z.object({ content: z.string(), lines: linesSchema, faults: z.array(z.string()) }),
  }),
  'terminal.history': row({
    help: 'A page of a terminal’s lines, by number: those before a line, or the last ones.',
    changes: false,
    params: z.object({
      terminal: ref,
      /** Left out: the end. */
      before: lineNumber.optional(),
      count: z.int().min(1).max(10_000),
      format: z.enum(['text', 'ansi']),
    }),
    /** `end` is the number after the last line there is, the screen's included. */
    result: linesSchema.extend({ end: lineNumber, lines: z.array(z.string()) }),
  }),
  'terminal.position': row({
    help: 'Which run a terminal shows, and how many bytes of it: where a wait begins.',
    changes: false,
    params: z.object({ terminal: ref }),
    result: z.object({ run: z.string().nullable(), seq: z.number() }),
  }),
  'terminal.wait': row({
    help: 'Wait until the terminal shows a text, is idle, its program has ended, or its agent is in a state.',
    changes: false,
    params: z.object({
      terminal: ref,
      until: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('text'), pattern: z.string().min(1) }),
        z.object({ kind: z.literal('idle'), ms: z.int().min(1) }),
        z.object({ kind: z.literal('exit') }),
        /** `idle` is met by `done` too: it is the user’s turn. */
        z.object({ kind: z.literal('agent'), state: z.enum(['working', 'needs-you', 'done', 'idle']) }),
      ]),
      /** Where the wait began with a daemon that is gone: a text that has been printed since counts too. */
      from: z.object({ run: z.string(), seq: z.number() }).optional(),
      timeoutMs: z
        .int()
        .min(0)
        .max(7 * 24 * 60 * MINUTE_MS)
        .optional(),
    }),
    result: z.object({
      matched: z.string().nullable(),
      status: z.union([z.object({ code: z.int() }), z.object({ signal: z.string() })]).nullable(),
    }),
  }),
  'terminal.rename': row({
    help: 'Name a terminal; an empty name takes it away.',
    changes: true,
    params: z.object({ terminal: ref, name: z.string() }),
    result: terminalViewSchema,
  }),
  'terminal.wake': row({
    help: 'Start the program of an asleep terminal again: to go on where it was, or afresh.',
    changes: true,
    params: z.object({
      terminal: ref,
      /** Left out: resume. Where there is nothing to resume, that is the same as afresh. */
      mode: z.enum(['resume', 'fresh']).optional(),
      /** Another conversation than the known one, by the agent’s own id. */
      conversation: z.string().optional(),
      inherited: z.record(z.string(), z.string()).optional(),
    }),
    result: terminalViewSchema.extend({
      /** What was chosen: the arguments of a conversation, those of the resume table, or the original ones; `text` is to be read. */
      started: z.object({ from: z.enum(STARTED_FROM), text: z.string() }),
    }),
  }),
  'terminal.close': row({
    help: 'End a terminal’s program, if any, and forget the terminal.',
    changes: true,
    params: z.object({ terminal: ref }),
    result: nothing,
  }),
  'terminal.sleep': row({
    help: 'End a terminal’s program after settling it; the terminal stays, asleep, in its place.',
    changes: true,
    params: z.object({ terminal: ref }),
    result: terminalViewSchema,
  }),
  'terminal.move': row({
    help: 'Move a terminal to another workspace, or to a place beside another terminal.',
    changes: true,
    params: z.object({
      terminal: ref,
      /** Left out: the workspace of `beside`. */
      to: ref.optional(),
      beside: z.object({ terminal: ref, where: z.enum(['left', 'right', 'top', 'bottom', 'center']) }).optional(),
    }),
    result: terminalViewSchema,
  }),
  'agent.log': row({
    help: 'What was decided about the agents of a terminal and their conversations, and why; newest first.',
    changes: false,
    params: z.object({ terminal: ref, limit: z.int().min(1).max(1_000).optional() }),
    result: z.array(agentLogEntrySchema),
  }),
  'agent.report': row({
    help: 'What an agent’s hook says; taken only from below the agent that has the terminal’s keyboard.',
    changes: true,
    params: z.object({
      terminal: ref,
      agent: z.string().min(1).max(64),
      event: z.string().regex(/^[A-Za-z][A-Za-z.]{0,39}$/),
      /** Only the fields that are used, each a text. */
      payload: z.partialRecord(z.enum(HOOK_FIELDS), z.string().max(LONGEST_FIELD)),
      /** The process that reports. */
      reporter: z.object({ pid: z.int().min(1) }),
    }),
    result: z.object({ taken: z.boolean(), why: z.string().nullable() }),
  }),
  'workspace.list': row({ help: 'List all workspaces.', changes: false, params: nothing, result: z.array(workspaceListedSchema) }),
  'workspace.new': row({ help: 'Add a workspace.', changes: true, params: z.object({ name: z.string() }), result: workspaceListedSchema }),
  'workspace.rename': row({
    help: 'Give a workspace another name.',
    changes: true,
    params: z.object({ workspace: ref, name: z.string() }),
    result: workspaceListedSchema,
  }),
  'workspace.close': row({
    help: 'Remove a workspace; its terminals, if any, go to another one.',
    changes: true,
    params: z.object({ workspace: ref, moveTo: ref.optional() }),
    result: z.object({ moved: z.array(z.string()) }),
  }),
  'checkpoint.list': row({
    help: 'List all checkpoints, newest first.',
    changes: false,
    params: nothing,
    result: z.array(checkpointSummarySchema),
  }),
  'checkpoint.show': row({
    help: 'Everything that a checkpoint holds, without secrets and screens.',
    changes: false,
    params: z.object({ checkpoint: checkpointRef }),
    result: checkpointViewSchema,
  }),
  'checkpoint.screen': row({
    help: 'The screen of a terminal as a checkpoint has it.',
    changes: false,
    params: z.object({ checkpoint: checkpointRef, terminal: ref, format: z.enum(['text', 'ansi', 'html', 'json']) }),
    result: z.object({ checkpoint: z.string(), terminal: z.string(), content: z.string() }),
  }),
  'checkpoint.diff': row({
    help: 'What is different between a checkpoint and another one, or the workspace now.',
    changes: false,
    params: z.object({ from: checkpointRef, to: checkpointRef.or(z.literal('now')) }),
    result: z.object({ from: z.string(), to: z.string(), diff: checkpointDiffSchema }),
  }),
  'checkpoint.create': row({
    help: 'Take a checkpoint now.',
    changes: true,
    params: z.object({ note: z.string().max(500).optional() }),
    result: checkpointSummarySchema,
  }),
  'checkpoint.delete': row({
    help: 'Delete a checkpoint; the newest good one only if `force` is set.',
    changes: true,
    params: z.object({ checkpoint: checkpointRef, force: z.boolean() }),
    result: z.object({ id: z.string() }),
  }),
  'search.query': row({
    help: 'Find lines by their words in the history of all terminals, or of one; newest first.',
    changes: false,
    params: z.object({
      query: z.string().max(10_000),
      terminal: ref.optional(),
      /** In ms; left out: from the beginning, until now. */
      since: z.number().optional(),
      until: z.number().optional(),
      limit: z.int().min(1).max(1_000),
      /** Lines before and after each one. */
      context: z.int().min(0).max(50),
    }),
    result: z.object({
      hits: z.array(
        z.object({
          terminal: z.string(),
          run: z.string(),
          /** The terminal has been woken since: the line can be found, but not be read with the others any more. */
          isPast: z.boolean(),
          /** Null on the alternate screen, which has no history. */
          number: lineNumber.nullable(),
          /** When it was seen, in ms; coarse. */
          at: z.number(),
          line: z.string(),
          /** Where the words stand in it. */
          spans: z.array(z.object({ from: z.int(), to: z.int() })),
          before: z.array(z.string()),
          after: z.array(z.string()),
        }),
      ),
      /** Whether there are more than `limit`. */
      more: z.boolean(),
      /** Terminals of which not all lines are indexed yet; how many are missing, where that is known. */
      pending: z.array(z.object({ terminal: z.string(), lines: z.int().nullable() })),
      terminals: z.array(terminalViewSchema),
    }),
  }),
  'restore.plan': row({
    help: 'What restoring a checkpoint would do: nothing is changed.',
    changes: false,
    params: z.object({ checkpoint: checkpointRef.optional(), only: z.string().optional() }),
    result: restorePlanSchema,
  }),
  'restore.apply': row({
    help: 'Restore a checkpoint: its layout and its screens. Programs that run go on; nothing is started.',
    changes: true,
    params: z.object({ checkpoint: checkpointRef.optional(), only: z.string().optional() }),
    /** `undo` is the checkpoint that was taken before: restoring that one takes this back. */
    result: z.object({ plan: restorePlanSchema, undo: z.string() }),
  }),
  'restore.set': row({
    help: 'Say of one terminal whether it is woken by itself after a crash.',
    changes: true,
    params: z.object({ terminal: ref, onRestore: z.enum(ON_RESTORE) }),
    result: terminalViewSchema,
  }),
  'workspace.export': row({
    help: 'Write a checkpoint with its screens into a file, without secrets.',
    changes: true,
    params: z.object({ file: absolutePath, only: z.string().optional(), checkpoint: checkpointRef.optional(), force: z.boolean() }),
    result: z.object({ file: z.string(), bytes: z.int(), checkpoint: z.string(), terminals: z.int(), screens: z.int() }),
  }),
  'workspace.import': row({
    help: 'Put what a file holds beside what is here, asleep; or only say what that would be.',
    changes: true,
    params: z.object({ file: absolutePath, planOnly: z.boolean() }),
    result: z.object({ plan: restorePlanSchema, undo: z.string().nullable() }),
  }),
  'daemon.status': row({
    help: 'Who the daemon is and how it does.',
    changes: false,
    params: nothing,
    result: z.object({
      pid: z.int(),
      startedAt: z.number(),
      version: z.string(),
      home: z.string(),
      web: z.object({ url: z.string().nullable(), trouble: z.string().nullable() }),
      terminals: z.object({ live: z.int(), asleep: z.int() }),
      clients: z.int(),
      /** Of the screens, since the daemon started; an inexact one would not come back as it was, and is not used if it can be helped. */
      snapshots: z.object({ taken: z.int(), inexact: z.int() }),
      /** What all runs take on disk, and what they may. */
      logs: z.object({ bytes: z.int(), limit: z.int() }),
      /** Sentences about what does not work as it should; empty when all is well. */
      troubles: z.array(z.string()),
    }),
  }),
  'daemon.stop': row({
    help: 'Stop the daemon. Programs keep running unless `all` is set.',
    changes: true,
    params: z.object({ all: z.boolean() }),
    result: z.object({ ended: z.int() }),
  }),
  'web.login': row({
    help: 'Make a link that logs a browser in once.',
    changes: true,
    params: nothing,
    result: z.object({ url: z.string() }),
  }),
  watch: row({
    help: 'Be told of every change from now on.',
    changes: false,
    params: nothing,
    result: z.object({ terminals: z.array(terminalViewSchema), workspaces: z.array(workspaceViewSchema) }),
  }),
} as const

export type CommandName = keyof typeof COMMANDS
export type Params<Name extends CommandName> = z.infer<(typeof COMMANDS)[Name]['params']>
export type Outcome<Name extends CommandName> = z.infer<(typeof COMMANDS)[Name]['result']>
