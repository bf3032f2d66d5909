/** An agent that was started inside of something is resumed inside of it, or not at all. Real agents are in `wrappedAgents`. */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { type Conversing, makeConversing } from '../support/conversing.ts'
import { json, run } from '../support/holdfast.ts'
import type { TerminalRow } from '../support/terminalView.ts'

const isClaude = ({ agent }: TerminalRow): boolean => agent?.name === 'claude'
const FLAG = '--dangerously-skip-permissions'

/** A program in the PATH of the terminals. */
function install(home: Conversing, name: string, script: string): string {
  const path = join(home.path, 'bin', name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

/** The agent has answered; the id of its conversation. */
async function converse(home: Conversing, name: string, answer: string): Promise<string> {
  await home.seen(name, 'an agent', isClaude)
  await home.type(name, 'hello')
  expect((await run(home, ['wait', name, '--text', answer, '--timeout', '20'])).code, `${name} to say ${answer}`).toBe(0)
  return (await home.seen(name, 'a conversation', ({ conversation }) => conversation !== null)).conversation!
}

test('what an agent ran in is around it again each time it is woken: a script, an environment, a text for a shell', async () => {
  await using home = makeConversing()
  const jail = install(home, 'jail', 'JAIL=1 "$@"')
  const wrapped: Readonly<Record<string, readonly [command: string, resumed: string]>> = {
    jail: [`jail claude ${FLAG}`, `jail claude --resume ID ${FLAG}`],
    env: [`env JAIL=2 claude ${FLAG}`, `env JAIL=2 claude --resume ID ${FLAG}`],
    text: [`sh -c 'claude ${FLAG}'`, `sh -c 'claude --resume ID ${FLAG}'`],
    // Typed at a prompt, only the processes tell.
    typed: [`jail claude ${FLAG}`, `/bin/sh ${jail} claude --resume ID ${FLAG}`],
  }
  const story = async (name: string, command: string, resumed: string): Promise<void> => {
    const words = command.startsWith('sh -c') ? ['sh', '-c', `claude ${FLAG}`] : command.split(' ')
    await home.open(name, name === 'typed' ? {} : { command: words })
    if (name === 'typed') await home.type(name, command)
    const id = await converse(home, name, 'answer 1 in')
    // Twice: of a wrapper that becomes the agent, a resumed agent shows less than the first one did.
    for (const answer of [2, 3]) {
      expect(await run(home, ['sleep', '--force', name])).toMatchObject({ code: 0 })
      expect((await run(home, ['wake', name])).stdout.replace(id, 'ID')).toBe(`${name} resumed with ${resumed}\n`)
      expect(await converse(home, name, `answer ${answer} in ${id}`)).toBe(id)
    }
  }
  await Promise.all(Object.entries(wrapped).map(([name, [command, resumed]]) => story(name, command, resumed)))
})

test('where a wrapper cannot be built again nothing is resumed: both command lines are shown, and the user chooses', async () => {
  await using home = makeConversing()
  install(home, 'start-agent', `JAIL=1 claude ${FLAG}; exit $?`)
  await home.open('api', { command: ['start-agent'] })
  const id = await converse(home, 'api', 'answer 1 in')
  const slept = await run(home, ['sleep', 'api'])
  expect(slept).toMatchObject({ code: 1, stderr: expect.stringContaining('it is not certain how to resume start-agent') })
  await run(home, ['sleep', '--force', 'api'])
  const woken = await run(home, ['wake', 'api'])
  expect(woken).toMatchObject({ code: 1, stdout: '' })
  expect(woken.stderr).toMatch(new RegExp(`started by "start-agent"[^"]*"\\S*claude --resume ${id} ${FLAG}" would run[\\s\\S]*--as-shown`))
  expect(await home.view('api')).toMatchObject({ state: 'asleep', conversation: id })
  expect((await run(home, ['wake', '--conversation', id, 'api'])).code).toBe(1) // nor with the same one by its id

  await using browser = await launchBrowser()
  const page = await browser.openPage({ viewport: { width: 1000, height: 700 } })
  await page.goto((await json<{ url: string }>(home, ['--no-open'])).url)
  const rest = page.getByLabel('This terminal is not running')
  await rest.getByRole('button', { name: 'Wake…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resume “api” with another command line?' })
  await dialog.getByText('start-agent', { exact: true }).waitFor()
  await dialog.getByText(`claude --resume ${id} ${FLAG}`).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await home.view('api')).toMatchObject({ state: 'asleep' })
  await rest.getByRole('button', { name: 'Wake…' }).click()
  await dialog.getByRole('button', { name: 'Resume with this' }).click()
  expect(await converse(home, 'api', `answer 2 in ${id}`)).toBe(id)
  expect(browser.complaints).toEqual([])

  // Chosen once, it is how the agent is started from then on; and the command line has the same choice.
  await run(home, ['sleep', '--force', 'api'])
  expect(await run(home, ['wake', '--as-shown', 'api'])).toMatchObject({ code: 0 })
  expect(await converse(home, 'api', `answer 3 in ${id}`)).toBe(id)
})

test('a wrapper that has become the agent shows in what the agent may: it is not resumed with more', async () => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', `setpriv --no-new-privs claude ${FLAG}`)
  const id = await converse(home, 'api', 'answer 1 in')
  await run(home, ['sleep', '--force', 'api'])
  expect(await run(home, ['wake', 'api'])).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('NoNewPrivs') })
  expect(await home.view('api')).toMatchObject({ state: 'asleep', conversation: id })
})

test('a program that will not be found again is a loss', async () => {
  await using home = makeConversing()
  await home.open('api')
  await home.type('api', 'claude')
  await converse(home, 'api', 'answer 1 in')
  await home.seen('api', 'an agent at rest', ({ agent }) => agent?.state === 'done' || agent?.state === 'idle')
  const program = join(home.path, 'bin', 'claude')
  rmSync(program)
  expect((await run(home, ['sleep', 'api'])).stderr).toContain(`its program ${program} no longer exists`)
  expect(await home.view('api')).toMatchObject({ state: 'live' })
})

test('a flag that may have a value or stand before a prompt is not guessed about: both command lines are shown', async () => {
  await using home = makeConversing()
  await home.open('api', { command: ['claude', '--brand-new', 'word', FLAG] })
  const id = await converse(home, 'api', 'answer 1 in')
  await run(home, ['sleep', '--force', 'api'])
  const woken = await run(home, ['wake', 'api'])
  expect(woken).toMatchObject({ code: 1, stdout: '' })
  expect(woken.stderr).toMatch(new RegExp(`started by "claude --session-id \\S+ --brand-new word ${FLAG}"`))
  expect(woken.stderr).toContain('"word" may be the value of --brand-new, which is not known, or a prompt')
  expect(await home.view('api')).toMatchObject({ state: 'asleep', conversation: id })
  expect((await run(home, ['wake', '--as-shown', 'api'])).stdout).toContain(`--resume ${id} ${FLAG} --brand-new`)
  expect(await converse(home, 'api', `answer 2 in ${id}`)).toBe(id)
  // From then on that is its command line.
  await run(home, ['sleep', '--force', 'api'])
  expect(await run(home, ['wake', 'api'])).toMatchObject({ code: 0 })
})
