/** Real agents, offline: what they are told after a sleep or a crash continues the conversation from before. */
import { test } from 'vitest'
import type { HowStarted } from '../support/agents/agentTerminal.ts'
import { goesOn } from '../support/agents/goesOn.ts'
import { benchWith, INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'

/** One of each way to be started; `npm run test:agents` has all agents and all ways. */
const HOW = {
  claude: { by: 'shell' },
  codex: { by: 'command', args: ['--no-daemon'] },
} as const satisfies Readonly<Record<string, Omit<HowStarted, 'name'>>>

test.concurrent.for(Object.keys(HOW) as (keyof typeof HOW)[])(
  '%s goes on with its conversation after a sleep, and after a kill -9 of daemon and holder',
  { timeout: INSTALL_TIMEOUT_MS },
  async (agent, context) => {
    await using bench = await benchWith(context, [agent])
    await goesOn(agent, bench, HOW[agent])
  },
)
