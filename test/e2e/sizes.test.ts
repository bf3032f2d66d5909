import { writeFileSync } from 'node:fs'
import process from 'node:process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CommandName, Outcome, Params } from '../../src/wire/commands/commands.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { connectTo, killDaemon } from '../support/daemon.ts'
import { environment, fixtureProgram, HOLDFAST, json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openPty, type PtyClient } from '../support/ptyClient.ts'
import type { TerminalRow } from '../support/terminalView.ts'

/** Several people look at one terminal through windows of different sizes: attached shells and pages of a real browser. */
let home: Home
let browser: TestBrowser

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  browser = await launchBrowser()
  expect((await run(home, ['daemon', 'start'])).code).toBe(0)
})
afterAll(async () => {
  await browser.close()
  await home.dispose()
})

const configure = (lines: string) => writeFileSync(`${home.path}/config.toml`, `${lines}\n[web]\nport = 0\n`)

async function ask<Name extends CommandName>(command: Name, params: Params<Name>): Promise<Outcome<Name>> {
  const client = await connectTo(home)
  const answer = await client.request(command, params)
  client.close()
  if (!answer.ok) throw new Error(answer.refusal.message)
  return answer.value.result
}

/** In a workspace of its own: a page shows it alone. */
async function start(name: string, [cols, rows]: readonly [number, number] = [120, 40]): Promise<void> {
  const args = [fixtureProgram('says-size.mjs')]
  const { id: workspace } = await ask('workspace.new', { name })
  await ask('terminal.new', { name, cwd: '/', size: { cols, rows }, env: {}, command: process.execPath, args, workspace })
  await ask('terminal.wait', { terminal: name, until: { kind: 'text', pattern: 'ready' }, timeoutMs: 15_000 })
}

const attach = (name: string, cols: number, rows: number): PtyClient =>
  openPty(process.execPath, { args: [HOLDFAST, 'attach', name], env: environment(home), cols, rows })

async function viewOf(name: string): Promise<TerminalRow> {
  const found = (await ask('terminal.list', {})).find((terminal) => terminal.name === name)
  if (found === undefined) throw new Error(`no terminal ${name}`)
  return found
}
const sizeOf = async (name: string): Promise<string> => {
  const { size } = await viewOf(name)
  return `${size.cols}x${size.rows}`
}
const becomes = (name: string, size: string) => until(async () => (await sizeOf(name)) === size, { what: `${name} to be ${size}` })

/** Every size the program has had, as itself saw it. */
async function sizesSeen(name: string): Promise<string[]> {
  const { content } = await ask('terminal.read', { terminal: name, history: 'all', format: 'text' })
  return [...content.matchAll(/^size (\S+)$/gm)].map(([, size = '']) => size)
}

type Device = 'desk' | 'phone'
const DEVICES = {
  desk: { viewport: { width: 1200, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const

async function openPage(name: string, device: Device): Promise<Page> {
  const { url } = await json<{ url: string }>(home, ['--no-open'])
  const page = await browser.openPage(DEVICES[device])
  await page.goto(url)
  await page.locator('.page').waitFor()
  await page.goto('about:blank')
  await page.goto(`${new URL(url).origin}/#${(await viewOf(name)).id}`)
  await until(async () => /ready/.test(await textOf(page)), { what: 'the page to show the program' })
  return page
}
const textOf = (page: Page): Promise<string> =>
  page.evaluate(() => (globalThis as unknown as { holdfast: { text(): string } }).holdfast.text())
const focus = (page: Page) => page.locator('.xterm-helper-textarea').focus()
const leave = (page: Page) => page.context().close()

test('of two attached shells the one that typed last sizes the program; the other sees it in its own size, with a word on why', async () => {
  await start('shells')
  await using wide = attach('shells', 110, 30)
  await wide.waitFor(/ready/)
  await becomes('shells', '110x30')
  await using narrow = attach('shells', 90, 20)
  await narrow.waitFor(/Sized by attach on this machine: 110×30\. Type to fit it to this window/)
  expect(await sizeOf('shells')).toBe('110x30')

  narrow.type('one\r')
  await becomes('shells', '90x20')
  await narrow.waitFor(/heard one/)
  await until(() => !narrow.screen().join('\n').includes('Sized by'), { what: 'the word to go' })
  await wide.waitFor(/Sized by attach on this machine: 90×20/)
  const lines = wide.screen()
  expect(lines.find((line) => line.startsWith('heard one'))).toBe(`heard one${' '.repeat(81)}${'·'.repeat(20)}`)
  expect(lines[25]).toBe('·'.repeat(110))

  wide.type('two\r')
  await becomes('shells', '110x30')
  await wide.waitFor(/heard two/)
  await until(() => !wide.screen().join('\n').includes('·'), { what: 'the dots to go' })
  expect(await sizesSeen('shells')).toEqual(['120x40', '110x30', '90x20', '110x30'])
})

test('when the leader leaves, the one that is left leads; when nobody looks, the size stays', async () => {
  await start('left')
  await using first = attach('left', 110, 30)
  await becomes('left', '110x30')
  await using second = attach('left', 100, 25)
  await second.waitFor(/Sized by attach/)
  await first.close()
  await becomes('left', '100x25')
  expect((await viewOf('left')).sizedBy).toMatchObject({ kind: 'client', who: 'attach' })
  await second.close()
  await until(async () => (await viewOf('left')).sizedBy.kind === 'nobody', { what: 'nobody to look' })
  expect(await sizeOf('left')).toBe('100x25')
})

test('a page that leads is told apart from attach, typing in either takes the lead, and the other says why', async () => {
  await start('mixed')
  const page = await openPage('mixed', 'desk')
  const own = await until(async () => ((await viewOf('mixed')).sizedBy.kind === 'client' ? sizeOf('mixed') : false), {
    what: 'the page to lead',
  })
  expect(own).not.toBe('120x40')
  await using shell = attach('mixed', 85, 22)
  await shell.waitFor(/Sized by another page/)
  shell.type('typed\r')
  await becomes('mixed', '85x22')
  await page.getByText('Sized by attach on this machine: 85×22').waitFor()

  await focus(page)
  await page.keyboard.type('back\n')
  await becomes('mixed', own)
  await page.getByText('Sized by').waitFor({ state: 'detached' })
  shell.type('again\r')
  await becomes('mixed', '85x22')
  await page.getByRole('button', { name: 'Fit to this window' }).click()
  await becomes('mixed', own)
  await page.getByText('Sized by').waitFor({ state: 'detached' })
  expect(browser.complaints).toEqual([])
  await leave(page)
})

test('a phone that opens a desk’s terminal does not shrink it, nor when the desk’s page goes; typing on it does', async () => {
  await start('phoned')
  const desk = await openPage('phoned', 'desk')
  const own = await until(async () => ((await viewOf('phoned')).sizedBy.kind === 'client' ? sizeOf('phoned') : false), {
    what: 'the desk to lead',
  })
  const phone = await openPage('phoned', 'phone')
  await phone.getByText(`Sized by another page: ${own.replace('x', '×')}`).waitFor()
  expect(await sizeOf('phoned')).toBe(own)
  await leave(desk)
  await phone.getByText(`Sized for another window (${own.replace('x', '×')})`).waitFor()
  expect(await sizesSeen('phoned')).toEqual(['120x40', own])
  await focus(phone)
  await phone.keyboard.type('x\n')
  await until(async () => (await viewOf('phoned')).size.cols < 80, { what: 'the terminal to be as narrow as the phone' })
  await phone.getByText('Sized for another window').waitFor({ state: 'detached' })
  await leave(phone)
})

test('a killed daemon that comes back resizes nothing: who led leads again', async () => {
  await start('restarted')
  const page = await openPage('restarted', 'desk')
  await until(async () => (await viewOf('restarted')).sizedBy.kind === 'client', { what: 'the page to lead' })
  await using shell = attach('restarted', 90, 25)
  await shell.waitFor(/Sized by another page/)
  shell.type('x\r')
  await becomes('restarted', '90x25')
  await page.getByText('Sized by attach').waitFor()
  const seen = await sizesSeen('restarted')
  for (let kill = 0; kill < 2; kill++) {
    killDaemon(home)
    expect((await run(home, ['daemon', 'start'])).code).toBe(0)
    await until(async () => (await viewOf('restarted')).sizedBy.kind === 'client', { what: 'somebody to lead again' })
    expect((await viewOf('restarted')).sizedBy).toMatchObject({ who: 'attach' })
    await page.getByText('Daemon away').waitFor({ state: 'detached' })
  }
  await page.getByText('Sized by attach on this machine: 90×25').waitFor()
  expect(await sizesSeen('restarted')).toEqual(seen)
  await leave(page)
})

test('a window that changed while the daemon was away keeps the size that it gave', async () => {
  await start('away')
  await using shell = attach('away', 90, 25)
  await shell.waitFor(/ready/)
  await becomes('away', '90x25')
  killDaemon(home)
  shell.resize(95, 28)
  shell.type('x\r')
  await shell.waitFor(/^size 95x28$/m)
  expect((await run(home, ['daemon', 'start'])).code).toBe(0)
  await becomes('away', '95x28')
  expect(await sizesSeen('away')).toEqual(['120x40', '90x25', '95x28'])
})

test('“smallest” takes the smallest columns and rows of all who look, also across a killed daemon', async () => {
  configure('size_policy = "smallest"')
  await start('small')
  await until(
    async () => {
      const { terminal } = await ask('terminal.look', { terminal: 'small', size: { cols: 150, rows: 60 }, lead: 'no' })
      return terminal.sizedBy.kind === 'smallest'
    },
    { what: 'the new policy to be in force' },
  )
  await using wide = attach('small', 140, 20)
  await wide.waitFor(/ready/)
  await becomes('small', '140x20')
  await using narrow = attach('small', 90, 30)
  await becomes('small', '90x20')
  await wide.waitFor(/Sized for the smallest window: 90×20\s*$/)
  wide.type('typing changes nothing\r')
  await wide.waitFor(/heard typing/)
  const seen = await sizesSeen('small')
  killDaemon(home)
  expect((await run(home, ['daemon', 'start'])).code).toBe(0)
  await until(
    async () => {
      const { sizedBy } = await viewOf('small')
      return sizedBy.kind === 'smallest' && sizedBy.cols.client !== sizedBy.rows.client
    },
    { what: 'both to be back' },
  )
  expect(await sizesSeen('small')).toEqual(seen)
  await narrow.close()
  await becomes('small', '140x20')
})

test('“fixed” follows nobody, says so without a button, and is changed by hand only', async () => {
  await start('fixed', [100, 30])
  const page = await openPage('fixed', 'desk')
  configure('size_policy = "fixed"')
  await until(async () => (await viewOf('fixed')).sizedBy.kind === 'fixed', { what: 'the new policy to be in force' })
  expect((await run(home, ['resize', 'fixed', '70x20'])).code).toBe(0)
  await page.getByText('Fixed at 70×20').waitFor()
  expect(await page.getByRole('button', { name: 'Fit to this window' }).count()).toBe(0)
  await focus(page)
  await page.keyboard.type('x\n')
  await until(async () => /heard x/.test(await textOf(page)), { what: 'the program to have heard it' })
  await using shell = attach('fixed', 90, 25)
  await shell.waitFor(/Fixed at 70×20\s*$/)
  shell.type('y\r')
  await shell.waitFor(/heard y/)
  expect(await sizeOf('fixed')).toBe('70x20')
  await leave(page)
  await shell.close()
  configure('')
  await until(async () => (await viewOf('fixed')).sizedBy.kind === 'nobody', { what: 'the usual policy to be in force again' })
})

test('resize sets a size that stands until somebody types, prints the terminal as JSON, and refuses what is no size', async () => {
  await start('byhand')
  await using shell = attach('byhand', 90, 25)
  await becomes('byhand', '90x25')
  expect(await json(home, ['resize', 'byhand', '100x30'])).toMatchObject({ size: { cols: 100, rows: 30 }, sizedBy: { kind: 'hand' } })
  await shell.waitFor(/Set to 100×30 by hand\. Type to fit it to this window/)
  shell.type('x\r')
  await becomes('byhand', '90x25')
  expect(await run(home, ['resize', 'byhand', '1x30'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is not a terminal size'),
  })
  expect(await run(home, ['resize', 'nobody', '80x24'])).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no terminal') })
  expect((await run(home, ['resize', 'byhand'])).code).toBe(2)
})

test('a size that no terminal can have is ignored, not refused', async () => {
  await start('odd')
  for (const size of [
    { cols: 0, rows: 0 },
    { cols: 1, rows: 24 },
  ])
    expect((await ask('terminal.look', { terminal: 'odd', size, lead: 'yes' })).terminal.size).toEqual({ cols: 120, rows: 40 })
})

test('a program that is woken starts in the size of the window that looks at it', async () => {
  await start('woken')
  const client = await connectTo(home)
  const look = (cols: number) => client.request('terminal.look', { terminal: 'woken', size: { cols, rows: 33 }, lead: 'ifFree' })
  await look(100)
  await ask('terminal.wait', { terminal: 'woken', until: { kind: 'text', pattern: '100x33' }, timeoutMs: 15_000 })
  await ask('terminal.send', { terminal: 'woken', keys: ['C-d'] })
  await ask('terminal.wait', { terminal: 'woken', until: { kind: 'exit' }, timeoutMs: 15_000 })
  await look(104)
  await ask('terminal.wake', { terminal: 'woken' })
  await ask('terminal.wait', { terminal: 'woken', until: { kind: 'text', pattern: 'ready' }, timeoutMs: 15_000 })
  expect(await sizesSeen('woken')).toEqual(['120x40', '100x33', '104x33']) // the first two stood there before the wake
  client.close()
})
