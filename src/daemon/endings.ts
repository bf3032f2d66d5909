/**
 * Programs that end while the daemon itself was told to. That may be the end of the machine, so nothing is made of it: the
 * records say what they said before, and the next daemon judges. Only what an agent said last is still heard.
 */
import type { RunId } from '../base/ids.ts'
import type { Daemon } from './daemon.ts'

/** All agents of a machine that ends leave within this time of each other. */
const CALM_AFTER_MS = 250

type Surroundings = {
  readonly registry: Pick<Daemon['registry'], 'all' | 'byRun'>
  readonly agents: Pick<Daemon['agents'], 'of' | 'conversationOf'>
}

export class Endings {
  private isTold = false
  private readonly heard = new Map<RunId, Promise<unknown>>()
  private lastAt = 0

  constructor(private readonly daemon: Surroundings) {}

  begin(): void {
    this.isTold = true
  }

  get hasAny(): boolean {
    return this.heard.size > 0
  }

  /** Whether the end of this run is left to the next daemon. One that was put to sleep or closed ends as was wished. */
  takes(run: RunId, lastWords: Promise<unknown> | null): boolean {
    if (!this.isTold || this.daemon.registry.byRun(run)?.state === 'settling') return false
    this.heard.set(
      run,
      (lastWords ?? Promise.resolve()).catch(() => undefined),
    )
    this.lastAt = performance.now()
    return true
  }

  /** Whoever is about to say something is waited for, while others end. */
  async allHeard(): Promise<void> {
    while (this.isExpected() && performance.now() < this.lastAt + CALM_AFTER_MS) await new Promise((resolve) => setTimeout(resolve, 10))
    await Promise.all(this.heard.values())
  }

  private isExpected(): boolean {
    return this.daemon.registry
      .all()
      .some((terminal) => terminal.state === 'live' && !this.heard.has(terminal.run) && this.daemon.agents.of(terminal.run) !== null)
  }
}
