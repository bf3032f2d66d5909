import { test } from 'vitest'
import type { AgentBench } from './agentBench.ts'
import type { AgentName } from './installAgents.ts'
import { benchWith, INSTALL_TIMEOUT_MS } from './realAgents.ts'

/** Those that the tests outside of the matrix are about. */
const FIRST_FOUR = ['claude', 'codex', 'gemini', 'opencode'] as const satisfies readonly AgentName[]
export type FirstFour = (typeof FIRST_FOUR)[number]

/** One test per agent, each with a bench of its own. */
export function eachAgent(promise: string, body: (agent: FirstFour, bench: AgentBench) => Promise<void>): void {
  for (const agent of FIRST_FOUR)
    test(`${agent} ${promise}`, { timeout: INSTALL_TIMEOUT_MS }, async (context) => {
      await using bench = await benchWith(context, [agent])
      await body(agent, bench)
    })
}
