/** An agent that was started inside of something is resumed inside of it, or not at all. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TerminalView } from '../../src/wire/view.ts'
import { type Conversing, makeConversing } from '../support/conversing.ts'
import { run } from '../support/holdfast.ts'

const isClaude = ({ agent }: TerminalView): boolean => agent?.name === 'claude'

/** A program in the PATH of the terminals. */
function install(home: Conversing, name: string, script: string): string {
  const path = join(home.path, 'bin', name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

/** The agent has answered once; the id of its conversation. */
async function converse(home: Conversing, name: string, answer: string): Promise<string> {
  await home.seen(name, 'an agent', isClaude)
  await home.type(name, 'hello')
  expect((await run(home, ['wait', name, '--text', answer, '--timeout', '20'])).code, `${name} to say ${answer}`).toBe(0)
  return (await home.seen(name, 'a conversation', ({ conversation }) => conversation !== null)).conversation!
}

test('a sandbox, a script, a runner and an environment that a terminal was made with are around the agent again when it is woken', async () => {
  await using home = makeConversing()
  const jail = install(home, 'jail', 'echo "in the jail"\nJAIL=1 "$@"')
  const flags = ['--dangerously-skip-permissions']
  const wrapped: Readonly<Record<string, readonly [command: readonly string[], resumed: RegExp]>> = {
    jail: [['jail', 'claude', ...flags], /^jail resumed with jail claude --resume ID --dangerously-skip-permissions\n$/],
    env: [['env', 'JAIL=2', 'claude', ...flags], /^env resumed with env JAIL=2 claude --resume ID --dangerously-skip-permissions\n$/],
    text: [
      ['sh', '-c', 'claude --dangerously-skip-permissions'],
      /^text resumed with sh -c 'claude --resume ID --dangerously-skip-permissions'\n$/,
    ],
  }
  for (const [name, [command, resumed]] of Object.entries(wrapped)) {
    await home.open(name, { command })
    const id = await converse(home, name, 'answer 1 in')
    // Woken twice: what a resumed agent shows of its wrapper is less than what the first one did.
    for (const answer of [2, 3]) {
      expect(await run(home, ['sleep', '--force', name])).toMatchObject({ code: 0 })
      expect((await run(home, ['wake', name])).stdout.replace(id, 'ID')).toMatch(resumed)
      expect(await converse(home, name, `answer ${answer} in ${id}`)).toBe(id)
    }
  }
  // Typed at a prompt, only the processes tell.
  await home.open('shell')
  await home.type('shell', `jail claude ${flags.join(' ')}`)
  const id = await converse(home, 'shell', 'answer 1 in')
  await run(home, ['sleep', '--force', 'shell'])
  expect((await run(home, ['wake', 'shell'])).stdout).toBe(
    `shell resumed with /bin/sh ${jail} claude --resume ${id} --dangerously-skip-permissions\n`,
  )
  expect(await converse(home, 'shell', `answer 2 in ${id}`)).toBe(id)
  expect((await run(home, ['read', 'shell'])).stdout).toContain('in the jail')
})

test('where a wrapper cannot be built again nothing is resumed: both command lines are shown, and the user chooses', async () => {
  await using home = makeConversing()
  install(home, 'start-agent', 'JAIL=1 claude --dangerously-skip-permissions; exit $?')
  await home.open('api', { command: ['start-agent'] })
  const id = await converse(home, 'api', 'answer 1 in')
  const slept = await run(home, ['sleep', 'api'])
  expect(slept).toMatchObject({ code: 1 })
  expect(slept.stderr).toContain('cannot be resumed inside of start-agent')
  await run(home, ['sleep', '--force', 'api'])
  const woken = await run(home, ['wake', 'api'])
  expect(woken).toMatchObject({ code: 1, stdout: '' })
  expect(woken.stderr).toContain('start-agent')
  expect(woken.stderr).toContain(`claude --resume ${id} --dangerously-skip-permissions`)
  expect(woken.stderr).toContain('--without-wrapper')
  expect(await home.view('api')).toMatchObject({ state: 'asleep', conversation: id })
  expect((await run(home, ['wake', '--without-wrapper', 'api'])).stdout).toMatch(/claude --resume .* --dangerously-skip-permissions\n$/)
  expect(await converse(home, 'api', `answer 2 in ${id}`)).toBe(id)
  // Chosen once, it is what the agent is started with from now on.
  await run(home, ['sleep', '--force', 'api'])
  expect(await run(home, ['wake', 'api'])).toMatchObject({ code: 0 })
  expect(await converse(home, 'api', `answer 3 in ${id}`)).toBe(id)
})
