import { expect } from 'vitest'
import { eachAgent, ONE_PROCESS } from '../support/agents/eachAgent.ts'
import { endProcesses } from '../support/processes.ts'

eachAgent('that is killed with daemon and holder in the middle of an answer goes on after the prompt it was at', async (agent, bench) => {
  const terminal = await bench.start(agent, { name: agent, by: 'shell', args: ONE_PROCESS[agent] })
  await terminal.turn('ONE')
  const conversation = await terminal.known()
  await terminal.prompt('TWO', ' HOLD')
  await terminal.shows('REPLY\\s+users=2.*more')
  await endProcesses(bench.home.path)

  await terminal.wake()
  expect(await terminal.turn('THREE')).toMatchObject({ marks: ['ONE', 'TWO', 'THREE'] })
  expect(await terminal.known()).toBe(conversation)
})
