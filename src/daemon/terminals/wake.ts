/** Wakes terminals: the one way for the user's command, the answer after a crash and the restore policy. `planWake` decides. */
import type { RunId, TerminalId } from '../../base/ids.ts'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { systemReason } from '../../base/systemReason.ts'
import type { TerminalEvent } from '../../workspace/terminal/events.ts'
import { asWished, planWake, type WakeCheck, type WakeWish } from '../../workspace/terminal/planWake.ts'
import type { Argv } from '../../workspace/terminal/resume.ts'
import type { Asleep, Size, Terminal, WakeMode } from '../../workspace/terminal/terminal.ts'
import { checkedStart, reasonOf } from '../agents/resumeCheck.ts'
import type { StartWorld } from '../agents/world.ts'
import { ownEnvironment } from '../base/programs.ts'
import { trip } from '../base/trip.ts'
import type { WakePhases } from './wakePhases.ts'

export type WakeWorld = StartWorld & {
  readonly registry: { get(id: TerminalId): Terminal | null; apply(id: TerminalId, event: TerminalEvent): Promise<void> }
  readonly sizes: { wanted(id: TerminalId): Size | null }
  readonly wakePhases: Pick<WakePhases, 'checking' | 'isChecking'>
  readonly inherited: Map<RunId, Readonly<Record<string, string>>>
  makeRunId(): RunId
}

export type Waking = WakeWish & {
  /** The environment of the client that asks; the daemon's own where none does. */
  readonly inherited: Readonly<Record<string, string>> | undefined
  /** Of the client that asks, where no client looks at it yet. */
  readonly size: Size | undefined
}

/** `started` fails where the disk does. */
type Begun = { readonly argv: Argv; readonly started: Promise<void> }

/** Everything up to the moment from which it is waking. The caller has seen that it is not being checked. */
export const beginWake = (daemon: WakeWorld, terminal: Asleep, wish: Waking): Promise<Result<Begun>> =>
  daemon.wakePhases.checking(terminal.id, () => checkAndWake(daemon, terminal, wish))

async function checkAndWake(daemon: WakeWorld, terminal: Asleep, wish: Waking): Promise<Result<Begun>> {
  const { id } = terminal
  const { mode, inherited } = wish
  const checked = await checkedStart(daemon, asWished(terminal, wish), { mode, inherited: inherited ?? ownEnvironment() })
  const check: WakeCheck = checked.ok
    ? { kind: 'startable', run: daemon.makeRunId(), size: daemon.sizes.wanted(id) ?? wish.size ?? null }
    : { kind: 'refused', reason: reasonOf(checked.refusal), isConversationGone: checked.refusal.code === 'conversation-gone' }
  const { before, wake } = planWake(terminal, wish, check)
  try {
    for (const event of before) await daemon.registry.apply(id, event)
  } catch (error) {
    if (checked.ok) return refused(refusals.diskFailed(systemReason(error)))
  }
  if (!checked.ok) return checked
  if (wake === null) throw new Error('a wake that was not refused is not planned')
  trip('recovery:before-wake')
  if (inherited !== undefined) daemon.inherited.set(wake.run, inherited)
  return done({ argv: checked.value.argv, started: daemon.registry.apply(id, wake) })
}

const BY_POLICY = { isByUser: false, chosen: null, isConfirmed: false, withoutArguments: false, inherited: undefined, size: undefined }

/** Wakes that the restore policy, or the answer to what was lost, has ordered: one after another, so that the machine stands it. */
export class WakesInTurn {
  private readonly timers = new Set<NodeJS.Timeout>()

  constructor(private readonly daemon: WakeWorld) {}

  order(wakes: readonly { readonly id: TerminalId; readonly mode: WakeMode; readonly afterMs: number }[]): void {
    for (const { id, mode, afterMs } of wakes) {
      const timer = setTimeout(() => {
        this.timers.delete(timer)
        void this.wake(id, mode)
      }, afterMs)
      this.timers.add(timer)
    }
  }

  /** Terminals that are not woken yet stay asleep. */
  cancel(): void {
    for (const timer of this.timers) clearTimeout(timer)
    this.timers.clear()
  }

  /** A client may have woken or closed it meanwhile; then there is nothing to do about it. */
  private async wake(id: TerminalId, mode: WakeMode): Promise<void> {
    const { registry, wakePhases, log } = this.daemon
    const terminal = registry.get(id)
    if (terminal?.state !== 'asleep' || wakePhases.isChecking(id)) return
    const begun = await beginWake(this.daemon, terminal, { ...BY_POLICY, mode })
    if (!begun.ok) log.warn({ terminal: id, why: begun.refusal.message }, 'it cannot be woken')
    else begun.value.started.catch(() => undefined) // logged and tried again by the registry
  }
}
