/** How a live terminal is put to sleep: looked at, refused where it would lose something, and its context kept with it. */
import type { TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { lossesOf, lossesText } from '../../workspace/losses.ts'
import { isGuest, type Live, type Slept } from '../../workspace/terminal.ts'
import { waysOf } from '../agents/ways.ts'
import type { Daemon } from '../daemon.ts'
import { trip } from '../trip.ts'
import { sleepContextOf } from './context.ts'
import { missingNow } from './missing.ts'
import { processesNow, runningPlaceOf } from './tree.ts'

export type SleepWish = {
  /** Whatever it would lose. */
  readonly force: boolean
  /** Left out: somebody asked. */
  readonly by?: 'idle' | 'memory'
}

/** Resolves when its program has been asked to end. It looks twice: what is found out in between may take a moment. */
export async function putToSleep(daemon: Daemon, { id }: Live, wish: SleepWish): Promise<Result<null>> {
  await daemon.agents.look(id) // whoever has just left an agent is not to find it again
  const terminal = liveNow(daemon, id)
  if (terminal === null) return done(null) // it has ended meanwhile
  const first = await mayLose(daemon, terminal, wish)
  if (!first.ok) return first
  const context = await sleepContextOf(daemon, terminal, { everybody: await processesNow(), asksGh: true })
  trip('sleep:context-gathered')
  const second = await mayLose(daemon, terminal, wish)
  if (!second.ok) return second
  await askToSleep(daemon, id, { ...(wish.by === undefined ? {} : { by: wish.by }), context })
  return done(null)
}

export async function askToSleep(daemon: Daemon, id: TerminalId, slept: Slept): Promise<void> {
  const terminal = liveNow(daemon, id)
  if (terminal === null) return
  await daemon.activity.freeze(terminal)
  await daemon.registry.apply(id, { kind: 'sleepAsked', graceMs: daemon.config.settleMs, slept })
}

async function mayLose(daemon: Daemon, terminal: Live, { force }: SleepWish): Promise<Result<null>> {
  const losses = force ? [] : await lossesNow(daemon, terminal.id)
  return losses.length === 0 ? done(null) : refused(refusals.wouldLose(terminal.name ?? terminal.id, lossesText(losses)))
}

export async function lossesNow(daemon: Daemon, id: TerminalId): Promise<readonly string[]> {
  const terminal = liveNow(daemon, id)
  if (terminal === null || isGuest(terminal)) return [] // a guest goes on in its own tmux
  const running = await runningPlaceOf(daemon, terminal)
  const agent = daemon.agents.shown(terminal.run)
  const missing = await missingNow(daemon, terminal)
  return lossesOf({
    place: terminal,
    ways: waysOf(daemon.config),
    private: terminal.private,
    agent: agent === null ? null : { id: agent.name, label: agent.label, state: agent.state },
    running,
    ...(missing === null ? {} : { missing }),
  })
}

function liveNow({ registry }: Daemon, id: TerminalId): Live | null {
  const terminal = registry.get(id)
  return terminal?.state === 'live' ? terminal : null
}
