/**
 * Forgets terminals: removes every trace of them, in this order, each step of which can be done again.
 *
 *   the order is kept · open terminals are closed · tables, checkpoints and their copies · search index · files · log lines ·
 *   the database is rewritten, and the order is gone
 *
 * Killed anywhere after the first step, the next daemon begins again with the order, before it answers anybody.
 */
import type { TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import { FORGETTING, type ForgetOrder } from '../../store/forgetOrder.ts'
import { decodeForgetOrder } from '../../store/record.ts'
import type { Outcome } from '../../wire/commands.ts'
import type { Daemon } from '../daemon.ts'
import { endAndClose } from '../terminals/endAndClose.ts'
import { trip } from '../trip.ts'
import { removeLogLines } from './logLines.ts'
import { removeFromDisk } from './onDisk.ts'
import { type ForgetWish, planForget } from './plan.ts'

export class Forgetting {
  /** A sentence while something is still to be forgotten. */
  trouble: string | null = null
  private underWay: Promise<unknown> = Promise.resolve()

  constructor(private readonly daemon: Daemon) {}

  /** One at a time. */
  apply(wish: ForgetWish): Promise<Result<Outcome<'forget.apply'>>> {
    const mine = this.underWay.then(() => this.forget(wish))
    this.underWay = mine.catch(() => undefined)
    return mine
  }

  /** What the daemon before this one has not finished. */
  async resume(): Promise<void> {
    const order = await this.left()
    if (order === null) return
    await this.finish(order)
  }

  /** What is still to be forgotten. One that cannot be read says nothing that could be done. */
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
      this.trouble = `not everything is forgotten yet: ${(error as Error).message}; it is tried again at the next start and with the next holdfast forget`
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
        daemon.olderScreens.delete(run)
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
