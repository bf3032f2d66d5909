import { writeFileSync } from 'node:fs'
import process from 'node:process'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers } from '../support/axe.ts'
import { launchBrowser } from '../support/browser.ts'
import { killDaemon, list } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openLoggedIn, PHONE, shows } from '../support/pages.ts'

/** A home whose daemon looks at everything every second. */
function makeWatchfulHome(): Home {
  const home = makeHome()
  writeFileSync(`${home.path}/config.toml`, '[health]\ninterval_s = 1\ndeadline_ms = 500\n[web]\nport = 0\n')
  return home
}

const mark = (page: Page) => page.getByRole('button', { name: /Health: / })
const hasTone = (page: Page, tone: string) =>
  until(async () => (await mark(page).getAttribute('data-tone')) === tone, { what: `the mark to be ${tone}`, timeoutMs: 20_000 })

/** Stopped again whenever somebody makes it go on. */
function keepStopped(pid: number): Disposable {
  const timer = setInterval(() => process.kill(pid, 'SIGSTOP'), 50)
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer)
      process.kill(pid, 'SIGCONT')
    },
  }
}

async function expectNoBarriers(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await barriers(page), colorScheme).toEqual([])
    const folder = process.env['HEALTH_SHOTS']
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${page.viewportSize()?.width}-${colorScheme}-${Date.now()}.png` })
  }
}

test('the mark says how everything does and why, the dialog lists it, and a terminal that is silent says so', {
  timeout: 90_000,
}, async () => {
  await using home = makeWatchfulHome()
  await using browser = await launchBrowser()
  await run(home, ['new', '--name', 'other', '--', 'sh', '-c', 'echo other words; exec cat'])
  await run(home, ['new', '--name', 'api', '--', 'sh', '-c', 'echo its words; exec cat'])
  const api = (await list(home)).find(({ name }) => name === 'api')
  const page = await openLoggedIn(home, browser)
  await shows(page, /its words/, { id: api?.id ?? '' })
  await hasTone(page, 'well')
  expect(await mark(page).getAttribute('title')).toBe('OK')

  const tile = page.locator(`section.tile[data-terminal="${api?.id}"]`)
  {
    using _ = keepStopped(api?.holderPid ?? 0)
    await hasTone(page, 'ill')
    expect(await mark(page).getAttribute('title')).toMatch(/^Something is not working\napi: .*stopped; its program keeps running/)
    await tile.locator('.troubleChip').waitFor()
    expect(await tile.locator('.troubleChip').innerText()).toMatch(/^(Not answering|Recovering|Failed)\s*: .*its program/s)
    expect(await tile.locator('.trouble').count()).toBe(1)
    await expectNoBarriers(page)

    // By keyboard, through the palette.
    await page.keyboard.press('Control+k')
    await page.keyboard.type('health')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Health' })
    await dialog.waitFor()
    // Made to go on, it may answer for a moment before it is stopped again.
    await until(async () => /^api/.test(await dialog.locator('.watchedRow[data-tone="ill"]').first().innerText()), { what: 'the worst' })
    await expectNoBarriers(page)

    const phone = await openLoggedIn(home, browser, PHONE)
    await expectNoBarriers(phone)
    await phone.getByRole('button', { name: 'Terminals' }).first().tap()
    await hasTone(phone, 'ill')
    await expectNoBarriers(phone)
    await mark(phone).tap()
    await phone.getByRole('dialog', { name: 'Health' }).locator('.watchedRow').first().waitFor()
    await expectNoBarriers(phone)
    await phone.close()
  }
  await page.getByRole('button', { name: 'Check now' }).click()
  await hasTone(page, 'well').catch(async () => page.getByRole('button', { name: 'Check now' }).click())
  await page.getByRole('button', { name: 'Check now' }).waitFor()
  await page.keyboard.press('Escape')
  await hasTone(page, 'well')
  await until(async () => (await tile.locator('.troubleChip, .trouble').count()) === 0, { what: 'the terminal to be as ever' })

  // Who is away is not well, and not ill either.
  killDaemon(home)
  await hasTone(page, 'unknown')
  expect(await mark(page).getAttribute('title')).toBe('Health unknown\nThe daemon is away.')
  await run(home, ['daemon', 'start'])
  await hasTone(page, 'well')
})
