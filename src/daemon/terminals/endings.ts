/**
 * Ends the runs of terminals in good order, and hears how they ended. `workspace/terminal/runEnding.ts` decides, this file carries out.
 * An agent gets its own way out first, with which it saves and says what it has to; when it has gone, its last words are read. Then the
 * line is hung up, as closing a window does; then the rest is asked to end; what is still there at the deadline is killed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Agent, AgentProcess, Quit } from '../../agents/agent.ts'
import { assertNever } from '../../base/assertNever.ts'
import type { RunId } from '../../base/ids.ts'
import { type Processes, systemProcesses } from '../../holder/processes.ts'
import type { HolderCard, SignalRequest, ToHolder } from '../../wire/holder.ts'
import { keyBytes } from '../../wire/keys.ts'
import type { TerminalEvent } from '../../workspace/terminal/events.ts'
import {
  type EndingEffect,
  type EndingEvent,
  RUNNING,
  type RunEnd,
  type RunEnding,
  stepEnding,
} from '../../workspace/terminal/runEnding.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { DYING_WITHIN_MS, endAll, namesOf, whenGone } from '../agents/gone.ts'
import type { ProcessName } from '../agents/processLook.ts'
import type { Log } from '../base/log.ts'
import { trip } from '../base/trip.ts'

export type EndingsWorld = {
  readonly log: Pick<Log, 'warn'>
  readonly registry: { all(): readonly Terminal[]; byRun(run: RunId): Terminal | null }
  readonly holders: {
    card(run: RunId): HolderCard | null
    ensure(run: RunId): Promise<void>
    refresh(run: RunId, withinMs: number): Promise<{ readonly seq: number } | null>
    send(run: RunId, message: ToHolder): boolean
  }
  readonly screens: {
    snapshot(run: RunId, options: { readonly ended: boolean }): Promise<unknown>
    read(run: RunId, options: { readonly history: number; readonly format: 'text' }): Promise<{ readonly content: string }>
    /** Resolves when the screen shows everything before `seq`, or never will. */
    waitShown(run: RunId, seq: number): { readonly found: Promise<unknown>; cancel(): void }
  }
  readonly agents: {
    /** The agent that has the keyboard of a run. */
    of(run: RunId): AgentProcess | null
    /** What an agent showed last; an id in it is kept. */
    heard(run: RunId, text: string): Promise<void>
  }
  isHolderAlive(card: HolderCard): boolean
  agentNamed(name: string): Agent | null
  /** Sees once more where the program is and what it was given. */
  lookAt(terminal: Terminal): Promise<unknown>
  /** Tells `step`. */
  happened(run: RunId, event: TerminalEvent): void
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
/** When a machine ends: how long the first agent may take to leave on a busy one, and how long after each the next one may. */
const FIRST_LEAVES_WITHIN_MS = 800
const NEXT_LEAVES_WITHIN_MS = 250

type Order = { readonly run: RunId; readonly graceMs: number }
type Ending = { now: RunEnding; terminal: Terminal | null; graceMs: number; timers: readonly NodeJS.Timeout[] }

export class Endings {
  private readonly runs = new Map<RunId, Ending>()
  private readonly processes: Processes = systemProcesses()
  private isMachineEnding = false
  /** Agents that have not left by then are no longer waited for. */
  private calmAt = 0
  private waiting: (() => void)[] = []

  constructor(private readonly world: EndingsWorld) {}

  /** Resolves when the program has been asked to end. To be called when that wish is on disk. */
  async begin({ run, graceMs }: Order, terminal: Terminal | null): Promise<void> {
    const { holders } = this.world
    if (holders.card(run) === null) return // it has not started: `started` asks again
    await holders.ensure(run)
    this.entry(run).terminal = terminal
    try {
      await this.handle(run, { kind: 'asked', graceMs })
    } catch (error) {
      await this.handle(run, { kind: 'unasked' })
      throw error
    }
  }

  /** Its holder told how the run ended, or is gone. */
  ended(run: RunId, end: RunEnd): void {
    const { registry, agents } = this.world
    // What was put to sleep or closed ends as was wished, even then.
    const isOurs = !this.isMachineEnding || registry.byRun(run)?.state === 'settling'
    if (!isOurs) this.calmAt = Math.max(this.calmAt, performance.now() + NEXT_LEAVES_WITHIN_MS)
    this.entry(run)
    void this.handle(run, { kind: 'ended', end, hasAgent: agents.of(run) !== null, isOurs })
  }

  kill(run: RunId): Promise<void> {
    return this.tell(run, signalTree('SIGKILL'))
  }

  /** The end of the run is kept. */
  released(run: RunId): void {
    void this.handle(run, { kind: 'released' })
    this.runs.delete(run)
  }

  /**
   * The daemon was told to end, perhaps because the machine ends. Nothing is made of programs that end from now on: the records
   * say what they said before, and the next daemon judges. Only what an agent said last is still heard.
   */
  leaveToNextDaemon(): void {
    this.isMachineEnding = true
    this.calmAt = performance.now() + FIRST_LEAVES_WITHIN_MS
  }

  /** Resolves when all of them are heard. Agents that are still there are waited for, for a moment. */
  async allHeard(): Promise<void> {
    const calmIn = (): number => this.calmAt - performance.now()
    while (this.isAgentLeft() && calmIn() > 0) await this.changed(calmIn())
    while ([...this.runs.values()].some(({ now }) => now.at === 'ended' && !now.isOurs)) await this.changed(HEARD_WITHIN_MS)
  }

  private isAgentLeft(): boolean {
    const { registry, agents } = this.world
    return registry.all().some((terminal) => terminal.state === 'live' && !this.runs.has(terminal.run) && agents.of(terminal.run) !== null)
  }

  /** Resolves with the next event of any run. */
  private changed(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, withinMs)
      this.waiting.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  private entry(run: RunId): Ending {
    const known = this.runs.get(run) ?? { now: RUNNING, terminal: null, graceMs: 0, timers: [] }
    this.runs.set(run, known)
    return known
  }

  /** Fails where the program could not be asked. */
  private async handle(run: RunId, event: EndingEvent): Promise<void> {
    const ending = this.runs.get(run)
    if (ending === undefined) return // it was let go meanwhile
    const { ending: now, effects } = stepEnding(ending.now, event)
    ending.now = now
    for (const wake of this.waiting.splice(0)) wake()
    for (const effect of effects) await this.carryOut(run, ending, effect)
  }

  private carryOut(run: RunId, ending: Ending, effect: EndingEffect): Promise<void> | void {
    switch (effect.kind) {
      case 'schedule':
        return this.schedule(ending, { run, graceMs: effect.graceMs })
      case 'unschedule':
        return unschedule(ending)
      case 'look':
        return this.look(run, ending.terminal)
      case 'showOut':
        return this.inBackground(run, this.showOut({ run, graceMs: ending.graceMs }), 'agentGone')
      case 'readWords':
        return this.inBackground(run, this.readWords(run, effect), 'wordsRead')
      case 'hangUp':
        return this.hangUp(run)
      case 'term':
        trip('settle:before-term')
        this.world.holders.send(run, signalTree('SIGTERM'))
        return trip('settle:after-term')
      case 'timeOut':
        return this.world.happened(run, { kind: 'settleTimedOut', run })
      case 'tell':
        // Nothing more comes of a holder that is gone, or of a run that belongs to nobody.
        if (effect.end.kind === 'lost' || this.world.registry.byRun(run) === null) this.runs.delete(run)
        return this.world.happened(run, eventOf(run, effect.end))
    }
    return assertNever(effect)
  }

  private schedule(ending: Ending, { run, graceMs }: Order): void {
    unschedule(ending)
    ending.graceMs = graceMs
    const after = (ms: number, kind: 'termDue' | 'deadline') => setTimeout(() => void this.handle(run, { kind }), ms).unref()
    ending.timers = [after(termAfter(graceMs), 'termDue'), after(graceMs, 'deadline')]
  }

  private async look(run: RunId, terminal: Terminal | null): Promise<void> {
    if (terminal !== null) await this.world.lookAt(terminal)
    await this.handle(run, { kind: 'looked', hasAgent: this.agentIn(run) !== null })
  }

  /** Null for a guest: its agent is not ours to end. It goes on where it is at home, and is only let go. */
  private agentIn(run: RunId): { readonly agent: Agent; readonly process: AgentProcess } | null {
    const { holders, agents, agentNamed } = this.world
    const process = holders.card(run)?.tmux?.kind === 'guest' ? null : agents.of(run)
    const agent = process === null ? null : agentNamed(process.agent)
    return process === null || agent === null ? null : { agent, process }
  }

  /** Whatever fails, the next step follows: at the deadline everything is killed. */
  private inBackground(run: RunId, work: Promise<void>, then: 'agentGone' | 'wordsRead'): void {
    const failed = (error: Error): void => this.world.log.warn({ run, error: error.message }, 'an agent could not be shown out')
    void work.catch(failed).then(() => this.handle(run, { kind: then }).catch(failed))
  }

  private async showOut({ run, graceMs }: Order): Promise<void> {
    const there = this.agentIn(run)
    if (there === null) return
    const begun = performance.now()
    const left = (ms: number): number => begun + ms - performance.now()
    const names = await namesOf(this.processes, there.process.pids)
    trip('settle:before-way-out')
    await this.quit(run, there.agent.quit, names)
    trip('settle:asked')
    if (await whenGone(this.processes, names, left(hangUpAfter(graceMs)))) return trip('settle:gone')
    await this.handle(run, { kind: 'hangUpDue' })
    await endAll(this.processes, names, { termAfterMs: left(termAfter(graceMs)), killAfterMs: left(graceMs) })
  }

  /** Nothing is typed into whatever is in front once the agent has gone. */
  private async quit(run: RunId, quit: Quit, names: readonly ProcessName[]): Promise<void> {
    switch (quit.kind) {
      case 'signal':
        return this.tell(run, { kind: 'signal', request: { signal: quit.signal, to: 'foreground' } })
      case 'keys':
        for (const key of quit.keys) {
          const bytes = keyBytes(key)
          if (!bytes.ok || this.runs.get(run)?.now.at !== 'leaving') continue
          await this.tell(run, { kind: 'input', bytes: bytes.value })
          if (await whenGone(this.processes, names, quit.everyMs)) return
        }
        return
    }
    return assertNever(quit)
  }

  /** Every program knows what being hung up means. Stopped jobs must run to hear it. */
  private async hangUp(run: RunId): Promise<void> {
    trip('settle:heard')
    await this.tell(run, signalTree('SIGHUP'))
    this.world.holders.send(run, signalTree('SIGCONT'))
    trip('settle:hung-up')
  }

  private async readWords(run: RunId, { hasEnded }: { readonly hasEnded: boolean }): Promise<void> {
    const { screens, agents, log } = this.world
    const given = new AbortController()
    const read = async (): Promise<void> => {
      // Its screen is there: it was kept before the program was asked to end.
      if (hasEnded) await screens.snapshot(run, { ended: true })
      else await this.everythingShown(run, given.signal)
      const { content } = await screens.read(run, { history: HISTORY_LINES, format: 'text' })
      await agents.heard(run, content)
    }
    const reading = read().catch((error: Error) => log.warn({ run, error: error.message }, 'the last words of an agent could not be read'))
    await Promise.race([reading, delay(HEARD_WITHIN_MS, undefined, { ref: false })])
    given.abort()
  }

  /** What a process printed before it went is in the holder by the second answer. */
  private async everythingShown(run: RunId, given: AbortSignal): Promise<void> {
    const { holders, screens } = this.world
    await holders.refresh(run, ANSWERS_WITHIN_MS)
    const printed = (await holders.refresh(run, ANSWERS_WITHIN_MS))?.seq ?? 0
    const { found, cancel } = screens.waitShown(run, printed)
    given.addEventListener('abort', cancel)
    if (given.aborted) cancel()
    await found
  }

  /** A holder that is killed closes its links a moment before it is gone: then there is nobody left to tell, and its end is on its way. */
  private async tell(run: RunId, message: ToHolder): Promise<void> {
    const { holders } = this.world
    await holders.ensure(run)
    const deadline = performance.now() + DYING_WITHIN_MS
    for (;;) {
      const card = holders.card(run)
      if (card === null || holders.send(run, message) || !this.world.isHolderAlive(card)) return
      if (performance.now() > deadline) throw new Error('its holder does not answer')
      await delay(LOOK_AGAIN_MS)
    }
  }
}

function unschedule(ending: Ending): void {
  for (const timer of ending.timers) clearTimeout(timer)
  ending.timers = []
}

const eventOf = (run: RunId, end: RunEnd): TerminalEvent => (end.kind === 'lost' ? { kind: 'holderLost', run } : { ...end, run })

/** Of a short time each step gets its share. */
export const hangUpAfter = (graceMs: number): number => Math.max(graceMs / 2, graceMs - HANG_UP_BEFORE_MS)
export const termAfter = (graceMs: number): number => Math.max((graceMs * 3) / 4, graceMs - TERM_BEFORE_MS)

const signalTree = (signal: SignalRequest['signal']): ToHolder => ({ kind: 'signal', request: { signal, to: 'tree' } })
