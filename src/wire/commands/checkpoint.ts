import { z } from 'zod'
import { ON_RESTORE } from '../../workspace/terminal.ts'
import { checkpointDiffSchema, checkpointSummarySchema, checkpointViewSchema } from '../checkpointView.ts'
import { restorePlanSchema } from '../restoreView.ts'
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
    help: 'Everything that a checkpoint holds, without secrets and screens.',
    changes: false,
    needs: 'everything',
    params: z.object({ checkpoint: checkpointRef }),
    result: checkpointViewSchema,
  }),
  'checkpoint.screen': row({
    help: 'The screen of a terminal as a checkpoint has it.',
    changes: false,
    needs: 'everything',
    params: z.object({ checkpoint: checkpointRef, terminal: ref, format: z.enum(['text', 'ansi', 'html', 'json']) }),
    result: z.object({ checkpoint: z.string(), terminal: z.string(), content: z.string() }),
  }),
  'checkpoint.diff': row({
    help: 'What is different between a checkpoint and another one, or the workspace now.',
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
    help: 'Delete a checkpoint; the newest good one only if `force` is set.',
    changes: true,
    needs: 'everything',
    params: z.object({ checkpoint: checkpointRef, force: z.boolean() }),
    result: z.object({ id: z.string() }),
  }),
  'restore.plan': row({
    help: 'What restoring a checkpoint would do: nothing is changed.',
    changes: false,
    needs: 'everything',
    params: z.object({ checkpoint: checkpointRef.optional(), only: z.string().optional() }),
    result: restorePlanSchema,
  }),
  'restore.apply': row({
    help: 'Restore a checkpoint: its layout and its screens. Programs that run go on; nothing is started.',
    changes: true,
    needs: 'everything',
    params: z.object({ checkpoint: checkpointRef.optional(), only: z.string().optional() }),
    /** `undo` is the checkpoint that was taken before: restoring that one takes this back. */
    result: z.object({ plan: restorePlanSchema, undo: z.string() }),
  }),
  'restore.set': row({
    help: 'Say of one terminal whether it is woken by itself after a crash.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref, onRestore: z.enum(ON_RESTORE) }),
    result: terminalViewSchema,
  }),
  'workspace.export': row({
    help: 'Write a checkpoint into a file, without secrets; its screens only if they are asked for.',
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
    help: 'Put what a file holds beside what is here, asleep; or only say what that would be.',
    changes: true,
    needs: 'everything',
    params: z.object({ file: absolutePath, planOnly: z.boolean(), passphrase: z.string().max(LONGEST_PASSPHRASE).optional() }),
    result: z.object({ plan: restorePlanSchema, undo: z.string().nullable() }),
  }),
} as const
