/** Closing, what it costs, and how it is taken back. */
import { z } from 'zod'
import { START_OVER } from '../../workspace/checkpoint/startOver.ts'
import { WORKTREE_OBSTACLES } from '../../workspace/terminal/worktreeVerdict.ts'
import { agentViewSchema, terminalStateSchema, terminalViewSchema } from '../view.ts'
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

const closingSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  state: terminalStateSchema,
  /** Whether something would be lost: then people are asked. */
  asks: z.boolean(),
  /** It is in the user's own tmux, where its program keeps running after a close. */
  goesOn: z.boolean().default(false),
  /** What has the keyboard, as a command line to be read; null where nothing runs, or only a shell at its prompt. */
  program: z.string().nullable(),
  agent: agentViewSchema.nullable(),
  /** How many processes there are besides the program. */
  others: z.int(),
  /** The conversation that stays in the agent's own files; null if there is none. */
  conversation: z.object({ agent: z.string(), id: z.string() }).nullable(),
  /** The git worktree that it is in; null outside of any repository, and where it was not looked at. */
  worktree: worktreeShown.nullable(),
})
export type ClosingView = z.infer<typeof closingSchema>

const closedSchema = z.object({
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
    help: 'Show what closing a terminal would end, and whether its worktree can be removed.',
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
    help: 'Close a terminal and end its program; it can be reopened for five minutes.',
    changes: true,
    needs: 'everything',
    params: z.object({
      terminal: ref,
      /** Removes the git worktree that it is in, if that is clean once its program has ended; the branch stays. */
      removeWorktree: z.boolean().optional(),
    }),
    result: z.object({
      id: z.string(),
      /** It was in the user's own tmux, where its program keeps running. */
      goesOn: z.boolean().default(false),
      /** Until then it can be reopened. */
      until: z.number(),
      /** Null where its removal was not asked for. `why` says why it was left. */
      worktree: z.object({ path: z.string().nullable(), removed: z.boolean(), why: z.string().nullable() }).nullable(),
    }),
  }),
  'terminal.closed': row({
    help: 'List the closed terminals that can be reopened, last closed first.',
    changes: false,
    needs: 'everything',
    params: nothing,
    result: z.array(closedSchema),
  }),
  'terminal.reopen': row({
    help: 'Reopen a terminal closed in the last five minutes: asleep, in its place, with its history.',
    changes: true,
    needs: 'everything',
    params: z.object({
      /** Omitted: the terminal closed last. */
      terminal: ref.optional(),
    }),
    /** `notes`: sentences about what is not as it was. */
    result: terminalViewSchema.and(z.object({ notes: z.array(z.string()) })),
  }),
  'workspace.startOver': row({
    help: 'Close every terminal and start with an empty workspace, after saving a checkpoint.',
    changes: true,
    needs: 'everything',
    params: z.object({
      /** Guards against mistakes. */
      confirm: z.literal(START_OVER),
    }),
    result: z.object({
      /** Restoring it takes all of this back. */
      checkpoint: z.string(),
      closed: z.array(z.object({ id: z.string(), name: z.string().nullable() })),
    }),
  }),
} as const
