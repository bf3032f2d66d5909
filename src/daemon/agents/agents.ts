/**
 * The main file of this folder: coding agents in terminals. `lookAt.ts` is one look, `bind.ts` decides whose conversation it is,
 * `resumeCheck.ts` what a wake starts, `linuxLook.ts` and `macLook.ts` read processes. It sees the daemon through `world.ts` alone.
 *
 * Knows which agent has the keyboard of which terminal, which conversation it has and how it does. It looks about once a
 * second, only at terminals that have just started or printed something or have an agent in front; where nothing happens
 * nothing is read but one small file per agent, and nothing is ever written twice. Everything in it is learned again from
 * the processes after a crash.
 */
import type { AgentProcess } from '../../agents/agent.ts'
import type { AgentSummary, StateReport } from '../../agents/state.ts'
import type { RunId, TerminalId } from '../../base/ids.ts'
import type { AgentView } from '../../wire/view.ts'
import { couldOwn } from '../../workspace/resume/chosenConversation.ts'
import type { ComesBack } from '../../workspace/resume/comesBack.ts'
import type { Argv } from '../../workspace/terminal/resume.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { givenConversations } from './agentAudit.ts'
import { Claims } from './claims.ts'
import { type HookReport, judge, type Verdict } from './hookReport.ts'
import { heard } from './leaving.ts'
import { lookAt } from './lookAt.ts'
import type { ProcessLook, Sight } from './processLook.ts'
import { type Doing, glance, refresh, stated } from './states.ts'
import { systemLook } from './systemLook.ts'
import { CLOSE_LOOKS, entered, newWatched, type SeenAgent, type Watched } from './watched.ts'
import type { AgentWorld } from './world.ts'

const LOOK_EVERY_MS = 1_000
/** Where looking takes long, it is done less often. */
const PAUSE_TIMES = 5
const LOOK_AT_LEAST_EVERY_MS = 3_000
/** The last words of a run are read when it is over. */
const FORGET_AFTER_MS = 10_000

export class Agents {
  private readonly watched = new Map<RunId, Watched>()
  /** Runs that are over, and are forgotten in a moment. */
  private readonly leaving = new Set<RunId>()
  private readonly claims: Claims
  private readonly returns = new Map<RunId, ComesBack>()
  private timer: NodeJS.Timeout | undefined
  private nextLookAt = 0
  private isStopped = false
  private underWay: Promise<unknown> = Promise.resolve()
  /** Runs of which a look has failed: said once, because it may fail at every look. */
  private readonly failing = new Set<RunId>()

  constructor(
    private readonly daemon: AgentWorld,
    private readonly processes: ProcessLook = systemLook(),
  ) {
    this.claims = new Claims({
      terminals: () => daemon.registry.all(),
      closed: () => daemon.closed.all().map(({ terminal }) => terminal),
      watched: () => this.watched.values(),
    })
  }

  /** Which terminals had which conversations before this daemon; no terminal is looked at before that is known. */
  recall(): void {
    this.underWay = givenConversations(this.daemon)
      .then((all) => {
        for (const { agent, conversation, terminal } of all) this.claims.remember(agent, conversation, terminal)
      })
      .catch((error: Error) => this.daemon.log.warn({ error: error.message }, 'earlier conversations are not known'))
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

  /** Names of other terminals, also closed ones, that could own the conversation that the agent itself would choose. */
  couldOwn(terminal: TerminalId, { agent, isOpenChoice }: Argv): readonly string[] {
    return isOpenChoice === true && agent !== null ? couldOwn(agent, this.others(terminal), this.daemon.config.agents) : []
  }

  /** What the wake that began this run brought back; null where this daemon did not wake it. */
  cameBack(run: RunId): ComesBack | null {
    return this.returns.get(run) ?? null
  }

  /** Before the program starts: whoever waits for it is told as soon as it runs. */
  woken(run: RunId, back: ComesBack): void {
    this.returns.set(run, back)
  }

  /** The run is over. */
  ended(run: RunId): void {
    this.returns.delete(run)
  }

  private others(terminal: TerminalId): readonly Terminal[] {
    const { registry, closed } = this.daemon
    return [...registry.all(), ...closed.all().map((each) => each.terminal)].filter(({ id }) => id !== terminal)
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
    const watched = terminal?.state === 'live' ? this.watched.get(terminal.run) : undefined
    if (watched !== undefined) entered(watched, Date.now())
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

  private forgetIfOver(watched: Watched): void {
    const { run } = watched
    if (this.daemon.registry.byRun(run) !== null || this.leaving.has(run)) return
    this.leaving.add(run)
    const endedAt = Date.now()
    setTimeout(() => {
      this.leaving.delete(run)
      if (this.watched.delete(run)) this.claims.agentEnded(watched, endedAt)
    }, FORGET_AFTER_MS).unref()
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
