/** Claude Code inside each kind of wrapper: resumed inside it, with the same conversation. The matrix has the other agents in a sandbox. */
import { test } from 'vitest'
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
