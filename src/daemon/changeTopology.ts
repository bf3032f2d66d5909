/** One change of where things stand: decided by a pure function, kept, and told to whoever watches. */
import type { TerminalId } from '../base/ids.ts'
import { type Result, refusals, refused } from '../base/refusal.ts'
import { systemReason } from '../base/systemReason.ts'
import { sameValue } from '../workspace/sameValue.ts'
import type { Topology } from '../workspace/topology.ts'
import type { Daemon } from './daemon.ts'

/** `shown` are the terminals whose views say something else now. */
export async function changeTopology(
  daemon: Daemon,
  change: (topology: Topology) => Result<Topology>,
  shown: readonly TerminalId[] = [],
): Promise<Result<Topology>> {
  const before = daemon.topology
  const changed = change(before)
  if (!changed.ok || sameValue(changed.value, before)) return changed
  try {
    await daemon.setTopology(changed.value)
  } catch (error) {
    if (daemon.topology === changed.value) daemon.topology = before // a later change is built on this one, and keeps it
    return refused(refusals.diskFailed(systemReason(error)))
  }
  // One that is being made has a place before it has a record.
  for (const id of shown) if (daemon.registry.get(id) !== null) daemon.announceTerminal(id)
  return changed
}
