import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { list } from '../support/daemon.ts'
import { fixtureProgram, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { openLoggedIn, sees, shows } from '../support/pages.ts'

/** What programs print must not make the page unusable: it answers, and it holds a bounded number of elements. */
let home: Home
let browser: TestBrowser
let page: Page

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  browser = await launchBrowser({ isWhole: true }) // it shows notifications
  await run(home, ['new', '--name', 'calm', '--env', 'PS1=ready> ', '--', 'bash', '--norc', '--noprofile'])
  page = await openLoggedIn(home, browser, { permissions: ['notifications', 'clipboard-read', 'clipboard-write'] })
  await shows(page, /ready>/)
})
afterAll(async () => {
  await browser.close()
  await home.dispose()
})

const elements = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length)

/** How long the page takes to draw a frame: twice, so that work that is queued shows. */
const frameMs = (): Promise<number> =>
  page.evaluate(async () => {
    const from = performance.now()
    for (let at = 0; at < 2; at += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now() - from
  })

test.each(['clipboard', 'notification', 'title', 'mixed'])(
  'a flood of %s events leaves the page usable and bounded',
  {
    timeout: 60_000,
  },
  async (kind) => {
    const node = process.execPath
    await run(home, ['new', '--name', kind, '--', node, fixtureProgram('floods-events.mjs'), kind, '--seconds', '5', '--mb', '100000'])
    const flooding = (await list(home)).find(({ name }) => name === kind)?.id ?? expect.fail(`no ${kind}`)
    const calm = (await list(home)).find(({ name }) => name === 'calm')?.id ?? expect.fail('no calm')
    const before = await elements()
    await page.locator(`[data-terminal="${flooding}"] .host`).click()
    // The flood has got here: the page asks about the newest copy.
    if (kind === 'clipboard') await page.locator('.copyQuestion').waitFor({ timeout: 5_000 })
    const frames: number[] = []
    const counts: number[] = []
    for (let at = 0; at < 12; at += 1) {
      frames.push(await frameMs())
      counts.push(await elements())
      await page.waitForTimeout(100)
    }
    // Another terminal is typed into meanwhile, and answers.
    await page.locator(`[data-terminal="${calm}"] .host`).click()
    await page.keyboard.type(`echo "${kind}=$((20+3))"\n`)
    await sees(page, new RegExp(`${kind}=23`), { id: calm })
    expect(Math.max(...frames)).toBeLessThan(1_500)
    expect(Math.max(...counts)).toBeLessThan(before + 400)
    expect(await page.locator('.copyQuestion').count()).toBeLessThanOrEqual(1)
    expect(await page.locator('.toast').count()).toBeLessThanOrEqual(3)
    await run(home, ['close', kind, '--yes'])
  },
)

test('a regular expression that would never end is not run, and the page goes on', async () => {
  await run(home, ['send', 'calm', `echo ${'a'.repeat(60)}b`, '--enter'])
  await sees(page, /a{60}b/)
  await page.locator('.host').first().click()
  await page.keyboard.press('Control+Shift+F')
  const field = page.getByRole('textbox', { name: 'Text to find' })
  await page.getByTitle('Regular expression').click()
  await field.fill('(a+)+$')
  await page.getByText('Pattern is too slow: simplify it').waitFor({ timeout: 5_000 })
  expect(await frameMs()).toBeLessThan(1_500)
  await field.fill('a{60}b')
  await page.getByText(/^\d of \d$/).waitFor({ timeout: 5_000 })
  // A pattern that was quick meets a line on which it is not: it is not matched again by itself.
  await run(home, ['send', 'calm', 'clear', '--enter'])
  await field.fill('(z+)+$')
  await page.getByText('None').first().waitFor({ timeout: 5_000 })
  await run(home, ['send', 'calm', `echo ${'z'.repeat(60)}b`, '--enter'])
  await sees(page, /z{60}b/)
  await page.waitForTimeout(600)
  expect(await frameMs()).toBeLessThan(1_500)
  await page.keyboard.press('Enter')
  await page.getByText('Pattern is too slow: simplify it').waitFor({ timeout: 5_000 })
})
