import { appendFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { CommandName, Outcome, Params } from '../../src/wire/commands/commands.ts'
import { launchBrowser } from '../support/browser.ts'
import { connectTo } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openLoggedIn, shows } from '../support/pages.ts'
import type { TerminalRow } from '../support/terminalView.ts'

const travel = (page: Page) => page.getByRole('dialog', { name: 'Time travel' })
const chosen = (page: Page) => travel(page).locator('[role="option"][aria-selected="true"]')
const count = async (page: Page) => Number(await chosen(page).getAttribute('aria-setsize'))
const since = (page: Page) => travel(page).getByRole('region', { name: 'Changes since then' })

async function openByKeys(page: Page): Promise<void> {
  await page.keyboard.press('Control+Shift+H')
  await chosen(page).waitFor()
}

/** From the newest down to the one of this name, by keys alone. */
async function goTo(page: Page, name: RegExp): Promise<void> {
  await page.keyboard.press('Home')
  await until(
    async () => {
      if (name.test((await chosen(page).textContent()) ?? '')) return true
      await page.keyboard.press('ArrowDown')
      return false
    },
    { what: `the checkpoint ${name}` },
  )
}

test('a checkpoint is found on the timeline by keys, seen with its screens, restored and taken back, and no other browser is disturbed', async () => {
  await using home = makeHomeWithOwnPort()
  // None comes by itself meanwhile: which is the newest is known.
  appendFileSync(`${home.path}/config.toml`, '\n[checkpoints]\ninterval_s = 3600\ndebounce_ms = 60000\n')
  await run(home, ['daemon', 'start'])
  const daemon = await connectTo(home)
  const ask = async <Name extends CommandName>(name: Name, params: Params<Name>): Promise<Outcome<Name>> => {
    const answer = await daemon.request(name, params)
    return answer.ok ? answer.value.result : expect.fail(answer.refusal.message)
  }
  const standing = async () => (await ask('terminal.list', {})).map(({ name, state, workspace }) => `${name} ${state} ${workspace}`).sort()
  for (const name of ['alpha', 'bravo', 'coda']) {
    await ask('terminal.new', { name, cwd: home.path, env: {}, command: 'sh', args: ['-c', `echo this is ${name}; exec cat`] })
    await ask('terminal.wait', { terminal: name, until: { kind: 'text', pattern: `this is ${name}` }, timeoutMs: 20_000 })
  }
  await ask('checkpoint.create', { note: 'three of them' })
  await ask('workspace.new', { name: 'Side' })
  await ask('terminal.move', { terminal: 'coda', to: 'Side' })
  await ask('terminal.close', { terminal: 'bravo' })
  const before = ['alpha live main', 'coda live Side']
  await until(async () => (await standing()).join() === before.join(), { what: 'two that are left' })
  const pidOfAlpha = async () => ((await ask('terminal.list', {})) as readonly TerminalRow[]).find(({ name }) => name === 'alpha')?.pid
  const pid = await pidOfAlpha()

  await using browser = await launchBrowser()
  const [page, other] = [await openLoggedIn(home, browser), await openLoggedIn(home, browser)]
  for (const each of [page, other]) each.setDefaultTimeout(8_000)
  await shows(other, /this is/)
  await openByKeys(other)
  const [otherChoice, otherCount] = [await chosen(other).getAttribute('id'), await count(other)]

  await shows(page, /this is/)
  await openByKeys(page)
  await goTo(page, /Three of them/)
  const still = travel(page).getByAltText('The saved screen of bravo')
  await until(() => still.evaluate((image) => image instanceof HTMLImageElement && image.complete && image.naturalWidth > 0), {
    what: 'the still screen of the closed one',
  })
  const drawn = await still.evaluate((image) => decodeURIComponent((image as HTMLImageElement).src))
  expect(drawn).toContain('this is bravo')
  await since(page)
    .getByText(/Gone since bravo/)
    .waitFor()
  await since(page)
    .getByText(/Moved since coda from main to Side/)
    .waitFor()
  await travel(page).locator('figure', { hasText: 'bravo' }).getByText('Gone since').waitFor()

  await page.keyboard.press('Enter')
  await travel(page)
    .getByText(/^Restored, asleep: bravo$/)
    .waitFor()
  expect(await standing()).toEqual(before)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await travel(page).getByRole('heading', { name: 'Restored' }).waitFor()
  expect(await standing()).toEqual(['alpha live main', 'bravo asleep main', 'coda live main'])
  expect(await pidOfAlpha()).toBe(pid)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await travel(page).getByRole('heading', { name: 'Undone' }).waitFor()
  expect(await standing()).toEqual(before)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')

  await until(async () => (await count(other)) > otherCount, { what: 'the other browser to hear of the new checkpoints' })
  expect(await chosen(other).getAttribute('id')).toBe(otherChoice)

  await goTo(page, /Before restoring “three of them”/)
  await travel(page).getByRole('button', { name: 'Undo that restore…' }).waitFor()
  await page.keyboard.press('Home')
  const newest = await chosen(page).getAttribute('id')
  await travel(page).getByRole('button', { name: 'Delete…' }).click()
  await travel(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await travel(page).getByRole('button', { name: 'Delete anyway' }).click()
  await travel(page).locator(`#${newest}`).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await travel(page).waitFor({ state: 'detached' })
  await page.keyboard.type('typed afterwards\n')
  await shows(page, /typed afterwards/)
  expect(browser.complaints).toEqual([])
  daemon.close()
})
