/** From "beside that one" to a place: the workspace is the neighbour's, and must be the one that was named, if one was. */
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Where } from '../../workspace/layout/layout.ts'
import { type Place, type Topology, type Workspace, workspaceOf } from '../../workspace/layout/topology.ts'
import { find, type Terminals } from './find.ts'

export type Target = { readonly workspace: Workspace; readonly place?: Place }

export function placeBeside(
  daemon: Terminals & { readonly topology: Topology },
  beside: { readonly terminal: string; readonly where: Where },
  named: Workspace | null,
): Result<Target> {
  const neighbour = find(daemon, beside.terminal)
  if (!neighbour.ok) return neighbour
  const workspace = workspaceOf(daemon.topology, neighbour.value.id)
  if (workspace === null) return refused(refusals.terminalNotFound(beside.terminal))
  if (named !== null && named.id !== workspace.id) return refused(refusals.workspaceOther(beside.terminal, named.name))
  return done({ workspace, place: { at: neighbour.value.id, where: beside.where } })
}
