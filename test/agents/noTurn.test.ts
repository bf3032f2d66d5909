import { expect } from 'vitest'
import { eachAgent, ONE_PROCESS } from '../support/agents/eachAgent.ts'
import { killDaemonAndHolders } from '../support/daemon.ts'

/** Agents that cannot be given an id at their start had opened the newest conversation of the directory: the other one's. */
eachAgent('that has had no turn does not get the conversation of another terminal in its directory', async (agent, bench) => {
  const args = ONE_PROCESS[agent]
  const talks = await bench.start(agent, { name: 'talks', by: 'command', args })
  await talks.turn('ONE')
  const conversation = await talks.known()
  const silent = await bench.start(agent, { name: 'silent', by: 'command', args })
  await killDaemonAndHolders(bench.home)

  await bench.hf('daemon', 'start')
  expect((await silent.row()).back).toMatchObject({ kind: 'new-conversation' })
  expect((await talks.row()).back).toMatchObject({ kind: 'resumed', text: expect.stringContaining(conversation) })
  const woken = await bench.hf('wake', '--lost', '--json')
  const kinds = (JSON.parse(woken.stdout) as { name: string; back: { kind: string } | null }[]).map(
    ({ name, back }) => `${name} ${back?.kind}`,
  )
  expect(kinds.toSorted()).toEqual(['silent new-conversation', 'talks resumed'])
  await silent.ready()
  expect(await silent.turn('OTHER')).toMatchObject({ users: 1, marks: ['OTHER'] })
  await talks.ready()
  expect(await talks.turn('TWO')).toMatchObject({ users: 2, marks: ['ONE', 'TWO'] })
  expect(await silent.known()).not.toBe(await talks.known())
})
