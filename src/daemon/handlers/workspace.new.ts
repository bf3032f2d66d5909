import { randomBytes } from 'node:crypto'
import { makeId } from '../../base/ids.ts'
import { addWorkspace } from '../../workspace/groups.ts'
import { changeTopology } from '../changeTopology.ts'
import type { Handler } from '../connection.ts'
import { listedWorkspace } from '../view.ts'

export const newWorkspace: Handler<'workspace.new'> = async (daemon, { name }) => {
  const id = makeId('workspace', randomBytes)
  const changed = await changeTopology(daemon, (topology) => addWorkspace(topology, { id, name }))
  return changed.ok ? { ok: true, result: listedWorkspace(changed.value, id) } : changed
}
