/**
 * How far the wake of a terminal is, for those who wait for it: whether it is checked that it can be woken, whether its
 * program starts, whether that has painted anything yet. It is in memory only, and each phase ends by itself: nothing that
 * dies or fails on the way leaves a terminal in one.
 */
import { assertNever } from '../../base/assertNever.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { WakePhase } from '../../wire/view.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'

/**
 * Agents paint within three seconds, on a machine that wakes a dozen of them within half a minute. One that says nothing for
 * longer is live all the same.
 */
export const PAINTED_WITHIN_MS = 30_000

export type WakePhasesOptions = {
  readonly announce: (id: TerminalId) => void
  /** Resolves when the run shows something, or will not any more. */
  readonly painted: (run: RunId) => { readonly found: Promise<unknown>; cancel(): void }
}

type Resuming = { readonly id: TerminalId; readonly timer: NodeJS.Timeout; cancel(): void }

export class WakePhases {
  private readonly checks = new Set<TerminalId>()
  private readonly resumes = new Map<RunId, Resuming>()

  constructor(private readonly options: WakePhasesOptions) {}

  phaseOf(terminal: Terminal): WakePhase | null {
    switch (terminal.state) {
      case 'asleep':
        return this.checks.has(terminal.id) ? 'checking' : null
      case 'waking':
        return 'starting'
      case 'live':
        return this.resumes.has(terminal.run) ? 'resuming' : null
      case 'settling':
        return null
    }
    return assertNever(terminal)
  }

  isChecking(id: TerminalId): boolean {
    return this.checks.has(id)
  }

  /** One at a time: who asks while `isChecking` is refused. What comes of it must have happened to the terminal before `work` is over. */
  async checking<Value>(id: TerminalId, work: () => Promise<Value>): Promise<Value> {
    if (this.checks.has(id)) throw new Error(`${id} is being checked already`)
    this.checks.add(id)
    this.options.announce(id)
    try {
      return await work()
    } finally {
      this.checks.delete(id)
      this.options.announce(id)
    }
  }

  /** To be called before it is told that the run is live. */
  resuming(id: TerminalId, run: RunId): void {
    const timer = setTimeout(() => this.end(run), PAINTED_WITHIN_MS)
    this.resumes.set(run, { id, timer, cancel: () => undefined })
  }

  /** The run has a screen from now on. */
  async watch(run: RunId): Promise<void> {
    const resuming = this.resumes.get(run)
    if (resuming === undefined) return
    const { found, cancel } = this.options.painted(run)
    this.resumes.set(run, { ...resuming, cancel })
    await found.catch(() => null) // without a screen nobody sees anything painted
    this.end(run)
  }

  private end(run: RunId): void {
    const resuming = this.resumes.get(run)
    if (resuming === undefined) return
    this.resumes.delete(run)
    clearTimeout(resuming.timer)
    resuming.cancel()
    this.options.announce(resuming.id)
  }
}
