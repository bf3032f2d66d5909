import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import process from 'node:process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import type { CommandName, Outcome, Params } from '../../src/wire/commands/commands.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { connectTo } from '../support/daemon.ts'
import { fixtureProgram, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/** What stands around the terminals on the page: dock, palette, dialogs, settings, notifications. One daemon and one browser for all. */
let home: Home
let browser: TestBrowser
let page: Page
let user: string
let daemon: DaemonClient

async function ask<Name extends CommandName>(name: Name, params: Params<Name>): Promise<Outcome<Name>> {
  const answer = await daemon.request(name, params)
  return answer.ok ? answer.value.result : expect.fail(answer.refusal.message)
}
const all = () => ask('terminal.list', {})
const idOf = async (name: string) => (await all()).find((terminal) => terminal.name === name)?.id ?? expect.fail(`no terminal ${name}`)
const types = (name: string, text: string) => ask('terminal.send', { terminal: name, text, enter: true })
const says = (name: string, state: string) => types(name, `status state=${state}`)
const asks = (name: string, words: string) => says(name, `blocked:app=codex:kind=permission:msg=${Buffer.from(words).toString('base64')}`)
type Start = { readonly name: string; readonly cwd?: string; readonly workspace?: string; readonly command?: string }
const start = ({ cwd = user, command, ...rest }: Start) =>
  command === undefined
    ? ask('terminal.new', { cwd, env: { PS1: 'ready> ' }, command: 'bash', args: ['--norc', '--noprofile'], ...rest })
    : ask('terminal.new', { cwd, env: {}, command, args: [], ...rest })

const textOf = (of: Page): Promise<string> => of.evaluate(() => (globalThis as unknown as { holdfast: { text(): string } }).holdfast.text())
const shows = (of: Page, text: string) => until(async () => (await textOf(of)).includes(text), { what: `the page to show ${text}` })
const link = async () => (await ask('web.login', {})).url
const row = (name: string) => page.locator('.row', { hasText: name })
const group = (name: string) => page.locator('.terminals').getByRole('region', { name, exact: true })
const rowsOf = (name: string) => group(name).locator('.row .name').allTextContents()
const isFocused = async (name: string) => {
  const id = await idOf(name)
  await until(() => new URL(page.url()).hash === `#${id}`, { what: `${name} to be focused` })
}
const palette = () => page.getByRole('dialog', { name: 'Find a terminal or a command' })
const find = async (text: string) => {
  await page.keyboard.press('Control+k')
  await palette().waitFor()
  await page.keyboard.type(text)
}
const choose = async (text: string, label: string | RegExp) => {
  await find(text)
  await palette().getByRole('option', { name: label }).first().click()
}

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  user = `${home.path}/user`
  const bin = `${home.path}/bin`
  for (const directory of [bin, user, `${user}/app`, `${user}/api`]) mkdirSync(directory, { recursive: true })
  copyFileSync(fixtureProgram('talks-like-an-agent.mjs'), `${bin}/codex`)
  const env = { HOME: user, PATH: `${bin}:${process.env['PATH'] ?? ''}` }
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', `${user}/app`, '-c', 'user.name=m', '-c', 'user.email=m@x', ...args], { env: { ...process.env, ...env } })
  git('init', '-q', '-b', 'trunk')
  git('commit', '-q', '--allow-empty', '-m', 'one')
  expect((await run(home, ['daemon', 'start'], { env })).code).toBe(0)
  daemon = await connectTo(home)
  browser = await launchBrowser()
  page = await browser.openPage({ viewport: { width: 1300, height: 800 } })
  page.setDefaultTimeout(8_000)
  await page.goto(await link())
}, 60_000)
afterAll(async () => {
  await browser?.close()
  daemon?.close()
  await home?.dispose()
})

test('the first visit offers a terminal and the agents that are installed, each in one click', async () => {
  await page.getByRole('heading', { name: 'No terminals yet' }).waitFor()
  await page.getByText('all commands').waitFor()
  await page.getByRole('button', { name: /^Start Codex in ~/ }).click()
  await shows(page, 'ready')
  expect((await all()).map(({ command }) => command)).toEqual(['codex'])
  await ask('terminal.close', { terminal: (await all())[0]?.id ?? '' })
})

describe('the dock', () => {
  test('groups by repository, and who needs somebody is on top while no row moves', async () => {
    await start({ name: 'one', cwd: `${user}/app`, command: 'codex' })
    await start({ name: 'two', cwd: `${user}/app` })
    await start({ name: 'three' })
    await row('three').waitFor()
    await until(async () => (await rowsOf('app')).join() === 'one,two', { what: 'the rows of the repository' })
    expect(await rowsOf('Not in a repository')).toContain('three')
    await row('two').click()
    await isFocused('two')

    const strip = page.getByRole('region', { name: 'Needs you' })
    await asks('one', 'Run rm?')
    await strip.getByRole('button', { name: /one.*Codex asks for permission.*Run rm\?/ }).waitFor()
    await row('one').getByText('Codex · needs you').waitFor()
    expect(await rowsOf('app')).toEqual(['one', 'two'])
    await page.keyboard.press('Control+Shift+Space')
    await isFocused('one')
    await says('one', 'working:app=codex')
    await strip.waitFor({ state: 'detached' })
  })

  test('marks what is new until it is looked at', async () => {
    await row('two').click()
    await says('one', 'done:app=codex')
    await row('one').getByText('new output').waitFor({ state: 'attached' })
    await row('one').click()
    await row('one').getByText('new output').waitFor({ state: 'detached' })
  })

  test('is put in order by key and by pointer, for everybody', async () => {
    const inDaemon = (order: string) =>
      until(async () => (await all()).flatMap(({ name }) => (name === 'one' || name === 'two' ? [name] : [])).join() === order, {
        what: order,
      })
    await row('two').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await until(async () => (await rowsOf('app')).join() === 'two,one', { what: 'the row to move up' })
    await inDaemon('two,one')
    for (const [key, order] of [
      ['Alt+ArrowDown', 'one,two'],
      ['Alt+ArrowUp', 'two,one'],
    ] as const) {
      await page.keyboard.press(key) // whoever moves a row goes on moving it
      await until(async () => (await rowsOf('app')).join() === order, { what: order })
    }
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('one')

    const [from, to] = [await row('two').boundingBox(), await row('one').boundingBox()]
    if (from === null || to === null) return expect.fail('no rows')
    await page.mouse.move(from.x + 40, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(to.x + 40, to.y + to.height - 4, { steps: 5 })
    await page.locator('.rowPlace[data-drop="after"]').waitFor({ state: 'attached' })
    await page.mouse.up()
    await until(async () => (await rowsOf('app')).join() === 'one,two', { what: 'the row to move down' })
    await inDaemon('one,two')
  })

  test('has a menu for each row, and is hidden and shown by key', async () => {
    await row('two').click({ button: 'right' })
    await page.getByRole('menuitemcheckbox', { name: 'Pin to the top' }).click()
    await until(async () => (await rowsOf('Pinned')).join() === 'two', { what: 'the pinned row' })
    await row('two').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Colors' }).hover()
    await page.getByRole('menuitemcheckbox', { name: 'Default' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').first().waitFor({ state: 'detached' })
    await start({ name: 'gone', command: 'cat' })
    await row('gone').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Close' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
    await row('gone').waitFor({ state: 'detached' })

    await row('one').click()
    await page.keyboard.press('Control+Shift+B')
    await page.getByRole('button', { name: 'Show the dock' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Show the dock' }).click()
    await row('one').waitFor()
  })
})

describe('the palette', () => {
  test('goes to a terminal of another workspace, and Escape gives the keyboard back', async () => {
    await ask('workspace.new', { name: 'Other' })
    await start({ name: 'faraway', workspace: 'Other' })
    await row('faraway').getByText('Other').waitFor()
    await row('two').click()
    await shows(page, 'ready>')
    await find('something')
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
    await page.keyboard.type('echo typed after escape\n')
    await shows(page, '\ntyped after escape')
    await find('farawy')
    await page.keyboard.press('Enter')
    await isFocused('faraway')
    await shows(page, 'ready>')
  })

  test('finds a line in the history of all terminals', async () => {
    await row('three').click()
    await isFocused('three')
    await types('two', 'echo "a needle" in hay')
    await until(
      async () => {
        await find('#needle')
        await palette()
          .getByText('two · ')
          .first()
          .waitFor({ timeout: 1_500 })
          .catch(() => undefined)
        const count = await palette().getByRole('option').count()
        if (count === 0) await page.keyboard.press('Escape')
        return count > 0
      },
      { what: 'the line to be found' },
    )
    await page.keyboard.press('Enter')
    await isFocused('two')
    await until(async () => (await page.getByRole('search').count()) > 0 || (await page.locator('.findBar').count()) > 0, {
      what: 'the search of the tile',
    })
    await page.keyboard.press('Escape')
  })

  test('takes a checkpoint, and finds it on the timeline', async () => {
    await choose('> checkpoint', 'Save a checkpoint…')
    await page.getByLabel('Note (optional)').fill('before it all')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Saved a checkpoint of \d+ terminals\.$/).waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).last().click()
    await ask('terminal.rename', { terminal: 'three', name: 'third' })
    await choose('before it all', /before it all/)
    const travel = page.getByRole('dialog', { name: 'Time travel' })
    await travel.getByRole('option', { name: /Before it all/, selected: true }).waitFor()
    await travel.getByText(/Changed since third was called “three”/).waitFor()
    await page.keyboard.press('Escape')
    await travel.waitFor({ state: 'detached' })
    await ask('terminal.rename', { terminal: 'third', name: 'three' })
  })
})

test('a shortcut is changed by pressing it, says whose it is, and survives a reload', async () => {
  await choose('> shortcuts', 'Keyboard shortcuts')
  const keys = () => page.getByRole('button', { name: /^Keys of Settings:/ })
  await keys().click()
  await page.keyboard.press('Control+k')
  await page.getByText('Ctrl K is used by “Find a terminal or a command”.').waitFor()
  await page.keyboard.press('F9')
  await page.getByRole('button', { name: 'Keys of Settings: F9' }).waitFor()
  await page.keyboard.press('Escape')
  await page.reload()
  await row('two').click()
  await shows(page, 'ready>')
  await page.keyboard.press('F9')
  await page.getByRole('dialog', { name: 'Settings' }).waitFor()
  await page.getByRole('tab', { name: 'Shortcuts' }).click()
  await page.getByRole('button', { name: 'Reset Settings' }).click()
  await page.getByRole('button', { name: 'Keys of Settings: Ctrl ,' }).waitFor()
  await page.keyboard.press('Escape')
})

test('a new terminal starts in a worktree of its own, and what is refused is said at its field', async () => {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await row('two').click()
  await page.keyboard.press('Control+Alt+Enter')
  const dialog = page.getByRole('dialog', { name: 'New terminal' })
  await dialog.getByRole('button', { name: 'Codex' }).waitFor()
  const directory = dialog.getByRole('combobox', { name: 'Directory' })
  await directory.fill(`${user}/ap`)
  const fitting = dialog.getByRole('listbox', { name: 'Directories' }).getByRole('option')
  await fitting.nth(1).waitFor()
  await directory.fill(`${user}/app`)
  await until(async () => (await fitting.count()) === 1, { what: 'the one that fits' })
  await directory.press('Tab')
  expect(await directory.inputValue()).toBe(`${user}/app/`)
  await dialog.getByText('on trunk').waitFor()
  await dialog.getByRole('button', { name: 'Command' }).click()
  await dialog.getByLabel('Command and arguments').fill('cat "unfinished')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await dialog.getByText('A double quote is not closed.').waitFor()
  await dialog.getByLabel('Command and arguments').fill('no-such-program')
  await dialog.getByLabel('In a new worktree').check()
  await dialog.getByLabel('Branch').fill('fix/that')
  await dialog.getByLabel('Name (optional)').fill('two')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await dialog.getByText(/The command "no-such-program" was not found|There is already a terminal "two"/).waitFor()
  const worktree = await directory.inputValue()
  expect(worktree).toMatch(/fix-that$/)
  await dialog.getByLabel('Command and arguments').fill(`sh -c 'git branch --show-current; exec cat'`)
  await dialog.getByLabel('Name (optional)').fill('worker')
  await dialog.getByLabel('Place').selectOption({ label: 'Right of “two”' })
  await dialog.getByRole('button', { name: 'Start' }).click()
  await dialog.waitFor({ state: 'detached' })
  await isFocused('worker')
  await shows(page, 'fix/that')
  expect((await all()).find(({ name }) => name === 'worker')).toMatchObject({ cwd: worktree })
})

test('a setting is heard by every page at once, and a wrong one is refused at its field', async () => {
  const other = await browser.openPage({ viewport: { width: 900, height: 700 }, colorScheme: 'dark' })
  await other.goto(await link())
  await other.locator('.row').first().waitFor()
  await choose('> settings', 'Settings')
  const dialog = page.getByRole('dialog', { name: 'Settings' })
  await dialog.getByLabel('Theme', { exact: true }).selectOption('light')
  const scheme = () => other.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  await until(async () => (await scheme()) === 'light', { what: 'the other page to be light' })
  await dialog.getByLabel('Quiet hours').fill('never')
  await dialog.getByLabel('Quiet hours').press('Enter')
  await dialog.getByText(/page\.quiet_hours must be a text/).waitFor()
  await dialog.getByLabel('Search the settings').fill('theme')
  await dialog.getByRole('button', { name: 'Reset Theme' }).click()
  await until(async () => (await scheme()) !== 'light', { what: 'the theme to be as usual' })
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await other.close()
})

test('an agent that needs somebody is told of once, by one of several tabs, and a click goes there', async () => {
  type Noted = { readonly notes: string[]; click?: () => void }
  const watcher = await browser.openPage({ viewport: { width: 900, height: 700 } })
  await watcher.context().addInitScript(() => {
    const noted: Noted = { notes: [] }
    class Stub {
      static permission = 'granted'
      constructor(title: string, options: { readonly body: string }) {
        noted.notes.push(`${title}: ${options.body}`)
      }
      addEventListener(_: string, listener: () => void) {
        noted.click = listener
      }
      close() {}
    }
    Object.assign(globalThis, { Notification: Stub, noted })
  })
  const second = await watcher.context().newPage()
  const notes = (of: Page) => of.evaluate(() => (globalThis as unknown as { noted: Noted }).noted.notes)
  await asks('one', 'before they looked')
  for (const each of [watcher, second]) {
    await each.goto(each === watcher ? await link() : new URL('/', page.url()).href)
    await each.locator('.row', { hasText: 'two' }).click()
    await each.locator('.row', { hasText: 'one' }).getByText('Codex · needs you').waitFor()
  }
  expect(await watcher.title()).toMatch(/^\(1\) two · Holdfast$/)
  expect(await watcher.locator('link[rel="icon"]').getAttribute('href')).toContain(encodeURIComponent('>1</text>'))
  await says('one', 'working:app=codex')
  await watcher.locator('.row', { hasText: 'one' }).getByText('Codex · working').waitFor()
  await until(async () => (await watcher.title()) === 'two · Holdfast', { what: 'the title without a number' })
  await asks('one', 'Run it?')
  await until(async () => (await notes(watcher)).length + (await notes(second)).length > 0, { what: 'the note' })
  await second.locator('.row', { hasText: 'one' }).getByText('Codex · needs you').waitFor()
  expect([...(await notes(watcher)), ...(await notes(second))]).toEqual(['one: Codex asks for permission: Run it?'])
  const told = (await notes(watcher)).length > 0 ? watcher : second
  await told.evaluate(() => (globalThis as unknown as { noted: Noted }).noted.click?.())
  const id = await idOf('one')
  await until(() => new URL(told.url()).hash === `#${id}`, { what: 'the click to focus it' })

  await watcher.context().close()
})

test('no page complained', () => {
  expect(browser.complaints).toEqual([])
})
