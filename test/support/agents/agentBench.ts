import { writeFileSync } from 'node:fs'
import { views } from '../daemon.ts'
import { type Ran, run } from '../holdfast.ts'
import { type Home, makeHome } from '../home.ts'
import { type AgentHome, makeAgentHome } from './agentHome.ts'
import { AgentTerminal, type HowStarted } from './agentTerminal.ts'
import { endClineHub } from './clineHub.ts'
import { endCodexDaemon } from './codexDaemon.ts'
import { type FakeModel, startFakeModel } from './fakeModel.ts'
import type { AgentName } from './installAgents.ts'

/** What `ls` says of a terminal with an agent. */
export type AgentRow = {
  readonly id: string
  readonly name: string | null
  readonly state: string
  readonly because: { readonly kind: string } | null
  readonly pid: number | null
  readonly holderPid: number | null
  readonly foreground: string | null
  readonly agent: { readonly name: string; readonly state: string; readonly pid: number } | null
  readonly conversation: string | null
  readonly back: { readonly kind: string; readonly text: string } | null
}

/** A Holdfast, a model and a user's home for real agents; everything that is started in it ends with it. */
export class AgentBench implements AsyncDisposable {
  private isOver = false

  private constructor(
    readonly home: Home,
    readonly model: FakeModel,
    readonly user: AgentHome,
  ) {}

  static async make(bins: readonly string[], projects?: readonly string[]): Promise<AgentBench> {
    const home = makeHome()
    writeFileSync(`${home.path}/config.toml`, '[web]\nport = 0\n')
    const model = await startFakeModel()
    const user = makeAgentHome({ inside: home.path, modelUrl: model.url, bins, ...(projects === undefined ? {} : { projects }) })
    return new AgentBench(home, model, user)
  }

  hf(...args: string[]): Promise<Ran> {
    this.stillThere()
    return run(this.home, args, { env: this.user.env, timeoutMs: 90_000 })
  }

  async row(name: string): Promise<AgentRow> {
    this.stillThere()
    const found = (await views(this.home, { env: this.user.env })).find((each) => each.name === name)
    if (found === undefined) throw new Error(`there is no terminal ${name}`)
    return found as AgentRow
  }

  /** A question to a bench that is gone would start a daemon that stays. */
  private stillThere(): void {
    if (this.isOver) throw new Error('the test is over')
  }

  start(agent: AgentName, how: HowStarted): Promise<AgentTerminal> {
    return AgentTerminal.start(this, agent, how)
  }

  /** The project that agents work in unless a test says otherwise. */
  get project(): string {
    const [first] = this.user.projects
    if (first === undefined) throw new Error('this user has no project')
    return first
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isOver = true
    try {
      // First the agents: one that still runs starts a background process again that was ended.
      await run(this.home, ['daemon', 'stop', '--all'], { env: this.user.env, timeoutMs: 30_000 }).catch(() => undefined) // `dispose` says so
      await endCodexDaemon(this.user.path)
      await endClineHub(this.user.path)
      await this.home.dispose()
    } finally {
      await this.model[Symbol.asyncDispose]()
    }
  }
}
