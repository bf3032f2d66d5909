/** Changes of one workspace or group: found by what the user said, kept, and shown as it is then. */
import type { GroupId, TerminalId, WorkspaceId } from '../../base/ids.ts'
import { type Refusal, type Result, refusals, refused } from '../../base/refusal.ts'
import type { GroupView, WorkspaceView } from '../../wire/topologyView.ts'
import { type Topology, workspaceOf, workspacesOf } from '../../workspace/layout/topology.ts'
import { findGroup, findWorkspace } from '../../workspace/terminal/find.ts'
import { changeTopology, type Layouts } from './changeTopology.ts'
import { find } from './find.ts'
import { groupView, workspaceView } from './view.ts'

type Shown<View> = { readonly ok: true; readonly result: View } | { readonly ok: false; readonly refusal: Refusal }

export async function changeWorkspace(
  daemon: Layouts,
  ref: string,
  change: (topology: Topology, workspace: WorkspaceId) => Result<Topology>,
): Promise<Shown<WorkspaceView>> {
  const found = findWorkspace(ref, workspacesOf(daemon.topology))
  if (!found.ok) return found
  const { id } = found.value
  const changed = await changeTopology(daemon, (topology) => change(topology, id))
  return changed.ok ? { ok: true, result: workspaceView(changed.value, id) } : changed
}

/** The workspace that a terminal is in. */
export function changeAround(
  daemon: Layouts,
  ref: string,
  change: (topology: Topology, place: { readonly workspace: WorkspaceId; readonly terminal: TerminalId }) => Result<Topology>,
): Promise<Shown<WorkspaceView>> {
  const found = find(daemon, ref)
  if (!found.ok) return Promise.resolve(found)
  const { id: terminal } = found.value
  const around = workspaceOf(daemon.topology, terminal)
  if (around === null) return Promise.resolve(refused(refusals.terminalNotFound(ref)))
  return changeWorkspace(daemon, around.id, (topology, workspace) => change(topology, { workspace, terminal }))
}

export async function changeGroup(
  daemon: Layouts,
  ref: string,
  change: (topology: Topology, group: GroupId) => Result<Topology>,
): Promise<Shown<GroupView>> {
  const found = findGroup(ref, daemon.topology.groups)
  if (!found.ok) return found
  const { id } = found.value
  const changed = await changeTopology(daemon, (topology) => change(topology, id))
  return changed.ok ? { ok: true, result: groupView(changed.value, id) } : changed
}
