/**
 * Puts terminals to sleep by themselves, where the user's configuration says so: what has been idle for long, and, while the
 * machine is short of memory, what has been idle longest. It looks now and then, writes nothing while there is nothing to do, and what
 * it does stands in the record, in the audit and in the log.
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
} from '../../workspace/autoSleep.ts'
import type { Live } from '../../workspace/terminal.ts'
import type { Daemon } from '../daemon.ts'
import { availablePercent } from './memory.ts'
import { lossesNow, putToSleep } from './putToSleep.ts'

/** Often enough for idle times of minutes; for shorter ones sooner. */
const LOOK_EVERY_MS = 30_000
const LOOK_AT_MOST_EVERY_MS = 1_000
/** Looks in a short idle time, so that it is not overrun by much. */
const LOOKS_PER_IDLE = 4
/** Whoever looked through the daemon before this one is back by then. */
const FIRST_LOOK_AFTER_MS = 5_000
/** After its grace a program is killed; the next look does not wait for one that stays all the same. */
const ENDED_WITHIN_MS = 5_000
/** One look frees at most this many for memory: the next one measures anew. */
const MOST_FOR_MEMORY = 10

export class AutoSleeper {
  private timer: NodeJS.Timeout | undefined
  private steady: Steadiness | null = null
  private readonly seenAt = new Map<TerminalId, number>()
  private isStopped = false

  constructor(
    private readonly daemon: Daemon,
    private readonly available: () => number | null = availablePercent,
  ) {}

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
    const { idleS } = this.daemon.config.sleep
    const wanted = idleS === 0 ? LOOK_EVERY_MS : (idleS * 1_000) / LOOKS_PER_IDLE
    return Math.min(LOOK_EVERY_MS, Math.max(LOOK_AT_MOST_EVERY_MS, wanted))
  }

  private get nextMs(): number {
    return Math.max(this.everyMs, this.daemon.startedAt + FIRST_LOOK_AFTER_MS - Date.now())
  }

  private schedule(): void {
    clearTimeout(this.timer)
    if (this.isStopped) return
    this.timer = setTimeout(() => {
      void this.look()
        .catch((error: Error) => this.daemon.log.error({ error: error.stack }, 'a look for idle terminals failed'))
        .finally(() => this.schedule())
    }, this.nextMs).unref()
  }

  private async look(): Promise<void> {
    this.steady = steadiness(this.steady, Date.now(), this.everyMs)
    this.noteSeen()
    const { idleS, memoryPercent } = this.daemon.config.sleep
    if (idleS === 0 && memoryPercent === 0) return
    for (let freed = 0; freed < MOST_FOR_MEMORY && !this.isStopped; freed += 1) {
      const planned = await this.plan()
      await Promise.all(planned.map((one) => this.carryOut(one)))
      if (!planned.some(({ by }) => by === 'memory')) break
    }
    this.steady = { ...this.steady, lookedAt: Date.now() } // what was done took its time
  }

  /** Whoever was looked at until now is not idle since long ago. */
  private noteSeen(): void {
    const { registry, sizes } = this.daemon
    for (const { id } of registry.all()) if (sizes.isSeen(id)) this.seenAt.set(id, Date.now())
    for (const id of this.seenAt.keys()) if (registry.get(id) === null) this.seenAt.delete(id)
  }

  private async plan(): Promise<readonly AutoSleep[]> {
    const { daemon } = this
    await daemon.activity.look()
    const look = this.circumstances()
    const live = daemon.registry.all().flatMap((terminal) => (terminal.state === 'live' ? [terminal] : []))
    const idlers = await Promise.all(
      live.map(async (terminal): Promise<Idler> => {
        const idler = this.idlerOf(terminal)
        return { ...idler, losses: mayBeSlept(idler, look) ? await lossesNow(daemon, terminal) : null }
      }),
    )
    return planAutoSleep(idlers, look)
  }

  private circumstances(): AutoSleepLook {
    const { idleS, memoryPercent } = this.daemon.config.sleep
    const available = memoryPercent === 0 ? null : this.available()
    return {
      now: Date.now(),
      steadySince: this.steady?.since ?? Date.now(),
      idleMs: idleS === 0 ? null : idleS * 1_000,
      memory: available === null ? null : { available, wanted: memoryPercent },
    }
  }

  private idlerOf(terminal: Live): Omit<Idler, 'losses'> {
    const { daemon } = this
    const { id, run, since, link } = terminal
    return {
      id,
      isLive: link.kind === 'connected',
      isPrivate: terminal.private,
      isPinned: terminal.pinned,
      isSeen: daemon.sizes.isSeen(id),
      agent: daemon.agents.of(run) === null ? null : (daemon.agents.summary(run)?.state ?? 'unknown'),
      activeAt: Math.max(daemon.activity.of(terminal) ?? since, since, this.seenAt.get(id) ?? 0),
    }
  }

  private async carryOut({ id, by }: AutoSleep): Promise<void> {
    const { daemon } = this
    const terminal = daemon.registry.get(id)
    if (terminal?.state !== 'live') return
    const idleMs = Date.now() - this.idlerOf(terminal).activeAt
    const asked = await putToSleep(daemon, terminal, { force: false, by })
    if (!asked.ok) return daemon.log.info({ terminal: id, why: asked.refusal.message }, 'a terminal was not put to sleep after all')
    daemon.log.info({ terminal: id, by, idleMs }, 'a terminal is put to sleep by itself')
    const entry = { session: daemon.checkpoints.session, terminal: id, what: 'sleep', details: { by, idleMs } }
    await daemon.store.appendAudit(entry).catch((error: Error) => daemon.log.warn({ error: error.message }, 'a sleep is not in the audit'))
    await daemon.ended(id, (now) => now?.state !== 'settling', daemon.config.settleMs + ENDED_WITHIN_MS)
  }
}
