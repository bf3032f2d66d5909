/**
 * The main file of this folder: how a live terminal is put to sleep. It is looked at, refused where it would lose something
 * (`losses.ts`), and its context is kept with it (`context.ts`); `terminals/endings.ts` then ends its program. `autoSleeper.ts` does so
 * for idle terminals, by `activity.ts` and `memory.ts`. It sees the daemon through `world.ts` alone.
 */
import type { TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { lossesText } from '../../workspace/terminal/losses.ts'
import { isGuest, type Link, type Live, type Slept } from '../../workspace/terminal/terminal.ts'
import { hold, trip } from '../base/trip.ts'
import { END_MARGIN_MS } from '../terminals/endAndClose.ts'
import { START_WITHIN_MS } from '../terminals/waiting.ts'
import { sleepContextOf, sleepContextsOf } from './context.ts'
import { lossesOfLive, processesNow } from './losses.ts'
import type { SleepWorld } from './world.ts'

export type SleepWish = {
  /** Whatever it would lose. */
  readonly force: boolean
  /** Left out: somebody asked. */
  readonly by?: 'idle' | 'memory'
}

/** Resolves when its program has been asked to end. It looks twice: what is found out in between may take a moment. */
export async function putToSleep(daemon: SleepWorld, { id }: Live, wish: SleepWish): Promise<Result<null>> {
  await daemon.agents.look(id) // whoever has just left an agent is not to find it again
  const terminal = liveNow(daemon, id)
  if (terminal === null) return done(null) // it has ended meanwhile
  const first = await mayLose(daemon, terminal, wish)
  if (!first.ok) return first
  const context = await sleepContextOf(daemon, terminal, { everybody: await processesNow(), asksGh: true })
  trip('sleep:context-gathered')
  await hold('sleep:context-gathered')
  const second = await mayLose(daemon, terminal, wish)
  if (!second.ok) return second
  await askToSleep(daemon, id, { ...(wish.by === undefined ? {} : { by: wish.by }), context })
  return done(null)
}

async function askToSleep(daemon: SleepWorld, id: TerminalId, slept: Slept): Promise<void> {
  const terminal = liveNow(daemon, id)
  if (terminal === null) return
  await daemon.activity.freeze(terminal)
  await daemon.registry.apply(id, { kind: 'sleepAsked', graceMs: daemon.config.settleMs, slept })
}

async function mayLose(daemon: SleepWorld, terminal: Live, { force }: SleepWish): Promise<Result<null>> {
  const losses = force ? [] : await lossesNow(daemon, terminal.id)
  return losses.length === 0 ? done(null) : refused(refusals.wouldLose(terminal.name ?? terminal.id, lossesText(losses)))
}

export async function lossesNow(daemon: SleepWorld, id: TerminalId): Promise<readonly string[]> {
  const terminal = liveNow(daemon, id)
  return terminal === null ? [] : await lossesOfLive(daemon, terminal)
}

function liveNow({ registry }: SleepWorld, id: TerminalId): Live | null {
  const terminal = registry.get(id)
  return terminal?.state === 'live' ? terminal : null
}

type SleepAllWorld = SleepWorld & { readonly wakePhases: { isChecking(id: TerminalId): boolean }; readonly wakes: { cancel(): void } }

/** Ends every program after settling it, those that are just starting too; resolves with how many there were. */
export async function sleepAll(daemon: SleepAllWorld): Promise<number> {
  const { registry, waiting, wakePhases } = daemon
  daemon.wakes.cancel()
  const isBegun = (id: TerminalId) => registry.get(id)?.state !== 'waking' && !wakePhases.isChecking(id)
  await Promise.all(registry.all().map(({ id }) => waiting.until(id, () => isBegun(id), START_WITHIN_MS)))
  const live = registry.all().flatMap((terminal) => (terminal.state === 'live' && isReachable(terminal.link) ? [terminal] : []))
  const graceMs = daemon.config.settleMs
  await Promise.all(live.map(({ id }) => daemon.agents.look(id))) // an agent that the user has just left is not to be found again
  const contexts = await sleepContextsOf(daemon, live)
  for (const [index, { id }] of live.entries()) {
    const context = contexts[index]
    askToSleep(daemon, id, context === undefined ? {} : { context }).catch(() => undefined) // tried again by the registry
  }
  const asleep = await Promise.all(
    live.map(({ id }) => waiting.until(id, (terminal) => terminal === null || terminal.state === 'asleep', graceMs + END_MARGIN_MS)),
  )
  const hasEnded = live.filter((terminal, index) => asleep[index] === true && !isGuest(terminal)) // a guest is only let go
  return hasEnded.length
}

const isReachable = ({ kind }: Link): boolean => kind === 'connected' || kind === 'unattached'
