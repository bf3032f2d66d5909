import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { HABITS } from '../support/agents/agentHabits.ts'
import { eachAgent, type FirstFour } from '../support/agents/eachAgent.ts'

const SETTINGS: Readonly<Record<FirstFour, string>> = {
  claude: '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
  opencode: '.config/opencode/plugin/holdfast.js',
}

/** As if the user had said yes to the question that codex asks at its next start. */
const TRUSTED: Partial<Record<FirstFour, string[]>> = { codex: ['--dangerously-bypass-hook-trust'] }

eachAgent('with hooks says which conversation it is in, and when it works and is done', async (agent, bench) => {
  const settings = `${bench.user.path}/${SETTINGS[agent]}`
  const textOf = (): string | null => {
    try {
      return readFileSync(settings, 'utf8')
    } catch {
      return null // where there was none
    }
  }
  const before = textOf()
  expect(await bench.hf('agent', 'hooks', 'install', agent)).toMatchObject({ code: 0, stderr: '' })
  const terminal = await bench.start(agent, { name: agent, by: 'shell', args: [...HABITS[agent].always, ...(TRUSTED[agent] ?? [])] })
  const working = bench.hf('wait', agent, '--agent', 'working', '--timeout', '30')
  await terminal.turn('ONE')
  expect(await working).toMatchObject({ code: 0, stdout: 'working\n' })
  await terminal.done('wait', agent, '--agent', 'done', '--timeout', '20')
  const conversation = await terminal.known()
  expect((await terminal.screen()).toLowerCase()).not.toContain('hook error')

  await terminal.done('send', agent, 'x')
  expect(await bench.hf('wait', agent, '--agent', 'idle', '--timeout', '10')).toMatchObject({ stdout: 'idle\n' })
  expect(await terminal.row()).toMatchObject({ conversation, provenance: 'hook' })
  expect(await bench.hf('agent', 'hooks', 'remove', agent)).toMatchObject({ code: 0, stderr: '' })
  if (agent !== 'claude')
    expect(textOf()).toBe(before) // claude writes its settings itself, at any moment
  else expect(JSON.parse(textOf() ?? '{}')).not.toHaveProperty('hooks')
})
