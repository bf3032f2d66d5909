import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { RecoveryView } from '../../src/wire/recoveryView.ts'
import { barriers } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { connectTo, killDaemon, list } from '../support/daemon.ts'
import { type FakeAgents, installFakeAgents } from '../support/fakeAgent.ts'
import { json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openLoggedIn, PHONE } from '../support/pages.ts'
import { change, powerCut } from '../support/restoring.ts'
import type { TerminalRow } from '../support/terminalView.ts'

const OTHER_BOOT = '00000000-0000-4000-8000-000000000000'
const REPOSITORIES = ['api', 'site'] as const

function makeRepositories(home: Home): void {
  for (const name of REPOSITORIES) {
    mkdirSync(`${home.path}/${name}`)
    execFileSync('git', ['init', '--quiet', '--initial-branch=main', `${home.path}/${name}`])
  }
}

/** Two agents and three shells in each repository, two shells elsewhere. Returns their ids, in the order of the dock. */
async function makeTwelve(home: Home, agents: FakeAgents): Promise<string[]> {
  const client = await connectTo(home)
  const ids: string[] = []
  const make = async (name: string, cwd: string, command: string, args: readonly string[] = []) => {
    const env = { PATH: agents.path }
    const made = await client.request('terminal.new', { name, cwd, command, args: [...args], env, inherited: env })
    if (!made.ok) throw new Error(made.refusal.message)
    ids.push(made.value.result.id)
  }
  for (const repository of REPOSITORIES) {
    const cwd = `${home.path}/${repository}`
    for (const number of [1, 2]) await make(`${repository}-agent-${number}`, cwd, 'codex', [`prompt ${number}`])
    for (const number of [1, 2, 3]) await make(`${repository}-shell-${number}`, cwd, 'sh')
  }
  for (const number of [1, 2]) await make(`other-${number}`, home.path, 'sh')
  client.close()
  return ids
}

/** Everything is killed, by pid, and the machine comes up again. */
async function reboot(home: Home): Promise<void> {
  await powerCut(home)
  change(home, "UPDATE sessions SET host_id = json_set(host_id, '$.boot', ?)", OTHER_BOOT)
  await run(home, ['daemon', 'start'])
}

async function expectNoBarriers(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await barriers(page), colorScheme).toEqual([])
  }
}
const card = (page: Page) => page.getByRole('region', { name: 'Interrupted terminals', exact: true })
const views = async (home: Home): Promise<readonly TerminalRow[]> => {
  const client = await connectTo(home)
  const listed = await client.request('terminal.list', {})
  client.close()
  return listed.ok ? listed.value.result : []
}
const question = async (home: Home): Promise<RecoveryView | null> => {
  const client = await connectTo(home)
  const shown = await client.request('recovery.show', {})
  client.close()
  if (!shown.ok) throw new Error(shown.refusal.message)
  return shown.value.result
}
const awake = async (home: Home): Promise<string[]> =>
  (await list(home)).filter(({ state }) => state !== 'asleep').map(({ name }) => name ?? '')

test('after a power cut the page asks once what of twelve terminals is to be resumed, and wakes exactly those', async () => {
  await using home = makeHomeWithOwnPort()
  writeFileSync(`${home.path}/config.toml`, 'settle_ms = 300\n\n[web]\nport = 0\n\n[restore]\nstagger_ms = 100\n')
  makeRepositories(home)
  const agents = installFakeAgents(home, ['codex'])
  await run(home, ['daemon', 'start'])
  const ids = await makeTwelve(home, agents)
  await until(async () => (await views(home)).filter(({ agent }) => agent !== null).length === 4, { what: 'the agents' })
  await reboot(home)
  expect(await question(home)).toMatchObject({ happened: 'reboot', terminals: ids })
  const client = await connectTo(home)
  await client.request('terminal.wake', { terminal: 'api-shell-3' })
  await client.request('terminal.close', { terminal: 'site-shell-3' })
  client.close()
  await until(async () => (await question(home))?.terminals.length === 10, { what: 'those dealt with by hand to be off the list' })

  await using browser = await launchBrowser()
  const phone = await openLoggedIn(home, browser, PHONE)
  phone.setDefaultTimeout(10_000)
  await card(phone).getByText('Your machine restarted: 10 terminals were interrupted').waitFor()
  expect(await card(phone).getByRole('checkbox').count(), 'a phone shows one strip first').toBe(0)
  await card(phone).getByRole('button', { name: 'Show which' }).click()
  expect(await card(phone).getByRole('checkbox').count()).toBe(14)
  await expectNoBarriers(phone)

  const page = await openLoggedIn(home, browser)
  page.setDefaultTimeout(10_000)
  await card(page).waitFor()
  expect(await page.evaluate(() => document.activeElement?.closest('.restoreCard') ?? null), 'it takes the keyboard from nobody').toBeNull()
  await expectNoBarriers(page)
  expect(await card(page).locator('legend').allTextContents()).toEqual(['api4 of 4', 'site4 of 4', 'Not in a repository2 of 2'])
  await card(page).getByText('new conversation: none was known for this terminal').first().waitFor()
  await card(page)
    .getByRole('checkbox', { name: /^site / })
    .focus()
  await page.keyboard.press('Space')
  await card(page)
    .getByRole('checkbox', { name: /api-agent-2/ })
    .uncheck()
  await card(page)
    .getByRole('checkbox', { name: /other-1/ })
    .uncheck()
  await card(page).getByRole('button', { name: 'Resume 4' }).click()
  await card(page).getByText('All 4 are running again.').waitFor()
  expect((await awake(home)).toSorted()).toEqual(['api-agent-1', 'api-shell-1', 'api-shell-2', 'api-shell-3', 'other-2'])
  await card(phone).waitFor({ state: 'detached' })
  await card(page).getByRole('button', { name: 'Close' }).click()
  await card(page).waitFor({ state: 'detached' })

  await page.reload()
  await page.getByRole('navigation', { name: 'Terminals' }).getByText('api-agent-2').first().click()
  await page.getByRole('button', { name: 'New conversation', exact: true }).first().waitFor()
  expect(await card(page).count(), 'it does not come back').toBe(0)
  expect(await question(home)).toBeNull()
  expect(browser.complaints).toEqual([])
}, 120_000)

test('wake --lost wakes them from a shell and tells how it went with each; --later leaves them; both are asked once', async () => {
  await using home = makeHomeWithOwnPort()
  writeFileSync(
    `${home.path}/config.toml`,
    'settle_ms = 300\n\n[web]\nport = 0\n\n[restore]\nstagger_ms = 50\n\n[resume]\ncodex = ["resume", "--last"]\n',
  )
  const agents = installFakeAgents(home, ['codex'])
  const made = ['--env', `PATH=${agents.path}`, '--cwd', home.path]
  await run(home, ['new', '--name', 'shell', ...made, '--', 'sh'])
  await run(home, ['new', '--name', 'agent', ...made, '--', 'codex', 'a prompt'])
  await until(async () => (await views(home)).some(({ agent }) => agent !== null), { what: 'the agent' })
  agents.breakResume(1, 'No conversation found')
  await powerCut(home)
  const woken = await run(home, ['wake', '--lost'])
  expect(woken).toMatchObject({ code: 1, stdout: '1 of 2 running again.\n' })
  expect(woken.stderr).toMatch(/\d of 2 {2}shell {2}started fresh/)
  expect(woken.stderr).toMatch(/\d of 2 {2}agent {2}failed to wake: it ended with code 1 .* and said: No conversation found/)
  expect(await run(home, ['wake', '--lost'])).toMatchObject({ code: 0, stdout: 'No interrupted terminal is left to wake.\n' })
  await powerCut(home)
  expect((await run(home, ['ls'])).stdout).toContain('1 terminal was interrupted when Holdfast crashed. Resume it: holdfast wake --lost.')
  killDaemon(home) // the question stays open, whatever becomes of the daemon
  expect(await json(home, ['wake', '--lost', '--later'])).toMatchObject({ left: [expect.any(String)] })
  expect((await run(home, ['ls'])).stdout).not.toContain('wake --lost')
  expect(await awake(home)).toEqual([])
  for (const wrong of [[], ['--lost', 'shell']]) expect((await run(home, ['wake', ...wrong])).code, wrong.join(' ')).toBe(2)
})
