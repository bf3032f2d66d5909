/**
 * Terminals with agents, as they could live: it knows which process has which conversation, and shows the daemon only what a
 * daemon can see. Everything that is decided is decided by the daemon's own functions.
 */
import type { Agent, Finding, SelfName } from '../../src/agents/agent.ts'
import { assignedArgs, launchedWith } from '../../src/agents/argv.ts'
import { isSelf } from '../../src/agents/files.ts'
import { AGENTS, agentNamed } from '../../src/agents/programs/all.ts'
import type { RunId, TerminalId } from '../../src/base/ids.ts'
import { knownOf } from '../../src/daemon/agents/arrival.ts'
import { Claims } from '../../src/daemon/agents/claims.ts'
import { decisionFor, restoreOf } from '../../src/daemon/agents/conversationFor.ts'
import { assignedConversation } from '../../src/daemon/agents/program.ts'
import { CLOSE_LOOKS, entered, movesSince, newWatched, type SeenAgent, type Watched } from '../../src/daemon/agents/watched.ts'
import type { TerminalEvent } from '../../src/workspace/terminal/events.ts'
import { argvFor } from '../../src/workspace/terminal/resume.ts'
import { newTerminal, step } from '../../src/workspace/terminal/step.ts'
import { currentRun, type Terminal } from '../../src/workspace/terminal/terminal.ts'
import { runId, terminalId } from './terminals.ts'

/**
 * When a conversation comes to be, and how its agent shows it: four of the nine stand for all. Each qwen is in a sandbox of its own,
 * where it has the same number as every other one, so that all of them register in one file.
 */
type Kind = 'claude' | 'pi' | 'opencode' | 'qwen'
type Said = { readonly id: string; readonly agent: Kind; readonly began: number; asked: number | null; used: number }
type Process = {
  readonly agent: Kind
  readonly argv: readonly string[]
  readonly startedAt: number
  readonly self: SelfName
  has: Said | null
}

export const KINDS: readonly Kind[] = ['claude', 'pi', 'opencode', 'qwen']
const SPACES = 2 // the kernel gives the number of a sandbox that is gone to another one
const TICK_MS = 10
const STARTS_WITHIN_MS = 400
const BOOTS_WITHIN_MS = 200
const CRASH_MS = 3_000
const ways = { table: {}, agents: AGENTS, shell: '/bin/sh' }

export class ConversationWorld {
  now = 1_000_000
  readonly terminals = new Map<TerminalId, Terminal>()
  readonly closed: Terminal[] = []
  /** By terminal, every conversation that was really in it. */
  readonly had = new Map<TerminalId, Set<string>>()
  private readonly processes = new Map<TerminalId, Process>()
  private readonly said: Said[] = []
  /** The one file in which sandboxes register: the last one that wrote. */
  private registered: { readonly by: SelfName; readonly id: string } | null = null
  private readonly watched = new Map<RunId, Watched>()
  private readonly given: { readonly agent: string; readonly id: string; readonly terminal: TerminalId }[] = []
  private isDaemonUp = true
  private count = 0
  private claims = this.makeClaims()

  /** `by`: the terminal's own command, or typed into its shell. */
  start(agent: Kind, by: 'command' | 'shell'): void {
    if (!this.isDaemonUp) return
    const id = terminalId(++this.count)
    const command = by === 'command' ? agent : 'bash'
    const spec = { command, args: [], cwd: '/p', env: {}, size: { cols: 80, rows: 24 } }
    const run = runId(++this.count)
    this.terminals.set(id, newTerminal({ id, spec, name: null, run, now: this.now }).terminal)
    this.had.set(id, new Set())
    this.begin(id, by === 'command' ? this.assigned(id, [agent]) : null)
    if (by === 'shell') this.launch(id, [agent])
  }

  /** A line for the agent: its first one makes the conversation real. */
  prompt(id: TerminalId): void {
    const process = this.processes.get(id)
    if (process === undefined) return
    this.enter(id)
    this.now += 60
    process.has ??= this.begun(id, process, this.now)
    process.has.asked ??= this.now
    process.has.used = this.now
    if (!this.said.includes(process.has)) this.said.push(process.has)
  }

  startOver(id: TerminalId): void {
    const process = this.processes.get(id)
    if (process === undefined) return
    this.enter(id)
    this.now += 30
    process.has = process.agent === 'opencode' ? null : this.begun(id, process, this.now)
    this.register(process)
  }

  quit(id: TerminalId): void {
    this.look(id) // an agent that is quit has run for longer than a second
    const terminal = this.terminals.get(id)
    if (!this.processes.delete(id) || terminal === undefined) return
    if (terminal.spec.command !== 'bash') this.end(id, { kind: 'exited', status: { code: 0 } })
  }

  sleep(id: TerminalId): void {
    this.look(id) // so does the daemon before it ends anything
    if (!this.isDaemonUp || this.terminals.get(id)?.state !== 'live') return
    this.apply(id, { kind: 'sleepAsked', graceMs: 0 })
    this.processes.delete(id)
    this.end(id, { kind: 'exited', status: { code: 0 } })
  }

  close(id: TerminalId): void {
    this.sleep(id)
    const terminal = this.terminals.get(id)
    if (!this.isDaemonUp || terminal?.state !== 'asleep') return
    this.terminals.delete(id)
    this.closed.push(terminal)
  }

  wake(id: TerminalId): void {
    const terminal = this.terminals.get(id)
    if (!this.isDaemonUp || terminal?.state !== 'asleep') return
    const argv = argvFor(terminal, 'resume', ways)
    const words = [argv.command, ...argv.args]
    this.apply(id, { kind: 'wakeAsked', run: runId(++this.count), mode: 'resume' })
    if (argv.agent === null) return this.begin(id, null)
    this.begin(id, argv.from === 'new' ? this.assigned(id, words) : words)
  }

  killDaemon(): void {
    this.isDaemonUp = false
    this.watched.clear()
  }

  startDaemon(): void {
    if (this.isDaemonUp) return
    this.isDaemonUp = true
    this.now += BOOTS_WITHIN_MS
    this.claims = this.makeClaims()
    for (const { agent, id, terminal } of this.given) this.claims.remember(agent, id, terminal)
    for (const terminal of this.terminals.values()) this.watch(terminal)
  }

  /** Power loss: nothing runs any more, and the next daemon finds what was kept. */
  crash(): void {
    this.killDaemon()
    this.processes.clear()
    this.now += CRASH_MS
    for (const [id, terminal] of this.terminals) {
      const run = currentRun(terminal)
      if (run !== null) this.apply(id, { kind: 'holderLost', run })
    }
    this.startDaemon()
  }

  /** The daemon looks at one terminal. */
  look(id: TerminalId): void {
    const terminal = this.terminals.get(id)
    const watched = terminal?.state === 'live' ? this.watched.get(terminal.run) : undefined
    if (!this.isDaemonUp || terminal?.state !== 'live' || watched === undefined) return
    watched.closeLooks -= 1
    watched.lookedAt = this.now
    const process = this.processes.get(id)
    if (process === undefined) return this.seeLeft(watched, terminal.agent)
    if (watched.agent?.process.startedAt !== process.startedAt) {
      this.claims.agentEnded(watched, this.now)
      const agent = agentOf(process.agent)
      const bound = knownOf(terminal, agent, watched)
      if (terminal.agent !== agent.id)
        this.apply(id, { kind: 'conversationSeen', run: terminal.run, restore: { kind: 'unknown', agent: agent.id }, agent: agent.id })
      watched.agent = seenAgent(agent, process, bound, watched)
    }
    this.bind(watched, watched.agent, process)
  }

  private bind(watched: Watched, seen: SeenAgent, process: Process): void {
    const { finding } = decisionFor({ claims: this.claims, watched, seen }, this.findings(process), this.now)
    if (finding === null) return
    seen.bound = finding
    this.claims.remember(process.agent, finding.id, watched.terminal)
    this.given.push({ agent: process.agent, id: finding.id, terminal: watched.terminal })
    const terminal = this.terminals.get(watched.terminal)
    const isReal = this.said.some(({ id }) => id === finding.id)
    const restore = terminal === undefined || !isReal ? null : restoreOf(seen, finding, terminal)
    if (restore !== null) this.apply(watched.terminal, { kind: 'conversationSeen', run: watched.run, restore, agent: process.agent })
  }

  /** As the agents' files and processes show it. */
  private findings({ agent, argv, startedAt, self, has }: Process): readonly Finding[] {
    const launched = launchedWith(agentOf(agent), argv)
    const named: readonly Finding[] = launched === null ? [] : [{ ...launched, transcript: this.pathOf(launched.id), began: null }]
    if (agent === 'claude' || agent === 'qwen') {
      const shared = this.registered !== null && isSelf(self, this.registered.by) ? this.registered.id : null
      const id = agent === 'qwen' ? shared : (has?.id ?? null)
      return id === null ? named : [{ id, provenance: 'registration', transcript: this.pathOf(id), began: null }, ...named]
    }
    const since = this.said.filter((said) => said.agent === agent && said.began >= startedAt - 2_000)
    const stored = since.map(({ id, began, asked, used }): Finding => {
      const times = asked === null ? { used } : { asked, used }
      return { id, provenance: 'store', transcript: `/t/${id}`, began, ...times }
    })
    return [...(agent === 'pi' ? [] : named), ...stored] // pi writes its title over its words
  }

  private pathOf(id: string): string | null {
    return this.said.some((said) => said.id === id) ? `/t/${id}` : null
  }

  private seeLeft(watched: Watched, agent: string | null): void {
    const known = watched.agent?.agent.id ?? agent
    if (known === null) return
    this.apply(watched.terminal, { kind: 'agentLeft', run: watched.run, agent: known })
    this.claims.agentEnded(watched, this.now)
    watched.agent = null
  }

  private assigned(id: TerminalId, argv: readonly string[]): readonly string[] {
    const [command = '', ...args] = argv
    const agent = agentOf(command)
    const conversation = this.newId(agent.id)
    const words = assignedArgs(agent, args, conversation)
    const terminal = this.terminals.get(id)
    if (words === null || terminal?.state !== 'waking') return argv
    if (terminal.restore.kind === 'conversation') return [command, ...words]
    const restore = assignedConversation(agent, { id: conversation, argv, cwd: '/p', env: {} })
    this.had.get(id)?.add(conversation)
    this.apply(id, { kind: 'conversationSeen', run: terminal.run, restore, agent: agent.id })
    return [command, ...words]
  }

  private begin(id: TerminalId, argv: readonly string[] | null): void {
    const terminal = this.terminals.get(id)
    if (terminal?.state !== 'waking') return
    this.apply(id, { kind: 'started', run: terminal.run, pid: 1, holderPid: 1, mode: argv === null ? 'fresh' : 'resume' })
    const live = this.terminals.get(id)
    if (live !== undefined) this.watch(live)
    if (argv !== null) this.launch(id, argv)
  }

  private launch(id: TerminalId, argv: readonly string[]): void {
    const [command = ''] = argv
    const agent = agentOf(command)
    const launched = launchedWith(agent, argv)
    const startedAt = this.now
    const self = { pid: 2, start: `${Math.floor(startedAt / TICK_MS)}`, space: `${++this.count % SPACES}`, isInside: true }
    const process: Process = { agent: agent.id as Kind, argv: agent.id === 'pi' ? ['pi', ''] : argv, startedAt, self, has: null }
    this.now += STARTS_WITHIN_MS
    const known = this.said.find((said) => said.id === launched?.id)
    if (known !== undefined) process.has = known
    else if (agent.id !== 'opencode') process.has = this.begun(id, process, this.now, launched?.id)
    if (process.has !== null) this.had.get(id)?.add(process.has.id)
    this.register(process)
    this.processes.set(id, process)
  }

  private begun(id: TerminalId, { agent }: Process, began: number, named?: string): Said {
    const said = { id: named ?? this.newId(agent), agent, began, asked: null, used: began }
    this.had.get(id)?.add(said.id)
    return said
  }

  private register({ agent, self, has }: Process): void {
    if (agent === 'qwen' && has !== null) this.registered = { by: self, id: has.id }
  }

  private newId(agent: string): string {
    const number = String(++this.count).padStart(12, '0')
    return agent === 'opencode' ? `ses_${number}` : `00000000-0000-4000-8000-${number}`
  }

  private enter(id: TerminalId): void {
    const terminal = this.terminals.get(id)
    const watched = terminal?.state === 'live' ? this.watched.get(terminal.run) : undefined
    if (!this.isDaemonUp || watched === undefined) return
    entered(watched, this.now)
    watched.closeLooks = CLOSE_LOOKS
  }

  private watch(terminal: Terminal): void {
    if (terminal.state === 'live') this.watched.set(terminal.run, newWatched(terminal.id, terminal.run, this.now))
  }

  private end(id: TerminalId, how: { readonly kind: 'exited'; readonly status: { readonly code: number } }): void {
    const terminal = this.terminals.get(id)
    const run = terminal === undefined ? null : currentRun(terminal)
    if (run === null) return
    const watched = this.watched.get(run)
    if (watched !== undefined) this.claims.agentEnded(watched, this.now)
    this.watched.delete(run)
    this.apply(id, { ...how, run })
  }

  private apply(id: TerminalId, event: TerminalEvent): void {
    const terminal = this.terminals.get(id)
    const after = terminal === undefined ? null : step(terminal, event, this.now).terminal
    if (after !== null) this.terminals.set(id, after)
  }

  private makeClaims(): Claims {
    return new Claims({
      terminals: () => [...this.terminals.values()],
      closed: () => this.closed,
      watched: () => this.watched.values(),
    })
  }
}

function agentOf(command: string): Agent {
  const agent = agentNamed(AGENTS, command)
  if (agent === null) throw new Error(`there is no agent ${command}`)
  return agent
}

function seenAgent(agent: Agent, { argv, startedAt, self }: Process, bound: Finding | null, watched: Watched): SeenAgent {
  const sight = { pid: 1, start: `${startedAt}`, parent: 0, group: 1, session: '1', name: agent.id, executable: null, argv }
  return {
    ...{
      agent,
      process: { agent: agent.id, process: sight, pids: [1], selves: [self], cwd: '/p', env: {}, startedAt },
      own: [],
      wrapper: { kind: 'none' },
    },
    ...{ isInFront: true, bound, noted: null, hook: null, oldHint: null, reports: {}, shown: null, track: null, attendedAt: null },
    ...{ moves: movesSince(watched, startedAt), inside: [] },
  }
}
