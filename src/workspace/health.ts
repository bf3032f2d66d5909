/**
 * The health of one watched part, as a pure function. It is unknown until the part has answered once. A silent part is asked
 * again soon and is dead after several strikes; a part that is seen to be gone is dead at once. It is recovered, later each time and
 * not without end; then it has failed, and is left alone until it answers by itself or the user asks.
 */
import { assertNever } from '../base/assertNever.ts'

/** When it was recovered lately. Past a clock that jumped, these mean nothing. */
type Recoveries = { readonly recoveries: readonly number[] }

export type Health = Recoveries & { readonly since: number } & (
    | { readonly state: 'unknown' }
    /** Asked and not sure. `why` is null before anything has gone wrong. */
    | { readonly state: 'verifying'; readonly strikes: number; readonly why: string | null }
    /** `note`: what is wrong although it answers. */
    | { readonly state: 'alive'; readonly note: string | null }
    | { readonly state: 'dead'; readonly why: string; readonly attempts: number }
    | { readonly state: 'recovering'; readonly why: string; readonly attempts: number }
    | { readonly state: 'failed'; readonly why: string; readonly attempts: number }
  )

type HealthState = Health['state']

/** What a look at it showed. `silent`: it does not answer in time; `gone`: it is known not to be there. */
export type Sight =
  | { readonly kind: 'answered'; readonly note: string | null }
  | { readonly kind: 'silent'; readonly why: string }
  | { readonly kind: 'gone'; readonly why: string }

export type HealthEvent =
  | Sight
  | { readonly kind: 'checkDue' }
  /** A check was requested. */
  | { readonly kind: 'checkNow' }
  | { readonly kind: 'recovered' }
  | { readonly kind: 'recoveryFailed'; readonly why: string }
  /** The machine slept, or its clock was set: missed answers do not count. */
  | { readonly kind: 'clockJumped' }

/** Carried out in order. There is one timer: `schedule` sets it anew. */
export type HealthEffect =
  | { readonly kind: 'check' }
  | { readonly kind: 'schedule'; readonly ms: number }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'recover'; readonly attempt: number }
  | { readonly kind: 'note'; readonly from: HealthState; readonly to: HealthState; readonly why: string | null }

export type HealthPolicy = {
  readonly intervalMs: number
  /** Checks in a row that may go unanswered; with the last of them it is dead. */
  readonly strikes: number
  /** After a strike the next check comes sooner. */
  readonly strikeMs: number
  /** A machine that was just woken needs a moment itself. */
  readonly afterJumpMs: number
  readonly recovery: RecoveryPolicy
}

/** At most `most` within any `windowMs`. Before each there is a wait, twice as long as the one before. */
type RecoveryPolicy = {
  readonly most: number
  readonly windowMs: number
  readonly firstMs: number
  readonly longestMs: number
  /** How long it is left alone after that. */
  readonly pauseMs: number
}

export type HealthOutcome = { readonly health: Health; readonly effects: readonly HealthEffect[] }
type Around = { readonly now: number; readonly policy: HealthPolicy }

export const newHealth = (now: number): Health => ({ state: 'unknown', since: now, recoveries: [] })

export function stepHealth(health: Health, event: HealthEvent, around: Around): HealthOutcome {
  switch (event.kind) {
    case 'checkDue':
      return check(health, around, [])
    case 'checkNow':
      return check(health, around, [{ kind: 'cancel' }])
    case 'answered':
      return answered(health, event.note, around)
    case 'silent':
      return missed(health, { why: event.why, isGone: false }, around)
    case 'gone':
      return missed(health, { why: event.why, isGone: true }, around)
    case 'recovered':
      return { health, effects: health.state === 'recovering' ? [{ kind: 'check' }] : [] }
    case 'recoveryFailed':
      return health.state === 'recovering' ? fallBack(health, event.why, around) : { health, effects: [] }
    case 'clockJumped':
      return clockJumped(health, around)
  }
  return assertNever(event)
}

function check(health: Health, { now }: Around, first: readonly HealthEffect[]): HealthOutcome {
  const effects: readonly HealthEffect[] = [...first, { kind: 'check' }]
  if (health.state !== 'unknown') return { health, effects }
  const { recoveries } = health
  const verifying: Health = { state: 'verifying', since: now, strikes: 0, why: null, recoveries }
  return { health: verifying, effects: [...first, noteOf(health, verifying), { kind: 'check' }] }
}

function answered(health: Health, note: string | null, { now, policy }: Around): HealthOutcome {
  const next: HealthEffect = { kind: 'schedule', ms: policy.intervalMs }
  if (health.state === 'alive' && health.note === note) return { health, effects: [next] }
  const since = health.state === 'alive' ? health.since : now
  const alive: Health = { state: 'alive', since, note, recoveries: health.recoveries }
  return { health: alive, effects: [noteOf(health, alive), next] }
}

/** `isGone`: it is known to be gone, which needs no strikes. */
function missed(health: Health, { why, isGone }: { readonly why: string; readonly isGone: boolean }, around: Around): HealthOutcome {
  switch (health.state) {
    case 'unknown':
    case 'verifying':
    case 'alive':
      return isGone ? die(health, why, around) : strike(health, why, around)
    case 'dead':
    case 'failed':
      return tryToRecover({ ...health, why }, around)
    case 'recovering':
      return fallBack(health, why, around)
  }
  return assertNever(health)
}

function strike(health: Extract<Health, { state: 'unknown' | 'verifying' | 'alive' }>, why: string, around: Around): HealthOutcome {
  const { now, policy } = around
  const [since, before] = health.state === 'verifying' ? [health.since, health.strikes] : [now, 0]
  const strikes = before + 1
  if (strikes >= policy.strikes) return die(health, why, around)
  const verifying: Health = { state: 'verifying', since, strikes, why, recoveries: health.recoveries }
  const soon: HealthEffect = { kind: 'schedule', ms: policy.strikeMs }
  return { health: verifying, effects: before === 0 ? [noteOf(health, verifying), soon] : [soon] }
}

function die(health: Health, why: string, around: Around): HealthOutcome {
  const dead: Health = { state: 'dead', since: around.now, why, attempts: 0, recoveries: health.recoveries }
  return { health: dead, effects: [noteOf(health, dead), { kind: 'schedule', ms: waitOf(dead, around) }] }
}

/** It has just been looked at once more, and is still not there. */
function tryToRecover(health: Extract<Health, { state: 'dead' | 'failed' }>, around: Around): HealthOutcome {
  const { now, policy } = around
  if (policy.recovery.most === 0) return { health, effects: [{ kind: 'schedule', ms: policy.intervalMs }] }
  const recoveries = recentOf(health, around)
  if (recoveries.length >= policy.recovery.most) return fail({ ...health, recoveries }, around)
  const attempts = health.attempts + 1
  const recovering: Health = { state: 'recovering', since: now, why: health.why, attempts, recoveries: [...recoveries, now] }
  return { health: recovering, effects: [{ kind: 'cancel' }, noteOf(health, recovering), { kind: 'recover', attempt: attempts }] }
}

/** A recovery that did not help. */
function fallBack(health: Extract<Health, { state: 'recovering' }>, why: string, around: Around): HealthOutcome {
  const { attempts } = health
  const recoveries = recentOf(health, around)
  const dead: Health = { state: 'dead', since: around.now, why, attempts, recoveries }
  if (recoveries.length >= around.policy.recovery.most) return fail(dead, around, health)
  return { health: dead, effects: [noteOf(health, dead), { kind: 'schedule', ms: waitOf(dead, around) }] }
}

function fail(health: Extract<Health, { state: 'dead' | 'failed' }>, { now, policy }: Around, before: Health = health): HealthOutcome {
  const pause: HealthEffect = { kind: 'schedule', ms: policy.recovery.pauseMs }
  if (health.state === 'failed') return { health, effects: [pause] }
  const failed: Health = { ...health, state: 'failed', since: now }
  return { health: failed, effects: [noteOf(before, failed), pause] }
}

/** Strikes and recoveries from before count no more. What was known to be dead still is, and gets a new chance. */
function clockJumped(health: Health, { policy }: Around): HealthOutcome {
  const effects: readonly HealthEffect[] = [{ kind: 'cancel' }, { kind: 'schedule', ms: policy.afterJumpMs }]
  const forgiven: Health = health.state === 'verifying' ? { ...health, strikes: 0, why: null } : health
  return { health: { ...forgiven, recoveries: [] }, effects }
}

const recentOf = ({ recoveries }: Health, { now, policy }: Around): readonly number[] =>
  recoveries.filter((at) => now - at < policy.recovery.windowMs)

function waitOf(health: Health, around: Around): number {
  const { firstMs, longestMs, most } = around.policy.recovery
  return most === 0 ? around.policy.intervalMs : Math.min(firstMs * 2 ** recentOf(health, around).length, longestMs)
}

const noteOf = (from: Health, to: Health): HealthEffect => ({ kind: 'note', from: from.state, to: to.state, why: whyOf(to) })

/** Why it is not simply alive, or what is wrong although it is. */
export function whyOf(health: Health): string | null {
  switch (health.state) {
    case 'unknown':
      return null
    case 'alive':
      return health.note
    case 'verifying':
    case 'dead':
    case 'recovering':
    case 'failed':
      return health.why
  }
  return assertNever(health)
}
