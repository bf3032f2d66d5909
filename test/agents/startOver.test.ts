import { expect } from 'vitest'
import { eachAgent, ONE_PROCESS } from '../support/agents/eachAgent.ts'

eachAgent('that was told to start over goes on with the new conversation, not with the one before', async (agent, bench) => {
  const terminal = await bench.start(agent, { name: agent, by: 'shell', args: ONE_PROCESS[agent] })
  await terminal.turn('ONE')
  const before = await terminal.known()
  await terminal.startOver()
  expect(await terminal.turn('TWO')).toMatchObject({ users: 1, marks: ['TWO'] })

  await terminal.sleep()
  const after = (await terminal.row()).conversation
  expect(after).not.toBe(null)
  expect(after).not.toBe(before)
  await terminal.wake()
  expect(await terminal.turn('THREE')).toMatchObject({ users: 2, marks: ['TWO', 'THREE'] })
  expect(await terminal.known()).toBe(after)
})
