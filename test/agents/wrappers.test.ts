/** Claude Code inside each kind of wrapper: resumed inside it, with the same conversation. The matrix has the other agents in a sandbox. */
import { expect, test } from 'vitest'
import { AgentTerminal } from '../support/agents/agentTerminal.ts'
import { continues, wakeLost } from '../support/agents/matrix/resuming.ts'
import { benchWith, INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'
import { resumesInside, sandboxObstacle, WRAPPINGS } from '../support/agents/wrapped.ts'
import { powerCut } from '../support/restoring.ts'

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

/** Both name their conversation by a number that the other one has as well, in the same directories. */
test.for(['claude', 'qwen', 'copilot', 'cline'] as const)(
  'two sandboxes with %s and the same numbers each continue their own conversation',
  { timeout: INSTALL_TIMEOUT_MS },
  async (agent, context) => {
    const obstacle = sandboxObstacle()
    if (obstacle !== null) return context.skip(obstacle)
    await using bench = await benchWith(context, [agent])
    const start = async (name: string) =>
      await AgentTerminal.startWith(bench, agent, { name, ...(await WRAPPINGS['a shell function'].call(bench, [agent])) })
    const left = await start('left')
    const right = await start('right')
    await right.turn('RIGHT1')
    await left.turn('LEFT1')
    const conversations = [await left.known(), await right.known()]
    expect(new Set(conversations).size).toBe(2)
    await powerCut(bench.home)
    await wakeLost(left, right)
    expect([await continues(left, 'LEFT2', ['LEFT1']), await continues(right, 'RIGHT2', ['RIGHT1'])]).toEqual(conversations)
  },
)
