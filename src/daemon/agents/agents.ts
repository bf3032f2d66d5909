/**
 * Knows which agent has the keyboard of which terminal, which conversation it has and how it does. It looks about once a
 * second, only at terminals that have just started or printed something or have an agent in front; where nothing happens
 * nothing is read but one small file per agent, and nothing is ever written twice. Everything in it is learned again from
 * the processes after a crash.
 */
import type { AgentProcess } from '../../agents/agent.ts'
import type { AgentSummary, StateReport } from '../../agents/state.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { AgentView } from '../../wire/view.ts'
import type { Daemon } from '../daemon.ts'
import { type Claims, claimsIn } from './claims.ts'
import { type HookReport, judge, type Verdict } from './hookReport.ts'
import { heard } from './leaving.ts'
import { lookAt } from './lookAt.ts'
import type { ProcessLook, Sight } from './processLook.ts'
import { type Doing, glance, refresh, stated } from './states.ts'
import { systemLook } from './systemLook.ts'
import { CLOSE_LOOKS, moved, newWatched, type SeenAgent, type Watched } from './watched.ts'

const LOOK_EVERY_MS = 1_000
/** Where looking takes long, it is done less often. */
const PAUSE_TIMES = 5
const LOOK_AT_LEAST_EVERY_MS = 3_000
/** The last words of a run are read when it is over. */
const FORGET_AFTER_MS = 10_000

export class Agents {
  private readonly watched = new Map<RunId, Watched>()
  private readonly claims: Claims
  private timer: NodeJS.Timeout | undefined
  private nextLookAt = 0
  private isStopped = false
  private underWay: Promise<unknown> = Promise.resolve()
  /** Runs of which a look has failed: said once, because it may fail at every look. */
  private readonly failing = new Set<RunId>()

  constructor(
    private readonly daemon: Daemon,
    private readonly processes: ProcessLook = systemLook(),
  ) {
    this.claims = claimsIn(
      () => daemon.registry.all(),
      () => this.watched.values(),
    )
  }

  async stop(): Promise<void> {
    this.isStopped = true
    clearTimeout(this.timer)
    await this.underWay
  }

  /** The agent that has the keyboard; null where there is none. */
  of(run: RunId): AgentProcess | null {
    const seen = this.watched.get(run)?.agent ?? null
    // One that is asked to leave is still there.
    return seen?.isInFront === true && this.daemon.registry.byRun(run) !== null ? seen.process : null
  }

  /** The conversation that the agent in front was seen to have; null where only what was kept before says so. */
  conversationOf(run: RunId): string | null {
    const bound = this.inFront(run)?.bound ?? null
    return bound === null || bound.transcript === null ? null : bound.id
  }

  summary(run: RunId): AgentSummary | null {
    return this.inFront(run)?.track?.told ?? null
  }

  /** As clients see it. */
  shown(run: RunId): AgentView | null {
    const seen = this.inFront(run)
    const summary = seen?.track?.told
    if (seen === null || summary === undefined) return null
    return { name: seen.agent.id, label: seen.agent.label, pid: seen.process.process.pid, ...summary }
  }

  /** The other terminal that has this conversation. */
  claimedBy(terminal: TerminalId, agent: string, conversation: string): TerminalId | null {
    return this.claims.ofOthers(terminal, agent).get(conversation) ?? null
  }

  /** A terminal has changed: a run that has begun, or was found at the start, is looked at at once. */
  changed(id: TerminalId): void {
    for (const watched of this.watched.values()) if (watched.terminal === id) this.forgetIfOver(watched)
    const terminal = this.daemon.registry.get(id)
    if (terminal?.state !== 'live' || this.watched.has(terminal.run)) return
    this.watched.set(terminal.run, newWatched(id, terminal.run))
    this.schedule()
  }

  printed(runs: readonly { readonly run: RunId }[]): void {
    for (const { run } of runs) {
      const watched = this.watched.get(run)
      if (watched !== undefined) watched.closeLooks = CLOSE_LOOKS
      const doing = this.doingOf(run)
      if (doing !== null && doing.seen.agent.shown !== null) void glance(doing)
    }
    this.schedule()
  }

  /** Looks at one terminal now, at everything, and waits for it. */
  async look(id: TerminalId): Promise<void> {
    const watched = [...this.watched.values()].find(({ terminal, run }) => terminal === id && this.isLive(run))
    if (watched !== undefined) await this.inTurn((sight) => this.lookAt(watched, sight, true))
  }

  /** For looks of others: after those under way, so that what is seen of agents and processes fits together. */
  withSight<Value>(work: (sight: Sight) => Promise<Value>): Promise<Value> {
    return this.inTurn(work)
  }

  /** The agent in front says how it does. */
  stated(run: RunId, report: StateReport): void {
    const doing = this.doingOf(run)
    if (doing !== null) stated(doing, report)
  }

  /** Somebody has typed into the terminal, or has come to look at it. */
  attended(run: RunId): void {
    const doing = this.doingOf(run)
    if (doing === null) return
    doing.seen.attendedAt = Date.now()
    refresh(doing, null)
  }

  /** A line was entered through the daemon: from now on its agent has something to do. */
  entered(id: TerminalId): void {
    const terminal = this.daemon.registry.get(id)
    const seen = terminal?.state === 'live' ? this.inFront(terminal.run) : null
    if (seen !== null) moved(seen, { at: Date.now(), isExact: true })
  }

  /** What a run printed last, as text: it may name the conversation. */
  async heard(run: RunId, text: string): Promise<void> {
    const watched = this.watched.get(run)
    if (watched !== undefined) await this.inTurn((sight) => heard({ daemon: this.daemon, claims: this.claims, watched, sight }, text))
  }

  async hookReport(report: HookReport): Promise<Verdict> {
    await this.look(report.terminal) // a hook may speak before anybody has seen its agent
    const terminal = this.daemon.registry.get(report.terminal)
    const watched = terminal?.state === 'live' ? this.watched.get(terminal.run) : undefined
    if (watched === undefined) return { ok: false, why: 'the terminal has no program' }
    const verdict = await this.inTurn((sight) => judge({ daemon: this.daemon, watched, sight }, report))
    if (!verdict.ok || watched.agent === null) return verdict
    this.take(watched.agent, report)
    if (report.conversation !== null) await this.look(report.terminal)
    if (report.state !== null) this.stated(watched.run, report.state)
    return verdict
  }

  private take(seen: SeenAgent, { conversation: id, transcript }: HookReport): void {
    if (id !== null) seen.hook = { finding: { id, provenance: 'hook', transcript, began: null }, at: Date.now() }
  }

  private inFront(run: RunId): SeenAgent | null {
    const seen = this.watched.get(run)?.agent ?? null
    return seen?.isInFront === true && this.isLive(run) ? seen : null
  }

  private doingOf(run: RunId): Doing | null {
    const watched = this.watched.get(run)
    const seen = this.inFront(run)
    return watched === undefined || seen === null ? null : { daemon: this.daemon, watched, seen }
  }

  private isLive(run: RunId): boolean {
    return this.daemon.registry.byRun(run)?.state === 'live'
  }

  private forgetIfOver({ run }: Watched): void {
    if (this.daemon.registry.byRun(run) !== null) return
    setTimeout(() => this.watched.delete(run), FORGET_AFTER_MS).unref()
  }

  private schedule(): void {
    if (this.isStopped || this.timer !== undefined) return
    if (![...this.watched.values()].some((watched) => this.isWorthALook(watched))) return
    this.timer = setTimeout(() => void this.lookAtAll(), Math.max(0, this.nextLookAt - Date.now())).unref()
  }

  private isWorthALook({ run, closeLooks, agent, goneSince }: Watched): boolean {
    return (closeLooks > 0 || agent !== null || goneSince !== null) && this.isLive(run)
  }

  private async lookAtAll(): Promise<void> {
    const begun = Date.now()
    const worth = [...this.watched.values()].filter((watched) => this.isWorthALook(watched))
    await this.inTurn(async (sight) => {
      for (const watched of worth) {
        if (!this.isStopped) await this.lookAt(watched, sight, false)
        await new Promise((resolve) => setImmediate(resolve)) // keys that were typed meanwhile go first
      }
    })
    this.nextLookAt = begun + Math.min(LOOK_AT_LEAST_EVERY_MS, Math.max(LOOK_EVERY_MS, (Date.now() - begun) * PAUSE_TIMES))
    this.timer = undefined
    this.schedule()
  }

  private async lookAt(watched: Watched, sight: Sight, isAsked: boolean): Promise<void> {
    const { daemon, claims } = this
    try {
      await lookAt({ daemon, claims, watched, sight, isAsked })
      this.failing.delete(watched.run)
    } catch (error) {
      if (!this.failing.has(watched.run))
        daemon.log.warn({ run: watched.run, error: (error as Error).stack }, 'a look at a terminal failed')
      this.failing.add(watched.run)
    }
  }

  /** One after the other, so that no two terminals take the same conversation in the same moment. */
  private inTurn<Value>(work: (sight: Sight) => Promise<Value>): Promise<Value> {
    const mine = this.underWay.then(async () => work(await this.processes.begin()))
    this.underWay = mine.catch(() => undefined)
    return mine
  }
}
