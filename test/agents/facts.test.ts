/** For `npm run agents:check`: the facts of the pinned version of each agent and of the one that is tried. */
import { appendFileSync } from 'node:fs'
import process from 'node:process'
import { test } from 'vitest'
import { AgentBench } from '../support/agents/agentBench.ts'
import { AGENT_NAMES, installAgent, PACKAGES, versionOf } from '../support/agents/installAgents.ts'
import { factsOf } from '../support/agents/matrix/facts.ts'
import { INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'

const path = process.env['AGENTS_FACTS'] ?? ''
const only = process.env['AGENTS_ONLY']?.split(',') ?? []

const wanted = AGENT_NAMES.filter((agent) => only.includes(agent)).flatMap((agent) =>
  [true, false].map((isPinned) => ({ agent, isPinned, version: isPinned ? PACKAGES[agent].version : versionOf(agent) })),
)

test.skipIf(path === '').for(wanted)(
  '$agent $version shows what it writes and how it asks and ends',
  { timeout: INSTALL_TIMEOUT_MS },
  async ({ agent, isPinned, version }, context) => {
    const installed = await installAgent(agent, { isPinned })
    if (!installed.ok) {
      process.stderr.write(`• ${agent} ${version}: ${installed.reason}\n`)
      return context.skip(installed.reason)
    }
    await using bench = await AgentBench.make([installed.bin])
    appendFileSync(path, `${JSON.stringify(await factsOf(agent, version, bench, installed.bin))}\n`)
  },
)
