import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { makePlace } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Exported } from '../../store/exportFile.ts'
import type { DraftTerminal } from '../../store/store.ts'
import { topologyBeside } from '../../workspace/beside.ts'
import type { Checkpoint } from '../../workspace/checkpoint.ts'
import { isSameHost } from '../../workspace/checkpointHost.ts'
import type { RestorePlan } from '../../workspace/planRestore.ts'
import { repairTopology } from '../../workspace/repairTopology.ts'
import { safeText } from '../../workspace/text.ts'
import type { Handler } from '../connection.ts'
import type { Daemon } from '../daemon.ts'
import { checkpointFor } from '../findCheckpoint.ts'
import { readImport } from '../imports/readImport.ts'
import { restore } from '../restore.ts'
import { planFor, planView } from '../restorePlan.ts'

const LONGEST_NAME = 80

export const importWorkspace: Handler<'workspace.import'> = async (daemon, { file, planOnly, passphrase }) => {
  const read = await readImport(daemon, file, passphrase ?? null)
  if (!read.ok) return read
  const exported = read.value
  if (planOnly) {
    const plan = await planBeside(daemon, exported.checkpoint, exported)
    return plan.ok ? { ok: true, result: { plan: planView(plan.value, daemon), undo: null } } : plan
  }
  const kept = await keepImported(daemon, exported, basename(file))
  if (!kept.ok) return kept
  const plan = () => planBeside(daemon, kept.value, exported)
  const restored = await restore(daemon, {
    ...{ what: 'restore', checkpoint: kept.value, prepare: plan, plan },
    note: `before importing ${safeText(basename(file), LONGEST_NAME)}`,
  })
  if (!restored.ok) return restored
  return { ok: true, result: { plan: planView(restored.value.plan, daemon), undo: restored.value.undo } }
}

/** Everything that is here stays, and stays where it is. */
async function planBeside(daemon: Daemon, checkpoint: Checkpoint, { host }: Exported): Promise<Result<RestorePlan>> {
  const planned = await planFor(daemon, { checkpoint, asleepStrangers: 'keep' })
  if (!planned.ok) return planned
  const here = daemon.checkpoints.host
  const terminals = [...daemon.registry.all(), ...checkpoint.terminals.map(({ terminal }) => terminal)].map(({ id }) => id)
  const spare = makePlace(randomBytes)
  return done({
    ...planned.value,
    steps: planned.value.steps.flatMap((step) => (step.kind === 'keepStranger' ? [] : [{ ...step, why: 'it comes from the file' }])),
    topology: repairTopology(topologyBeside(daemon.topology, checkpoint.topology), { terminals, spare }),
    host: { id: here, isSame: isSameHost(host, here) },
  })
}

/** It is no state of this workspace, so that it never counts as a good one of it. */
async function keepImported(daemon: Daemon, { checkpoint, host, screens }: Exported, name: string): Promise<Result<Checkpoint>> {
  const terminals = checkpoint.terminals.map(({ screen, ...entry }): DraftTerminal => {
    const bytes = screen === null ? undefined : screens.get(screen.hash)
    return { ...entry, screen: screen === null || bytes === undefined ? null : { run: screen.run, seq: screen.seq, bytes } }
  })
  const note = `imported from ${safeText(host.name, LONGEST_NAME)} (${safeText(name, LONGEST_NAME)})`
  const { session } = daemon.checkpoints
  const draft = { session, at: Date.now(), kind: 'manual', note, topology: checkpoint.topology, terminals, whole: false } as const
  try {
    return await checkpointFor(daemon, (await daemon.store.keepCheckpoint(draft)).id)
  } catch (error) {
    return refused(refusals.diskFailed(systemReason(error)))
  }
}
