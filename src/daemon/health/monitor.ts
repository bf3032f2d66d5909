/**
 * Looks at everything that is watched, in its time, and carries out what `stepHealth` decides. It knows nothing of what it watches.
 * A look that is answered writes nothing, anywhere.
 */
import { assertNever } from '../../base/assertNever.ts'
import type { WatchedView } from '../../wire/healthView.ts'
import { type Health, type HealthEffect, type HealthEvent, newHealth, type Sight, stepHealth, whyOf } from '../../workspace/health.ts'
import { type Clock, ClockWatch, LOOK_EVERY_MS } from './clockWatch.ts'
import { policyFor, silent, type Watched } from './watched.ts'

/** For finding out why it did not answer. */
const WHY_WITHIN_MS = 2_000
const RECOVER_WITHIN_MS = 30_000
/** Many begin at once, when a daemon starts; they are not all looked at in the same moment. */
const FIRST_MS = { after: 500, apart: 40, rounds: 50 }

export type Note = Extract<HealthEffect, { kind: 'note' }>

export type MonitorWorld = {
  readonly clock: Clock
  settings(): { readonly intervalS: number; readonly deadlineMs: number }
  /** The health of a watched part has changed. A first look that is answered is no change. */
  noted(watched: Watched, note: Note): void
  clockJumped(byMs: number): void
  /** Something that is shown may be different. */
  changed(): void
}

type Kept = {
  readonly watched: Watched
  health: Health
  timer: NodeJS.Timeout | null
  nextCheckAt: number | null
  answeredInMs: number | null
  checking: Promise<void> | null
  /** How often its state was reported from outside: a check that began before is older news. */
  told: number
}

export class HealthMonitor {
  private readonly kept = new Map<string, Kept>()
  private readonly clockWatch: ClockWatch
  private ticker: NodeJS.Timeout | null = null
  private added = 0
  /** What was asked before the clock jumped is not judged after it. */
  private era = 0

  constructor(private readonly world: MonitorWorld) {
    this.clockWatch = new ClockWatch(world.clock)
  }

  start(): void {
    this.ticker ??= setInterval(() => this.lookAtClock(), LOOK_EVERY_MS).unref()
  }

  stop(): void {
    if (this.ticker !== null) clearInterval(this.ticker)
    for (const id of [...this.kept.keys()]) this.remove(id)
  }

  /** Watches it from now on, soon for the first time. One with the same id is replaced. */
  add(watched: Watched): void {
    this.remove(watched.id)
    const health = newHealth(this.world.clock.now())
    const kept: Kept = { watched, health, timer: null, nextCheckAt: null, answeredInMs: null, checking: null, told: 0 }
    this.kept.set(watched.id, kept)
    this.schedule(kept, FIRST_MS.after + (this.added++ % FIRST_MS.rounds) * FIRST_MS.apart)
    this.world.changed()
  }

  remove(id: string): void {
    const kept = this.kept.get(id)
    if (kept === undefined) return
    this.cancel(kept)
    this.kept.delete(id)
    this.world.changed()
  }

  /** Its state was seen elsewhere: it need not be asked. */
  saw(id: string, sight: Sight): void {
    const kept = this.kept.get(id)
    if (kept === undefined) return
    kept.told += 1
    this.happened(kept, sight)
  }

  /** Looks at all of them now; resolves when all have answered or had their time. */
  async checkAll(): Promise<void> {
    this.lookAtClock()
    for (const kept of this.kept.values()) this.happened(kept, { kind: 'checkNow' })
    await Promise.all([...this.kept.values()].map(({ checking }) => checking))
  }

  views(): WatchedView[] {
    return [...this.kept.values()].map(viewOf)
  }

  private lookAtClock(): void {
    const byMs = this.clockWatch.look()
    if (byMs === null) return
    this.era += 1
    this.world.clockJumped(byMs)
    for (const kept of this.kept.values()) this.happened(kept, { kind: 'clockJumped' })
  }

  private happened(kept: Kept, event: HealthEvent): void {
    const before = kept.health
    const around = { now: this.world.clock.now(), policy: policyFor(kept.watched, this.world.settings().intervalS * 1_000) }
    const { health, effects } = stepHealth(before, event, around)
    kept.health = health
    for (const effect of effects) this.carryOut(kept, effect, before)
    this.world.changed()
  }

  private carryOut(kept: Kept, effect: HealthEffect, before: Health): void {
    switch (effect.kind) {
      case 'check':
        kept.checking ??= this.check(kept)
        return
      case 'schedule':
        return this.schedule(kept, effect.ms)
      case 'cancel':
        return this.cancel(kept)
      case 'recover':
        return void this.recover(kept, effect.attempt)
      case 'note':
        return isArrival(before, effect) ? undefined : this.world.noted(kept.watched, effect)
    }
    assertNever(effect)
  }

  private schedule(kept: Kept, ms: number): void {
    this.cancel(kept)
    kept.nextCheckAt = this.world.clock.now() + ms
    kept.timer = setTimeout(() => {
      this.cancel(kept)
      this.lookAtClock()
      if (kept.timer === null) this.happened(kept, { kind: 'checkDue' })
    }, ms).unref()
  }

  private cancel(kept: Kept): void {
    if (kept.timer !== null) clearTimeout(kept.timer)
    kept.timer = null
    kept.nextCheckAt = null
  }

  private async check(kept: Kept): Promise<void> {
    const { era } = this
    const { told } = kept
    const began = this.world.clock.monotonic()
    const { deadlineMs: withinMs } = this.world.settings()
    const late = silent(`it did not answer within ${withinMs / 1_000} s`)
    const look = kept.watched.check({ withinMs }).catch((error: Error) => silent(error.message))
    const sight = await inTime(look, withinMs + WHY_WITHIN_MS, late)
    kept.checking = null
    if (this.kept.get(kept.watched.id) !== kept) return
    this.lookAtClock()
    if (sight.kind === 'answered') kept.answeredInMs = Math.round(this.world.clock.monotonic() - began)
    if (era === this.era && told === kept.told) this.happened(kept, sight)
    else if (kept.timer === null) this.happened(kept, { kind: 'checkDue' })
  }

  private async recover(kept: Kept, attempt: number): Promise<void> {
    const work = kept.watched.recover?.(attempt) ?? Promise.reject(new Error('it cannot be recovered'))
    const done: HealthEvent = { kind: 'recovered' }
    const failed = (why: string): HealthEvent => ({ kind: 'recoveryFailed', why })
    const outcome = work.then(
      () => done,
      (error: Error) => failed(error.message),
    )
    const event = await inTime(outcome, RECOVER_WITHIN_MS, failed(`it could not be recovered within ${RECOVER_WITHIN_MS / 1_000} s`))
    if (this.kept.get(kept.watched.id) === kept) this.happened(kept, event)
  }
}

const isArrival = (before: Health, { to, why }: Note): boolean =>
  before.state === 'unknown' ? to === 'verifying' : before.state === 'verifying' && before.why === null && to === 'alive' && why === null

function inTime<Value>(work: Promise<Value>, ms: number, late: Value): Promise<Value> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(late), ms)
    void work.then(resolve).finally(() => clearTimeout(timer))
  })
}

function viewOf({ watched, health, answeredInMs, nextCheckAt }: Kept): WatchedView {
  return {
    id: watched.id,
    kind: watched.kind,
    name: watched.name(),
    terminal: watched.terminal,
    state: health.state,
    since: health.since,
    why: whyOf(health),
    strikes: health.state === 'verifying' ? health.strikes : 0,
    attempts: 'attempts' in health ? health.attempts : 0,
    answeredInMs,
    nextCheckAt,
  }
}
