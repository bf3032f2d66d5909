import { done } from '../../base/refusal.ts'
import { moveInDock } from '../../workspace/topology.ts'
import { changeTopology } from '../changeTopology.ts'
import type { Handler } from '../connection.ts'
import { find } from '../find.ts'

export const moveInTheDock: Handler<'dock.move'> = async (daemon, params) => {
  const found = find(daemon, params.terminal)
  if (!found.ok) return found
  const wanted = { terminal: found.value.id, index: params.index }
  const changed = await changeTopology(daemon, (topology) => done(moveInDock(topology, wanted)))
  return changed.ok ? { ok: true, result: { dock: [...changed.value.dock] } } : changed
}
