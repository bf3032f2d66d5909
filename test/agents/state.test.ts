import { expect, test } from 'vitest'
import type { AgentTerminal } from '../support/agents/agentTerminal.ts'
import { eachAgent, ONE_PROCESS } from '../support/agents/eachAgent.ts'
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

test('claude that asks whether it may run a command needs the user, until it is told', { timeout: INSTALL_TIMEOUT_MS }, async (context) => {
  await using bench = await benchWith(context, ['claude'])
  const terminal = await bench.start('claude', { name: 'claude', by: 'shell', args: ['--permission-mode', 'default'] })
  await terminal.prompt('ONE', ' TOOL:touch asked-for')
  await terminal.done('wait', 'claude', '--agent', 'needs-you', '--timeout', '20')
  // A question that has just appeared takes no answer for a moment, so that nobody answers it by mistake.
  await until(
    async () => {
      await terminal.done('send', 'claude', '--enter')
      return (await stateOf(terminal)) !== 'needs-you'
    },
    { what: 'the answer to be taken', timeoutMs: 20_000 },
  )
  await terminal.shows('REPLY\\s+users=1')
  await terminal.done('wait', 'claude', '--agent', 'done', '--timeout', '20')
})
