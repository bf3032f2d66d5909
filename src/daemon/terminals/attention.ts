/** Which terminal the user is at. */
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { Focus } from './focus.ts'
import type { Registry } from './registry.ts'

/** A client that was connected to the daemon before this one has found it by then. */
export const CLIENTS_BACK_AFTER_MS = 3_000

type World = {
  readonly startedAt: number
  readonly focus: Pick<Focus, 'note'>
  readonly registry: Pick<Registry, 'get'>
  readonly agents: { attended(run: RunId): void }
}

export class Attention {
  constructor(private readonly world: World) {}

  /** The user has typed into it, or has come to look at it. */
  attended(id: TerminalId): void {
    this.world.focus.note(id)
    const terminal = this.world.registry.get(id)
    if (terminal?.state === 'live') this.world.agents.attended(terminal.run)
  }

  /** Clients that were there before this daemon look again by themselves: that is no visit of the user. */
  looked(id: TerminalId): void {
    if (Date.now() < this.world.startedAt + CLIENTS_BACK_AFTER_MS) this.world.focus.note(id)
    else this.attended(id)
  }
}
