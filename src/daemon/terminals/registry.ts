/**
 * The main file of this folder: what terminals there are, and what is done about them. `effects.ts` carries out one effect each,
 * `endings.ts` ends runs, `wake.ts` begins them, `view.ts` shows terminals to clients, `closedTerminals.ts` keeps closed ones for a while.
 * It knows agents, history and git's places; nothing of clients, handlers or the page. What is decided, is decided in `workspace/terminal`.
 *
 * All terminals, and the loop that carries out what `step` decides. A terminal changes at once in memory; its effects run
 * one after another, in order, per terminal. An effect that fails stops what comes after it, so that nothing is killed
 * or let go that has not been kept; the rest is tried again until it succeeds.
 */
import type { TerminalId } from '../../base/ids.ts'
import type { Effect, Outcome, TerminalEvent } from '../../workspace/terminal/events.ts'
import { assertKeepBeforeKill } from '../../workspace/terminal/keepBeforeKill.ts'
import { step } from '../../workspace/terminal/step.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import type { Log } from '../base/log.ts'

const RETRY_EVERY_MS = 2_000

/** `terminal` is the record as decided together with the effect; null when the effect is part of its end. */
export type RunEffect = (effect: Effect, id: TerminalId, terminal: Terminal | null) => Promise<void>

type Work = {
  readonly id: TerminalId
  readonly terminal: Terminal | null
  readonly effects: readonly Effect[]
  readonly done: (error: Error | null) => void
}

export class Registry {
  private readonly terminals = new Map<TerminalId, Terminal>()
  private readonly queues = new Map<TerminalId, Work[]>()
  private readonly troubled = new Map<TerminalId, string>()
  private readonly waiting = new Map<TerminalId, (() => void)[]>()
  private stopping = false

  constructor(
    private readonly runEffect: RunEffect,
    private readonly log: Log,
  ) {}

  all(): Terminal[] {
    return [...this.terminals.values()]
  }

  get(id: TerminalId): Terminal | null {
    return this.terminals.get(id) ?? null
  }

  byRun(run: string): Terminal | null {
    return this.all().find((terminal) => terminal.state !== 'asleep' && terminal.run === run) ?? null
  }

  /** The terminal whose program has just ended, while what is to be done about that is still under way. */
  endingWith(run: string): Terminal | null {
    return this.all().find(({ id, state, lastRun }) => state === 'asleep' && lastRun === run && this.queues.has(id)) ?? null
  }

  /** Sentences about effects that wait to be tried again. */
  troubles(): string[] {
    return [...this.troubled].map(([id, why]) => `${id}: ${why}`)
  }

  /**
   * Resolves when the effects are done; rejects when one failed, after which it is tried again in the background unless
   * the caller takes it back with `abandon`.
   */
  apply(id: TerminalId, event: TerminalEvent): Promise<void> {
    const terminal = this.terminals.get(id)
    if (terminal === undefined) return Promise.resolve()
    const outcome = step(terminal, event, Date.now())
    // What is only shown, such as a spinning title, would fill the log.
    if (outcome.effects.some(({ kind }) => kind !== 'announce'))
      this.log.info({ terminal: id, event: event.kind, to: outcome.terminal?.state ?? 'closed' }, 'terminal')
    return this.carryOut(id, outcome)
  }

  /** Puts a terminal in, with what is to be done about it. */
  carryOut(id: TerminalId, { terminal, effects }: Outcome): Promise<void> {
    assertKeepBeforeKill(effects)
    if (terminal === null) this.terminals.delete(id)
    else this.terminals.set(id, terminal)
    if (effects.length === 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(id)
      const work: Work = { id, terminal, effects, done: (error) => (error === null ? resolve() : reject(error)) }
      if (queue !== undefined) queue.push(work)
      else {
        this.queues.set(id, [work])
        void this.drain(id)
      }
    })
  }

  /** Resolves when nothing is under way for the terminal, or with false after `withinMs`. */
  async quiet(id: TerminalId, withinMs: number): Promise<boolean> {
    if (!this.queues.has(id)) return true
    const settled = this.settled(id)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs)
    })
    await Promise.race([settled, late])
    clearTimeout(timer)
    return !this.queues.has(id)
  }

  /** Resolves when the queue of the terminal is empty. */
  private settled(id: TerminalId): Promise<void> {
    if (!this.queues.has(id)) return Promise.resolve()
    return new Promise((resolve) => {
      this.waiting.set(id, [...(this.waiting.get(id) ?? []), resolve])
    })
  }

  private emptied(id: TerminalId): void {
    this.queues.delete(id)
    this.troubled.delete(id)
    const waiting = this.waiting.get(id) ?? []
    this.waiting.delete(id)
    for (const resolve of waiting) resolve()
  }

  /** Drops a terminal whose first keep failed: it never existed. */
  abandon(id: TerminalId): void {
    this.terminals.delete(id)
    this.emptied(id)
  }

  /** Waits for what is under way; what fails from now on is not tried again. */
  async stop(): Promise<void> {
    this.stopping = true
    while (this.queues.size > 0) await Promise.all([...this.queues.keys()].map((id) => this.settled(id)))
  }

  private async drain(id: TerminalId): Promise<void> {
    for (;;) {
      const queue = this.queues.get(id)
      const work = queue?.[0]
      if (queue === undefined || work === undefined) break
      const rest = await this.perform(work)
      if (this.queues.get(id) !== queue) return
      if (rest === null || this.stopping) queue.shift()
      else {
        queue[0] = { ...work, effects: rest, done: () => undefined }
        await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS))
      }
    }
    this.emptied(id)
  }

  /** What is left to do, or null. */
  private async perform(work: Work): Promise<readonly Effect[] | null> {
    for (const [index, effect] of work.effects.entries()) {
      try {
        await this.runEffect(effect, work.id, work.terminal)
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error))
        this.log.error({ terminal: work.id, effect: effect.kind, error: failure.message }, 'an effect failed')
        this.troubled.set(work.id, failure.message)
        work.done(failure)
        return work.effects.slice(index)
      }
    }
    work.done(null)
    return null
  }
}
