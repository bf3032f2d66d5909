import { test } from 'vitest'
import type { AgentBench } from './agentBench.ts'
import { AGENT_NAMES, type AgentName } from './installAgents.ts'
import { benchWith, INSTALL_TIMEOUT_MS } from './realAgents.ts'

/** Everything an agent needs on its command line to be one process; codex has another mode, with tests of its own. */
export const ONE_PROCESS: Readonly<Record<AgentName, readonly string[]>> = { claude: [], codex: ['--no-daemon'], gemini: [], opencode: [] }

/** One test per agent, each with a bench of its own. */
export function eachAgent(promise: string, body: (agent: AgentName, bench: AgentBench) => Promise<void>): void {
  for (const agent of AGENT_NAMES)
    test(`${agent} ${promise}`, { timeout: INSTALL_TIMEOUT_MS }, async (context) => {
      await using bench = await benchWith(context, [agent])
      await body(agent, bench)
    })
}
