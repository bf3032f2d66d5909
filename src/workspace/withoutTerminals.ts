import type { TerminalId } from '../base/ids.ts'
import { removeTerminal, type Topology, type Workspace } from './topology.ts'

/** The layout as if these had never been in it; also where it names one that has no place. */
export function withoutTerminals(topology: Topology, terminals: readonly TerminalId[]): Topology {
  const gone = new Set<string>(terminals)
  const left = terminals.reduce(removeTerminal, topology)
  const withoutTiles = (workspace: Workspace): Workspace => ({
    ...workspace,
    canvas: Object.fromEntries(Object.entries(workspace.canvas).filter(([id]) => !gone.has(id))),
  })
  return {
    groups: left.groups.map((group) => ({ ...group, workspaces: group.workspaces.map(withoutTiles) })),
    dock: left.dock.filter((id) => !gone.has(id)),
  }
}
