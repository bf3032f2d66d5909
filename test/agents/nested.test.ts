import { chmodSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { AgentBench } from '../support/agents/agentBench.ts'
import { HABITS } from '../support/agents/agentHabits.ts'
import { eachAgent } from '../support/agents/eachAgent.ts'
import type { AgentName } from '../support/agents/installAgents.ts'
import { benchWith, INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'

/** A script that tells another agent one thing; a prompt that had the words in it would count as having said them. */
function innerScript(bench: AgentBench, agent: AgentName): string {
  const script = `${bench.project}/inner.sh`
  // An agent may refuse to run in one of its own kind when it sees this mark.
  writeFileSync(script, `#!/bin/sh\nunset CLAUDECODE\nexec ${agent} ${HABITS[agent].once.join(' ')} 'say MARK-INNER' </dev/null\n`)
  chmodSync(script, 0o755)
  return script
}

async function keepsItsOwn(outer: AgentName, inner: AgentName, bench: AgentBench): Promise<void> {
  const terminal = await bench.start(outer, { name: outer, by: 'shell', args: [...HABITS[outer].always, ...HABITS[outer].unasked] })
  await terminal.turn('ONE')
  const conversation = await terminal.known()
  await terminal.turn('TWO', ` TOOL:${innerScript(bench, inner)}`)
  expect(await bench.model.turnWith('INNER')).toMatchObject({ users: 1, marks: ['INNER'] })
  expect(await terminal.known()).toBe(conversation)

  await terminal.sleep()
  await terminal.wake()
  expect(await terminal.turn('THREE')).toMatchObject({ users: 3, marks: ['ONE', 'TWO', 'THREE'] })
  expect(await terminal.known()).toBe(conversation)
}

eachAgent('keeps its conversation when a command that it runs is another one of its kind', (agent, bench) =>
  keepsItsOwn(agent, agent, bench),
)

test('claude keeps its conversation when a command that it runs is codex', { timeout: INSTALL_TIMEOUT_MS }, async (context) => {
  await using bench = await benchWith(context, ['claude', 'codex'])
  await keepsItsOwn('claude', 'codex', bench)
})
