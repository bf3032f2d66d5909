import type { WorkspaceId } from '../../base/ids.ts'
import { terminalsOf } from '../layout/layout.ts'
import { type Topology, workspacesOf } from '../layout/topology.ts'
import { runsNamedBy } from '../terminal/terminal.ts'
import type { Checkpoint } from './checkpoint.ts'

/** A checkpoint from elsewhere, put beside what is here: nothing of here changes, and no id is there twice. */

/** As if there had been no other workspace. */
export function onlyWorkspace(checkpoint: Checkpoint, id: WorkspaceId): Checkpoint {
  const groups = checkpoint.topology.groups.flatMap((group) => {
    const workspaces = group.workspaces.filter((workspace) => workspace.id === id)
    return workspaces.length === 0 ? [] : [{ ...group, workspaces }]
  })
  const inside = new Set(groups.flatMap(({ workspaces }) => workspaces.flatMap(({ layout }) => terminalsOf(layout))))
  return {
    ...checkpoint,
    topology: { groups, dock: checkpoint.topology.dock.filter((terminal) => inside.has(terminal)) },
    terminals: checkpoint.terminals.filter(({ terminal }) => inside.has(terminal.id)),
  }
}

export type Ids = {
  readonly terminals: readonly string[]
  readonly runs: readonly string[]
  /** Of workspaces and groups. */
  readonly places: readonly string[]
}

export function idsOf({ topology, terminals }: Pick<Checkpoint, 'topology' | 'terminals'>): Ids {
  const runs = terminals.flatMap(({ terminal, screen }) => [...runsNamedBy(terminal), ...(screen === null ? [] : [screen.run])])
  return {
    terminals: terminals.map(({ terminal }) => terminal.id),
    runs: [...new Set(runs)],
    places: [...topology.groups.map(({ id }) => id), ...workspacesOf(topology).map(({ id }) => id)],
  }
}

/** Every text that is one of these ids becomes the other one, wherever it stands; no name can look like an id. */
export function withOtherIds<Value>(value: Value, others: ReadonlyMap<string, string>): Value {
  return renamed(value, others) as Value
}

function renamed(value: unknown, others: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return others.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => renamed(item, others))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [others.get(key) ?? key, renamed(inner, others)]))
}

/** Groups of there come after those of here. */
export const topologyBeside = (here: Topology, there: Topology): Topology => ({
  groups: [...here.groups, ...there.groups],
  dock: [...here.dock, ...there.dock],
})
