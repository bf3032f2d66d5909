import { z } from 'zod'
import { accessSchema } from '../capability.ts'
import { healthViewSchema } from '../healthView.ts'
import { pageSettingsSchema } from '../pageSettings.ts'
import { recoveryViewSchema } from '../recoveryView.ts'
import { topologyViewSchema } from '../topologyView.ts'
import { terminalViewSchema } from '../view.ts'
import { nothing, row } from './row.ts'

export const daemonCommands = {
  'daemon.status': row({
    help: 'Show the identity and status of the daemon.',
    changes: false,
    needs: 'everything',
    params: nothing,
    result: z.object({
      pid: z.int(),
      startedAt: z.number(),
      version: z.string(),
      home: z.string(),
      web: z.object({ url: z.string().nullable(), trouble: z.string().nullable() }),
      terminals: z.object({ live: z.int(), asleep: z.int() }),
      clients: z.int(),
      /** Open now, opened since the daemon started, and live ones that no client has needed yet. Omitted by earlier daemons. */
      screens: z.object({ open: z.int(), opened: z.int(), deferred: z.int() }).exactOptional(),
      /** Of the screens, since the daemon started; an inexact one would not come back as it was, and is not used if it can be helped. */
      snapshots: z.object({ taken: z.int(), inexact: z.int() }),
      /** By kind, how many events of programs came faster than they are passed on, since the daemon started. Left out by earlier daemons. */
      events: z.object({ dropped: z.record(z.string(), z.int()) }).exactOptional(),
      /** What all runs take on disk, and what they may. */
      logs: z.object({ bytes: z.int(), limit: z.int() }),
      /** Sentences about what does not work as it should; empty when all is well. */
      troubles: z.array(z.string()),
    }),
  }),
  'daemon.stop': row({
    help: 'Stop the daemon. Programs keep running unless `all` is set.',
    changes: true,
    needs: 'everything',
    params: z.object({ all: z.boolean() }),
    result: z.object({
      ended: z.int(),
      /** Programs that run on; left out by earlier daemons. */
      running: z.int().exactOptional(),
      /** Names or ids of terminals that were to be ended and still have a program. */
      unsettled: z.array(z.string()).exactOptional(),
    }),
  }),
  watch: row({
    help: 'Subscribe to every change.',
    changes: false,
    needs: 'read',
    params: nothing,
    result: z.object({
      terminals: z.array(terminalViewSchema),
      topology: topologyViewSchema,
      settings: pageSettingsSchema,
      /** Left out by daemons that do not ask. */
      recovery: recoveryViewSchema.nullable().optional(),
      /** Left out by earlier daemons. */
      health: healthViewSchema.optional(),
      /** Left out for a client that may do everything. */
      access: accessSchema.optional(),
    }),
  }),
} as const

export const healthCommands = {
  'health.show': row({
    help: 'Show the health of the daemon and every holder.',
    changes: false,
    needs: 'everything',
    params: z.object({
      /** Everything is looked at first, and what had failed gets another chance. */
      check: z.boolean().optional(),
    }),
    result: healthViewSchema,
  }),
} as const

export const recoveryCommands = {
  'recovery.show': row({
    help: 'Show the interrupted terminals, until you have resumed or dismissed them.',
    changes: false,
    needs: 'everything',
    params: nothing,
    result: recoveryViewSchema.nullable(),
  }),
  'recovery.answer': row({
    help: 'Wake some of the interrupted terminals and leave the others asleep; the question is then settled.',
    changes: true,
    needs: 'everything',
    params: z.object({ wake: z.array(z.string()), mode: z.enum(['resume', 'fresh']).optional() }),
    /** Ids, in the order in which they are woken; how it went is told by each terminal. */
    result: z.object({ wakes: z.array(z.string()) }),
  }),
} as const
