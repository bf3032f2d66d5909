import { expect, test } from 'vitest'
import { AgentBench } from '../support/agents/agentBench.ts'
import { AGENT_NAMES, installAgent } from '../support/agents/installAgents.ts'

const which = (process.env['WHICH'] ?? 'claude,codex,gemini,opencode').split(',')
for (const agent of AGENT_NAMES.filter((name) => which.includes(name)))
  test(`scratch ${agent}`, async () => {
    const t0 = Date.now()
    const log = (s: string) => console.log(agent, Date.now() - t0, s)
    const installed = await installAgent(agent)
    log(JSON.stringify(installed))
    if (!installed.ok) throw new Error(installed.reason)
    await using bench = await AgentBench.make([installed.bin])
    const terminal = await bench.start(agent, {
      name: 'x',
      by: process.env['BY'] === 'shell' ? 'shell' : 'command',
      args: agent === 'codex' ? ['--no-daemon'] : [],
    })
    log('ready')
    const turn = await terminal.turn('ONE')
    log(JSON.stringify(turn))
    log(await terminal.screen())
    log(JSON.stringify(bench.model.strays()))
    log(JSON.stringify(bench.model.turns()))
    expect(turn.marks).toEqual(['ONE'])
    if (process.env['TWO']) {
      log(JSON.stringify(await terminal.turn('TWO')))
    }
  })
