/** Workspaces as files: written for another machine, and read from one. */
import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { makePlace } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Exported } from '../../store/exportFile.ts'
import type { DraftTerminal } from '../../store/store.ts'
import { onlyWorkspace, topologyBeside } from '../../workspace/checkpoint/beside.ts'
import type { Checkpoint } from '../../workspace/checkpoint/checkpoint.ts'
import { isSameHost } from '../../workspace/checkpoint/checkpointHost.ts'
import type { RestorePlan } from '../../workspace/checkpoint/planRestore.ts'
import { repairTopology } from '../../workspace/layout/repairTopology.ts'
import { workspacesOf } from '../../workspace/layout/topology.ts'
import { findWorkspace } from '../../workspace/terminal/find.ts'
import { safeText } from '../../workspace/text.ts'
import { checkpointFor } from '../checkpoints/findCheckpoint.ts'
import { restore } from '../checkpoints/restore.ts'
import { planFor, planView } from '../checkpoints/restorePlan.ts'
import { exportedFrom, writeExport } from '../imports/exports.ts'
import { readImport } from '../imports/readImport.ts'
import type { Handlers, Parts } from './world.ts'

const LONGEST_NAME = 80

type World = Pick<Parts, 'checkpoints' | 'config' | 'registry' | 'store' | 'topology'> &
  Parameters<typeof planFor>[0] &
  Parameters<typeof readImport>[0] &
  Parameters<typeof restore>[0]

export const exchangeHandlers: Handlers<'workspace.export' | 'workspace.import', World> = {
  /** Without a checkpoint: everything as it is now. */
  'workspace.export': async (daemon, { file, only, checkpoint: ref, force, screens = false, passphrase }) => {
    let named = ref
    try {
      named ??= (await daemon.checkpoints.take('event', 'for an export')).id
    } catch (error) {
      return refused(refusals.diskFailed(systemReason(error)))
    }
    const found = await checkpointFor(daemon, named)
    if (!found.ok) return found
    const workspace = only === undefined ? null : findWorkspace(only, workspacesOf(found.value.topology))
    if (workspace?.ok === false) return workspace
    const checkpoint = workspace === null ? found.value : onlyWorkspace(found.value, workspace.value.id)
    const exported = await exportedFrom(daemon, checkpoint, { withScreens: screens })
    const written = await writeExport(file, exported, { force, passphrase: passphrase ?? null })
    if (!written.ok) return written
    const { bytes } = written.value
    return {
      ok: true,
      result: {
        ...{ file, bytes, checkpoint: checkpoint.id, terminals: checkpoint.terminals.length, screens: exported.screens.size },
        sealed: passphrase !== undefined,
      },
    }
  },

  'workspace.import': async (daemon, { file, planOnly, passphrase }) => {
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
  },
}

/** Adds what the file has; nothing that is here changes or moves. */
async function planBeside(daemon: World, checkpoint: Checkpoint, { host }: Exported): Promise<Result<RestorePlan>> {
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

/** Kept as not whole: it is no state of this workspace, so it must never count as a good checkpoint. */
async function keepImported(daemon: World, { checkpoint, host, screens }: Exported, name: string): Promise<Result<Checkpoint>> {
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
