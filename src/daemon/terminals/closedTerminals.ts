/**
 * Terminals that were closed a short while ago. Each is in the store, with its screens, and its runs lie beside the others
 * under another name; so it can be brought back as it was, also by the next daemon. When its time is over, all of it goes.
 */
import type { TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { Store } from '../../store/store.ts'
import type { DaemonEvent } from '../../wire/daemon.ts'
import type { Paths } from '../../wire/paths.ts'
import { placeBack } from '../../workspace/layout/placeBack.ts'
import { removeTerminal, type Topology, withoutTerminals } from '../../workspace/layout/topology.ts'
import { CLOSED_FOR_MS, type Closed, type RemovedWorktree } from '../../workspace/terminal/closed.ts'
import { findTerminal } from '../../workspace/terminal/find.ts'
import type { Asleep } from '../../workspace/terminal/terminal.ts'
import type { Log } from '../base/log.ts'
import { trip } from '../base/trip.ts'
import { bringRunsBack, removeRuns, setRunsAside } from './closedRuns.ts'
import type { Registry } from './registry.ts'
import type { SeenPrograms } from './seen.ts'
import type { TopologyKeeper } from './topologyKeeper.ts'
import { topologyView } from './view.ts'

/** A disk that fails is asked again then. */
const TRY_AGAIN_MS = 60_000
/** What ends with a close takes milliseconds. */
const QUIET_WITHIN_MS = 3_000
/** So that whoever comes too late is told so. */
const MOST_LAPSED = 100

type Surroundings = {
  readonly registry: Registry
  readonly store: Store
  readonly paths: Paths
  readonly log: Log
  readonly topology: Topology
  readonly layout: Pick<TopologyKeeper, 'current'>
  readonly audience: { announce(event: DaemonEvent): void }
  readonly checkpoints: { readonly seen: SeenPrograms; structureChanged(): void }
  readonly files: { forget(id: TerminalId): void }
  readonly indexer: { lookAgain(): void }
}

export class ClosedTerminals {
  private readonly kept = new Map<TerminalId, Closed>()
  private lapsed: readonly { readonly id: string; readonly name: string | null }[] = []
  /** Worktrees that are being removed with their terminals. */
  private readonly removing = new Map<TerminalId, Promise<unknown>>()
  private timer: NodeJS.Timeout | undefined
  private isStopped = false

  constructor(
    private readonly daemon: Surroundings,
    private readonly now: () => number = Date.now,
  ) {}

  /** The one that was closed last comes first. */
  all(): readonly Closed[] {
    return [...this.kept.values()].filter(({ until }) => until > this.now()).sort((a, b) => b.at - a.at)
  }

  get(id: TerminalId): Closed | null {
    return this.kept.get(id) ?? null
  }

  /** What the daemon before this one has left; those whose time is over are not taken up. */
  async load(): Promise<void> {
    for (const row of await this.daemon.store.closed()) {
      if (row.ok) this.kept.set(row.closed.terminal.id, row.closed)
      else {
        this.daemon.log.warn({ terminal: row.id, why: row.why }, 'a closed terminal cannot be brought back')
        await this.forget(row.id as TerminalId)
      }
    }
    await this.expire()
  }

  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  /** Killed anywhere, it is there or it is closed; either way everything of it is. */
  async close(terminal: Asleep): Promise<void> {
    const { daemon } = this
    const { id } = terminal
    const at = this.now()
    const before = daemon.topology
    const seen = daemon.checkpoints.seen.of(terminal)
    const closed: Closed = { terminal, at, until: at + CLOSED_FOR_MS, before, seen, worktree: null }
    setRunsAside(daemon.paths, id)
    trip('forget:runs-renamed')
    daemon.layout.current = removeTerminal(daemon.topology, id)
    try {
      await daemon.store.closeTerminal(closed, daemon.topology)
    } catch (error) {
      daemon.layout.current = placeBack(daemon.topology, { terminal: id, before }) // it is tried again
      throw error
    }
    trip('forget:record-gone')
    this.kept.set(id, closed)
    this.schedule()
    if (terminal.private) daemon.files.forget(id) // nothing of it is kept
    daemon.checkpoints.structureChanged()
    daemon.audience.announce({ kind: 'topology', topology: topologyView(daemon.topology) })
  }

  /** It is written down before it is removed: whatever happens then, a reopen knows what to put back, and waits until it can. */
  async removeWith<Value>(id: TerminalId, worktree: RemovedWorktree, remove: () => Promise<Value>): Promise<Value | null> {
    const closed = this.kept.get(id)
    if (closed === undefined) return null // it is back already
    const noted = { ...closed, worktree }
    this.kept.set(id, noted)
    const removing = this.daemon.store.closeTerminal(noted, this.daemon.topology).then(() => {
      trip('worktree:noted')
      return remove()
    })
    this.removing.set(id, removing)
    return await removing.finally(() => this.removing.delete(id))
  }

  /** Left out: the one that was closed last. */
  find(ref: string | undefined): Result<Closed> {
    const all = this.all()
    const [last] = all
    if (ref === undefined) return last === undefined ? refused(refusals.nothingToReopen()) : done(last)
    const found = findTerminal(
      ref,
      all.map(({ terminal: { id, name } }) => ({ id, name })),
    )
    const closed = found.ok ? this.get(found.value.id) : null
    if (closed !== null) return done(closed)
    if (!found.ok && found.refusal.code === 'terminal-ambiguous') return found
    if (findTerminal(ref, this.daemon.registry.all()).ok) return refused(refusals.notClosed(ref))
    return refused(findTerminal(ref, this.lapsed).ok ? refusals.reopenTooLate(ref) : refusals.closedNotFound(ref))
  }

  /** `prepare` tells what comes back. Killed anywhere, it is closed or it is there. */
  async reopen(id: TerminalId, prepare: (closed: Closed) => Promise<Asleep>): Promise<Result<Asleep>> {
    await this.removing.get(id)?.catch(() => undefined)
    const closed = this.kept.get(id)
    if (closed === undefined) return refused(refusals.closedNotFound(id))
    this.kept.delete(id) // nobody else brings it back meanwhile
    await this.daemon.registry.quiet(id, QUIET_WITHIN_MS)
    return await this.putBack(closed, await prepare(closed))
  }

  private async putBack(closed: Closed, record: Asleep): Promise<Result<Asleep>> {
    const { daemon } = this
    const { before, seen } = closed
    const { id } = record
    daemon.layout.current = placeBack(daemon.topology, { terminal: id, before })
    trip('reopen:before-keep')
    try {
      await daemon.store.reopenTerminal(record, daemon.topology)
    } catch (error) {
      daemon.layout.current = removeTerminal(daemon.topology, id)
      this.kept.set(id, closed)
      return refused(refusals.diskFailed(systemReason(error)))
    }
    trip('reopen:after-keep')
    bringRunsBack(daemon.paths, id)
    trip('reopen:runs-back')
    daemon.checkpoints.seen.remember([{ terminal: record, ...seen, agent: null, screen: null }])
    daemon.checkpoints.structureChanged()
    daemon.audience.announce({ kind: 'topology', topology: topologyView(daemon.topology) })
    await daemon.registry.carryOut(id, { terminal: record, effects: [{ kind: 'announce' }] })
    daemon.indexer.lookAgain()
    return done(record)
  }

  /** A restore brings some of them back in its own way: their runs are theirs again, and nobody else's to remove. */
  broughtBack(ids: readonly TerminalId[]): void {
    for (const id of ids) this.kept.delete(id)
  }

  /** They are being forgotten: none of them comes back, and what the others go back to does not name them. */
  forgotten(ids: readonly TerminalId[]): void {
    for (const id of ids) this.kept.delete(id)
    for (const [id, closed] of this.kept) this.kept.set(id, { ...closed, before: withoutTerminals(closed.before, ids) })
    this.lapsed = this.lapsed.filter(({ id }) => !ids.some((other) => other === id))
    this.schedule()
  }

  /** For good. What cannot be forgotten now is tried again later. */
  async expire(): Promise<void> {
    const over = [...this.kept.values()].filter(({ until }) => until <= this.now())
    for (const { terminal } of over) {
      try {
        await this.forget(terminal.id)
        this.lapsed = [{ id: terminal.id, name: terminal.name }, ...this.lapsed].slice(0, MOST_LAPSED)
      } catch (error) {
        this.daemon.log.error({ terminal: terminal.id, error: (error as Error).message }, 'a closed terminal could not be forgotten')
      }
    }
    this.schedule()
  }

  /** Nobody can reopen it any more. */
  async forgetForGood(id: TerminalId): Promise<void> {
    await this.forget(id)
  }

  private async forget(id: TerminalId): Promise<void> {
    const { daemon } = this
    const closed = this.kept.get(id)
    this.kept.delete(id)
    trip('expire:before-forget')
    try {
      await daemon.store.forgetTerminal(id)
    } catch (error) {
      if (closed !== undefined) this.kept.set(id, closed)
      throw error
    }
    trip('expire:record-gone')
    removeRuns(daemon.paths, id)
    daemon.files.forget(id)
  }

  private schedule(): void {
    clearTimeout(this.timer)
    const next = Math.min(...[...this.kept.values()].map(({ until }) => until))
    if (this.isStopped || next === Number.POSITIVE_INFINITY) return
    const wait = next - this.now()
    this.timer = setTimeout(() => void this.expire(), wait > 0 ? Math.min(wait, CLOSED_FOR_MS) : TRY_AGAIN_MS).unref()
  }
}
