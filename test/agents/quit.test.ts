import { expect } from 'vitest'
import { eachAgent, ONE_PROCESS } from '../support/agents/eachAgent.ts'

eachAgent('that the user had quit does not come back: its terminal wakes as a shell', async (agent, bench) => {
  const terminal = await bench.start(agent, { name: agent, by: 'shell', args: ONE_PROCESS[agent] })
  await terminal.turn('ONE')
  await terminal.known()
  await terminal.quit()

  await terminal.sleep()
  await terminal.done('wake', agent)
  await terminal.shows('prompt>')
  await terminal.done('send', agent, 'echo it-is-$((40 + 2))', '--enter')
  await terminal.shows('it-is-42')
  expect(await terminal.row()).toMatchObject({ state: 'live', foreground: 'bash', agent: null })
  expect(bench.model.turns()).toHaveLength(1)
})

eachAgent('that was woken and is then quit leaves the user in a shell in its directory', async (agent, bench) => {
  const terminal = await bench.start(agent, { name: agent, by: 'command', args: ONE_PROCESS[agent] })
  await terminal.turn('ONE')
  await terminal.known()
  await terminal.sleep()
  await terminal.wake()
  await terminal.quit()
  await terminal.done('send', agent, 'pwd', '--enter')
  await terminal.shows(bench.project)
})
