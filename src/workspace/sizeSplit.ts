import type { WorkspaceId } from '../base/ids.ts'
import { type Result, refusals, refused } from '../base/refusal.ts'
import { type Layout, setSizes, splitAt } from './layout.ts'
import { rearrange, type Topology, workspaceWithId } from './topology.ts'

/** Says how the parts of a split share its room; whoever speaks of a split that is not there has seen another layout. */
export function sizeSplit(
  topology: Topology,
  id: WorkspaceId,
  wanted: { readonly path: readonly number[]; readonly sizes: readonly number[] },
): Result<Topology> {
  const workspace = workspaceWithId(topology, id)
  if (workspace === null) return refused(refusals.workspaceNotFound(id))
  const { path, sizes } = wanted
  const split = splitAt(workspace.layout, path)
  if (split === null) return refused(refusals.splitNotFound(path))
  const parts = split.children.length
  if (parts !== sizes.length) return refused(refusals.splitParts(parts, sizes.length))
  return rearrange(topology, id, (layout: Layout) => setSizes(layout, { path, sizes }))
}
