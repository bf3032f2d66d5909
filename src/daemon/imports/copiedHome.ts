/**
 * A state directory that was copied from another machine: its records are treated as those of an imported file before they are
 * used here. The machine is recorded, so that after a crash the next daemon does the rest.
 */

import { assertNever } from '../../base/assertNever.ts'
import type { RunId, SessionId } from '../../base/ids.ts'
import { isElsewhere } from '../../store/hostId.ts'
import { decodeHostId } from '../../store/record.ts'
import { MACHINE } from '../../store/rows/sessionRows.ts'
import type { KeptSnapshot, Store } from '../../store/store.ts'
import type { Config } from '../../wire/config/config.ts'
import type { Checkpoint } from '../../workspace/checkpoint/checkpoint.ts'
import type { HostId } from '../../workspace/checkpoint/checkpointHost.ts'
import { checkpointFromElsewhere, type Here } from '../../workspace/checkpoint/fromElsewhere.ts'
import type { Topology } from '../../workspace/layout/topology.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { trip } from '../base/trip.ts'
import type { ClosedTerminals } from '../terminals/closedTerminals.ts'
import { perform } from './fileThread.ts'
import { hereOf } from './readImport.ts'

/** What tells records of this machine from those of another. */
export type Home = {
  readonly config: Config
  readonly store: Pick<Store, 'sessions'>
  readonly checkpoints: { readonly session: SessionId; readonly host: HostId }
}

type Copying = Home & {
  readonly store: Pick<Store, 'setting' | 'keepSetting' | 'keepRestored' | 'snapshot' | 'keepSnapshot'>
  readonly topology: Topology
  readonly layout: { current: Topology }
  readonly closed: Pick<ClosedTerminals, 'all' | 'forgetForGood'>
  readonly bootTroubles: string[]
}

/** The machine that last used these records; null if that is unknown. */
async function machineBefore(store: Copying['store']): Promise<HostId | null> {
  const kept = await store.setting(MACHINE)
  return kept === null ? null : decodeHostId(kept)
}

/** What records are judged by that came here with a copied state directory; null where they are of this machine. */
export async function cameFrom(daemon: Copying): Promise<Here | null> {
  const before = await machineBefore(daemon.store)
  return before !== null && isElsewhere(before, daemon.checkpoints.host) ? hereOf(daemon, before.name) : null
}

type TakenHome = { readonly terminals: readonly Terminal[]; readonly topology: Topology }

/** `home` is null where nothing came from elsewhere. */
export async function keepHome(daemon: Copying, home: (TakenHome & { readonly from: string }) | null): Promise<void> {
  const { store, checkpoints } = daemon
  if (home !== null) await keepTakenHome(daemon, home)
  const before = await machineBefore(store)
  if (before?.machine !== checkpoints.host.machine || before.boot !== checkpoints.host.boot)
    await store.keepSetting(MACHINE, JSON.stringify(checkpoints.host))
}

async function keepTakenHome(daemon: Copying, { terminals, topology, from }: TakenHome & { readonly from: string }): Promise<void> {
  await repaintAll(daemon, terminals)
  trip('copied:repainted')
  daemon.layout.current = topology
  const { session } = daemon.checkpoints
  const audit = terminals.map(({ id }) => ({ session, terminal: id, what: 'copied from elsewhere', details: { machine: from } }))
  await daemon.store.keepRestored({ terminals, forgotten: [], topology, screens: [], audit })
  trip('copied:kept')
  for (const { terminal } of daemon.closed.all()) await daemon.closed.forgetForGood(terminal.id)
  daemon.bootTroubles.push(
    `This state directory was copied from ${from || 'another machine'}: its ${terminals.length} terminals are asleep, and the first wake of each asks.`,
  )
}

/** A snapshot that cannot be repainted stays: its decoder refuses it wherever it is used. */
async function repaintAll(daemon: Copying, terminals: readonly Terminal[]): Promise<void> {
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
      daemon.bootTroubles.push(`cannot redraw the copied screens: ${outcome.why}.`)
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
export async function ownCheckpoint(daemon: Home, checkpoint: Checkpoint): Promise<Checkpoint> {
  if (checkpoint.session === daemon.checkpoints.session) return checkpoint
  const taken = (await daemon.store.sessions()).find(({ id }) => id === checkpoint.session)
  if (taken === undefined || !isElsewhere(taken.host, daemon.checkpoints.host)) return checkpoint
  const own = checkpointFromElsewhere(checkpoint, hereOf(daemon, taken.host.name))
  return { ...own, terminals: own.terminals.map((entry) => ({ ...entry, screen: null })) }
}
