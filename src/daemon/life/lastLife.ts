/** What is known of the daemon before this one: how it ended, and whether the machine went with it. */
import type { SessionId } from '../../base/ids.ts'
import type { Session, Store } from '../../store/store.ts'
import type { LifeBefore } from '../../workspace/boot/planBoot.ts'
import { type HostId, isSameHost } from '../../workspace/checkpoint/checkpointHost.ts'

const TOLD = 'told-to-end'

type Surroundings = {
  readonly store: Pick<Store, 'keepSetting' | 'sessionBefore' | 'setting'>
  readonly checkpoints: { readonly session: SessionId; readonly host: HostId }
}

/** A signal has told this daemon to end, and perhaps everything else with it. */
export const keepTold = ({ store, checkpoints: { session } }: Surroundings, at: number): Promise<void> =>
  store.keepSetting(TOLD, JSON.stringify({ session, at }))

export async function lifeBefore(daemon: Surroundings): Promise<LifeBefore & { readonly session: Session | null }> {
  const [session, told] = await Promise.all([daemon.store.sessionBefore(), daemon.store.setting(TOLD)])
  if (session === null) return { session, toldAt: null, hasRebooted: false }
  return { session, toldAt: toldAtOf(told, session.id), hasRebooted: hasRebooted(session.host, daemon.checkpoints.host) }
}

function toldAtOf(text: string | null, session: SessionId): number | null {
  try {
    const told = JSON.parse(text ?? 'null') as { session?: unknown; at?: unknown } | null
    return told?.session === session && typeof told.at === 'number' ? told.at : null
  } catch {
    return null // not known, as after a crash
  }
}

/** Where a boot is known only by the clock, a rounding could pass for a reboot, and the living for the dead. */
const hasRebooted = (then: HostId, now: HostId): boolean =>
  isSameHost(then, now) && [then.boot, now.boot].every((boot) => /^[0-9a-f-]{36}$/.test(boot)) && then.boot !== now.boot
