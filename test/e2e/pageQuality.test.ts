import { copyFileSync, mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import { barriers } from '../support/axe.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { connectTo } from '../support/daemon.ts'
import { fixtureProgram, json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { newLink, openLoggedIn, PHONE, shows } from '../support/pages.ts'

/** What holds for every state of the page: it can be used by everybody, complains about nothing and asks nobody but its daemon. */
const SCHEMES = ['dark', 'light'] as const
let home: Home
let browser: TestBrowser
let daemon: DaemonClient
const asked: string[] = []

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  browser = await launchBrowser()
})
afterAll(async () => {
  daemon?.close()
  await browser.close()
  await home.dispose()
})

async function open(options: Parameters<typeof openLoggedIn>[2]): Promise<Page> {
  const page = await openLoggedIn(home, browser, options)
  page.setDefaultTimeout(8_000)
  page.context().on('request', (request) => asked.push(request.url()))
  return page
}

/** In both schemes on the same page, which hears of the change at once. */
async function expectNoBarriers(page: Page, state: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect.soft(await barriers(page), `${state}, ${colorScheme}`).toEqual([])
  }
}

const newTerminal = (name: string, script: string, env: Record<string, string> = {}) =>
  run(home, ['new', '--name', name, '--', 'sh', '-c', script], { env })

/** Four terminals: a shell, an agent that waits for an answer, one that has ended, and colours. */
async function fill(): Promise<void> {
  const bin = `${home.path}/bin`
  mkdirSync(bin)
  copyFileSync(fixtureProgram('talks-like-an-agent.mjs'), `${bin}/codex`)
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` }
  await newTerminal('shell', 'echo ready; exec cat')
  await run(home, ['new', '--name', 'agent', '--', 'codex'], { env })
  await newTerminal('ended', 'echo last words; exit 3')
  await newTerminal('colours', `for c in 1 2 3 4 5 6 7; do printf '\\033[3%sm colour %s \\033[0m\\n' $c $c; done; exec cat`)
  await run(home, ['wait', 'agent', '--text', 'ready', '--timeout', '20'])
  await run(home, ['send', 'agent', `status state=blocked:app=codex:kind=permission:msg=${btoa('Run the tests?')}`, '--enter'])
  await run(home, ['wait', 'agent', '--agent', 'needs-you', '--timeout', '20'])
  daemon = await connectTo(home)
}

/** What the build has written beside the page. */
async function showsNotices(page: Page): Promise<void> {
  const text = page.getByRole('textbox', { name: 'Third-party notices' })
  await until(async () => /react-dom \d.*\(MIT\)[\s\S]*Permission is hereby granted/.test(await text.inputValue()), { what: 'the notices' })
}

test('nobody meets a barrier: where nothing is yet, on a screen and on a phone', async () => {
  const page = await open({})
  await page.getByRole('heading', { name: 'No terminals yet' }).waitFor()
  await expectNoBarriers(page, 'empty')
  await page.context().close()
  const phone = await open(PHONE)
  await phone.getByRole('heading', { name: 'No terminals yet' }).waitFor()
  await expectNoBarriers(phone, 'empty, phone')
  await phone.context().close()
})

test('nobody meets a barrier: four terminals beside each other, on the canvas, and what lies over them', async () => {
  await fill()
  const page = await open({ viewport: { width: 1440, height: 900 } })
  await until(async () => (await page.locator('.tile').count()) === 4, { what: 'four tiles' })
  await page.getByLabel('This terminal is not running').waitFor()
  await expectNoBarriers(page, 'split')

  const over = async (state: string, opener: () => Promise<void>, sign: () => Promise<void>) => {
    await opener()
    await sign()
    await expectNoBarriers(page, state)
    await page.keyboard.press('Escape')
    await until(async () => (await page.locator('dialog[open], [role="dialog"]').count()) === 0, { what: `${state} to be closed` })
  }
  const dialog = () => page.locator('dialog[open], [role="dialog"]').first().waitFor()
  await over('palette', () => page.getByRole('button', { name: 'Find a terminal or a command' }).click(), dialog)
  await over('new terminal', () => page.getByRole('button', { name: 'Choose folder, program and place…' }).click(), dialog)
  await over(
    'time travel',
    () => page.keyboard.press('Control+Shift+H'),
    () => page.locator('.planStill img').first().waitFor(),
  )
  await over('settings', () => page.getByRole('button', { name: 'Settings' }).first().click(), dialog)
  const notices = async () => {
    await page.getByRole('button', { name: 'Settings' }).first().click()
    await page.getByRole('button', { name: 'Third-party notices' }).click()
  }
  await over('third-party notices', notices, () => showsNotices(page))
  const devices = async () => {
    await page.getByRole('button', { name: 'Settings' }).first().click()
    await page.getByRole('tab', { name: 'Devices' }).click()
  }
  await over('devices', devices, () => page.locator('.device').first().waitFor())
  await over('closing', () => page.getByRole('button', { name: 'Close', exact: true }).first().click(), dialog)
  const startOver = async () => {
    await page.getByRole('button', { name: 'This workspace' }).click()
    await page.getByRole('menuitem', { name: 'Start over…' }).click()
  }
  await over('starting over', startOver, dialog)

  await page.getByRole('button', { name: 'Canvas', exact: true }).click()
  await page.locator('.react-flow').waitFor()
  await expectNoBarriers(page, 'canvas')
  await page.getByRole('button', { name: 'Split', exact: true }).click()
  await page.locator('.react-flow').waitFor({ state: 'detached' })
  await page.context().close()
})

test('nobody meets a barrier: a phone with a live terminal, a sleeping one, and the sheet of all', async () => {
  const page = await open(PHONE)
  const goTo = async (name: string) => {
    await page.getByRole('button', { name: /^Terminals/ }).click()
    const sheet = page.getByRole('dialog', { name: 'Terminals' })
    await sheet.waitFor()
    if (name === 'shell') await expectNoBarriers(page, 'sheet')
    await sheet.locator('.terminals').getByText(name, { exact: true }).first().click()
    await until(async () => (await page.locator('.phoneBar .name').textContent()) === name, { what: name })
  }
  await goTo('shell')
  await expectNoBarriers(page, 'phone')
  await goTo('ended')
  await page.getByLabel('This terminal is not running').waitFor()
  await expectNoBarriers(page, 'phone, asleep')
  await page.keyboard.press('Control+Shift+H')
  await page.locator('.planStill img').first().waitFor()
  await expectNoBarriers(page, 'phone, time travel')
  await page.context().close()
})

test('an address that names no terminal shows the workspace, and corrects itself', async () => {
  const page = await open({})
  await page.goto(new URL('/#tnosuchone', page.url()).href)
  await page.reload()
  await until(async () => (await page.locator('.tile').count()) === 4, { what: 'four tiles' })
  const ids = (await json<{ id: string }[]>(home, ['ls'])).map(({ id }) => `#${id}`)
  await until(() => ids.includes(new URL(page.url()).hash), { what: 'an address that is right' })
  await page.keyboard.press('Control+k')
  await page.locator('dialog[open], [role="dialog"]').first().waitFor()
  await page.context().close()
})

test('two browsers see the same terminal, whoever types', async () => {
  const [one, other] = [await open({}), await open({})]
  const [shell] = (await json<{ id: string; name: string }[]>(home, ['ls'])).filter(({ name }) => name === 'shell')
  const id = shell?.id ?? ''
  await one.locator(`[data-terminal="${id}"] .xterm-helper-textarea`).focus()
  await one.keyboard.type('from the first\n')
  await shows(other, /from the first/, { id })
  await other.locator(`[data-terminal="${id}"] .xterm-helper-textarea`).focus()
  await other.keyboard.type('from the second\n')
  await shows(one, /from the second/, { id })
  await one.context().close()
  await other.context().close()
})

test('nothing was complained about, and nobody but the daemon was asked', async () => {
  const { origin } = new URL(await newLink(home))
  expect(browser.complaints).toEqual([])
  expect(asked.length).toBeGreaterThan(10)
  expect(
    asked.filter(
      (url) => !/^(data|blob):/.test(url) && new URL(url).origin !== origin && new URL(url).origin !== origin.replace('http', 'ws'),
    ),
  ).toEqual([])
})
