/** One change of the layout: decided by a pure function, kept, and announced to the clients. */
import type { TerminalId } from '../../base/ids.ts'
import { type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Topology } from '../../workspace/layout/topology.ts'
import { sameValue } from '../../workspace/sameValue.ts'
import type { Audience } from '../clients/audience.ts'
import type { Registry } from './registry.ts'
import type { TopologyKeeper } from './topologyKeeper.ts'

/** The parts that a change of the layout needs. */
export type Layouts = {
  readonly topology: Topology
  readonly layout: Pick<TopologyKeeper, 'set' | 'current'>
  readonly registry: Pick<Registry, 'all' | 'get'>
  readonly audience: Pick<Audience, 'announceTerminal'>
}

/** `shown` are the terminals whose views the change alters. */
export async function changeTopology(
  daemon: Layouts,
  change: (topology: Topology) => Result<Topology>,
  shown: readonly TerminalId[] = [],
): Promise<Result<Topology>> {
  const before = daemon.topology
  const changed = change(before)
  if (!changed.ok || sameValue(changed.value, before)) return changed
  try {
    await daemon.layout.set(changed.value)
  } catch (error) {
    if (daemon.topology === changed.value) daemon.layout.current = before // a later change is built on this one, and keeps it
    return refused(refusals.diskFailed(systemReason(error)))
  }
  // A terminal that is being made has a place before it has a record.
  for (const id of shown) if (daemon.registry.get(id) !== null) daemon.audience.announceTerminal(id)
  return changed
}
