/**
 * Puts terminals to sleep by themselves, where the user's configuration says so: what has been idle for long, and, while the
 * machine is short of memory, what has been idle longest. It looks now and then, and writes nothing while there is nothing to do.
 */
import type { TerminalId } from '../../base/ids.ts'
import {
  type AutoSleep,
  type AutoSleepLook,
  type Idler,
  mayBeSlept,
  planAutoSleep,
  type Steadiness,
  steadiness,
} from '../../workspace/terminal/autoSleep.ts'

/** Often enough for idle times of minutes; for shorter ones sooner. */
const LOOK_EVERY_MS = 30_000
const LOOK_AT_MOST_EVERY_MS = 1_000
/** Looks in a short idle time, so that it is not overrun by much. */
const LOOKS_PER_IDLE = 4
/** Whoever looked through the daemon before this one is back by then. */
const FIRST_LOOK_AFTER_MS = 5_000
/** One look frees at most this many for memory. */
const MOST_FOR_MEMORY = 10

export type AutoSleepWorld = {
  /** When the daemon started. */
  readonly startedAt: number
  settings(): { readonly idleS: number; readonly memoryPercent: number }
  /** In percent of the machine's memory; null where nobody knows. */
  available(): number | null
  /** All that are live, as they are now. */
  idlers(): Promise<readonly Omit<Idler, 'losses'>[]>
  losses(id: TerminalId): Promise<readonly string[]>
  /** Resolves when it sleeps, or stays awake after all. */
  sleep(order: AutoSleep & { readonly idleMs: number }): Promise<void>
  failed(error: Error): void
}

export class AutoSleeper {
  private timer: NodeJS.Timeout | undefined
  private steady: Steadiness | null = null
  private readonly seenAt = new Map<TerminalId, number>()
  private isStopped = false

  constructor(private readonly world: AutoSleepWorld) {}

  /** The boot is done. */
  start(): void {
    this.schedule()
  }

  /** Another idle time may want to be looked at sooner. */
  configured(): void {
    if (this.timer !== undefined) this.schedule()
  }

  /** What has been asked to end goes on to, with the next daemon if need be. */
  stop(): void {
    this.isStopped = true
    clearTimeout(this.timer)
  }

  private get everyMs(): number {
    const { idleS } = this.world.settings()
    const wanted = idleS === 0 ? LOOK_EVERY_MS : (idleS * 1_000) / LOOKS_PER_IDLE
    return Math.min(LOOK_EVERY_MS, Math.max(LOOK_AT_MOST_EVERY_MS, wanted))
  }

  private get nextMs(): number {
    return Math.max(this.everyMs, this.world.startedAt + FIRST_LOOK_AFTER_MS - Date.now())
  }

  private schedule(): void {
    clearTimeout(this.timer)
    if (this.isStopped) return
    const look = (): void =>
      void this.look()
        .catch((error: Error) => this.world.failed(error))
        .finally(() => this.schedule())
    this.timer = setTimeout(look, this.nextMs).unref()
  }

  private async look(): Promise<void> {
    this.steady = steadiness(this.steady, Date.now(), this.everyMs)
    const { idleS, memoryPercent } = this.world.settings()
    if (idleS === 0 && memoryPercent === 0) return
    for (let freed = 0; freed < MOST_FOR_MEMORY && !this.isStopped; freed += 1) {
      const orders = await this.plan()
      await Promise.all(orders.map((order) => this.world.sleep(order)))
      if (!orders.some(({ by }) => by === 'memory')) break
    }
    this.steady = { ...this.steady, lookedAt: Date.now() } // what was done took its time
  }

  private async plan(): Promise<readonly (AutoSleep & { readonly idleMs: number })[]> {
    const live = this.withSeen(await this.world.idlers())
    const look = this.circumstances()
    const idlers = await Promise.all(
      live.map(async (idler) => ({ ...idler, losses: mayBeSlept(idler, look) ? await this.world.losses(idler.id) : null })),
    )
    const idleOf = (id: TerminalId): number => look.now - (idlers.find((idler) => idler.id === id)?.activeAt ?? look.now)
    return planAutoSleep(idlers, look).map((order) => ({ ...order, idleMs: idleOf(order.id) }))
  }

  /** One that was looked at until a moment ago has not been idle for long, whatever it printed. */
  private withSeen(live: readonly Omit<Idler, 'losses'>[]): readonly Omit<Idler, 'losses'>[] {
    for (const id of this.seenAt.keys()) if (!live.some((idler) => idler.id === id)) this.seenAt.delete(id)
    for (const { id, isSeen } of live) if (isSeen) this.seenAt.set(id, Date.now())
    return live.map((idler) => ({ ...idler, activeAt: Math.max(idler.activeAt, this.seenAt.get(idler.id) ?? 0) }))
  }

  private circumstances(): AutoSleepLook {
    const { idleS, memoryPercent } = this.world.settings()
    const available = memoryPercent === 0 ? null : this.world.available()
    return {
      now: Date.now(),
      steadySince: this.steady?.since ?? Date.now(),
      idleMs: idleS === 0 ? null : idleS * 1_000,
      memory: available === null ? null : { available, wanted: memoryPercent },
    }
  }
}
