/**
 * One open question: what is to become of the terminals whose programs went down with the machine? It is kept until it is
 * answered, through any number of daemons, and never comes back after that. Who is woken or closed by hand is off the list.
 */
import type { TerminalId } from '../../base/ids.ts'
import type { Store } from '../../store/store.ts'
import type { DaemonEvent } from '../../wire/daemon.ts'
import { type RecoveryKept, type RecoveryView, recoveryKeptSchema } from '../../wire/recoveryView.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Log } from '../base/log.ts'
import { trip } from '../base/trip.ts'

const SETTING = 'recovery'

type Surroundings = {
  readonly store: Pick<Store, 'keepSetting' | 'setting'>
  readonly log: Log
  readonly audience: { announce(event: DaemonEvent): void }
  readonly registry: { get(id: TerminalId): Terminal | null }
}

export class LostQuestion {
  /** Null where nothing is to be asked. */
  open: RecoveryView | null = null
  private answeredAt = 0
  private keeping: Promise<void> = Promise.resolve()

  constructor(private readonly daemon: Surroundings) {}

  /** Together with what an earlier daemon has asked and nobody has answered. */
  async ask(now: RecoveryView): Promise<void> {
    const { open: before, answeredAt } = await this.kept()
    this.answeredAt = answeredAt
    const known = before?.terminals ?? []
    const fresh = now.terminals.filter((id) => !known.includes(id) && (this.lostAt(id) ?? 0) > answeredAt)
    const terminals = [...known.filter((id) => this.lostAt(id) !== null), ...fresh]
    const { at, happened } = fresh.length === 0 ? (before ?? now) : now
    this.open = terminals.length === 0 ? null : { at, happened, terminals }
    if (JSON.stringify(this.open) !== JSON.stringify(before)) this.keep().catch(() => undefined) // logged, and kept with the next change
  }

  /** Resolves when nobody will ever be asked again. */
  async answer(): Promise<void> {
    const { open } = this
    this.open = null
    this.answeredAt = Date.now()
    try {
      trip('recovery:before-answer')
      await this.keep()
    } catch (error) {
      this.open = open
      throw error
    }
    this.daemon.audience.announce({ kind: 'recovery', recovery: null })
  }

  /** A terminal was announced. */
  changed(id: TerminalId): void {
    const { open } = this
    if (open === null || !open.terminals.includes(id) || this.lostAt(id) !== null) return
    const terminals = open.terminals.filter((other) => other !== id)
    this.open = terminals.length === 0 ? null : { ...open, terminals }
    this.keep().catch(() => undefined) // the next daemon sees for itself who is still lost
    this.daemon.audience.announce({ kind: 'recovery', recovery: this.open })
  }

  /** Since when it has been without its program; null where it has not lost it. */
  private lostAt(id: string): number | null {
    const terminal = this.daemon.registry.get(id as TerminalId)
    return terminal?.state === 'asleep' && terminal.because.kind === 'lost' ? terminal.since : null
  }

  private keep(): Promise<void> {
    const { open, answeredAt } = this
    const text = JSON.stringify({ open, answeredAt } satisfies RecoveryKept)
    this.keeping = this.keeping.catch(() => undefined).then(() => this.daemon.store.keepSetting(SETTING, text))
    this.keeping.catch((error: Error) => this.daemon.log.warn({ error: error.message }, 'what was lost is not written down'))
    return this.keeping
  }

  private async kept(): Promise<RecoveryKept> {
    const decoded = recoveryKeptSchema.safeParse(parsed((await this.daemon.store.setting(SETTING)) ?? ''))
    return decoded.success ? decoded.data : { open: null, answeredAt: 0 }
  }
}

/** What cannot be read asks nothing: every terminal still says that it was lost. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
