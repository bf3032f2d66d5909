import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { killDaemon, views } from '../support/daemon.ts'
import { json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { seenOf, showsStill } from '../support/pages.ts'

const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => (globalThis as unknown as { holdfast: { text(): string } }).holdfast.text())
const shows = (page: Page, pattern: RegExp) => until(async () => pattern.test(await textOf(page)), { what: `the page to show ${pattern}` })

async function newLink(home: Home): Promise<string> {
  return (await json<{ url: string }>(home, ['--no-open'])).url
}

/** One quiet shell, and a page that is logged in and shows it. */
async function openWorkspace(home: Home, browser: TestBrowser): Promise<Page> {
  await run(home, ['new', '--name', 'shell', '--env', 'PS1=ready> ', '--', 'bash', '--norc', '--noprofile'])
  const page = await browser.openPage({ viewport: { width: 1000, height: 700 } })
  await page.goto(await newLink(home))
  await page.getByRole('button', { name: /shell/ }).first().waitFor()
  await shows(page, /ready>/)
  return page
}

test('a link logs one browser in once, keeps its token out of the address, and loads nothing from elsewhere', async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  const link = await newLink(home)
  const page = await browser.openPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(link)
  await page.getByRole('heading', { name: 'No terminals yet' }).waitFor()
  const token = new URL(link).hash.slice(1)
  expect(asked.every((url) => new URL(url).origin === new URL(link).origin && !new URL(url).search.includes(token))).toBe(true)
  expect(page.url()).not.toContain(token)
  expect(browser.complaints).toEqual([])

  const other = await browser.openPage()
  await other.goto(link)
  await other.getByText('Run holdfast in a shell to get a new link').waitFor()
  await other.goto(new URL('/', link).href)
  await other.waitForURL((url) => url.pathname === '/login')
  await other.getByLabel('Or paste the link here').fill(await newLink(home))
  await other.getByRole('button', { name: 'Log in' }).click()
  await other.getByRole('heading', { name: 'No terminals yet' }).waitFor()
})

test('the page types into a program, answers none of its questions, and comes back after a crash without a gap', async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  const page = await openWorkspace(home, browser)
  await page.keyboard.type('echo "sum=$((40+2))"\n')
  await shows(page, /^sum=42$/m)
  await page.keyboard.type(String.raw`printf '\033[c'; read -rs -t 1 -d '' answer; printf '%q' "$answer"; echo " is all"`)
  await page.keyboard.press('Enter')
  await shows(page, /^[^"]*E\[\?[\d;]+c' is all$/m)

  await page.keyboard.type('clear; for i in {1..40}; do echo "line $i"; sleep 0.05; done; echo over\n')
  await shows(page, /^line 5$/m)
  killDaemon(home)
  await page.getByText('Daemon away').waitFor()
  expect((await run(home, ['daemon', 'start'])).code).toBe(0)
  await page.getByText('Daemon away').waitFor({ state: 'detached' })
  await shows(page, /^over$/m)
  const numbers = [...(await textOf(page)).matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number))
  expect(numbers).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
})

test('a program that ended is shown with its last screen, restarted, renamed and closed from the page', async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  const page = await openWorkspace(home, browser)
  await page.keyboard.type('echo last words; exit 3\n')
  await page.getByLabel('This terminal is not running').getByText('Ended with code 3').waitFor()
  await showsStill(page, /^last words$/m)
  await page.getByRole('button', { name: 'Start again' }).click()
  const seen = async () => (await seenOf(page)).join('\n') // what stood before is above it
  await until(async () => !(await seen()).includes('last words') && (await seen()).includes('ready>'), { what: 'a fresh shell' })

  await page.getByTitle('Rename').dblclick()
  await page.keyboard.type('other ')
  const [terminal] = await json<{ id: string }[]>(home, ['ls'])
  await run(home, ['send', terminal?.id ?? '', 'sleep 300', '--enter'])
  await page.getByText('› sleep').first().waitFor()
  await page.keyboard.type('name\n') // what changes meanwhile does not disturb what is typed
  await page
    .getByRole('button', { name: /other name/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('heading', { name: 'No terminals yet' }).waitFor()
  expect(await json(home, ['ls'])).toEqual([])
})

test('a phone draws a wide terminal smaller, says so, and fits it to itself only when asked', async () => {
  await using home = makeHomeWithOwnPort()
  await using browser = await launchBrowser()
  await run(home, ['new', '--name', 'wide', '--size', '132x40', '--', 'sh', '-c', 'echo ready; exec cat'])
  const sizeNow = async () => (await views(home))[0]?.size.cols ?? 0
  const page = await browser.openPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page.goto(await newLink(home))
  await shows(page, /ready/)
  await page.getByText('Sized for another window (132×40)').waitFor()
  expect(await sizeNow()).toBe(132)
  await page.getByRole('button', { name: 'Fit to this window' }).click()
  await until(async () => (await sizeNow()) < 80, { what: 'the terminal to be as narrow as the phone' })
  await page.getByRole('button', { name: 'Fit to this window' }).waitFor({ state: 'detached' })
  expect(browser.complaints).toEqual([])
})
