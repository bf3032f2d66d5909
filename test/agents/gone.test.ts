import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AgentBench } from '../support/agents/agentBench.ts'
import { HABITS } from '../support/agents/agentHabits.ts'
import { eachAgent, ONE_PROCESS } from '../support/agents/eachAgent.ts'
import type { AgentName } from '../support/agents/installAgents.ts'

function deleteTranscripts(agent: AgentName, bench: AgentBench): void {
  const files = readdirSync(bench.user.path, { recursive: true, encoding: 'utf8' }).map((name) => join(bench.user.path, name))
  const transcripts = files.filter((path) => HABITS[agent].transcripts.test(path))
  expect(transcripts.length).toBeGreaterThan(0)
  for (const path of transcripts) rmSync(path)
}

eachAgent('whose transcript was deleted is not started afresh unasked: the user has the choice', async (agent, bench) => {
  const terminal = await bench.start(agent, { name: agent, by: 'shell', args: ONE_PROCESS[agent] })
  await terminal.turn('ONE')
  const conversation = await terminal.known()
  await terminal.sleep()
  deleteTranscripts(agent, bench)

  const refused = await bench.hf('wake', agent)
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toMatch(/transcript/)
  expect(refused.stderr).toContain('--fresh')
  expect(refused.stderr).toContain('--conversation')
  expect(await terminal.row()).toMatchObject({ state: 'asleep', conversation })
  expect(bench.model.turns()).toHaveLength(1)

  await terminal.done('wake', '--fresh', agent)
  await terminal.shows('prompt>')
  await terminal.done('send', agent, [agent, ...ONE_PROCESS[agent]].join(' '), '--enter')
  await terminal.ready()
  expect(await terminal.turn('TWO')).toMatchObject({ users: 1, marks: ['TWO'] })
})
