import process from 'node:process'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { killDaemon } from '../support/daemon.ts'
import { fixtureProgram, json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { showsStill } from '../support/pages.ts'

/** Older history in the page: every line can be reached by scrolling, and none moves under the eye. */
const LINES = 30_000
const USUAL_ROWS = 40
type Drawn = { readonly holdfast: { text(): string; seen(): readonly string[] } }

const textOf = (page: Page): Promise<string> => page.evaluate(() => (globalThis as unknown as Drawn).holdfast.text())
const seenOf = (page: Page): Promise<readonly string[]> => page.evaluate(() => (globalThis as unknown as Drawn).holdfast.seen())
const topOf = async (page: Page): Promise<string> => (await seenOf(page))[0] ?? ''
const numbersIn = (text: string): number[] => [...text.matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number))
const note = (page: Page) => page.locator('.historyNote')

async function open(home: Home, browser: TestBrowser, options = {}): Promise<Page> {
  const page = await browser.openPage({ viewport: { width: 1000, height: 700 }, ...options })
  await page.goto((await json<{ url: string }>(home, ['--no-open'])).url)
  return page
}

/** Who types gives a terminal the size of his page, which moves everything once. */
async function giveItsSize(page: Page): Promise<void> {
  await page.keyboard.press('Enter')
  await until(async () => (await seenOf(page)).length !== USUAL_ROWS, { what: 'the size of the page' })
}

async function print(home: Home, name: string, script: string, ready = 'done'): Promise<void> {
  await run(home, ['new', '--name', name, '--env', 'PS1=$ ', '--', 'sh', '-c', script])
  expect((await run(home, ['wait', name, '--text', ready, '--timeout', '20'])).code).toBe(0)
}

const seq = (lines: number): string => `seq -f 'line %.0f' ${lines}; echo done`
/** A notch of the wheel is a few rows, whatever its height. */
const notch = (page: Page): Promise<void> => page.mouse.wheel(0, -100)

/** Goes to the top of what is drawn until it is the beginning; the line there must not move when older ones come. */
async function scrollToTop(page: Page): Promise<number> {
  for (let steps = 1; ; steps += 1) {
    const drawn = numbersIn(await textOf(page)).length
    await page.keyboard.press('Control+Shift+Home')
    const top = await topOf(page)
    const isOver = await until(
      async () =>
        (await note(page).textContent()) === 'Beginning of history' ? 'over' : numbersIn(await textOf(page)).length > drawn && 'more',
      { what: 'older lines or the beginning', timeoutMs: 20_000 },
    ).catch(async (cause: Error) => {
      throw new Error(`${cause.message} after step ${steps}, at ${top}, now ${await topOf(page)}, “${await note(page).textContent()}”`, {
        cause,
      })
    })
    expect(await topOf(page)).toBe(top)
    if (isOver === 'over') return steps
  }
}

function expectWhole(text: string): void {
  expect(numbersIn(text)).toEqual(Array.from({ length: LINES }, (_, index) => index + 1))
}

test('thirty thousand lines can be scrolled through to the first one, in a live terminal, across a crash, and asleep', async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  await print(home, 'long', `${seq(LINES)}; exec sh -i`)
  const page = await open(home, browser)
  await until(async () => (await textOf(page)).includes('done'), { what: 'the end' })
  await giveItsSize(page)
  expect(numbersIn(await textOf(page)).length).toBeLessThan(2_000)
  expect(await scrollToTop(page)).toBeGreaterThan(2)
  expect(await topOf(page)).toBe('line 1')
  expectWhole(await textOf(page))

  killDaemon(home)
  await page.getByText('Daemon away').waitFor()
  expect((await run(home, ['daemon', 'start'])).code).toBe(0)
  await page.getByText('Daemon away').waitFor({ state: 'detached' })
  expect(await topOf(page)).toBe('line 1')
  expectWhole(await textOf(page)) // once it has ended, a picture takes the place of the drawing
  await page.keyboard.type('exit\n')
  await page.getByLabel('This terminal is not running').waitFor()

  await page.reload()
  await page.getByLabel('This terminal is not running').waitFor()
  await page.keyboard.press('PageUp') // what sleeps is a picture until somebody wants to read it
  await until(async () => (await textOf(page)).includes('done'), { what: 'the end' })
  expect(numbersIn(await textOf(page)).length).toBeLessThan(2_000)
  await scrollToTop(page)
  expectWhole(await textOf(page))
  await page.keyboard.press('End')
  await until(async () => (await seenOf(page)).includes('done'), { what: 'the end again' })
  // The browser itself notes that nobody answered while the daemon was away.
  expect(browser.complaints.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
})

test('the line under the eye and what is marked stay where they are when older ones come, also while the program prints', async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  const ticks = `"${process.execPath}" "${fixtureProgram('prints-numbers.mjs')}" --every 40 --prefix 'tick '`
  await print(home, 'ticks', `${seq(LINES)}; exec ${ticks}`, 'tick')
  const page = await open(home, browser)
  await until(async () => (await textOf(page)).includes('tick 2'), { what: 'the ticks' })
  await giveItsSize(page)
  const numberAtTop = async (): Promise<number> => Number((await topOf(page)).replace('line ', ''))
  await until(
    async () => {
      await page.keyboard.press('Shift+PageUp') // as often as it takes: it prints meanwhile
      return (await numberAtTop()) < LINES - 500
    },
    { what: 'the upper part' },
  )
  await page.mouse.dblclick(300, 300)
  const marked = () => page.evaluate(() => (globalThis as unknown as { holdfast: { selection(): string } }).holdfast.selection())
  const before = { lines: numbersIn(await textOf(page)), marked: await marked() }
  expect(before.marked).toMatch(/^(line|\d+)$/)
  // Every notch goes up by the same few rows, whether or not a deeper drawing came in between.
  const oldest = (): Promise<number> =>
    page.evaluate(() => Number((globalThis as unknown as Drawn).holdfast.text().match(/^line (\d+)$/m)?.[1]))
  const jumps: number[] = []
  while ((await oldest()) >= (before.lines[0] ?? 0)) {
    const top = await numberAtTop()
    await notch(page)
    await until(async () => (await numberAtTop()) !== top || (await oldest()) < (before.lines[0] ?? 0), { what: 'an older line' })
    jumps.push(top - (await numberAtTop()))
  }
  const usual = jumps[0] ?? 0
  expect(usual).toBeGreaterThan(0)
  for (const jump of jumps) expect(jump - usual).toBeLessThanOrEqual(1)
  for (const jump of jumps) expect(jump).toBeGreaterThanOrEqual(0)
  expect(await marked()).toBe(before.marked)
  const settled = await topOf(page)
  const ticked = async () => Number((await textOf(page)).match(/tick (\d+)\s*$/)?.[1])
  const now = await ticked()
  await until(async () => (await ticked()) > now + 40, { what: 'more ticks' })
  expect(await topOf(page)).toBe(settled)
  const all = (await textOf(page)).split('\n').filter((line) => /^(line|tick) /.test(line))
  const first = numbersIn(await textOf(page))[0] ?? 0
  const lineCount = LINES - first + 1
  expect(all).toEqual([
    ...Array.from({ length: lineCount }, (_, index) => `line ${first + index}`),
    ...Array.from({ length: all.length - lineCount }, (_, index) => `tick ${index + 1}`),
  ])
  expect(browser.complaints).toEqual([])
})

test('a finger scrolls on a phone, keys scroll where no program wants them, and a full screen has nothing above it', async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  await print(home, 'short', seq(200))
  const page = await open(home, browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await showsStill(page, /^done$/m)
  await drag(page, { from: 300, to: 600 }) // what sleeps is a picture until somebody wants to read it
  await until(async () => (await seenOf(page)).includes('done'), { what: 'the end' })
  await drag(page, { from: 300, to: 600 })
  await until(async () => !(await seenOf(page)).includes('done'), { what: 'older lines under the finger' })
  await page.keyboard.press('Home')
  await note(page).getByText('Beginning of history').waitFor()
  expect(await topOf(page)).toBe('line 1')

  await run(home, ['new', '--name', 'full', '--', process.execPath, fixtureProgram('draws-alt-screen.mjs')])
  await page.getByRole('button', { name: 'Terminals' }).click()
  await page.getByRole('button', { name: /full/ }).first().click()
  await until(async () => (await textOf(page)).includes('drawn'), { what: 'the full screen' })
  await drag(page, { from: 300, to: 600 })
  expect(await note(page).textContent()).toBe('')
  expect(browser.complaints).toEqual([])
})

async function drag(page: Page, { from, to }: { readonly from: number; readonly to: number }): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: 150, y }] })
  await touch('touchStart', from)
  for (let y = from; y <= to; y += 20) await touch('touchMove', y)
  await touch('touchEnd', to)
  await session.detach()
}
