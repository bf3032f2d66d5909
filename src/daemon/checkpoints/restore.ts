/**
 * Puts a plan into effect. A checkpoint of what is there now comes first, so that it can be taken back; then the runs that
 * show the checkpoint's screens; then records, layout and screens in one transaction. Killed anywhere, either all of it
 * has happened or nothing. No program is ended, and none is started.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import type { CheckpointId, RunId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { isSize } from '../../base/size.ts'
import { systemReason } from '../../base/systemReason.ts'
import { decodeSnapshot } from '../../screen/snapshot/snapshotBytes.ts'
import type { RestoredScreen, Store } from '../../store/store.ts'
import { type Paths, runDirectory } from '../../wire/paths.ts'
import type { Checkpoint } from '../../workspace/checkpoint/checkpoint.ts'
import type { RestorePlan, RestoreStep } from '../../workspace/checkpoint/planRestore.ts'
import type { Asleep } from '../../workspace/terminal/terminal.ts'
import { trip } from '../base/trip.ts'
import type { Audience } from '../clients/audience.ts'
import { bringRunsBack } from '../terminals/closedRuns.ts'
import type { ClosedTerminals } from '../terminals/closedTerminals.ts'
import { type Placing, placeAll } from '../terminals/placeAll.ts'
import type { Registry } from '../terminals/registry.ts'
import type { TopologyKeeper } from '../terminals/topologyKeeper.ts'
import { topologyView } from '../terminals/view.ts'
import type { Checkpoints } from './checkpoints.ts'
import { FORGOTTEN_MARK, removeRestoredRun, writeRestoredRun } from './restoredRun.ts'

/** What is under way for a terminal takes milliseconds; a disk that fails is not waited for. */
const QUIET_WITHIN_MS = 3_000

type Restoring = Placing & {
  readonly version: string
  readonly paths: Paths
  readonly store: Pick<Store, 'keepRestored' | 'checkpointScreen'>
  readonly registry: Pick<Registry, 'all' | 'get' | 'quiet' | 'carryOut'>
  readonly checkpoints: Pick<Checkpoints, 'take' | 'session'>
  readonly closed: Pick<ClosedTerminals, 'get' | 'broughtBack'>
  readonly layout: Pick<TopologyKeeper, 'set' | 'current'>
  readonly audience: Pick<Audience, 'announce'>
  booted: Promise<void>
  readonly wakes: { cancel(): void }
  makeRunId(): RunId
}

export type Order = {
  readonly what: 'restore' | 'start over'
  /** Whose screens are shown; null where none are. */
  readonly checkpoint: Checkpoint | null
  /** Comes before anything else: a refusal leaves everything as it is. */
  readonly prepare: () => Promise<Result<unknown>>
  /** Called when everything is quiet: an earlier plan may be outdated. `undo` is the checkpoint to go back to. */
  readonly plan: (undo: CheckpointId) => Promise<Result<RestorePlan>>
  /** Of the checkpoint that is taken before. */
  readonly note: string
}

export type Restored = { readonly plan: RestorePlan; readonly undo: CheckpointId }

/** Other commands wait meanwhile, as they do at a start: they would change what is being replaced. */
export async function restore(daemon: Restoring, order: Order): Promise<Result<Restored>> {
  const restoring = daemon.booted.then(() => restoreNow(daemon, order))
  daemon.booted = restoring.then(
    () => undefined,
    () => undefined,
  )
  return await restoring
}

async function restoreNow(daemon: Restoring, order: Order): Promise<Result<Restored>> {
  daemon.wakes.cancel()
  const prepared = await order.prepare()
  if (!prepared.ok) return prepared
  await Promise.all(daemon.registry.all().map(({ id }) => daemon.registry.quiet(id, QUIET_WITHIN_MS)))
  trip('restore:before-checkpoint')
  try {
    const { id: undo } = await daemon.checkpoints.take('before-destructive', order.note)
    trip('restore:after-checkpoint')
    const planned = await order.plan(undo)
    if (!planned.ok) return planned
    await carryOut(daemon, order, planned.value)
    return done({ plan: planned.value, undo })
  } catch (error) {
    return refused(refusals.diskFailed(systemReason(error)))
  }
}

type SleepingStep = Extract<RestoreStep, { readonly screen: unknown }>
type Shown = { readonly terminal: Asleep; readonly screen: RestoredScreen | null; readonly isNewRun: boolean }

async function carryOut(daemon: Restoring, { what, checkpoint }: Order, plan: RestorePlan): Promise<void> {
  const shown: Shown[] = []
  const closed = plan.steps.flatMap(({ id }) => (daemon.closed.get(id) === null ? [] : [id]))
  for (const id of closed) bringRunsBack(daemon.paths, id) // with them comes its whole history
  try {
    for (const step of plan.steps) if ('screen' in step && checkpoint !== null) shown.push(await show(daemon, checkpoint, step))
    const forgotten = plan.steps.flatMap(({ kind, id }) => (kind === 'forget' ? [id] : []))
    for (const id of forgotten) markForgotten(daemon, daemon.registry.get(id)?.lastRun ?? null)
    const terminals = shown.map(({ terminal }) => terminal)
    trip('restore:before-keep')
    await daemon.store.keepRestored({
      terminals,
      forgotten,
      topology: plan.topology,
      screens: shown.flatMap(({ screen }) => screen ?? []),
      audit: auditOf(daemon, what, plan),
    })
    trip('restore:after-keep')
    daemon.closed.broughtBack(closed)
  } catch (error) {
    for (const { terminal, isNewRun } of shown) if (isNewRun && terminal.lastRun !== null) removeRestoredRun(daemon.paths, terminal.lastRun)
    throw error
  }
  await takeOver(daemon, plan, shown)
}

/**
 * A run that had ended when the checkpoint was taken still shows what it showed then. Any other may have gone on, so that
 * its screen of then gets a run of its own.
 */
async function show(daemon: Restoring, checkpoint: Checkpoint, { id, terminal, screen }: SleepingStep): Promise<Shown> {
  await turn()
  const then = checkpoint.terminals.find((entry) => entry.terminal.id === id)
  const hadEnded = then?.terminal.state === 'asleep'
  const isOnDisk = (run: RunId | null): run is RunId => run !== null && existsSync(runDirectory(daemon.paths, run))
  if (screen === null)
    return { terminal: { ...terminal, lastRun: isOnDisk(terminal.lastRun) ? terminal.lastRun : null }, screen: null, isNewRun: false }
  const { run, seq, hash } = screen
  if (hadEnded && isOnDisk(run))
    return { terminal: { ...terminal, lastRun: run }, screen: { terminal: id, run, seq, hash }, isNewRun: false }
  const kept = await daemon.store.checkpointScreen(checkpoint.id, id)
  const picture = kept === null ? null : decodeSnapshot(kept.bytes)
  if (picture === null || !isSize(picture))
    return { terminal: { ...terminal, lastRun: isOnDisk(run) ? run : null }, screen: null, isNewRun: false }
  const own = daemon.makeRunId()
  const size = { cols: picture.cols, rows: picture.rows }
  writeRestoredRun(daemon.paths, { run: own, terminal, shown: { run, seq }, size, version: daemon.version, now: Date.now() })
  trip('restore:run-written')
  return { terminal: { ...terminal, lastRun: own }, screen: { terminal: id, run: own, seq, hash }, isNewRun: true }
}

/** Its history stays until room is needed, so that the restore can be undone. */
function markForgotten(daemon: Restoring, run: RunId | null): void {
  if (run === null) return
  const directory = runDirectory(daemon.paths, run)
  if (existsSync(directory)) writeFileSync(`${directory}/${FORGOTTEN_MARK}`, '', { mode: 0o600 })
}

function auditOf(daemon: Restoring, what: Order['what'], { checkpoint, only, steps }: RestorePlan) {
  const { session } = daemon.checkpoints
  return [
    { session, terminal: null, what, details: { checkpoint: checkpoint.id, only } },
    ...steps.map(({ id, kind, why }) => ({ session, terminal: id, what: kind, details: { checkpoint: checkpoint.id, why } })),
  ]
}

/** It is kept: from here on only announcements can fail. */
async function takeOver(daemon: Restoring, plan: RestorePlan, shown: readonly Shown[]): Promise<void> {
  const told = { effects: [{ kind: 'announce' }] } as const
  daemon.layout.current = plan.topology
  daemon.audience.announce({ kind: 'topology', topology: topologyView(plan.topology) })
  const records = new Map(shown.map(({ terminal }) => [terminal.id, terminal]))
  await Promise.all(
    plan.steps.map(({ kind, id }) => {
      const terminal = kind === 'forget' ? null : (records.get(id) ?? daemon.registry.get(id))
      return daemon.registry.carryOut(id, { terminal, ...told })
    }),
  )
  await placeAll(daemon, daemon.registry.all()) // one that was made meanwhile
}
