import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { Params } from '../../wire/commands.ts'
import { findWorkspace } from '../../workspace/find.ts'
import { moveTerminal as moved, workspacesOf } from '../../workspace/topology.ts'
import { changeTopology } from '../changeTopology.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { find } from '../find.ts'
import { placeBeside, type Target } from '../placeBeside.ts'
import { viewOf } from '../view.ts'

export const moveTerminal: Handler<'terminal.move'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  const target = targetOf(daemon, params)
  if (!target.ok) return target
  const { workspace, place } = target.value
  const { id } = found.value
  const wanted = { terminal: id, to: workspace.id, ...(place && { place }) }
  const changed = await changeTopology(daemon, (topology) => moved(topology, wanted), [id])
  if (!changed.ok) return changed
  return { ok: true, result: viewOf(daemon.registry.get(id) ?? found.value, daemon) }
}

function targetOf(daemon: Daemon, { to, beside }: Params<'terminal.move'>): Result<Target> {
  const named = to === undefined ? null : findWorkspace(to, workspacesOf(daemon.topology))
  if (named?.ok === false) return named
  if (beside === undefined)
    return named === null
      ? refused(refusals.paramsInvalid('where to is missing: a workspace or a terminal'))
      : done({ workspace: named.value })
  return placeBeside(daemon, beside, named?.value ?? null)
}
