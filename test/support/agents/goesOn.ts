import { expect } from 'vitest'
import { killDaemonAndHolders } from '../daemon.ts'
import type { AgentBench } from './agentBench.ts'
import type { HowStarted } from './agentTerminal.ts'
import type { AgentName } from './installAgents.ts'

/** What an agent is told after a sleep, and after a kill -9 of daemon and holder, continues the conversation from before. */
export async function goesOn(agent: AgentName, bench: AgentBench, how: Omit<HowStarted, 'name'>): Promise<void> {
  const terminal = await bench.start(agent, { name: agent, ...how })
  const first = await terminal.turn('ONE')
  expect(first).toMatchObject({ users: 1, marks: ['ONE'] })
  const conversation = await terminal.known()
  if (first.conversation !== null) expect(conversation).toBe(first.conversation)

  await terminal.sleep()
  expect((await terminal.row()).conversation).toBe(conversation)
  await terminal.wake()
  expect(await terminal.turn('TWO')).toMatchObject({ users: 2, marks: ['ONE', 'TWO'] })
  expect(await terminal.known()).toBe(conversation)

  await killDaemonAndHolders(bench.home)
  await terminal.wake()
  expect(await terminal.turn('THREE')).toMatchObject({ users: 3, marks: ['ONE', 'TWO', 'THREE'] })
  expect(await terminal.known()).toBe(conversation)
}
