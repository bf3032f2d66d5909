/** Real agents that are updated while they sleep: the version that ran is gone, and the same command starts the new one. */
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { HABITS } from '../support/agents/agentHabits.ts'
import { AgentTerminal } from '../support/agents/agentTerminal.ts'
import { eachAgent } from '../support/agents/eachAgent.ts'
import { installAgent } from '../support/agents/installAgents.ts'

/** As package managers lay it out: a command that starts a file in a directory of one version. */
function install(folder: string, { agent, version, program }: { agent: string; version: string; program: string }): void {
  const inside = join(folder, 'lib', version, 'bin')
  mkdirSync(inside, { recursive: true })
  symlinkSync(program, join(inside, agent))
  writeFileSync(join(folder, agent), `#!/bin/sh\nexec ${join(inside, agent)} "$@"\n`)
  chmodSync(join(folder, agent), 0o755)
}

eachAgent('goes on by its command when the version that ran was removed', async (agent, bench) => {
  const installed = await installAgent(agent)
  if (!installed.ok) throw new Error(installed.reason)
  const folder = join(dirname(bench.project), 'tools')
  install(folder, { agent, version: '1', program: installed.bin })
  const words = [agent, ...HABITS[agent].always].join(' ')
  const terminal = await AgentTerminal.startWith(bench, agent, { name: 'updated', typed: `PATH=${folder}:$PATH; ${words}` })
  expect(await terminal.turn('ONE')).toMatchObject({ users: 1 })
  const conversation = await terminal.known()
  await terminal.sleep()
  renameSync(join(folder, 'lib', '1'), join(folder, 'lib', 'removed'))
  install(folder, { agent, version: '2', program: installed.bin })
  const { stdout } = await terminal.done('wake', 'updated')
  expect(stdout).toMatch(new RegExp(`^updated resumed with ${join(folder, agent)} .*${conversation}`))
  await terminal.ready()
  expect(await terminal.turn('TWO')).toMatchObject({ users: 2 })
})
