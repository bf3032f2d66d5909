import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { programsOf } from '../support/daemon.ts'
import { installFakeAgents } from '../support/fakeAgent.ts'
import { environment, fixtureProgram, HOLDFAST, json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openPty } from '../support/ptyClient.ts'
import type { TerminalRow } from '../support/terminalView.ts'

/** Putting terminals to sleep, through the built program and in a real browser. */
const PICTURE = 'the picture from before'
const SHELL = ['--', '/bin/bash', '--norc', '--noprofile']
const TIDIES = ['--', process.execPath, fixtureProgram('tidies-up-slowly.mjs'), '--for', '1500']

const of = async (home: Home, name: string): Promise<TerminalRow> => {
  const found = (await json<TerminalRow[]>(home, ['ls'])).find((view) => view.name === name)
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}
const opens = async (home: Home, name: string, ...words: string[]): Promise<void> => {
  const made = await run(home, ['new', '--name', name, ...words])
  if (made.code !== 0) throw new Error(made.stderr)
}
const runsPrograms = (home: Home, name: string): Promise<unknown> =>
  until(async () => (await of(home, name)).foreground === 'sleep', { what: `a program to run in ${name}` })

/** A repository on a branch, and a `gh` that knows a pull request of it. */
function repository(home: Home): { readonly folder: string; readonly env: Record<string, string>; readonly asked: string } {
  const [folder, tools, asked] = [join(home.path, 'api'), join(home.path, 'tools'), join(home.path, 'asked')]
  for (const each of [folder, tools]) mkdirSync(each)
  for (const args of [
    ['init', '-q'],
    ['checkout', '-q', '-b', 'mend-it'],
  ])
    execFileSync('git', args, { cwd: folder })
  const answer = JSON.stringify({ number: 7, title: 'Mend it', url: 'https://github.com/ada/api/pull/7', state: 'OPEN' })
  writeFileSync(join(tools, 'gh'), `#!/bin/sh\necho "$PWD $GH_PROMPT_DISABLED $*" > '${asked}'\n[ -t 0 ] && exit 1\necho '${answer}'\n`)
  chmodSync(join(tools, 'gh'), 0o755)
  return { folder, asked, env: { PATH: `${tools}:${process.env['PATH'] ?? ''}` } }
}

test('what sleeps is refused where it would lose something, keeps its context, its place and the picture from before it tidied up', async () => {
  await using home = makeHomeWithOwnPort()
  writeFileSync(`${home.path}/config.toml`, 'snapshot_interval_s = 1\n\n[web]\nport = 0\n')
  const { folder, env, asked } = repository(home)
  await run(home, ['daemon', 'start'], { env })
  await opens(home, 'api', '--cwd', folder, ...TIDIES)
  await opens(home, 'beside', '--cwd', folder, ...SHELL)
  await run(home, ['wait', 'api', '--text', PICTURE, '--timeout', '20'])
  const refused = await run(home, ['sleep', 'api'])
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/cannot sleep "api": \S+ would start from the beginning\.\n.*--force/)
  expect((await of(home, 'api')).state).toBe('live')

  await opens(home, 'before', '--cwd', folder, ...SHELL)
  expect((await run(home, ['sleep', 'before'])).code).toBe(0)
  expect((await of(home, 'before')).because).toMatchObject({ context: { branch: 'mend-it', pullRequest: null } })
  expect(existsSync(asked)).toBe(false) // no call over the network that nobody has allowed
  expect((await run(home, ['config', 'set', 'repositories.pull_requests', 'true'])).code).toBe(0)

  const topology = await json(home, ['group', 'ls'])
  const order = (await json<TerminalRow[]>(home, ['ls'])).map(({ id }) => id)
  const falling = run(home, ['sleep', '--force', 'api'])
  await until(async () => (await of(home, 'api')).settlesTo === 'sleep', { what: 'api to settle' })
  await run(home, ['checkpoint', 'create']) // keeps what is on the screens
  expect((await falling).code).toBe(0)
  const slept = await of(home, 'api')
  expect(slept.because).toEqual({
    kind: 'slept',
    context: {
      ...{ directory: folder, branch: 'mend-it', agent: null, freedBytes: process.platform === 'linux' ? expect.any(Number) : null },
      pullRequest: { number: 7, title: 'Mend it', url: 'https://github.com/ada/api/pull/7', state: 'OPEN' },
    },
  })
  if (process.platform === 'linux') expect(slept.because?.kind === 'slept' && slept.because.context?.freedBytes).toBeGreaterThan(1 << 20)
  expect(readFileSync(asked, 'utf8')).toBe(`${folder} 1 pr view --json number,title,url,state\n`)
  expect(await json(home, ['group', 'ls'])).toEqual(topology)
  expect((await json<TerminalRow[]>(home, ['ls'])).map(({ id }) => id)).toEqual(order)
  for (const _ of ['now', 'with the next daemon']) {
    const read = (await run(home, ['read', 'api'])).stdout
    expect(read).toContain(PICTURE)
    expect(read).not.toContain('tidied up')
    await run(home, ['daemon', 'restart'])
  }
})

test('the shell puts to sleep what is idle, or everything that loses nothing, says what it left and why, and asks where somebody can answer', async () => {
  await using home = makeHomeWithOwnPort()
  await opens(home, 'one', ...SHELL)
  await opens(home, 'two', ...SHELL)
  await opens(home, 'busy', ...SHELL)
  await run(home, ['send', 'busy', 'sleep 1000 & fg', '--enter'])
  await runsPrograms(home, 'busy')
  for (const wrong of [['--all', 'one'], ['--idle', '2h', '--all'], ['--idle', 'soon'], ['--idle', '2h', '--force'], []])
    expect((await run(home, ['sleep', ...wrong])).code, wrong.join(' ')).toBe(2)

  const idle = await run(home, ['sleep', '--idle', '1h'])
  expect(idle).toMatchObject({ code: 0, stderr: '' })
  expect(idle.stdout).toMatch(/^one was left running: it was active \d+s ago\.$/m)
  expect(idle.stdout).toMatch(/No terminal was put to sleep; 3 left running\.\n$/)

  const all = await run(home, ['sleep', '--all'])
  expect(all).toMatchObject({ code: 0, stderr: '' })
  for (const name of ['one', 'two']) expect(all.stdout).toMatch(new RegExp(`^${name} is asleep`, 'm'))
  expect(all.stdout).toMatch(/^busy was left running: sleep is running and would be ended\.$/m)
  expect(all.stdout).toMatch(/^2 terminals were put to sleep.*; 1 left running\.\n$/m)

  await using client = openPty(process.execPath, { args: [HOLDFAST, 'sleep', 'busy'], env: environment(home) })
  await client.waitFor(/Sleep anyway\? \[y\/N\]/)
  client.type('y\r')
  expect(await client.ended).toMatchObject({ code: 0 })
  expect(await of(home, 'busy')).toMatchObject({ state: 'asleep', because: { kind: 'slept' } })
  expect(await json(home, ['sleep', '--all'])).toEqual({ slept: [], left: [], freedBytes: 0 })
  expect((await run(home, ['sleep', '--idle', '1s'])).stdout).toBe('Nothing to do: no terminal is live.\n')
  expect(programsOf(home)).toEqual([])
})

test('an agent whose state is unknown may be working: it is left running, with why, and sleeps when that is insisted on', async () => {
  await using home = makeHomeWithOwnPort()
  const env = { PATH: installFakeAgents(home, ['claude']).path, CLAUDE_CONFIG_DIR: join(home.path, 'claude') }
  expect((await run(home, ['new', '--name', 'mute', '--', 'claude'], { env })).code).toBe(0)
  await until(async () => (await of(home, 'mute')).agent?.state === 'unknown', { what: 'the agent to be seen' })
  const why = /: Claude Code may be working: its state is unknown\./
  expect((await run(home, ['sleep', '--all'])).stdout).toMatch(why)
  expect((await run(home, ['sleep', '--idle', '1s'])).stdout).toContain('mute was left running')
  expect(await run(home, ['sleep', 'mute'])).toMatchObject({ code: 1, stderr: expect.stringMatching(why) })
  expect(await of(home, 'mute')).toMatchObject({ state: 'live' })
  expect((await run(home, ['sleep', '--force', 'mute'])).code).toBe(0)
  expect(await of(home, 'mute')).toMatchObject({ state: 'asleep', because: { kind: 'slept' } })
})

test('what is idle and unseen sleeps by itself where that is wished; the page says so and wakes it', async () => {
  await using home = makeHomeWithOwnPort()
  await opens(home, 'shown', ...SHELL)
  await run(home, ['workspace', 'new', 'aside'])
  for (const name of ['idle', 'pinned', 'busy']) await opens(home, name, '--workspace', 'aside', ...SHELL)
  await run(home, ['pin', 'pinned'])
  await run(home, ['send', 'busy', 'sleep 1000', '--enter'])
  await runsPrograms(home, 'busy')
  await using browser = await launchBrowser()
  const page = await browser.openPage({ viewport: { width: 1000, height: 700 } })
  await page.goto((await json<{ url: string }>(home, ['--no-open'])).url)
  await page.getByText('shown').first().waitFor()
  await page.getByRole('main').getByText('bash').first().waitFor()
  await run(home, ['config', 'set', 'sleep.idle_s', '2'])
  const toast = page.getByRole('status').filter({ hasText: 'was put to sleep' })
  await toast.waitFor({ timeout: 30_000 })
  expect(await toast.innerText()).toMatch(/“idle” was put to sleep: idle for \d+ s\./)
  expect((await run(home, ['ls'])).stdout).toMatch(/idle +asleep \(slept: idle\)/)
  await run(home, ['config', 'set', 'sleep.idle_s', '0'])
  expect(await of(home, 'idle')).toMatchObject({ because: { kind: 'slept', by: 'idle', context: { directory: expect.any(String) } } })
  for (const name of ['shown', 'pinned', 'busy']) expect((await of(home, name)).state, name).toBe('live')
  await toast.getByRole('button', { name: 'Wake' }).press('Enter')
  await until(async () => (await of(home, 'idle')).state === 'live', { what: 'it to be awake again' })
  await toast.waitFor({ state: 'hidden' })
})

test('a sleep is not reported where the holder died before the program was asked', async () => {
  await using home = makeHomeWithOwnPort()
  const file = join(home.path, 'go')
  await run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: `hold:sleep:context-gathered=${file}` } })
  await opens(home, 'api', ...SHELL)
  const sleeping = run(home, ['sleep', '--force', 'api'])
  await until(() => existsSync(`${file}.arrived`), { what: 'the sleep to begin' })
  const { id, holderPid } = await of(home, 'api')
  process.kill(holderPid ?? 0, 'SIGKILL')
  await until(async () => (await of(home, 'api')).because?.kind === 'lost', { what: 'the death to be seen' })
  writeFileSync(file, '')
  expect(await sleeping).toMatchObject({ code: 3, stdout: '' })
  expect((await sleeping).stderr).toContain('went down')
  expect(await of(home, 'api')).toMatchObject({ id, state: 'asleep', because: { kind: 'lost' } })
})
