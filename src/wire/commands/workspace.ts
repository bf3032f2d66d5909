import { z } from 'zod'
import { COLORS } from '../../workspace/groups.ts'
import { PRESETS } from '../../workspace/presets.ts'
import { VIEWS } from '../../workspace/topology.ts'
import { groupViewSchema, rectSchema, workspaceViewSchema } from '../topologyView.ts'
import { workspaceListedSchema } from '../view.ts'
import { nothing, ref, row } from './row.ts'

const color = z.enum(COLORS)

export const workspaceCommands = {
  'workspace.list': row({
    help: 'List all workspaces.',
    changes: false,
    needs: 'everything',
    params: nothing,
    result: z.array(workspaceListedSchema),
  }),
  'workspace.new': row({
    help: 'Add a workspace.',
    changes: true,
    needs: 'everything',
    params: z.object({ name: z.string(), group: ref.optional() }),
    result: workspaceListedSchema,
  }),
  'workspace.rename': row({
    help: 'Give a workspace another name.',
    changes: true,
    needs: 'everything',
    params: z.object({ workspace: ref, name: z.string() }),
    result: workspaceListedSchema,
  }),
  'workspace.close': row({
    help: 'Remove a workspace; its terminals, if any, go to another one.',
    changes: true,
    needs: 'everything',
    params: z.object({ workspace: ref, moveTo: ref.optional() }),
    result: z.object({ moved: z.array(z.string()) }),
  }),
  'workspace.view': row({
    help: 'Show a workspace as a split or as a canvas.',
    changes: true,
    needs: 'everything',
    params: z.object({ workspace: ref, view: z.enum(VIEWS) }),
    result: workspaceViewSchema,
  }),
  'workspace.move': row({
    help: 'Move a workspace within its group, or to another one.',
    changes: true,
    needs: 'everything',
    params: z.object({ workspace: ref, group: ref.optional(), index: z.int().min(0) }),
    result: workspaceListedSchema,
  }),
  'group.list': row({
    help: 'List all groups with their workspaces.',
    changes: false,
    needs: 'everything',
    params: nothing,
    result: z.array(groupViewSchema),
  }),
  'group.new': row({
    help: 'Add a group of workspaces.',
    changes: true,
    needs: 'everything',
    params: z.object({ name: z.string(), color: color.optional() }),
    result: groupViewSchema,
  }),
  'group.rename': row({
    help: 'Give a group another name.',
    changes: true,
    needs: 'everything',
    params: z.object({ group: ref, name: z.string() }),
    result: groupViewSchema,
  }),
  'group.color': row({
    help: 'Give a group another colour.',
    changes: true,
    needs: 'everything',
    params: z.object({ group: ref, color }),
    result: groupViewSchema,
  }),
  'group.move': row({
    help: 'Move a group among the others.',
    changes: true,
    needs: 'everything',
    params: z.object({ group: ref, index: z.int().min(0) }),
    result: groupViewSchema,
  }),
  'group.close': row({
    help: 'Remove a group that has no workspaces.',
    changes: true,
    needs: 'everything',
    params: z.object({ group: ref }),
    result: nothing,
  }),
  'layout.sizes': row({
    help: 'Say how the parts of a split share its room.',
    changes: true,
    needs: 'everything',
    params: z.object({
      workspace: ref,
      /** From the root to the split, by child numbers. */
      path: z.array(z.int().min(0)).max(64),
      /** Only their ratio counts. */
      sizes: z.array(z.number().positive()).min(2).max(256),
    }),
    result: workspaceViewSchema,
  }),
  'layout.activate': row({
    help: 'Bring a terminal to the front of the tabs it shares a slot with.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref }),
    result: workspaceViewSchema,
  }),
  'layout.zoom': row({
    help: 'Show one terminal alone in its workspace, or all of them again.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref, zoomed: z.boolean() }),
    result: workspaceViewSchema,
  }),
  'layout.balance': row({
    help: 'Give all parts of every split the same room.',
    changes: true,
    needs: 'everything',
    params: z.object({ workspace: ref }),
    result: workspaceViewSchema,
  }),
  'layout.preset': row({
    help: 'Put the terminals of a workspace into so many slots; those beyond share the last one as tabs.',
    changes: true,
    needs: 'everything',
    params: z.object({ workspace: ref, slots: z.union(PRESETS.map((count) => z.literal(count))) }),
    result: workspaceViewSchema,
  }),
  'canvas.place': row({
    help: 'Say where a terminal stands on the canvas, and how large it is there.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref, rect: rectSchema }),
    result: workspaceViewSchema,
  }),
  'canvas.arrange': row({
    help: 'Put the terminals of a canvas in order: those of one repository side by side, a row for each.',
    changes: true,
    needs: 'everything',
    params: z.object({ workspace: ref }),
    result: workspaceViewSchema,
  }),
  'dock.move': row({
    help: 'Move a terminal to another place in the dock.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref, index: z.int().min(0) }),
    result: z.object({ dock: z.array(z.string()) }),
  }),
} as const
