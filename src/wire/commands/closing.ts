/** Closing, what it costs, and how it is taken back. */
import { z } from 'zod'
import { START_OVER } from '../../workspace/startOver.ts'
import { WORKTREE_OBSTACLES } from '../../workspace/worktreeVerdict.ts'
import { agentViewSchema, terminalViewSchema } from '../view.ts'
import { nothing, ref, row } from './row.ts'

/** `isRemovable` is the verdict; where it is false, `why` is a sentence for people, and `kind` a word for programs. */
const worktreeShown = z.object({
  name: z.string(),
  path: z.string(),
  branch: z.string().nullable(),
  isRemovable: z.boolean(),
  kind: z.enum(WORKTREE_OBSTACLES).nullable(),
  why: z.string().nullable(),
})

export const closingSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  state: terminalViewSchema.shape.state,
  /** Whether something would be lost: then people are asked. */
  asks: z.boolean(),
  /** It is in the user's own tmux: closed here, it goes on there. */
  goesOn: z.boolean().default(false),
  /** What has the keyboard, as a command line to be read; null where nothing runs, or only a shell at its prompt. */
  program: z.string().nullable(),
  agent: agentViewSchema.nullable(),
  /** How many processes there are besides the program. */
  others: z.int(),
  /** What its agent keeps in files of its own, and goes on with elsewhere; null where there is none. */
  conversation: z.object({ agent: z.string(), id: z.string() }).nullable(),
  /** The git worktree that it is in; null outside of any repository, and where it was not looked at. */
  worktree: worktreeShown.nullable(),
})
export type ClosingView = z.infer<typeof closingSchema>

export const closedSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  /** What it ran, as a command line to be read. */
  command: z.string(),
  directory: z.string(),
  /** Where it would stand, as far as that is known now. */
  workspace: z.string(),
  at: z.number(),
  until: z.number(),
})
export type ClosedView = z.infer<typeof closedSchema>

export const closingCommands = {
  'terminal.closing': row({
    help: 'What closing a terminal would cost: what runs in it, and whether its worktree could go with it.',
    changes: false,
    needs: 'everything',
    params: z.object({
      terminal: ref,
      /** False: its worktree is not looked at, which may take seconds. */
      worktree: z.boolean().optional(),
    }),
    result: closingSchema,
  }),
  'terminal.close': row({
    help: 'End a terminal’s program, if any, and take the terminal away; for five minutes it can be reopened.',
    changes: true,
    needs: 'everything',
    params: z.object({
      terminal: ref,
      /** Removes the git worktree that it is in, if that is clean once its program has ended; the branch stays. */
      removeWorktree: z.boolean().optional(),
    }),
    result: z.object({
      id: z.string(),
      /** It was in the user's own tmux, and goes on there. */
      goesOn: z.boolean().default(false),
      /** Until then it can be reopened. */
      until: z.number(),
      /** Null where its removal was not asked for. `why` says why it was left. */
      worktree: z.object({ path: z.string().nullable(), removed: z.boolean(), why: z.string().nullable() }).nullable(),
    }),
  }),
  'terminal.closed': row({
    help: 'Terminals that were closed and can be reopened, the last one first.',
    changes: false,
    needs: 'everything',
    params: nothing,
    result: z.array(closedSchema),
  }),
  'terminal.reopen': row({
    help: 'Bring a terminal back that was closed in the last five minutes: asleep, in its place, with its history.',
    changes: true,
    needs: 'everything',
    params: z.object({
      /** Left out: the one that was closed last. */
      terminal: ref.optional(),
    }),
    /** `notes`: sentences about what is not as it was. */
    result: terminalViewSchema.extend({ notes: z.array(z.string()) }),
  }),
  'workspace.startOver': row({
    help: 'Close every terminal and begin with an empty workspace; a checkpoint that takes it back comes first.',
    changes: true,
    needs: 'everything',
    params: z.object({
      /** So that nobody does it by mistake. */
      confirm: z.literal(START_OVER),
    }),
    result: z.object({
      /** Restoring it takes all of this back. */
      checkpoint: z.string(),
      closed: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
    }),
  }),
} as const
