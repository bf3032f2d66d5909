/** The real agents, offline: what they are told after a sleep or a crash continues the conversation from before. */
import { expect, test } from 'vitest'
import type { HowStarted } from '../support/agents/agentTerminal.ts'
import type { AgentName } from '../support/agents/installAgents.ts'
import { benchWith, INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'
import { killDaemonAndHolders } from '../support/daemon.ts'

const HOW: Readonly<Record<AgentName, Omit<HowStarted, 'name'>>> = {
  claude: { by: 'shell' },
  codex: { by: 'shell', args: ['--no-daemon'] },
  gemini: { by: 'command' },
  opencode: { by: 'command' },
}

test.concurrent.for(Object.keys(HOW) as AgentName[])(
  '%s goes on with its conversation after a sleep, and after a kill -9 of daemon and holder',
  { timeout: INSTALL_TIMEOUT_MS },
  async (agent, context) => {
    await using bench = await benchWith(context, [agent])
    const terminal = await bench.start(agent, { name: agent, ...HOW[agent] })
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
  },
)
