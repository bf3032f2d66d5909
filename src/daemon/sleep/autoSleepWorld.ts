/** The AutoSleeper's view of the daemon. */
import type { AutoSleep, Idler } from '../../workspace/terminal/autoSleep.ts'
import { isGuest, type Live } from '../../workspace/terminal/terminal.ts'
import type { AuditWorld } from '../agents/world.ts'
import type { AutoSleepWorld } from './autoSleeper.ts'
import { availablePercent } from './memory.ts'
import { lossesNow, putToSleep } from './putToSleep.ts'
import type { SleepWorld } from './world.ts'

type Surroundings = SleepWorld &
  Pick<AuditWorld, 'checkpoints' | 'log' | 'store'> & { readonly startedAt: number; readonly sizes: { isSeen(id: Live['id']): boolean } }

/** After its grace a program is killed; one that stays all the same is not waited for. */
const ENDED_WITHIN_MS = 5_000

export const autoSleepWorld = (daemon: Surroundings): AutoSleepWorld => ({
  startedAt: daemon.startedAt,
  settings: () => daemon.config.sleep,
  available: availablePercent,
  // A guest that is let go frees nothing.
  idlers: async () => {
    await daemon.activity.look()
    return daemon.registry.all().flatMap((terminal) => (terminal.state === 'live' && !isGuest(terminal) ? [idlerOf(daemon, terminal)] : []))
  },
  losses: (id) => lossesNow(daemon, id),
  sleep: (order) => carryOut(daemon, order),
  failed: (error) => daemon.log.error({ error: error.stack }, 'a look for idle terminals failed'),
})

function idlerOf(daemon: Surroundings, terminal: Live): Omit<Idler, 'losses'> {
  const { id, run, since, link } = terminal
  return {
    id,
    isLive: link.kind === 'connected',
    isPrivate: terminal.private,
    isPinned: terminal.pinned,
    isSeen: daemon.sizes.isSeen(id),
    agent: daemon.agents.of(run) === null ? null : (daemon.agents.summary(run)?.state ?? 'unknown'),
    activeAt: Math.max(daemon.activity.of(terminal) ?? since, since),
  }
}

async function carryOut(daemon: Surroundings, { id, by, idleMs }: AutoSleep & { readonly idleMs: number }): Promise<void> {
  const terminal = daemon.registry.get(id)
  if (terminal?.state !== 'live') return
  const asked = await putToSleep(daemon, terminal, { force: false, by })
  if (!asked.ok) return daemon.log.info({ terminal: id, why: asked.refusal.message }, 'a terminal was not put to sleep after all')
  daemon.log.info({ terminal: id, by, idleMs }, 'a terminal is put to sleep by itself')
  const entry = { session: daemon.checkpoints.session, terminal: id, what: 'sleep', details: { by, idleMs } }
  await daemon.store.appendAudit(entry).catch((error: Error) => daemon.log.warn({ error: error.message }, 'a sleep is not in the audit'))
  await daemon.waiting.ended(id, (now) => now?.state !== 'settling', daemon.config.settleMs + ENDED_WITHIN_MS)
}
