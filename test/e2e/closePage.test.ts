import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openLoggedIn } from '../support/pages.ts'
import { topologyOf } from '../support/restoring.ts'

const RUNS = ['--', 'sh', '-c', 'echo ready; exec sleep 300']
const names = async (home: Home): Promise<string> => (await json<{ name: string }[]>(home, ['ls'])).map(({ name }) => name).join()
const untilNames = (home: Home, wanted: string) => until(async () => (await names(home)) === wanted, { what: `${wanted} to be there` })
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '')
const row = (page: Page, name: string) => page.getByRole('navigation', { name: 'Terminals' }).getByRole('button', { name }).first()

async function act(page: Page, title: string): Promise<void> {
  await page.keyboard.press('Control+K')
  await page.keyboard.type(`>${title}`)
  await page.getByRole('option', { name: title }).first().waitFor()
  await page.keyboard.press('Enter')
}

test('closing asks only where something would be lost, and can be undone from the message or by key', async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  await run(home, ['new', '--name', 'idle', '--cwd', home.path, '--', 'sh', '-i'])
  await run(home, ['new', '--name', 'busy', '--cwd', home.path, ...RUNS])
  await run(home, ['new', '--name', 'slept', '--cwd', home.path, ...RUNS])
  await run(home, ['sleep', '--force', 'slept'])
  const page = await openLoggedIn(home, browser)
  const before = topologyOf(home)

  await row(page, 'idle').click()
  await act(page, 'Close terminal')
  const toast = page.getByRole('status').filter({ hasText: 'Closed “idle”.' })
  await toast.waitFor()
  await untilNames(home, 'busy,slept')
  expect(await barriers(page)).toEqual([])
  await toast.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('Enter')
  await untilNames(home, 'idle,busy,slept')
  expect(topologyOf(home)).toEqual(before)
  await toast.waitFor({ state: 'detached' })

  await row(page, 'busy').click()
  await act(page, 'Close terminal')
  const dialog = page.getByRole('dialog', { name: 'Close “busy”?' })
  await dialog.getByText('Closing ends sleep 300. You can undo this for five minutes.').waitFor()
  expect(await focused(page)).toBe('Cancel')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await names(home)).toBe('idle,busy,slept')

  await row(page, 'slept').click()
  await act(page, 'Close terminal')
  await page.getByRole('dialog', { name: 'Close “slept”?' }).getByText('Removes its screen and history.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
  await untilNames(home, 'idle,busy')
  await page.keyboard.press('Control+Shift+U')
  await untilNames(home, 'idle,busy,slept')
  await page.keyboard.press('Control+Shift+U')
  await page.getByRole('alert').getByText('No terminal was closed in the last five minutes.').waitFor()
  expect(browser.complaints).toEqual([])
})

test('starting over takes two steps, closes everything, and is taken back with one', async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  for (const name of ['one', 'two']) await run(home, ['new', '--name', name, ...RUNS])
  const page = await openLoggedIn(home, browser)
  await row(page, 'one').waitFor()
  await act(page, 'Start over with an empty workspace')
  const dialog = page.getByRole('dialog', { name: 'Start over?' })
  expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/^one: sh /),
    expect.stringMatching(/^two: sh /),
  ])
  expect(await focused(page)).toBe('Keep everything')
  await dialog.getByRole('button', { name: 'Continue…' }).click()
  await page.keyboard.press('Enter') // without the words nothing happens
  expect(await dialog.getByRole('button', { name: 'Start over' }).isDisabled()).toBe(true)
  await page.keyboard.type('start over')
  await page.keyboard.press('Enter')
  const done = page.getByRole('dialog', { name: 'Started over' })
  await done.getByText('2 terminals were closed. The workspace is empty.').waitFor()
  expect(await names(home)).toBe('')
  expect(await focused(page)).toBe('Close')
  await done.getByRole('button', { name: 'Undo' }).click()
  await untilNames(home, 'one,two')
  await row(page, 'two').waitFor()
  expect(browser.complaints).toEqual([])
})

test('a terminal that sleeps is forgotten after a question that says what goes, and cannot be undone', async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  for (const name of ['stays', 'slept']) await run(home, ['new', '--name', name, '--cwd', home.path, ...RUNS])
  await run(home, ['sleep', '--force', 'slept'])
  const page = await openLoggedIn(home, browser)
  await row(page, 'slept').click()
  await act(page, 'Forget terminal…')
  const dialog = page.getByRole('dialog', { name: 'Forget “slept”?' })
  await dialog.getByText('This cannot be undone.').waitFor()
  expect(await focused(page)).toBe('Cancel')
  expect(await barriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Forget' }).click()
  await page.getByRole('status').filter({ hasText: 'Forgot “slept”.' }).waitFor()
  expect(await names(home)).toBe('stays')
  await page.keyboard.press('Control+Shift+U')
  await page.getByRole('alert').getByText('No terminal was closed in the last five minutes.').waitFor()
  expect(browser.complaints).toEqual([])
})
