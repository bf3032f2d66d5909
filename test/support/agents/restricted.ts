import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { until } from '../milestone.ts'
import type { AgentBench } from './agentBench.ts'
import type { FirstFour } from './eachAgent.ts'

type Restricted = {
  /** Flags that take something away from the agent, and some that do not. */
  readonly flags: readonly string[]
  /** A tool that the model is not offered because of them; null where they show in the command line only. */
  readonly lacks: string | null
}

const RESTRICTED: Readonly<Record<FirstFour, Restricted>> = {
  claude: {
    flags: ['--disallowedTools', 'Bash', 'Edit', '--permission-mode', 'plan', '--strict-mcp-config', '--append-system-prompt', 'brief'],
    lacks: 'Bash',
  },
  codex: {
    flags: ['--no-daemon', '-s', 'read-only', '-a', 'on-request', '--disable', 'web_search_request', '--strict-config'],
    lacks: null,
  },
  gemini: { flags: ['--approval-mode', 'plan', '--extensions', 'none', '--allowed-mcp-server-names', 'none'], lacks: 'run_shell_command' },
  opencode: { flags: ['--agent', 'plan', '--pure', '--log-level', 'ERROR'], lacks: null },
}

type How = { readonly by: 'shell' | 'command'; readonly wakes: 1 | 2; readonly name: string }

/** Started with restrictions and a prompt, put to sleep and woken: the same restrictions, and the prompt is not sent again. */
export async function keepsRestrictions(bench: AgentBench, agent: FirstFour, { by, wakes, name }: How): Promise<void> {
  const { flags, lacks } = RESTRICTED[agent]
  const terminal = await bench.start(agent, { name, by, args: flags })
  const first = await terminal.turn('ONE')
  expect(first).toMatchObject({ users: 1 })
  const conversation = await terminal.known()
  if (lacks !== null) expect(first.tools).not.toContain(lacks)
  for (const [at, mark] of ['TWO', 'THREE'].slice(0, wakes).entries()) {
    await terminal.sleep()
    const { stdout } = await terminal.done('wake', name)
    expect(stdout).toContain(`${conversation} ${flags.join(' ')}\n`)
    await terminal.ready()
    const pid = await until(async () => (await terminal.row()).agent?.pid, { what: `${name} to have an agent` })
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ')).toContain(` ${flags.join(' ')}`)
    const turn = await terminal.turn(mark)
    expect(turn).toMatchObject({ users: at + 2, marks: ['ONE', 'TWO', 'THREE'].slice(0, at + 2) })
    expect(turn.tools.toSorted()).toEqual(first.tools.toSorted())
  }
}
