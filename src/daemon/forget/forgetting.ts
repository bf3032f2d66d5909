/**
 * Forget: removes every trace of terminals, by the user's order. `plan.ts` finds what is meant, `onDisk.ts` and `logLines.ts` clean files.
 * Start here. The steps, in this order; each can be repeated:
 *
 *   the order is kept · open terminals are closed · tables, checkpoints and their copies · search index · files · log lines ·
 *   the database is rewritten, and the order is gone
 *
 * After a crash the next daemon repeats the order from its first step, before it answers any client.
 */
import type { RunId, SessionId, TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import { FORGETTING, type ForgetOrder } from '../../store/forgetOrder.ts'
import { decodeForgetOrder } from '../../store/record.ts'
import type { Outcome } from '../../wire/commands/commands.ts'
import type { Log } from '../base/log.ts'
import { trip } from '../base/trip.ts'
import { endAndClose } from '../terminals/endAndClose.ts'
import type { Registry } from '../terminals/registry.ts'
import { removeLogLines } from './logLines.ts'
import { removeFromDisk } from './onDisk.ts'
import { type ForgetWish, type PlanParts, planForget } from './plan.ts'

type Parts = PlanParts &
  Parameters<typeof endAndClose>[0] & {
    readonly log: Log
    readonly registry: Registry
    readonly focus: { forget(ids: readonly TerminalId[]): void }
    readonly indexer: { purge(order: { readonly terminals: readonly TerminalId[]; readonly runs: readonly RunId[] }): Promise<void> }
    readonly runScreens: { readonly older: Map<RunId, unknown> }
    readonly screens: { close(run: RunId): Promise<void> }
    readonly checkpoints: {
      readonly session: SessionId
      structureChanged(): void
      between<Value>(work: () => Promise<Value>): Promise<Value>
    }
  }

export class Forgetting {
  /** A sentence while something is still to be forgotten. */
  trouble: string | null = null
  private underWay: Promise<unknown> = Promise.resolve()

  constructor(private readonly daemon: Parts) {}

  /** One at a time. */
  apply(wish: ForgetWish): Promise<Result<Outcome<'forget.apply'>>> {
    const mine = this.underWay.then(() => this.forget(wish))
    this.underWay = mine.catch(() => undefined)
    return mine
  }

  /** Finishes an order that an earlier daemon has left. */
  async resume(): Promise<void> {
    const order = await this.left()
    if (order === null) return
    await this.finish(order)
  }

  /** What is still to be forgotten. An order that cannot be read cannot be carried out. */
  private async left(): Promise<ForgetOrder | null> {
    const decoded = decodeForgetOrder((await this.daemon.store.setting(FORGETTING)) ?? '')
    return decoded.ok ? decoded.value : null
  }

  private async forget(wish: ForgetWish): Promise<Result<Outcome<'forget.apply'>>> {
    const { daemon } = this
    const left = await this.left()
    const planned = await planForget(daemon, wish)
    if (!planned.ok) return planned
    const { view } = planned.value
    const order = left === null ? planned.value.order : together(left, planned.value.order)
    try {
      await daemon.store.keepSetting(FORGETTING, JSON.stringify(order))
    } catch (error) {
      return refused(refusals.diskFailed(systemReason(error)))
    }
    trip('erase:noted')
    await this.finish(order)
    return done({ ...view, trouble: this.trouble })
  }

  private async finish(order: ForgetOrder): Promise<void> {
    try {
      await this.carryOut(order)
      this.trouble = null
    } catch (error) {
      this.trouble = `not everything is forgotten yet: ${(error as Error).message}; the next start or the next holdfast forget tries again`
      this.daemon.log.error({ error: (error as Error).message }, 'not everything could be forgotten')
    }
  }

  private async carryOut(order: ForgetOrder): Promise<void> {
    const { daemon } = this
    const { terminals, runs } = order
    for (const id of terminals) await this.close(id)
    trip('erase:closed')
    await daemon.checkpoints.between(async () => {
      daemon.closed.forgotten(terminals)
      daemon.focus.forget(terminals)
      for (const run of runs) {
        daemon.runScreens.older.delete(run)
        if (daemon.registry.byRun(run) === null) await daemon.screens.close(run)
      }
      await daemon.store.forget(order)
    })
    trip('erase:rows-gone')
    await daemon.indexer.purge(order)
    trip('erase:index-clean')
    removeFromDisk(daemon.paths, order)
    trip('erase:files-gone')
    removeLogLines(daemon.paths, { ids: [...terminals, ...runs], before: order.before })
    trip('erase:log-clean')
    await daemon.store.compact()
    trip('erase:compacted')
    daemon.checkpoints.structureChanged()
    const details = { terminals: terminals.length, runs: runs.length }
    await daemon.store.appendAudit({ session: daemon.checkpoints.session, terminal: null, what: 'forget', details }).catch(() => undefined) // a full disk costs the entry
  }

  private async close(id: TerminalId): Promise<void> {
    if (this.daemon.registry.get(id) === null) return
    const closed = await endAndClose(this.daemon, id)
    if (!closed.ok) throw new Error(closed.refusal.message)
  }
}

function together(one: ForgetOrder, other: ForgetOrder): ForgetOrder {
  const before = Math.max(one.before ?? Number.NEGATIVE_INFINITY, other.before ?? Number.NEGATIVE_INFINITY)
  return {
    terminals: [...new Set([...one.terminals, ...other.terminals])],
    runs: [...new Set([...one.runs, ...other.runs])],
    before: before === Number.NEGATIVE_INFINITY ? null : before,
  }
}
