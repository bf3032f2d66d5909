import { z } from 'zod'
import { COLORS } from '../../workspace/layout/groups.ts'
import { PRESETS } from '../../workspace/layout/presets.ts'
import { VIEWS } from '../../workspace/layout/topology.ts'
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
    help: 'Rename a workspace.',
    changes: true,
    needs: 'everything',
    params: z.object({ workspace: ref, name: z.string() }),
    result: workspaceListedSchema,
  }),
  'workspace.close': row({
    help: 'Close a workspace; its terminals move to another one.',
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
    help: 'Move a workspace within its group or to another one.',
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
    help: 'Rename a group.',
    changes: true,
    needs: 'everything',
    params: z.object({ group: ref, name: z.string() }),
    result: groupViewSchema,
  }),
  'group.color': row({
    help: 'Change the color of a group.',
    changes: true,
    needs: 'everything',
    params: z.object({ group: ref, color }),
    result: groupViewSchema,
  }),
  'group.move': row({
    help: 'Move a group to another position.',
    changes: true,
    needs: 'everything',
    params: z.object({ group: ref, index: z.int().min(0) }),
    result: groupViewSchema,
  }),
  'group.close': row({
    help: 'Close an empty group.',
    changes: true,
    needs: 'everything',
    params: z.object({ group: ref }),
    result: nothing,
  }),
  'layout.sizes': row({
    help: 'Set the relative sizes of the parts of a split.',
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
    help: 'Bring a terminal to the front of its tabs.',
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
    help: 'Make all parts of every split the same size.',
    changes: true,
    needs: 'everything',
    params: z.object({ workspace: ref }),
    result: workspaceViewSchema,
  }),
  'layout.preset': row({
    help: 'Lay out a workspace in a number of slots; the rest share the last one as tabs.',
    changes: true,
    needs: 'everything',
    params: z.object({ workspace: ref, slots: z.union(PRESETS.map((count) => z.literal(count))) }),
    result: workspaceViewSchema,
  }),
  'canvas.place': row({
    help: 'Set the position and size of a terminal on the canvas.',
    changes: true,
    needs: 'everything',
    params: z.object({ terminal: ref, rect: rectSchema }),
    result: workspaceViewSchema,
  }),
  'canvas.arrange': row({
    help: 'Arrange a canvas: one row of terminals per repository.',
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
