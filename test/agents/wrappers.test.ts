/** Real agents inside of wrappers: resumed inside of them, with the same conversation. */
import { test } from 'vitest'
import { ONE_PROCESS } from '../support/agents/eachAgent.ts'
import { AGENT_NAMES } from '../support/agents/installAgents.ts'
import { benchWith, INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'
import { resumesInside, sandboxObstacle, WRAPPINGS } from '../support/agents/wrapped.ts'

const NEEDS_SANDBOX = ['bwrap', 'a shell function']

test.for(Object.keys(WRAPPINGS) as (keyof typeof WRAPPINGS)[])(
  'claude goes on inside of %s with its conversation',
  { timeout: INSTALL_TIMEOUT_MS },
  async (name, context) => {
    const obstacle = NEEDS_SANDBOX.includes(name) ? sandboxObstacle() : null
    if (obstacle !== null) return context.skip(obstacle)
    await using bench = await benchWith(context, ['claude'])
    await resumesInside(bench, WRAPPINGS[name], { agent: 'claude', args: ['--permission-mode', 'plan'], name: 'wrapped', wakes: 2 })
  },
)

test.for(AGENT_NAMES.filter((agent) => agent !== 'claude'))(
  '%s goes on inside of a sandbox with its conversation',
  { timeout: INSTALL_TIMEOUT_MS },
  async (agent, context) => {
    const obstacle = sandboxObstacle()
    if (obstacle !== null) return context.skip(obstacle)
    await using bench = await benchWith(context, [agent])
    await resumesInside(bench, WRAPPINGS['a shell function'], { agent, args: ONE_PROCESS[agent], name: 'wrapped', wakes: 2 })
  },
)
