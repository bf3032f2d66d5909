import { describe, expect, test } from 'vitest'
import { AgentBench } from '../support/agents/agentBench.ts'
import { AGENT_NAMES } from '../support/agents/installAgents.ts'
import { json } from '../support/holdfast.ts'

/** How real agents do, as they tell it: by the status protocol, by hooks, or by their files. */
type Row = {
  readonly name: string
  readonly provenance: string | null
  readonly agent: { readonly state: string; readonly words: string | null; readonly wants: string | null; readonly model: string | null } | null
}

const ARGS: Partial<Record<(typeof AGENT_NAMES)[number], string[]>> = {
  codex: ['--no-daemon', '--dangerously-bypass-hook-trust'],
  claude: ['--permission-mode', 'default'],
}

describe.each(AGENT_NAMES)('%s', (agent) => {
  test.each(['with hooks', 'without hooks'])('is seen to work and to be done, %s', async (how) => {
    const installed = { ok: true as const, bin: `/tmp/rig/${agent === 'claude' ? 'claude-latest' : agent}/node_modules/.bin/${agent}` }
    await using bench = await AgentBench.make([installed.bin])
    if (how === 'with hooks') expect(await bench.hf('agent', 'hooks', 'install', agent)).toMatchObject({ code: 0, stderr: '' })
    const args = (ARGS[agent] ?? []).filter((arg) => how === 'with hooks' || !arg.includes('hook-trust'))
    const terminal = await bench.start(agent, { name: 'a', by: 'command', args })
    const row = async () => (await json<Row[]>(bench.home, ['ls'], { env: bench.user.env })).find(({ name }) => name === 'a')
    console.log(agent, how, 'ready', JSON.stringify(await row()))
    const working = bench.hf('wait', 'a', '--agent', 'working', '--timeout', '20')
    await terminal.prompt('ONE', '')
    const t0 = Date.now()
    console.log(agent, how, 'working', (await working).code, Date.now() - t0, JSON.stringify(await row()))
    const done = await bench.hf('wait', 'a', '--agent', 'done', '--timeout', '20')
    console.log(agent, how, 'done', done.code, done.stderr, JSON.stringify(await row()))
    console.log((await bench.hf('agent', 'log', 'a')).stdout)
    expect([(await working).code, done.code]).toEqual([0, 0])
    await bench.hf('send', 'a', 'x')
    expect(await bench.hf('wait', 'a', '--agent', 'idle', '--timeout', '5')).toMatchObject({ code: 0, stdout: 'idle\n' })
  })
})
