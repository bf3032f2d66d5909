import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { views } from '../support/daemon.ts'
import { type FakeAgents, installFakeAgents } from '../support/fakeAgent.ts'
import { json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { showsStill } from '../support/pages.ts'

const RESUMES_NEWEST = 'settle_ms = 300\n\n[web]\nport = 0\n\n[resume]\ncodex = ["resume", "--last"]\n'
const ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d01'

/** What the page offers for a terminal that sleeps, pressed in a real browser. */
const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => (globalThis as unknown as { holdfast: { text(): string } }).holdfast.text())
const shows = (page: Page, text: string) => until(async () => (await textOf(page)).includes(text), { what: `the page to show ${text}` })
const rest = (page: Page) => page.getByLabel('This terminal is not running')
const choices = (page: Page): Promise<string[]> => rest(page).getByRole('button').allTextContents()
const untilFocused = (page: Page) =>
  until(async () => await rest(page).evaluate((card) => card === document.activeElement), { what: 'the card to have the keyboard' })

async function sleepingPage(home: Home, agents: FakeAgents, browser: TestBrowser, command: readonly string[]): Promise<Page> {
  const env = { PATH: agents.path }
  await run(home, ['new', '--name', 'one', '--', ...command], { env })
  await run(home, ['wait', 'one', '--text', 'ready', '--timeout', '20'], { env })
  await run(home, ['daemon', 'stop', '--all'], { env })
  await run(home, ['daemon', 'start'], { env })
  const page = await browser.openPage({ viewport: { width: 1000, height: 700 } })
  await page.goto((await json<{ url: string }>(home, ['--no-open'], { env })).url)
  await rest(page).waitFor()
  return page
}

test('an agent is resumed with Enter, and started afresh with the other button', async () => {
  await using home = makeHomeWithOwnPort()
  writeFileSync(`${home.path}/config.toml`, RESUMES_NEWEST)
  const agents = installFakeAgents(home, ['codex'])
  await using browser = await launchBrowser()
  const page = await sleepingPage(home, agents, browser, ['codex', 'the first prompt'])
  await showsStill(page, /argv: \[the first prompt\]/)
  expect(await choices(page)).toEqual(['Wake', 'Restart fresh', 'History', 'Close'])
  await rest(page).getByText('Codex, resumed: codex resume --last').waitFor()
  await untilFocused(page)
  await page.keyboard.press('Enter')
  await shows(page, 'argv: [resume] [--last]')
  await rest(page).waitFor({ state: 'detached' })

  const [terminal] = await json<{ pid: number }[]>(home, ['ls'])
  process.kill(terminal?.pid ?? 0, 'SIGTERM')
  await rest(page).getByText('Could not resume').waitFor() // ended by a signal, seconds after it was resumed
  await showsStill(page, /argv: \[the first prompt\]/)
  await page.getByRole('button', { name: 'Restart fresh' }).click()
  await rest(page).waitFor({ state: 'detached' })
  await shows(page, 'argv: [the first prompt]')
  expect(browser.complaints).toEqual([])
})

test('a resume that fails says why and offers to try again, another conversation, or a fresh start', async () => {
  await using home = makeHomeWithOwnPort()
  writeFileSync(`${home.path}/config.toml`, RESUMES_NEWEST)
  const agents = installFakeAgents(home, ['codex'])
  await using browser = await launchBrowser()
  const page = await sleepingPage(home, agents, browser, ['codex', 'the first prompt'])
  agents.breakResume(1, 'No conversation found')
  const failedRun = async () => {
    const because = (await views(home))[0]?.because
    return because?.kind === 'failed' ? (because.resumed ?? undefined) : undefined
  }
  for (const label of ['Wake', 'Try again']) {
    const before = await failedRun()
    await rest(page).getByRole('button', { name: label, exact: true }).click()
    await until(async () => ![undefined, before].includes(await failedRun()), { what: 'the resume to fail' })
    await until(async () => (await choices(page)).join() === 'Try again,Another conversation…,Restart fresh,History,Close', {
      what: 'the offers',
    })
    await rest(page).getByText('No conversation found').waitFor()
  }
  expect(await page.getByRole('alert').count()).toBe(0)
  await showsStill(page, /argv: \[the first prompt\]/)
  await untilFocused(page)

  agents.mend()
  await page.getByRole('button', { name: 'Another conversation…' }).click()
  const field = page.getByLabel('Conversation id')
  await field.fill('--not an id')
  await page.getByText('Not a valid id').waitFor()
  expect(await page.getByRole('button', { name: 'Resume', exact: true }).isDisabled()).toBe(true)
  await field.fill(` ${ID} `)
  await page.keyboard.press('Enter')
  await shows(page, `argv: [resume] [${ID}]`)
  expect(await json<object[]>(home, ['ls'])).toMatchObject([{ state: 'live', conversation: ID }])
  expect(browser.complaints).toEqual([])
})

test('a shell has one way to start again; an Enter meant for the program that just ended is not taken for it', async () => {
  await using home = makeHomeWithOwnPort()
  const agents = installFakeAgents(home, ['tool'])
  await using browser = await launchBrowser()
  const page = await sleepingPage(home, agents, browser, ['sh', '-c', 'echo ready; read line'])
  expect(await choices(page)).toEqual(['Wake', 'History', 'Close'])
  await untilFocused(page)
  await page.keyboard.press('Enter')
  await rest(page).waitFor({ state: 'detached' })
  await shows(page, 'ready')
  const [before] = await json<{ run: string }[]>(home, ['ls'])
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await untilFocused(page)
  expect(await json<object[]>(home, ['ls'])).toMatchObject([{ state: 'asleep', run: before?.run }])
})

test('a wake with Enter that is refused says why; the terminal sleeps on, and the next Enter is taken again', async () => {
  await using home = makeHomeWithOwnPort()
  writeFileSync(`${home.path}/config.toml`, RESUMES_NEWEST)
  const agents = installFakeAgents(home, ['codex'])
  await using browser = await launchBrowser()
  const page = await sleepingPage(home, agents, browser, ['codex', 'the first prompt'])
  await run(home, ['new', '--name', 'rival', '--', 'codex'], { env: { PATH: agents.path } })
  await untilFocused(page)
  for (const _ of ['once', 'again']) {
    await page.keyboard.press('Enter')
    const alert = page.getByRole('alert')
    await alert.getByText('could open a conversation of "rival"').waitFor()
    await alert.getByRole('button').first().click()
    await alert.waitFor({ state: 'detached' })
    await rest(page).focus()
  }
  expect((await views(home)).find(({ name }) => name === 'one')).toMatchObject({ state: 'asleep' })
  expect(browser.complaints).toEqual([])
})
