import { writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BrokenLine, openLine } from '../support/brokenLine.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { connectTo, killDaemon } from '../support/daemon.ts'
import { fixtureProgram, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { newLink, seenOf, sees, shows, textOf } from '../support/pages.ts'

/** A page over a line that breaks, is slow, or has no daemon at its end. One daemon, one browser, one line. */
let home: Home
let browser: TestBrowser
let line: BrokenLine
let workspaces = 0

beforeAll(async () => {
  home = makeHome()
  line = await openLine()
  writeFileSync(`${home.path}/config.toml`, `[web]\nport = 0\nhosts = ["127.0.0.1:${line.port}"]\n`)
  await run(home, ['daemon', 'start'])
  line.target = Number(new URL(await newLink(home)).port)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await line.close()
  await home.dispose()
})

/** Over the line that breaks, or straight to the daemon. */
async function open({ isDirect = false, on }: { readonly isDirect?: boolean; readonly on?: string } = {}): Promise<Page> {
  const page = await browser.openPage({ viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(10_000)
  const link = new URL(await newLink(home))
  if (!isDirect) link.port = String(line.port)
  await page.goto(link.href)
  await page.waitForURL((url) => url.pathname === '/')
  if (on !== undefined) {
    await page.goto(new URL(`/#${on}`, link).href)
    await page.reload()
  }
  return page
}

type Start = (command: string, ...args: string[]) => Promise<string>

async function inNewWorkspace<Value>(work: (start: Start) => Promise<Value>): Promise<Value> {
  const daemon = await connectTo(home)
  const made = await daemon.request('workspace.new', { name: `line ${++workspaces}` })
  if (!made.ok) throw new Error(made.refusal.message)
  const start = async (command: string, ...args: string[]) => {
    const answer = await daemon.request('terminal.new', { cwd: home.path, env: {}, command, args, workspace: made.value.result.id })
    if (!answer.ok) throw new Error(answer.refusal.message)
    started.push(answer.value.result.id)
    return answer.value.result.id
  }
  try {
    return await work(start)
  } finally {
    daemon.close()
  }
}

const input = (page: Page, id: string) => page.locator(`[data-terminal="${id}"] .xterm-helper-textarea`)
const numbersIn = (text: string): number[] => [...text.matchAll(/^tick (\d+)$/gm)].map(([, number]) => Number(number))
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const TICKS = [process.execPath, '-e', "let i = 0; setInterval(() => console.log('tick ' + ++i), 50)"] as const

/** What a test has started, so that the next one has the machine to itself. */
const started: string[] = []

async function close(...pages: readonly Page[]): Promise<void> {
  for (const page of pages) await page.context().close()
  const daemon = await connectTo(home)
  for (const terminal of started.splice(0)) await daemon.request('terminal.close', { terminal })
  daemon.close()
}

/** Everything that the tile is made of is marked: a repaint would make new elements or forget the marks. */
const marks = (page: Page, id: string) =>
  page.evaluate((id) => document.querySelector(`[data-terminal="${id}"] .xterm-screen`)?.getAttribute('data-mark') ?? null, id)

test('a line that is cut and mended: what was printed meanwhile arrives without a gap, what is typed is refused visibly', async () => {
  const id = await inNewWorkspace((start) => start(...TICKS))
  const page = await open({ on: id })
  await shows(page, /^tick 10$/m, { id })
  await page.evaluate((id) => document.querySelector(`[data-terminal="${id}"] .xterm-screen`)?.setAttribute('data-mark', 'same'), id)
  line.cut()
  await page.getByText('Daemon away').waitFor()
  const seen = numbersIn(await textOf(page, id)).at(-1) ?? 0
  await input(page, id).focus()
  await page.keyboard.type('lost?')
  await page.getByText('Not sent').first().waitFor()
  line.mend()
  await page.getByText('Daemon away').waitFor({ state: 'detached' })
  await until(async () => (numbersIn(await textOf(page, id)).at(-1) ?? 0) > seen + 20, { what: 'what was printed meanwhile' })
  const numbers = numbersIn(await textOf(page, id))
  expect(numbers).toEqual(upTo(numbers.at(-1) ?? 0))
  expect(await marks(page, id)).toBe('same')
  expect(await textOf(page, id)).not.toContain('lost?')
  await close(page)
})

test('a daemon that is killed under four tiles: all of them go on where they were when another one is there', async () => {
  const ids = await inNewWorkspace(async (start) => {
    const made: string[] = []
    for (let index = 0; index < 4; index += 1) made.push(await start(...TICKS))
    return made
  })
  const page = await open({ isDirect: true, on: ids[0] ?? '' })
  await Promise.all(ids.map((id) => shows(page, /^tick 10$/m, { id })))
  killDaemon(home)
  await page.getByText('Daemon away').waitFor()
  const seen = await Promise.all(ids.map(async (id) => numbersIn(await textOf(page, id)).at(-1) ?? 0))
  expect(Math.min(...seen)).toBeGreaterThan(0)
  await run(home, ['daemon', 'start'])
  line.target = Number(new URL(await newLink(home)).port)
  await page.getByText('Daemon away').waitFor({ state: 'detached' })
  for (const [index, id] of ids.entries()) {
    await until(async () => (numbersIn(await textOf(page, id)).at(-1) ?? 0) > (seen[index] ?? 0) + 10, { what: `${id} to go on` })
    const numbers = numbersIn(await textOf(page, id))
    expect(numbers).toEqual(upTo(numbers.at(-1) ?? 0))
  }
  await close(page)
})

test('a page on a slow line is brought up to date, and does not hold up another one', async () => {
  const { flood, shell } = await inNewWorkspace(async (start) => ({
    flood: await start('sh', '-c', `"${process.execPath}" "${fixtureProgram('floods.mjs')}" --mb 4; exec sleep 600`),
    shell: await start('sh', '-c', 'echo ready; exec cat'),
  }))
  line.slow(200_000)
  const slow = await open({ on: shell })
  const fast = await open({ isDirect: true, on: shell })
  await shows(fast, /ready/, { id: shell })
  await sees(fast, /flood over/, { id: flood, timeoutMs: 20_000 })
  await input(fast, shell).focus()
  await fast.keyboard.type('quick\n')
  await shows(fast, /quick/, { id: shell, timeoutMs: 3_000 })
  line.slow(null)
  await sees(slow, /flood over/, { id: flood, timeoutMs: 20_000 })
  await shows(slow, /quick/, { id: shell })
  const last = (page: Page) => textOf(page, flood).then((text) => text.trimEnd().split('\n').slice(-5))
  expect(await last(slow)).toEqual(await last(fast))
  await close(slow, fast)
})

test('while eight terminals flood, what is typed into another one is seen before they are through', async () => {
  const flag = `${home.path}/flood`
  const flood = `while ! [ -e ${flag} ]; do sleep 0.1; done; "${process.execPath}" "${fixtureProgram('floods.mjs')}" --mb 1; exec sleep 600`
  const { shell, floods } = await inNewWorkspace(async (start) => {
    const shell = await start('sh', '-c', 'echo ready; exec cat')
    const floods: string[] = []
    for (let index = 0; index < 8; index += 1) floods.push(await start('sh', '-c', `echo waits; ${flood}`))
    return { shell, floods }
  })
  const page = await open({ isDirect: true, on: shell })
  await sees(page, /ready/, { id: shell })
  for (const id of floods) await sees(page, /waits/, { id })
  await input(page, shell).focus()
  writeFileSync(flag, '')
  await Promise.any(floods.map((id) => sees(page, /quick brown fox/, { id })))
  for (const word of ['one', 'two', 'three']) {
    await page.keyboard.type(`${word} `)
    await sees(page, new RegExp(word), { id: shell })
  }
  const areOver = await Promise.all(floods.map((id) => seenOf(page, id).then((rows) => rows.includes('flood over'))))
  expect(areOver).toContain(false)
  for (const id of floods) await sees(page, /flood over/, { id, timeoutMs: 30_000 })
  await close(page)
})
