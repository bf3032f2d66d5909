import { expect, test } from 'vitest'
import { AgentTerminal } from '../support/agents/agentTerminal.ts'
import { eachAgent, ONE_PROCESS } from '../support/agents/eachAgent.ts'
import { AGENT_NAMES } from '../support/agents/installAgents.ts'
import { benchWith, INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'
import { until } from '../support/milestone.ts'

const stateOf = async (terminal: AgentTerminal): Promise<string | undefined> => (await terminal.row()).agent?.state

eachAgent('is seen at work while it answers, and not once it has', async (agent, bench) => {
  const terminal = await bench.start(agent, { name: agent, by: 'shell', args: ONE_PROCESS[agent] })
  await terminal.turn('ONE')
  await until(async () => ['done', 'idle'].includes((await stateOf(terminal)) ?? ''), {
    what: `${agent} to be seen done`,
    timeoutMs: 15_000,
  })
  expect((await terminal.row()).agent).toMatchObject({ name: agent })
  await terminal.prompt('TWO', ' HOLD')
  await until(async () => (await stateOf(terminal)) === 'working', { what: `${agent} to be seen at work`, timeoutMs: 15_000 })
})

const ANSWERS = 5
const ANSWER_MS = 5_000

/** A question takes no answer for a moment after it appears; codex shows none while keys come. So Enter is pressed only now and then. */
async function isAnswered(terminal: AgentTerminal): Promise<void> {
  const waiting = { what: 'the answer to be taken', timeoutMs: ANSWER_MS }
  for (let pressed = 1; ; pressed++) {
    await terminal.done('send', terminal.name, '--enter')
    const failed = await until(async () => (await stateOf(terminal)) !== 'needs-you', waiting).catch((error: Error) => error)
    if (!(failed instanceof Error)) return
    if (pressed === ANSWERS) throw new Error(`${failed.message}\n${await terminal.screen()}`)
  }
}

/** How each agent is started so that it asks before it runs a command. pi never asks. */
const ASKING: Readonly<Record<string, string>> = {
  claude: 'claude --permission-mode default',
  codex: 'codex --no-daemon -a on-request -s workspace-write',
  gemini: 'gemini',
  opencode: `OPENCODE_PERMISSION='{"bash":"ask"}' opencode`,
  qwen: 'qwen --approval-mode default',
  copilot: 'copilot',
  kilo: `KILO_PERMISSION='{"bash":"ask"}' kilo`,
  cline: 'cline --auto-approve false',
}

for (const agent of AGENT_NAMES.filter((name) => name in ASKING))
  test(`${agent} that asks whether it may run a command needs the user, until it is told, and is not put to sleep meanwhile`, {
    timeout: INSTALL_TIMEOUT_MS,
  }, async (context) => {
    await using bench = await benchWith(context, [agent])
    const terminal = await AgentTerminal.startWith(bench, agent, { name: agent, typed: ASKING[agent] ?? agent })
    await terminal.prompt('ONE', ' ASK:touch asked-for')
    await terminal.done('wait', agent, '--agent', 'needs-you', '--timeout', '20')
    const slept = await bench.hf('sleep', '--all')
    expect(slept.stdout).toContain('waits for your answer')
    expect(await stateOf(terminal)).toBe('needs-you')
    await isAnswered(terminal)
    await terminal.shows('REPLY\\s+users=1')
    await terminal.done('wait', agent, '--agent', 'idle', '--timeout', '20')
  })
