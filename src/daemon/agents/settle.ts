/**
 * Ends the program of a terminal in good order. An agent gets its own way out first, with which it saves and says what it
 * has to; when it has gone, what it said last is read. Then the line is hung up, as closing a window does; then the rest
 * is asked to end; what is still there at the deadline is killed. Everything in the time that `settle_ms` gives.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Agent, AgentProcess, Quit } from '../../agents/agent.ts'
import { agentNamed } from '../../agents/all.ts'
import { assertNever } from '../../base/assertNever.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import { type Processes, systemProcesses } from '../../holder/processes.ts'
import type { SignalRequest, ToHolder } from '../../wire/holder.ts'
import { keyBytes } from '../../wire/keys.ts'
import type { Terminal } from '../../workspace/terminal.ts'
import type { Daemon } from '../daemon.ts'
import { isHolderAlive } from '../holders.ts'
import { trip } from '../trip.ts'
import { DYING_WITHIN_MS, endAll, namesOf, whenGone } from './gone.ts'
import type { ProcessName } from './processLook.ts'

/** What settling needs to know of agents. */
export type AgentSights = {
  /** The agent that has the keyboard of a run. */
  of(run: RunId): AgentProcess | null
  /** What an agent showed last; an id in it is kept. */
  heard(run: RunId, text: string): Promise<void> | void
}

const LOOK_AGAIN_MS = 20
/** How long before the deadline the line is hung up, and how long before it the rest is asked to end. */
const HANG_UP_BEFORE_MS = 600
const TERM_BEFORE_MS = 300
/** A machine that is too busy for last words is not waited for. */
const ANSWERS_WITHIN_MS = 500
const HEARD_WITHIN_MS = 2_000
/** Lines above the screen: a shell's prompt, or its start files, may have pushed the hint up. */
const HISTORY_LINES = 60

/** An agent on its way out, and the reading of its last words once it has begun. */
type Leaving = { readonly out: Promise<void>; heard: Promise<void> | null }
type Order = { readonly run: RunId; readonly graceMs: number }

export class Settlings {
  private readonly leaving = new Map<RunId, Leaving>()
  private readonly timers = new Map<RunId, readonly NodeJS.Timeout[]>()
  private readonly processes: Processes = systemProcesses()

  constructor(
    private readonly daemon: Daemon,
    private readonly sights: AgentSights,
  ) {}

  /** Resolves when the program has been asked; what comes then comes by itself. Asked again, only the deadline moves. */
  async begin({ run, graceMs }: Order, id: TerminalId, terminal: Terminal | null): Promise<void> {
    const { daemon } = this
    if (daemon.holders.card(run) === null) return // it has not started: `started` asks again
    await daemon.holders.ensure(run)
    const isFirst = !this.timers.has(run)
    this.schedule({ run, graceMs }, id)
    if (!isFirst) return
    try {
      await this.ask({ run, graceMs }, id, terminal)
    } catch (error) {
      this.forget(run) // it is asked again
      throw error
    }
  }

  private async ask({ run, graceMs }: Order, id: TerminalId, terminal: Terminal | null): Promise<void> {
    const { daemon, sights } = this
    if (terminal !== null) await daemon.checkpoints.lookAt(terminal)
    // A guest's agent is not ours to end: it goes on where it is at home, and is only let go.
    const process = daemon.holders.card(run)?.tmux?.kind === 'guest' ? null : sights.of(run)
    const agent = process === null ? null : agentNamed(daemon.config.agents, process.agent)
    if (process === null || agent === null) return this.hangUp(run)
    const out = this.showOut({ run, graceMs }, agent, process).catch((error: Error) =>
      daemon.log.warn({ terminal: id, run, error: error.message }, 'an agent could not be shown out'),
    )
    this.leaving.set(run, { out, heard: null })
  }

  /**
   * Before the end of a run is told, what its agent said last must be heard, and an agent that outlives the shell it was
   * started from must be gone. Null where there is nothing to wait for.
   */
  beforeEnd(run: RunId): Promise<unknown> | null {
    const out = this.leaving.get(run)?.out
    if (out !== undefined) return Promise.all([this.hear(run, { ended: true }), out])
    return this.sights.of(run) === null ? null : this.hear(run, { ended: true })
  }

  /** The run is over. */
  forget(run: RunId): void {
    for (const timer of this.timers.get(run) ?? []) clearTimeout(timer)
    this.timers.delete(run)
    this.leaving.delete(run)
  }

  private schedule({ run, graceMs }: Order, id: TerminalId): void {
    const { daemon } = this
    for (const timer of this.timers.get(run) ?? []) clearTimeout(timer)
    const ask = (): void => {
      trip('settle:before-term')
      daemon.holders.send(run, signalTree('SIGTERM'))
      trip('settle:after-term')
    }
    const timeOut = (): void => {
      this.forget(run)
      daemon.react(id, { kind: 'settleTimedOut', run })
    }
    this.timers.set(run, [setTimeout(ask, termAfter(graceMs)).unref(), setTimeout(timeOut, graceMs).unref()])
  }

  private async showOut({ run, graceMs }: Order, agent: Agent, process: AgentProcess): Promise<void> {
    const begun = performance.now()
    const left = (ms: number): number => begun + ms - performance.now()
    const names = await namesOf(this.processes, process.pids)
    trip('settle:before-way-out')
    await this.quit(run, agent.quit, names)
    trip('settle:asked')
    const isGone = await whenGone(this.processes, names, left(hangUpAfter(graceMs)))
    trip('settle:gone')
    if (isGone && this.isUnderWay(run)) await this.hear(run, { ended: false })
    trip('settle:heard')
    if (this.isUnderWay(run)) await this.hangUp(run)
    trip('settle:hung-up')
    await endAll(this.processes, names, { termAfterMs: left(termAfter(graceMs)), killAfterMs: left(graceMs) })
  }

  private isUnderWay(run: RunId): boolean {
    return this.leaving.has(run)
  }

  /** Nothing is typed into whatever is in front once the agent has gone. */
  private async quit(run: RunId, quit: Quit, names: readonly ProcessName[]): Promise<void> {
    switch (quit.kind) {
      case 'signal':
        return this.tell(run, { kind: 'signal', request: { signal: quit.signal, to: 'foreground' } })
      case 'keys':
        for (const key of quit.keys) {
          const bytes = keyBytes(key)
          if (!bytes.ok || !this.isUnderWay(run)) continue
          await this.tell(run, { kind: 'input', bytes: bytes.value })
          if (await whenGone(this.processes, names, quit.everyMs)) return
        }
        return
    }
    return assertNever(quit)
  }

  /** Hanging up is what closing a window does; every program knows it. Stopped jobs must run to hear it. */
  private async hangUp(run: RunId): Promise<void> {
    await this.tell(run, signalTree('SIGHUP'))
    this.daemon.holders.send(run, signalTree('SIGCONT'))
  }

  /** Once for each run, whoever is first: the agent that has gone, or the end of everything. */
  private async hear(run: RunId, options: { readonly ended: boolean }): Promise<void> {
    const leaving = this.leaving.get(run)
    const heard = leaving?.heard ?? within(this.read(run, options), HEARD_WITHIN_MS)
    if (leaving !== undefined) leaving.heard = heard
    await heard
  }

  private async read(run: RunId, { ended }: { readonly ended: boolean }): Promise<void> {
    const { screens, log } = this.daemon
    try {
      // Its screen is there: it was kept before the program was asked to end.
      if (ended) await screens.snapshot(run, { ended })
      else await this.everythingShown(run)
      const { content } = await screens.read(run, { history: HISTORY_LINES, format: 'text' })
      await this.sights.heard(run, content)
    } catch (error) {
      log.warn({ run, error: (error as Error).message }, 'the last words of an agent could not be read')
    }
  }

  /** What a process printed before it went is in the holder by the second answer, and on the screen when that is as far. */
  private async everythingShown(run: RunId): Promise<void> {
    const { holders, screens } = this.daemon
    await holders.refresh(run, ANSWERS_WITHIN_MS)
    const printed = (await holders.refresh(run, ANSWERS_WITHIN_MS))?.seq ?? 0
    while (this.isUnderWay(run) && (await screens.paint(run, { history: 0 })).seq < printed) await delay(LOOK_AGAIN_MS)
  }

  /** A holder that is killed closes its links a moment before it is gone: then there is nobody left to tell, and its end is on its way. */
  async tell(run: RunId, message: ToHolder): Promise<void> {
    const { holders } = this.daemon
    await holders.ensure(run)
    const deadline = performance.now() + DYING_WITHIN_MS
    for (;;) {
      const card = holders.card(run)
      if (card === null || holders.send(run, message) || !isHolderAlive(card)) return
      if (performance.now() > deadline) throw new Error('its holder does not answer')
      await delay(LOOK_AGAIN_MS)
    }
  }
}

/** Of a short time each step gets its share. */
export const hangUpAfter = (graceMs: number): number => Math.max(graceMs / 2, graceMs - HANG_UP_BEFORE_MS)
export const termAfter = (graceMs: number): number => Math.max((graceMs * 3) / 4, graceMs - TERM_BEFORE_MS)

const signalTree = (signal: SignalRequest['signal']): ToHolder => ({ kind: 'signal', request: { signal, to: 'tree' } })

const within = (work: Promise<void>, ms: number): Promise<void> =>
  Promise.race([work, new Promise<void>((resolve) => setTimeout(resolve, ms).unref())])
