import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { views } from '../support/daemon.ts'
import { fixtureProgram, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openLoggedIn, PHONE, shows } from '../support/pages.ts'
import { between, swipe, touch } from '../support/touch.ts'

/** The workspace in the hand, worked with fingers. One daemon and one page for all tests. */
let home: Home
let browser: TestBrowser
let page: Page
const NAMES = ['first', 'second', 'third']

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  browser = await launchBrowser()
  for (const name of NAMES) {
    await run(home, ['new', '--name', name, '--size', '44x30', '--', process.execPath, fixtureProgram('echoes-raw.mjs'), '--hex'])
  }
  page = await openLoggedIn(home, browser, PHONE)
})
beforeEach(async () => {
  await goTo('first')
})
afterAll(async () => {
  expect(browser.complaints).toEqual([])
  await browser.close()
  await home.dispose()
})

const title = (): Promise<string | null> => page.locator('.phoneBar .name').textContent()
const isShown = (name: string) => until(async () => (await title()) === name, { what: `${name} to be shown` })
const key = (name: string) => page.getByRole('toolbar', { name: 'Keys' }).getByRole('button', { name, exact: true })
const sheet = () => page.getByRole('dialog', { name: 'Terminals' })

async function goTo(name: string): Promise<void> {
  if ((await title()) === name) return
  await page.getByRole('button', { name: /^Terminals/ }).click()
  await sheet()
    .getByRole('button', { name: new RegExp(name) })
    .first()
    .click()
  await isShown(name)
}

test('a swipe goes to the next terminal of the dock and back, in the terminal as on the bar', async () => {
  await page.getByText('1 of 3').waitFor()
  await swipe(page, { x: 300, y: 400 }, { x: 60, y: 410 })
  await isShown('second')
  await page.getByText('2 of 3').waitFor()
  await swipe(page, { x: 200, y: 25 }, { x: 80, y: 30 })
  await isShown('third')
  await swipe(page, { x: 80, y: 500 }, { x: 330, y: 490 })
  await isShown('second')
  await touch(
    page,
    between(
      [
        { x: 120, y: 400 },
        { x: 160, y: 480 },
      ],
      [
        { x: 300, y: 410 },
        { x: 340, y: 490 },
      ],
    ),
  )
  await isShown('first')
})

test('a finger that goes along, or a little way across, leaves the terminal where it is', async () => {
  await swipe(page, { x: 200, y: 300 }, { x: 230, y: 600 })
  await swipe(page, { x: 200, y: 300 }, { x: 190, y: 302 })
  await page.getByText('1 of 3').waitFor()
  expect(await title()).toBe('first')
  expect(await page.locator('.phoneBody').evaluate((element) => getComputedStyle(element).translate)).toBe('none')
})

test('two fingers that part enlarge the font and not the page, and make it small again when they meet', async () => {
  const fontSize = () =>
    page.locator('.phoneTerminal .xterm-rows').evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
  const fingers = (apart: number) => [
    { x: 195 - apart / 2, y: 400 },
    { x: 195 + apart / 2, y: 400 },
  ]
  const before = await fontSize()
  await touch(page, between(fingers(100), fingers(150)))
  await until(async () => (await fontSize()) > before, { what: 'a larger font' })
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1)
  await touch(page, between(fingers(150), fingers(100)))
  await until(async () => (await fontSize()) === before, { what: 'the font as it was' })
  expect(await title()).toBe('first')
})

test('the keys that a phone lacks are typed, and do not take the focus away', async () => {
  await goTo('second')
  await page.locator('.phoneTerminal .xterm-helper-textarea').focus()
  const isFocused = () => page.evaluate(() => document.activeElement?.className)
  const before = await isFocused()
  for (const name of ['Esc', 'Tab', 'Up', 'Home', 'Page down', 'Bar', 'Control C']) await key(name).tap()
  await shows(page, /^1b$.*^09$.*^1b5b41$.*^1b5b48$.*^1b5b367e$.*^7c$.*^03$/ms)
  expect(await isFocused()).toBe(before)
})

test('Ctrl is held for one key of any keyboard, and locked by a double tap', async () => {
  await goTo('third')
  await page.locator('.phoneTerminal .xterm-helper-textarea').focus()
  await key('Ctrl').tap()
  expect(await key('Ctrl').getAttribute('aria-pressed')).toBe('true')
  await page.keyboard.type('a')
  await shows(page, /^01$/m)
  expect(await key('Ctrl').getAttribute('aria-pressed')).toBe('false')
  await page.keyboard.type('b')
  await shows(page, /^62$/m)

  await key('Ctrl').evaluate((element: HTMLElement) => {
    element.click()
    element.click() // at once, however busy the machine is
  })
  await page.keyboard.type('gk')
  await key('Left').tap()
  await shows(page, /^07\s*0b\s*1b5b313b3544$/m) // what comes at once is one line
  await key('Ctrl, locked').tap()
  await key('Alt').tap()
  await page.keyboard.type('f')
  await shows(page, /^1b66$/m)
})

test('the list of terminals is a sheet that keeps the focus, and is closed by Escape, by a pull and beside it', async () => {
  const open = async () => {
    await page.getByRole('button', { name: /^Terminals/ }).click()
    await sheet().evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)))
  }
  const isGone = () => sheet().waitFor({ state: 'detached' })
  await open()
  expect(await page.locator('main').getAttribute('inert')).not.toBeNull()
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.closest('main') ?? null)).toBeNull()
  }
  await page.keyboard.press('Escape')
  await isGone()
  await open()
  const box = await sheet().boundingBox()
  await swipe(page, { x: 195, y: (box?.y ?? 0) + 12 }, { x: 195, y: 840 })
  await isGone()
  await open()
  await page.touchscreen.tap(195, 120)
  await isGone()
})

test('every target for a finger is at least 44 pixels wide and high', async () => {
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('.phoneBar button:not(.unseen), .softKeys button')]
      .map((element) => ({ name: element.textContent, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width < 44 || box.height < 44)
      .map(({ name }) => name),
  )
  expect(small).toEqual([])
})

test('a keyboard that comes up leaves the prompt in view: the terminal gets the room that is left', async () => {
  const rows = async () => (await views(home)).find(({ name }) => name === 'first')?.size.rows ?? 0
  await page.locator('.phoneTerminal .xterm-helper-textarea').focus()
  await page.keyboard.type('x') // who types leads
  await until(async () => (await rows()) > 30, { what: 'the size of the phone' })
  await page.setViewportSize({ width: 390, height: 480 })
  await until(async () => (await rows()) < 25, { what: 'fewer rows' })
  const [keys, screen] = await Promise.all([
    page.getByRole('toolbar', { name: 'Keys' }).boundingBox(),
    page.locator('.phoneTerminal .xterm-screen').boundingBox(),
  ])
  expect((keys?.y ?? 0) + (keys?.height ?? 0)).toBeLessThanOrEqual(480)
  expect((screen?.y ?? 0) + (screen?.height ?? 0)).toBeLessThanOrEqual(keys?.y ?? 0)
  await page.setViewportSize(PHONE.viewport)
})

test('a phone on its side still shows one terminal at a time', async () => {
  await page.setViewportSize({ width: 844, height: 390 })
  await page.getByText('1 of 3').waitFor()
  expect(await page.locator('.tileBody').count()).toBe(1)
  await page.setViewportSize(PHONE.viewport)
})
