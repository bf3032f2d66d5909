import { z } from 'zod'
import { ON_RESTORE } from '../../workspace/terminal/terminal.ts'
import { checkpointDiffSchema, checkpointSummarySchema, checkpointViewSchema, restorePlanSchema } from '../checkpointView.ts'
import { terminalViewSchema } from '../view.ts'
import { absolutePath, checkpointRef, nothing, ref, row } from './row.ts'

const LONGEST_PASSPHRASE = 1_024
/** Fewer characters are guessed within hours, whatever each guess costs. */
export const SHORTEST_PASSPHRASE = 8
const newPassphrase = z.string().min(SHORTEST_PASSPHRASE).max(LONGEST_PASSPHRASE)

export const checkpointCommands = {
  'checkpoint.list': row({
    help: 'List all checkpoints, newest first.',
    changes: false,
    needs: 'everything',
    params: nothing,
    result: z.array(checkpointSummarySchema),
  }),
  'checkpoint.show': row({
    help: 'Show the contents of a checkpoint, without secrets and screens.',
    changes: false,
    needs: 'everything',
    params: z.object({ checkpoint: checkpointRef }),
    result: checkpointViewSchema,
  }),
  'checkpoint.screen': row({
    help: 'Show the screen of a terminal in a checkpoint.',
    changes: false,
    needs: 'everything',
    params: z.object({ checkpoint: checkpointRef, terminal: ref, format: z.enum(['text', 'ansi', 'html', 'json']) }),
    result: z.object({ checkpoint: z.string(), terminal: z.string(), content: z.string() }),
  }),
  'checkpoint.diff': row({
    help: 'Compare a checkpoint with another one, or with now.',
    changes: false,
    needs: 'everything',
    params: z.object({ from: checkpointRef, to: checkpointRef.or(z.literal('now')) }),
    result: z.object({ from: z.string(), to: z.string(), diff: checkpointDiffSchema }),
  }),
  'checkpoint.create': row({
    help: 'Take a checkpoint now.',
    changes: true,
    needs: 'everything',
    params: z.object({ note: z.string().max(500).optional() }),
    result: checkpointSummarySchema,
  }),
  'checkpoint.delete': row({
    help: 'Delete a checkpoint; the newest good one needs `force`.',
    changes: true,
    needs: 'everything',
    params: z.object({ checkpoint: checkpointRef, force: z.boolean() }),
    result: z.object({ id: z.string() }),
  }),
  'restore.plan': row({
    help: 'Show what restoring a checkpoint would do, without changing anything.',
    changes: false,
    needs: 'everything',
    params: z.object({ checkpoint: checkpointRef.optional(), only: z.string().optional() }),
    result: restorePlanSchema,
  }),
  'restore.apply': row({
    help: 'Restore the layout and screens of a checkpoint. Running programs keep running; none is started.',
    changes: true,
    needs: 'everything',
    params: z.object({ checkpoint: checkpointRef.optional(), only: z.string().optional() }),
    /** `undo` is the checkpoint that was taken before: restoring that one takes this back. */
    result: z.object({ plan: restorePlanSchema, undo: z.string() }),
  }),
  'restore.set': row({
    help: 'Set whether a terminal is woken automatically after a crash.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref, onRestore: z.enum(ON_RESTORE) }),
    result: terminalViewSchema,
  }),
  'workspace.export': row({
    help: 'Export a checkpoint to a file, without secrets; screens only on request.',
    changes: true,
    needs: 'everything',
    params: z.object({
      file: absolutePath,
      only: z.string().optional(),
      checkpoint: checkpointRef.optional(),
      force: z.boolean(),
      /** Whatever programs printed goes along, secrets included. Left out: no screens. */
      screens: z.boolean().optional(),
      passphrase: newPassphrase.optional(),
    }),
    result: z.object({
      ...{ file: z.string(), bytes: z.int(), checkpoint: z.string(), terminals: z.int(), screens: z.int() },
      /** Whether a passphrase is needed to read it. */
      sealed: z.boolean().default(false),
    }),
  }),
  'workspace.import': row({
    help: 'Import an exported file, with its terminals asleep, or show what that would do.',
    changes: true,
    needs: 'everything',
    params: z.object({ file: absolutePath, planOnly: z.boolean(), passphrase: z.string().max(LONGEST_PASSPHRASE).optional() }),
    result: z.object({ plan: restorePlanSchema, undo: z.string().nullable() }),
  }),
} as const
