/** The layout of all workspaces: kept, then shown. */
import type { TerminalId } from '../../base/ids.ts'
import type { Store } from '../../store/store.ts'
import { removeTerminal, type Topology } from '../../workspace/layout/topology.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { trip } from '../base/trip.ts'
import type { Registry } from './registry.ts'

type World = {
  readonly store: Pick<Store, 'keepTopology'>
  readonly registry: Pick<Registry, 'get'>
  /** Told of each new layout once it is kept. */
  readonly changed: (topology: Topology) => void
}

export class TopologyKeeper {
  /** Assigned only where the store keeps it together with something else. */
  current: Topology

  constructor(
    topology: Topology,
    private readonly world: World,
  ) {
    this.current = topology
  }

  async set(topology: Topology): Promise<void> {
    this.current = topology
    trip('topology:before-keep')
    await this.world.store.keepTopology(topology)
    trip('topology:after-keep')
    this.world.changed(topology)
  }

  async remove(id: TerminalId): Promise<void> {
    await this.set(removeTerminal(this.current, id))
  }

  /** As the dock shows them: an order that never changes by itself. */
  inDockOrder(): Terminal[] {
    return this.current.dock.flatMap((id) => this.world.registry.get(id) ?? [])
  }
}
