/**
 * Keeps the logs of all runs together within bounds. It looks at the start, after a run has ended, and once in a while; it
 * removes as little as needed, never anything of a live run, and never before the run's screen is kept.
 */
import { existsSync, renameSync, rmSync } from 'node:fs'
import type { RunId, TerminalId } from '../../base/ids.ts'
import { readCards } from '../../client/holderCards.ts'
import { bytesOfRuns, filesOf, sumOf } from '../../client/runSizes.ts'
import type { Store } from '../../store/store.ts'
import type { HolderCard } from '../../wire/holder.ts'
import { segmentSeq } from '../../wire/log.ts'
import type { Paths } from '../../wire/paths.ts'
import { CLOSED_SUFFIX, REMOVED_SUFFIX, runDirectory } from '../../wire/paths.ts'
import { planRetention, type Removal, type RunOnDisk } from '../../workspace/retention.ts'
import { isOnTrial } from '../../workspace/terminal/resumeFailure.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { isHolderAlive } from '../backends/holders.ts'
import type { Log } from '../base/log.ts'
import { trip } from '../base/trip.ts'
import { FORGOTTEN_MARK } from '../checkpoints/restoredRun.ts'
import { anchorSeq } from '../history/anchors.ts'

/** Live logs grow too, but each is bounded by itself: nothing gets out of hand in this time. */
const LOOK_EVERY_MS = 10 * 60_000
/** Many programs may end at once. */
const LOOK_AGAIN_MS = 60_000

type Surroundings = {
  readonly config: { readonly logTotalBytes: number }
  readonly paths: Paths
  readonly log: Log
  readonly store: Pick<Store, 'snapshot'>
  readonly registry: { get(id: TerminalId): Terminal | null }
  readonly holders: { card(run: RunId): HolderCard | null }
  readonly closed: { expire(): Promise<void> }
}

export class Janitor {
  private lookedAt = 0
  private regularly: NodeJS.Timeout | undefined
  private soon: NodeJS.Timeout | undefined

  constructor(private readonly daemon: Surroundings) {}

  start(): void {
    this.regularly = setInterval(() => this.tidy(), LOOK_EVERY_MS).unref()
    this.tidy()
  }

  /** A run has ended: soon, but not for each of many. */
  look(): void {
    if (this.regularly === undefined) return // it looks when it starts
    this.soon ??= setTimeout(() => this.tidy(), Math.max(0, this.lookedAt + LOOK_AGAIN_MS - performance.now())).unref()
  }

  stop(): void {
    clearInterval(this.regularly)
    clearTimeout(this.soon)
  }

  private tidy(): void {
    this.soon = undefined
    this.lookedAt = performance.now()
    tidyRuns(this.daemon).catch((error: Error) => this.daemon.log.error({ error: error.stack }, 'the logs could not be tidied'))
  }
}

export async function tidyRuns(daemon: Surroundings): Promise<void> {
  await daemon.closed.expire()
  const total = bytesOfRuns(daemon.paths, (run) => !run.endsWith(CLOSED_SUFFIX)) // what was closed makes room by itself, soon
  const runs = await Promise.all(readCards(daemon.paths).cards.map((card) => runOnDisk(daemon, card)))
  for (const removal of planRetention(runs, { total, limit: daemon.config.logTotalBytes })) {
    // It may have been woken, or looked at for the first time, while others were removed.
    const card = readCards(daemon.paths).cards.find(({ run }) => run === removal.run)
    if (card === undefined || (await roleOf(daemon, card)).kind === 'untouchable') continue
    trip(`janitor:before-${removal.kind}`)
    remove(daemon, removal)
    trip(`janitor:after-${removal.kind}`)
    daemon.log.info({ ...removal }, 'logs take more than log_total_bytes: old output is removed')
  }
}

async function runOnDisk(daemon: Surroundings, card: HolderCard): Promise<RunOnDisk> {
  const files = filesOf(runDirectory(daemon.paths, card.run))
  const seqs = files.flatMap(({ name }) => segmentSeq(name) ?? []).sort((a, b) => a - b)
  const segments = seqs.map((seq, index) => {
    const next = seqs[index + 1] ?? Number.POSITIVE_INFINITY
    return { seq, bytes: sumOf(files.filter(({ name }) => isWithin(seqOf(name), { from: index === 0 ? 0 : seq, to: next }))) }
  })
  return { run: card.run, startedAt: card.startedAt, bytes: sumOf(files), role: await roleOf(daemon, card), segments }
}

async function roleOf(daemon: Surroundings, card: HolderCard): Promise<RunOnDisk['role']> {
  const terminal = daemon.registry.get(card.terminal)
  if (terminal === null && existsSync(`${runDirectory(daemon.paths, card.run)}/${FORGOTTEN_MARK}`) && !isHolderAlive(card))
    return { kind: 'past' }
  if (terminal === null || daemon.holders.card(card.run) !== null || isHolderAlive(card)) return { kind: 'untouchable' }
  if (terminal.state === 'waking') return { kind: 'untouchable' } // it may come back to the run before
  if (terminal.state === 'live' && isOnTrial(terminal, Date.now())) return { kind: 'untouchable' } // as long as it may fail
  if (terminal.lastRun !== card.run) return { kind: 'past' }
  if (terminal.state !== 'asleep') return { kind: 'untouchable' }
  return { kind: 'last', keptSeq: (await daemon.store.snapshot(card.run))?.seq ?? null }
}

function remove(daemon: Surroundings, removal: Removal): void {
  const directory = runDirectory(daemon.paths, removal.run)
  if (removal.kind === 'run') {
    renameSync(directory, directory + REMOVED_SUFFIX) // whatever happens now, nobody takes the rest for a run
    trip('janitor:renamed')
    rmSync(directory + REMOVED_SUFFIX, { recursive: true, force: true })
    return
  }
  const old = filesOf(directory).filter(({ name }) => isWithin(seqOf(name), { from: 0, to: removal.seq }))
  // The log first: an anchor without its log is of no use, a log without an anchor still is.
  for (const { name } of old.sort((a, b) => Number(segmentSeq(b.name) !== null) - Number(segmentSeq(a.name) !== null))) {
    rmSync(`${directory}/${name}`, { force: true })
    trip('janitor:file-gone')
  }
}

/** Null for what belongs to no part of the log. */
const seqOf = (name: string): number | null => segmentSeq(name) ?? anchorSeq(name)

const isWithin = (seq: number | null, { from, to }: { from: number; to: number }): boolean => seq !== null && seq >= from && seq < to
