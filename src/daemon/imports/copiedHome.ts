/**
 * A state directory that was copied from another machine: its records go through the same hands as those of an imported file,
 * before anything of them is taken up here. Which machine it was is written down, so that a daemon that dies on the way leaves
 * the rest to the next one.
 */

import { assertNever } from '../../base/assertNever.ts'
import type { RunId } from '../../base/ids.ts'
import { isElsewhere } from '../../store/hostId.ts'
import { decodeHostId } from '../../store/record.ts'
import { MACHINE } from '../../store/sessionRows.ts'
import type { KeptRecord, KeptSnapshot } from '../../store/store.ts'
import type { Checkpoint } from '../../workspace/checkpoint.ts'
import type { HostId } from '../../workspace/checkpointHost.ts'
import { checkpointFromElsewhere, terminalFromElsewhere, topologyFromElsewhere } from '../../workspace/fromElsewhere.ts'
import { runsNamedBy, type Terminal } from '../../workspace/terminal.ts'
import type { Daemon } from '../daemon.ts'
import { trip } from '../trip.ts'
import { perform } from './fileThread.ts'
import { hereOf } from './readImport.ts'

/** The machine that the records here were last at home on; null where nothing is known of any. */
async function machineBefore(store: Daemon['store']): Promise<HostId | null> {
  const kept = await store.setting(MACHINE)
  return kept === null ? null : decodeHostId(kept)
}

/** `living` are the runs that have a process: whatever the database says, those are at home here. */
export async function takenHome(
  daemon: Daemon,
  records: readonly KeptRecord[],
  living: ReadonlySet<RunId>,
): Promise<readonly KeptRecord[]> {
  const { store, checkpoints } = daemon
  const before = await machineBefore(store)
  const settled = before !== null && isElsewhere(before, checkpoints.host) ? await settle(daemon, { records, living, before }) : records
  if (before?.machine !== checkpoints.host.machine || before.boot !== checkpoints.host.boot)
    await store.keepSetting(MACHINE, JSON.stringify(checkpoints.host))
  return settled
}

type Copied = { readonly records: readonly KeptRecord[]; readonly living: ReadonlySet<RunId>; readonly before: HostId }

async function settle(daemon: Daemon, { records, living, before }: Copied): Promise<readonly KeptRecord[]> {
  const here = hereOf(daemon, before.name)
  const isForeign = (terminal: Terminal): boolean => !runsNamedBy(terminal).some((run) => living.has(run))
  const settled = records.map((record) =>
    record.ok && isForeign(record.terminal) ? ({ ok: true, terminal: terminalFromElsewhere(record.terminal, here) } as const) : record,
  )
  const terminals = settled.flatMap((record) => (record.ok && record.terminal.imported !== undefined ? [record.terminal] : []))
  await repaintAll(daemon, terminals)
  trip('copied:repainted')
  daemon.topology = topologyFromElsewhere(daemon.topology)
  const { session } = daemon.checkpoints
  const audit = terminals.map(({ id }) => ({ session, terminal: id, what: 'copied from elsewhere', details: { machine: before.name } }))
  await daemon.store.keepRestored({ terminals, forgotten: [], topology: daemon.topology, screens: [], audit })
  trip('copied:kept')
  for (const { terminal } of daemon.closed.all()) await daemon.closed.forgetForGood(terminal.id)
  daemon.bootTroubles.push(
    `This state directory comes from ${before.name || 'another machine'}: ${terminals.length} terminals are asleep, and the first wake of each asks.`,
  )
  return settled
}

/** One that cannot be painted anew is left to the log: the decoder of snapshots refuses it wherever it is used. */
async function repaintAll(daemon: Daemon, terminals: readonly Terminal[]): Promise<void> {
  const owners = new Map<RunId, Terminal>()
  const snapshots: KeptSnapshot[] = []
  for (const terminal of terminals) {
    const kept = terminal.lastRun === null ? null : await daemon.store.snapshot(terminal.lastRun)
    if (kept === null) continue
    owners.set(kept.run, terminal)
    snapshots.push(kept)
  }
  if (snapshots.length === 0) return
  const outcome = await perform({ kind: 'repaint', snapshots })
  switch (outcome.kind) {
    case 'repainted':
      for (const snapshot of outcome.snapshots) {
        const owner = owners.get(snapshot.run)
        if (owner !== undefined) await daemon.store.keepSnapshot(owner.id, snapshot)
      }
      return
    case 'failed':
      daemon.bootTroubles.push(`The screens that were copied here could not be painted anew: ${outcome.why}.`)
      return
    case 'read':
    case 'written':
    case 'exists':
    case 'sealed':
    case 'passphraseWrong':
      throw new Error(`the thread that repaints has answered ${outcome.kind}`)
  }
  return assertNever(outcome)
}

/** A checkpoint that was taken elsewhere, as records that may be here; its screens stay behind. */
export async function ownCheckpoint(daemon: Daemon, checkpoint: Checkpoint): Promise<Checkpoint> {
  if (checkpoint.session === daemon.checkpoints.session) return checkpoint
  const taken = (await daemon.store.sessions()).find(({ id }) => id === checkpoint.session)
  if (taken === undefined || !isElsewhere(taken.host, daemon.checkpoints.host)) return checkpoint
  const own = checkpointFromElsewhere(checkpoint, hereOf(daemon, taken.host.name))
  return { ...own, terminals: own.terminals.map((entry) => ({ ...entry, screen: null })) }
}
