import { expect } from 'vitest'
import type { AgentBench } from '../support/agents/agentBench.ts'
import { eachAgent, ONE_PROCESS } from '../support/agents/eachAgent.ts'
import type { AgentName } from '../support/agents/installAgents.ts'

/** Gemini deletes what others in its directory have when it starts, if they have not yet been told anything. */
const DELETES_SILENT_ONES: readonly AgentName[] = ['gemini']

async function twoInOneDirectory(agent: AgentName, bench: AgentBench) {
  const args = ONE_PROCESS[agent]
  const left = await bench.start(agent, { name: 'left', by: 'command', args })
  const isFirst = DELETES_SILENT_ONES.includes(agent)
  if (isFirst) await left.turn('LEFT1')
  const right = await bench.start(agent, { name: 'right', by: 'shell', args })
  // Not in the order in which they were started: whoever goes by that takes one for the other.
  await right.turn('RIGHT1')
  if (!isFirst) await left.turn('LEFT1')
  return { left, right }
}

eachAgent('twice in one directory goes on with two conversations, each in its own terminal', async (agent, bench) => {
  const { left, right } = await twoInOneDirectory(agent, bench)
  const conversations = [await left.known(), await right.known()]
  expect(new Set(conversations).size).toBe(2)
  await left.done('sleep', '--force', 'left', 'right')

  await right.wake()
  await left.wake()
  expect(await left.turn('LEFT2')).toMatchObject({ users: 2, marks: ['LEFT1', 'LEFT2'] })
  expect(await right.turn('RIGHT2')).toMatchObject({ users: 2, marks: ['RIGHT1', 'RIGHT2'] })
  expect([await left.known(), await right.known()]).toEqual(conversations)
})
