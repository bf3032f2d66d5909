/** The real Claude Code inside of real wrappers: resumed inside of them, with the same conversation. `test/agents` has the others. */
import process from 'node:process'
import { test } from 'vitest'
import { benchWith, INSTALL_TIMEOUT_MS } from '../support/agents/realAgents.ts'
import { resumesInside, sandboxObstacle, WRAPPINGS } from '../support/agents/wrapped.ts'

test('claude goes on inside of bubblewrap, of env and of a text for a shell, with its conversation', {
  timeout: INSTALL_TIMEOUT_MS,
}, async (context) => {
  await using bench = await benchWith(context, ['claude'])
  const obstacle = sandboxObstacle()
  if (obstacle !== null) process.stderr.write(`• without bubblewrap: ${obstacle}\n`)
  const story = (name: keyof typeof WRAPPINGS) =>
    resumesInside(bench, WRAPPINGS[name], { agent: 'claude', args: ['--permission-mode', 'plan'], name: name.replace(/\W/g, ''), wakes: 1 })
  await Promise.all([...(obstacle === null ? [story('bwrap')] : []), story('env'), story('sh -c')])
})
