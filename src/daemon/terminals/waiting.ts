/** Waits for what terminals become. */
import type { TerminalId } from '../../base/ids.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Registry } from './registry.ts'

/** A holder that is not ready by then never will be: `startHolder` gives up sooner. */
export const START_WITHIN_MS = 15_000
/** Keeping the last screen and letting the holder go takes milliseconds; a disk that fails is not waited for. */
export const ENDING_WITHIN_MS = 3_000

export class Waiting {
  constructor(
    private readonly registry: Pick<Registry, 'get' | 'quiet'>,
    private readonly listeners: Set<(id: TerminalId) => void>,
  ) {}

  /** Resolves when `ready` holds for the terminal (null once it is gone), or with false after `withinMs`. */
  until(
    id: TerminalId,
    ready: (terminal: Terminal | null) => boolean,
    withinMs: number | null,
    onGone?: (end: () => void) => void,
  ): Promise<boolean> {
    if (ready(this.registry.get(id))) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (met: boolean): void => {
        this.listeners.delete(look)
        clearTimeout(timer)
        resolve(met)
      }
      const look = (changed: TerminalId): void => {
        if (changed === id && ready(this.registry.get(id))) finish(true)
      }
      const timer = withinMs === null ? undefined : setTimeout(() => finish(false), withinMs)
      this.listeners.add(look)
      onGone?.(() => finish(false))
    })
  }

  /** As `until`, and what that means is on disk: a terminal changes in memory before its record does. */
  async ended(id: TerminalId, ready: (terminal: Terminal | null) => boolean, withinMs: number): Promise<boolean> {
    if (!(await this.until(id, ready, withinMs))) return false
    return await this.registry.quiet(id, ENDING_WITHIN_MS)
  }

  /** Resolves when a terminal that was asked to wake has started or failed to. */
  async started(id: TerminalId): Promise<Terminal | null> {
    await this.until(id, (terminal) => terminal?.state !== 'waking', START_WITHIN_MS)
    return this.registry.get(id)
  }
}
