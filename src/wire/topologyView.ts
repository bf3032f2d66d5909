/** What the daemon shows of where things stand: groups, their workspaces with both views, and the dock. */
import { z } from 'zod'
import type { Layout, LayoutNode } from '../workspace/layout/layout.ts'
import { VIEWS } from '../workspace/layout/topology.ts'

export const rectSchema = z.object({ x: z.number(), y: z.number(), width: z.number().positive(), height: z.number().positive() })

const slotSchema = z.object({ kind: z.literal('slot'), terminals: z.array(z.string()), active: z.string() })
const nodeSchema: z.ZodType<LayoutNode> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    slotSchema,
    z.object({
      kind: z.literal('split'),
      direction: z.enum(['row', 'column']),
      children: z.array(z.object({ node: nodeSchema, size: z.number() })),
    }),
  ]),
) as z.ZodType<LayoutNode>
const layoutSchema: z.ZodType<Layout> = z.object({ root: nodeSchema.nullable(), zoomed: z.string().nullable() }) as z.ZodType<Layout>

export const workspaceViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  view: z.enum(VIEWS),
  layout: layoutSchema,
  canvas: z.record(z.string(), rectSchema),
})
export type WorkspaceView = z.infer<typeof workspaceViewSchema>

export const groupViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  color: z.string(),
  workspaces: z.array(workspaceViewSchema),
})
export type GroupView = z.infer<typeof groupViewSchema>

export const topologyViewSchema = z.object({ groups: z.array(groupViewSchema), dock: z.array(z.string()) })
export type TopologyView = z.infer<typeof topologyViewSchema>
