import { z } from 'zod'
import { STARTED_FROM } from '../../workspace/terminal/resume.ts'
import { LEADS } from '../../workspace/terminal/sizing.ts'
import { BACKENDS, ON_RESTORE, PROGRAM_GRANTS } from '../../workspace/terminal/terminal.ts'
import { rectSchema } from '../topologyView.ts'
import { sizeSchema, terminalViewSchema } from '../view.ts'
import { lineNumber, nothing, ref, row } from './row.ts'

const linesSchema = z.object({
  /** The oldest line of the run that is still there. */
  first: lineNumber.min(0),
  /** The oldest line in this answer. */
  from: lineNumber,
  /** The oldest line there is at all: below 0 if the earlier run can be read, -1 until it was. Omitted: `first`. */
  oldest: lineNumber.optional(),
})
const historyLines = z.int().min(0).max(100_000).describe('how many lines above the screen')
const MINUTE_MS = 60_000
const beside = z.object({ terminal: ref, where: z.enum(['left', 'right', 'top', 'bottom', 'center']) })

export const terminalCommands = {
  'terminal.list': row({
    help: 'List all terminals.',
    changes: false,
    needs: 'read',
    params: nothing,
    result: z.array(terminalViewSchema),
  }),
  'terminal.new': row({
    help: 'Start a program in a new terminal.',
    changes: true,
    needs: 'everything',
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
      /** Nothing that it prints or is given is written to disk. */
      private: z.boolean().optional(),
      onRestore: z.enum(ON_RESTORE).optional(),
      /** What is to hold it; left out: as the configuration says. */
      backend: z.enum(BACKENDS).optional(),
      /** What its programs may do through HOLDFAST_SOCKET; left out: as the configuration says. */
      may: z.enum(PROGRAM_GRANTS).optional(),
      /** Where in the split view; left out: where there is most room. */
      beside: beside.optional(),
      /** Where on the canvas; left out: where nothing is. */
      rect: rectSchema.optional(),
    }),
    result: terminalViewSchema,
  }),
  'terminal.adopt': row({
    help: 'Adopt panes of the user’s own tmux as guests, which Holdfast never ends.',
    changes: true,
    needs: 'everything',
    params: z.object({
      /** Of the tmux server. */
      socket: z.string().min(1),
      /** Left out: all of them. */
      session: z.string().optional(),
      /** Omitted: a workspace named after the session. */
      workspace: z.string().optional(),
    }),
    /** `pane` is as tmux writes it: session:window.pane. */
    result: z.object({
      adopted: z.array(z.object({ pane: z.string(), terminal: terminalViewSchema })),
      left: z.array(z.object({ pane: z.string(), command: z.string(), why: z.string() })),
    }),
  }),
  'terminal.attach': row({
    help: 'Show how to follow a live terminal: its holder’s socket and a snapshot (the blob) to start from.',
    changes: false,
    needs: 'everything',
    params: z.object({
      terminal: ref,
      history: historyLines.optional(),
      /** No older line than this one: what came before has been painted already. */
      since: lineNumber.min(0).optional(),
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
    help: 'Follow a terminal on a channel of this connection; the blob is a snapshot unless `from` can be continued.',
    changes: false,
    needs: 'read',
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
      /** True if the stream continues exactly at `from`: no repaint is needed. */
      continued: z.boolean(),
    }),
  }),
  'terminal.send': row({
    help: 'Type into a terminal: text, then keys, then Enter, as separate writes.',
    changes: true,
    needs: 'send',
    params: z.object({ terminal: ref, text: z.string().optional(), keys: z.array(z.string()).optional(), enter: z.boolean().optional() }),
    result: nothing,
  }),
  'terminal.look': row({
    help: 'Register this connection’s viewport size; it ends with the connection.',
    changes: true,
    needs: 'everything',
    params: z.object({
      terminal: ref,
      /** Null when it is no longer visible. A size that no terminal can have is ignored: hidden windows report such sizes. */
      size: z.object({ cols: z.int(), rows: z.int() }).nullable(),
      lead: z.enum(LEADS),
    }),
    /** `client` is the number by which `sizedBy` names this connection. */
    result: z.object({ client: z.int(), terminal: terminalViewSchema }),
  }),
  'terminal.resize': row({
    help: 'Resize a terminal, until a client that shows it takes the lead again.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref, size: sizeSchema }),
    result: terminalViewSchema,
  }),
  'terminal.read': row({
    help: 'Read the screen and the history of a terminal.',
    changes: false,
    needs: 'read',
    params: z.object({
      terminal: ref,
      history: z.union([z.int().min(0), z.literal('all')]),
      format: z.enum(['text', 'ansi', 'html', 'json']),
    }),
    /** Where an answer would be too long, the oldest lines are left out: `from` is beyond `first` then. `faults`: what of its log is lost. */
    result: z.object({ content: z.string(), lines: linesSchema, faults: z.array(z.string()) }),
  }),
  'terminal.history': row({
    help: 'Read a page of a terminal’s lines: those before a line, or the last ones.',
    changes: false,
    needs: 'read',
    params: z.object({
      terminal: ref,
      /** Left out: the end. */
      before: lineNumber.optional(),
      count: z.int().min(1).max(10_000),
      format: z.enum(['text', 'ansi']),
    }),
    /** `end` is the number after the last line there is, the screen's included. */
    result: linesSchema.extend({ end: lineNumber.min(0), lines: z.array(z.string()) }),
  }),
  'terminal.position': row({
    help: 'Show the run of a terminal and its position in bytes, where a wait starts.',
    changes: false,
    needs: 'read',
    params: z.object({ terminal: ref }),
    result: z.object({ run: z.string().nullable(), seq: z.number() }),
  }),
  'terminal.wait': row({
    help: 'Wait for text, silence, an exit or an agent state.',
    changes: false,
    needs: 'read',
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
    help: 'Rename a terminal; an empty name clears it.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref, name: z.string() }),
    result: terminalViewSchema,
  }),
  'terminal.theme': row({
    help: 'Set the color theme of a terminal; null clears it.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref, theme: z.string().max(64).nullable() }),
    result: terminalViewSchema,
  }),
  'terminal.pin': row({
    help: 'Pin or unpin a terminal.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref, pinned: z.boolean() }),
    result: terminalViewSchema,
  }),
  'terminal.mute': row({
    help: 'Mute or unmute the notifications of a terminal.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref, muted: z.boolean() }),
    result: terminalViewSchema,
  }),
  'terminal.seen': row({
    help: 'Mark a terminal as read.',
    changes: true,
    needs: 'everything',
    params: z.object({
      terminal: ref,
      /** A line was entered on a link to the holder, which the daemon does not see. */
      entered: z.boolean().optional(),
    }),
    result: terminalViewSchema,
  }),
  'terminal.wake': row({
    help: 'Wake a terminal: resume it, or start it fresh.',
    changes: true,
    needs: 'everything',
    params: z.object({
      terminal: ref,
      /** Left out: resume. Where there is nothing to resume, that is the same as afresh. */
      mode: z.enum(['resume', 'fresh']).optional(),
      /** Another conversation than the known one, by the agent’s own id. */
      conversation: z.string().optional(),
      /** Run only the command of a private terminal whose arguments were not stored. Left out: refused. */
      withoutArguments: z.boolean().optional(),
      /** Resume the agent with the command line that was offered, where it is not certain how to start it as it was started. */
      asShown: z.boolean().optional(),
      /** The size of the viewport that will show it; clients that show it already take precedence. */
      size: sizeSchema.optional(),
      inherited: z.record(z.string(), z.string()).optional(),
      /** The user has seen what an imported terminal runs, and wants it to. Such a terminal is refused without it. */
      confirmed: z.boolean().optional(),
    }),
    /** `started` says what was chosen: the arguments of a conversation, those of the resume table, or the original ones; `text` is to be read. */
    result: terminalViewSchema.and(z.object({ started: z.object({ from: z.enum(STARTED_FROM), text: z.string() }) })),
  }),
  'terminal.sleep': row({
    help: 'Put a terminal to sleep: settle and end its program, keep its place.',
    changes: true,
    needs: 'everything',
    params: z.object({
      terminal: ref,
      /** Left out: refused where something would be lost, with what that is. */
      force: z.boolean().optional(),
    }),
    result: terminalViewSchema,
  }),
  'terminal.move': row({
    help: 'Move a terminal to another workspace, or to a place beside another terminal.',
    changes: true,
    needs: 'everything',
    params: z.object({
      terminal: ref,
      /** Left out: the workspace of `beside`. */
      to: ref.optional(),
      beside: beside.optional(),
    }),
    result: terminalViewSchema,
  }),
} as const
