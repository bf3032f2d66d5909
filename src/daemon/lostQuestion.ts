/**
 * One open question: what is to become of the terminals whose programs went down with the machine? It is kept until it is
 * answered, through any number of daemons, and never comes back after that. Who is woken or closed by hand is off the list.
 */
import type { TerminalId } from '../base/ids.ts'
import { type RecoveryView, recoveryViewSchema } from '../wire/recoveryView.ts'
import type { Daemon } from './daemon.ts'
import { trip } from './trip.ts'

const SETTING = 'recovery'
const NOTHING = 'null'

type Surroundings = Pick<Daemon, 'store' | 'log' | 'announce'> & {
  readonly registry: Pick<Daemon['registry'], 'get'>
}

export class LostQuestion {
  /** Null where nothing is to be asked. */
  open: RecoveryView | null = null
  private keeping: Promise<void> = Promise.resolve()

  constructor(private readonly daemon: Surroundings) {}

  /** Together with what an earlier daemon has asked and nobody has answered. */
  async ask(now: RecoveryView): Promise<void> {
    const before = await this.kept()
    const isStill = (id: string): boolean => this.isLost(id) && !now.terminals.includes(id)
    const terminals = [...(before?.terminals.filter(isStill) ?? []), ...now.terminals]
    const { at, happened } = now.terminals.length === 0 ? (before ?? now) : now
    this.open = terminals.length === 0 ? null : { at, happened, terminals }
    if (JSON.stringify(this.open) !== JSON.stringify(before)) this.keep().catch(() => undefined) // logged, and kept with the next change
  }

  /** Resolves when nobody will ever be asked again. */
  async answer(): Promise<void> {
    const { open } = this
    this.open = null
    try {
      trip('recovery:before-answer')
      await this.keep()
      trip('recovery:answered')
    } catch (error) {
      this.open = open
      throw error
    }
    this.daemon.announce({ kind: 'recovery', recovery: null })
  }

  /** A terminal was announced. */
  changed(id: TerminalId): void {
    const { open } = this
    if (open === null || !open.terminals.includes(id) || this.isLost(id)) return
    const terminals = open.terminals.filter((other) => other !== id)
    this.open = terminals.length === 0 ? null : { ...open, terminals }
    this.keep().catch(() => undefined) // the next daemon sees for itself who is still lost
    this.daemon.announce({ kind: 'recovery', recovery: this.open })
  }

  private isLost(id: string): boolean {
    const terminal = this.daemon.registry.get(id as TerminalId)
    return terminal?.state === 'asleep' && terminal.because.kind === 'lost'
  }

  private keep(): Promise<void> {
    const text = JSON.stringify(this.open)
    this.keeping = this.keeping.catch(() => undefined).then(() => this.daemon.store.keepSetting(SETTING, text))
    this.keeping.catch((error: Error) => this.daemon.log.warn({ error: error.message }, 'what was lost is not written down'))
    return this.keeping
  }

  private async kept(): Promise<RecoveryView | null> {
    const decoded = recoveryViewSchema.nullable().safeParse(parsed((await this.daemon.store.setting(SETTING)) ?? NOTHING))
    return decoded.success ? decoded.data : null
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
