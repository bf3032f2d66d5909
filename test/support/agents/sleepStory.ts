import { execFileSync } from 'node:child_process'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { launchBrowser, type TestBrowser } from '../browser.ts'
import { holdersOf, views } from '../daemon.ts'
import { run } from '../holdfast.ts'
import { until } from '../milestone.ts'
import { openLoggedIn } from '../pages.ts'
import { processesMentioning } from '../processes.ts'
import { change, powerCut } from '../restoring.ts'
import type { TerminalRow } from '../terminalView.ts'
import type { AgentBench } from './agentBench.ts'
import { HABITS } from './agentHabits.ts'
import type { AgentTerminal } from './agentTerminal.ts'
import type { AgentName } from './installAgents.ts'

export const BRANCH = 'mend-it'
const OTHER_BOOT = '00000000-0000-4000-8000-000000000000'
const PAGE_MS = 30_000 // an agent starts meanwhile, on a machine that may be busy

/** A real agent that was told something, beside a shell, and the page that shows both. */
export class SleepStory implements AsyncDisposable {
  page!: Page
  readonly bench: AgentBench
  readonly id: string
  readonly conversation: string

  private constructor(
    readonly terminal: AgentTerminal,
    readonly browser: TestBrowser,
    known: { readonly id: string; readonly conversation: string },
  ) {
    this.bench = terminal.bench
    this.id = known.id
    this.conversation = known.conversation
  }

  /** The agent was told a secret and has answered. */
  static async begin(agent: AgentName, bench: AgentBench): Promise<SleepStory> {
    execFileSync('git', ['init', '-q', `--initial-branch=${BRANCH}`, bench.project])
    const [terminal, browser] = await Promise.all([startAgent(agent, bench), launchBrowser()])
    try {
      await terminal.turn('SECRET')
      const conversation = await terminal.known()
      const story = new SleepStory(terminal, browser, { id: (await terminal.row()).id, conversation })
      await story.open()
      return story
    } catch (error) {
      await browser.close()
      throw error
    }
  }

  private async open(): Promise<void> {
    await this.page?.context().close()
    this.page = await openLoggedIn(this.bench.home, this.browser, { viewport: { width: 1500, height: 900 } })
    this.page.setDefaultTimeout(PAGE_MS)
    await this.tile.waitFor()
  }

  get tile(): Locator {
    return this.page.locator(`section[data-terminal="${this.id}"]`)
  }

  /** Beside its picture while it sleeps. */
  get rest(): Locator {
    return this.tile.getByLabel('This terminal is not running')
  }

  async view(): Promise<TerminalRow> {
    const found = (await views(this.bench.home, { env: this.bench.user.env })).find(({ id }) => id === this.id)
    if (found === undefined) throw new Error(`${this.id} is gone`)
    return found
  }

  /** By the button of its title bar. */
  sleepInPage = (): Promise<void> => this.tile.getByRole('button', { name: 'Put to sleep' }).click()

  /** Its holder and everything under it, by pid. */
  async processes(): Promise<readonly number[]> {
    const { holderPid } = await this.view()
    const all = processesMentioning(this.bench.home.path)
    const own = new Set([holderPid])
    for (let size = 0; size < own.size; ) {
      size = own.size
      for (const { pid, parent } of all) if (own.has(parent)) own.add(pid)
    }
    return [...own].filter((pid) => typeof pid === 'number')
  }

  untilGone = (pids: readonly number[]): Promise<unknown> =>
    until(() => !processesMentioning(this.bench.home.path).some(({ pid }) => pids.includes(pid)), { what: `${pids.join()} to be gone` })

  /** Nothing of it runs, and it is there once. */
  async expectAsleep(): Promise<TerminalRow> {
    const view = await this.view()
    expect(view).toMatchObject({ state: 'asleep', pid: null, holderPid: null, agent: null, conversation: this.conversation })
    const all = await views(this.bench.home)
    expect(all.map(({ name }) => name).toSorted()).toEqual([this.terminal.name, 'beside'].toSorted())
    const live = all.filter(({ state }) => state === 'live')
    await until(() => holdersOf(this.bench.home).length === live.length, { what: 'no holder to be left', timeoutMs: 20_000 })
    return view
  }

  /** It goes on with everything that it was told, in the terminal that it was in; `perhaps` was cancelled before it was answered. */
  async expectGoesOn(mark: string, marks: readonly string[], perhaps: readonly string[] = []): Promise<void> {
    await until(async () => (await this.view()).state === 'live', { what: 'it to be awake', timeoutMs: PAGE_MS })
    await this.terminal.ready()
    const turn = await this.terminal.turn(mark)
    expect(turn.marks.filter((each) => !perhaps.includes(each))).toEqual([...marks, mark])
    if (turn.conversation !== null) expect(turn.conversation).toBe(this.conversation)
    expect(await this.view()).toMatchObject({ state: 'live', conversation: this.conversation, mismatch: null })
    expect(await this.terminal.known()).toBe(this.conversation)
  }

  /** Everything is killed, by pid, and the machine comes up again. */
  async reboot(): Promise<void> {
    await powerCut(this.bench.home)
    change(this.bench.home, "UPDATE sessions SET host_id = json_set(host_id, '$.boot', ?)", OTHER_BOOT)
    await this.start()
  }

  /** A daemon, and a page of its own. */
  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { home, user } = this.bench
    const started = await run(home, ['daemon', 'start'], { env: { ...user.env, ...more } })
    if (started.code !== 0) throw new Error(started.stderr)
    await this.open()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.browser.close()
  }
}

async function startAgent(agent: AgentName, bench: AgentBench): Promise<AgentTerminal> {
  const terminal = await bench.start(agent, { name: agent, by: 'shell', args: HABITS[agent].always })
  await terminal.done('new', '--name', 'beside', '--cwd', bench.project, '--', '/bin/bash', '--norc', '--noprofile')
  return terminal
}
