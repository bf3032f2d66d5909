import process from 'node:process'
import type { TestContext } from 'vitest'
import { AgentBench } from './agentBench.ts'
import { type AgentName, installAgent } from './installAgents.ts'

export const INSTALL_TIMEOUT_MS = 360_000 // a new machine fetches some 500 MB; meanwhile a test can only wait

/** A bench with these agents; where they cannot be had, the test is skipped and says why. */
export async function benchWith(
  context: Pick<TestContext, 'skip'>,
  agents: readonly AgentName[],
  projects?: readonly string[],
): Promise<AgentBench> {
  const bins: string[] = []
  for (const agent of agents) {
    const installed = await installAgent(agent)
    if (!installed.ok) {
      process.stderr.write(`• skipped: ${installed.reason}\n`) // the runner tells only that, not why
      return context.skip(installed.reason)
    }
    bins.push(installed.bin)
  }
  return await AgentBench.make(bins, projects)
}
