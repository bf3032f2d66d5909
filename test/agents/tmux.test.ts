import { expect } from 'vitest'
import { HABITS } from '../support/agents/agentHabits.ts'
import { eachAgent } from '../support/agents/eachAgent.ts'
import { killDaemonAndHolders } from '../support/daemon.ts'

eachAgent(
  'in tmux goes on with its conversation after a sleep, and runs on when every process of Holdfast is killed',
  async (agent, bench) => {
    await bench.hf('config', 'set', 'backend', 'tmux')
    const terminal = await bench.start(agent, { name: agent, by: 'shell', args: HABITS[agent].always })
    expect(await terminal.turn('ONE')).toMatchObject({ users: 1, marks: ['ONE'] })
    const conversation = await terminal.known()

    await terminal.sleep()
    await terminal.wake()
    expect(await terminal.turn('TWO')).toMatchObject({ users: 2, marks: ['ONE', 'TWO'] })
    expect(await terminal.known()).toBe(conversation)

    const { pid } = await terminal.row()
    await killDaemonAndHolders(bench.home)
    expect(await terminal.row()).toMatchObject({ state: 'live', pid, conversation })
    expect(await terminal.turn('THREE')).toMatchObject({ users: 3, marks: ['ONE', 'TWO', 'THREE'] })
    expect(await terminal.known()).toBe(conversation)
  },
)
