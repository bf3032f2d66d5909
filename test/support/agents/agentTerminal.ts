import type { Ran } from '../holdfast.ts'
import { until } from '../milestone.ts'
import type { AgentBench, AgentRow } from './agentBench.ts'
import { HABITS, type Habits } from './agentHabits.ts'
import type { Turn } from './fakeModel.ts'
import type { AgentName } from './installAgents.ts'

export type HowStarted = {
  readonly name: string
  /** `holdfast new -- agent`, or typed at the prompt of a shell. */
  readonly by: 'command' | 'shell'
  readonly args?: readonly string[]
  readonly cwd?: string
  /** A directory that is gone to in the shell before the agent is typed. */
  readonly inside?: string
}

type OtherStart = { readonly name: string; readonly typed?: string; readonly command?: readonly string[] }

const READY_SECONDS = '60'
const SETTLED_MS = '400'
const ENTERS = 12 // a minute in all: the first answer of a big agent on a busy machine takes its time
const ENTER_MS = 5_000
const ENTER_ANYWAY = 4 // tries; one that draws by itself does not look the same although it has not taken it
const TYPED_SECONDS = '10'
const TYPED_TIMES = 4
const KNOWN_MS = 15_000

/** An agent in a Holdfast terminal, used through the command line as a person or a script would. */
export class AgentTerminal {
  readonly name: string
  readonly habits: Habits

  private constructor(
    readonly bench: AgentBench,
    readonly agent: AgentName,
    how: HowStarted,
  ) {
    this.name = how.name
    this.habits = HABITS[agent]
  }

  /** Returns when the agent takes a prompt. */
  static async start(bench: AgentBench, agent: AgentName, how: HowStarted): Promise<AgentTerminal> {
    const terminal = new AgentTerminal(bench, agent, how)
    const command = [agent, ...(how.args ?? [])]
    const place = ['new', '--name', how.name, '--cwd', how.cwd ?? bench.project, '--size', '120x40']
    await terminal.done(...place, ...(how.by === 'command' ? ['--', ...command] : []))
    if (how.by === 'shell') {
      await terminal.shows('prompt>')
      const first = how.inside === undefined ? '' : `cd ${how.inside} && `
      await terminal.done('send', how.name, `${first}${command.join(' ')}`, '--enter')
    }
    await terminal.ready()
    return terminal
  }

  /** Started in another way than by its own command line: typed at a prompt, or as the terminal's command. */
  static async startWith(bench: AgentBench, agent: AgentName, { name, typed, command }: OtherStart): Promise<AgentTerminal> {
    const terminal = new AgentTerminal(bench, agent, { name, by: command === undefined ? 'shell' : 'command' })
    const place = ['new', '--name', name, '--cwd', bench.project, '--size', '120x40']
    await terminal.done(...place, ...(command === undefined ? [] : ['--', ...command]))
    if (typed !== undefined) {
      await terminal.shows('prompt>')
      await terminal.done('send', name, typed, '--enter')
    }
    await terminal.ready()
    return terminal
  }

  /** Waits until it takes a prompt: it shows where to type, and has finished drawing. */
  async ready(): Promise<void> {
    await this.shows(this.habits.ready)
    await this.bench.hf('wait', this.name, '--idle', SETTLED_MS, '--timeout', '5') // one that keeps drawing is ready all the same
  }

  /** Waits for this on its screen; what it shows instead is in the complaint. */
  async shows(pattern: string, seconds: string = READY_SECONDS): Promise<void> {
    const waited = await this.bench.hf('wait', this.name, '--text', pattern, '--timeout', seconds)
    if (waited.code !== 0) throw new Error(`${this.name} does not show ${pattern}: ${waited.stderr}\n${await this.screen()}`)
  }

  async screen(): Promise<string> {
    return (await this.bench.hf('read', this.name)).stdout.trimEnd()
  }

  /** One prompt and the whole answer to it. */
  async turn(mark: string, more = ''): Promise<Turn> {
    const turn = await this.prompt(mark, more)
    await this.shows(`REPLY\\s+users=${turn.users}\\s+marks=${turn.marks.join('\\+')}`)
    await this.bench.hf('wait', this.name, '--idle', SETTLED_MS, '--timeout', '5')
    return turn
  }

  /** Returns as soon as the model has it. */
  async prompt(mark: string, more = ''): Promise<Turn> {
    await this.type(`say MARK-${mark}${more}`, `MARK-${mark}`)
    const typed = await this.screen()
    for (let tried = 1; ; tried++) {
      // Agents take an Enter that comes soon after other keys for a part of a paste: then nothing moves.
      if (tried % ENTER_ANYWAY === 1 || (await this.screen()) === typed) await this.done('send', this.name, '--enter')
      const turn = await this.bench.model.turnWith(mark, ENTER_MS).catch((error: Error) => error)
      if (!(turn instanceof Error)) return turn
      if (tried === ENTERS) throw new Error(`${turn.message}\n${await this.screen()}`)
    }
  }

  /** Leaves the conversation for a new one in the same process; the next prompt begins it. */
  async startOver(): Promise<void> {
    const isCleared = async () => !(await this.screen()).includes('REPLY')
    await this.command(this.habits.startOver, isCleared)
    await this.ready()
  }

  /** Makes a summary of the conversation and goes on with that. */
  async compact(): Promise<void> {
    const { command, by, shows } = this.habits.compact
    const { model } = this.bench
    const before = model.summaries()
    await this.command(command, async () => (by === 'model' ? model.summaries() > before : new RegExp(shows).test(await this.screen())))
    await this.shows(shows)
    await this.bench.hf('wait', this.name, '--idle', SETTLED_MS, '--timeout', '5')
    await this.ready()
  }

  /** Says yes to what the agent asks. */
  async allow(): Promise<void> {
    await this.done('send', this.name, '--keys', this.habits.asking?.allow ?? 'Enter')
  }

  /** Says no to what the agent asks, and is back where it takes a prompt. */
  async refuse(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.done('send', this.name, ...(key.length === 1 ? [key] : ['--keys', key]))
      await this.bench.hf('wait', this.name, '--idle', SETTLED_MS, '--timeout', '5')
    }
    await this.ready()
  }

  /** Leaves the agent as a person would: its shell is back. */
  async quit(): Promise<void> {
    await this.command(this.habits.quit, async () => (await this.row()).foreground === 'bash')
  }

  private async command(text: string, isDone: () => Promise<boolean>): Promise<void> {
    await this.type(text, text)
    for (let pressed = 1; ; pressed++) {
      await this.done('send', this.name, '--enter')
      const failed = await until(isDone, { what: `${this.name} to carry out ${text}`, timeoutMs: ENTER_MS }).catch((error: Error) => error)
      if (!(failed instanceof Error)) return
      if (pressed === ENTERS) throw new Error(`${failed.message}\n${await this.screen()}`)
    }
  }

  /** What is typed while an agent still starts may be lost; then the line is emptied and typed again. */
  private async type(text: string, seen: string): Promise<void> {
    for (let typed = 1; ; typed++) {
      await this.done('send', this.name, text)
      const failed = await this.shows(seen, TYPED_SECONDS).catch((error: Error) => error)
      if (!(failed instanceof Error)) break
      if (typed === TYPED_TIMES) throw failed
      await this.done('send', this.name, '--keys', 'C-u')
    }
    await this.bench.hf('wait', this.name, '--idle', SETTLED_MS, '--timeout', '5')
  }

  row(): Promise<AgentRow> {
    return this.bench.row(this.name)
  }

  /** Waits until Holdfast knows which conversation this is; its id. */
  async known(): Promise<string> {
    const waiting = { what: `the conversation of ${this.name} to be known`, timeoutMs: KNOWN_MS }
    const known = await until(async () => (await this.row()).conversation, waiting).catch((error: Error) => error)
    if (!(known instanceof Error)) return known
    const log = await this.bench.hf('agent', 'log', this.name)
    throw new Error([known.message, JSON.stringify(await this.row()), log.stdout, log.stderr].join('\n'))
  }

  async sleep(): Promise<void> {
    await this.done('sleep', '--force', this.name)
    await until(async () => (await this.row()).state === 'asleep', { what: `${this.name} to sleep` })
  }

  /** Wakes it and waits until it takes a prompt. */
  async wake(...flags: string[]): Promise<void> {
    await this.done('wake', ...flags, this.name)
    await this.ready()
  }

  /** Runs a verb that must succeed. */
  async done(...args: string[]): Promise<Ran> {
    const ran = await this.bench.hf(...args)
    if (ran.code !== 0) throw new Error(`holdfast ${args.join(' ')} ended with ${ran.code}\n${ran.stderr}${ran.stdout}`)
    return ran
  }
}
