/** Gives every terminal a place in the layout. A terminal that has one keeps it. */
import { randomBytes } from 'node:crypto'
import { makePlace } from '../../base/ids.ts'
import { repairTopology } from '../../workspace/layout/repairTopology.ts'
import type { Topology } from '../../workspace/layout/topology.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { TopologyKeeper } from './topologyKeeper.ts'

export type Placing = {
  readonly topology: Topology
  readonly layout: Pick<TopologyKeeper, 'set'>
  readonly isLayoutKept: boolean
  readonly bootTroubles: string[]
}

export async function placeAll(daemon: Placing, terminals: readonly Terminal[]): Promise<void> {
  const spare = makePlace(randomBytes)
  const repaired = repairTopology(daemon.topology, { terminals: terminals.map(({ id }) => id), spare })
  // Clients that were told the ids of a first layout may use them with the next daemon.
  if (repaired === daemon.topology && daemon.isLayoutKept) return
  try {
    await daemon.layout.set(repaired)
  } catch (error) {
    daemon.bootTroubles.push(`cannot save the layout: ${(error as Error).message}`)
  }
}
