import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import type { CommandName, Outcome, Params } from '../../src/wire/commands/commands.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { connectTo, killDaemon } from '../support/daemon.ts'
import { json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { pretendCard } from '../support/pages.ts'

/** What a terminal's tile on the page can do, in one browser with one daemon. */
let home: Home
let browser: TestBrowser
let client: DaemonClient
let context: BrowserContext
let address: string
const pages = new Set<Page>()

type Drawn = {
  readonly holdfast: {
    text(id?: string): string
    seen(id?: string): readonly string[]
    selection(id?: string): string
    renderers(): Readonly<Record<string, 'gl' | 'dom'>>
  }
}

const textOf = (page: Page): Promise<string> => page.evaluate(() => (globalThis as unknown as Drawn).holdfast.text())
const seenOf = (page: Page): Promise<readonly string[]> => page.evaluate(() => (globalThis as unknown as Drawn).holdfast.seen())
const selectionOf = (page: Page): Promise<string> => page.evaluate(() => (globalThis as unknown as Drawn).holdfast.selection())
const renderersOf = async (page: Page) => Object.values(await page.evaluate(() => (globalThis as unknown as Drawn).holdfast.renderers()))
const shows = (page: Page, pattern: RegExp) => until(async () => pattern.test(await textOf(page)), { what: `the page to show ${pattern}` })
const clipboardOf = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

async function ask<Name extends CommandName>(command: Name, params: Params<Name>): Promise<Outcome<Name>> {
  const answer = await client.request(command, params)
  if (!answer.ok) throw new Error(answer.refusal.message)
  return answer.value.result
}

const configure = (lines: string): void => writeFileSync(`${home.path}/config.toml`, `[web]\nport = 0\n[page]\n${lines}\n`)

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  browser = await launchBrowser()
  const { url } = await json<{ url: string }>(home, ['--no-open'])
  address = new URL('/', url).href
  const page = await browser.openPage({ viewport: { width: 1000, height: 700 }, colorScheme: 'dark' })
  context = page.context()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(url)
  await page.getByRole('heading', { name: 'No terminals yet' }).waitFor()
  await page.close()
  client = await connectTo(home)
})

afterAll(async () => {
  client.close()
  await browser.close()
  await home.dispose()
})

/** A shell that shows what a script printed, in a page of its own, which shows nothing else. */
async function open(script: string, { ready = /ready>/ }: { readonly ready?: RegExp } = {}): Promise<{ page: Page; id: string }> {
  for (const page of [...pages]) await page.close()
  pages.clear()
  for (const { id } of await ask('terminal.list', {})) await ask('terminal.close', { terminal: id })
  const args = ['-c', `${script}; exec bash --norc --noprofile`]
  const { id } = await ask('terminal.new', { cwd: '/', env: { PS1: 'ready> ' }, command: 'sh', args, size: { cols: 100, rows: 30 } })
  const page = await openPage(id)
  await shows(page, ready)
  return { page, id }
}

async function openPage(id: string): Promise<Page> {
  const page = await context.newPage()
  pages.add(page)
  await page.goto(`${address}#${id}`)
  return page
}

/** Where a text stands on the screen of the page: the middle of its first cell. */
async function placeOf(page: Page, text: string): Promise<{ x: number; y: number; cell: number }> {
  const rows = await seenOf(page)
  const row = rows.findIndex((line) => line.startsWith(text) || line.includes(` ${text}`))
  const box = await page.locator('.xterm-screen').first().boundingBox()
  if (row === -1 || box === null) throw new Error(`${text} is not seen`)
  const width = await cellWidthOf(page)
  const column = rows[row]?.indexOf(text) ?? 0
  return { x: box.x + (column + 0.5) * width, y: box.y + ((row + 0.5) * box.height) / rows.length, cell: width }
}

/** As it is on the screen, scaled or not. */
const cellWidthOf = async (page: Page): Promise<number> => {
  const { cols } = (await ask('terminal.list', {}))[0]?.size ?? { cols: 1 }
  const box = await page.locator('.xterm-screen').first().boundingBox()
  return (box?.width ?? 0) / cols
}

/** As a browser does when somebody pastes. */
const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate((content) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', content)
    document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('the find bar counts hits, steps through them, and goes on into history that is not drawn', async () => {
  const { page } = await open(`echo the needle of old; seq -f 'line %.0f' 8000; echo Needle 1; echo needle 2`)
  await page.keyboard.press('Control+Shift+F')
  const bar = page.getByRole('search')
  await page.keyboard.type('needle')
  await bar.getByText('2 of 2, 1 older').waitFor()
  expect(await selectionOf(page)).toBe('needle')
  await page.keyboard.press('Shift+Enter')
  await bar.getByText('1 of 2').waitFor()
  expect(await selectionOf(page)).toBe('Needle')
  await page.keyboard.press('Enter')
  await bar.getByText('2 of 2').waitFor()
  await bar.getByRole('button', { name: 'Aa' }).click()
  await bar.getByText('1 of 1').waitFor()
  await bar.getByRole('textbox').focus()
  await page.keyboard.press('Shift+F3')
  await until(async () => (await seenOf(page)).includes('the needle of old'), { what: 'the old needle' })
  expect(await selectionOf(page)).toBe('needle')
  await bar.getByText('1 of 2').waitFor()
  await page.keyboard.press('Escape')
  await bar.waitFor({ state: 'detached' })
  await page.keyboard.type('echo typed-again\n')
  await shows(page, /^typed-again$/m)
})

test('a link shows where it leads before it is opened, which takes Ctrl and a click, also where its text says otherwise', async () => {
  const link = String.raw`printf 'see \033]8;;%sassets/true?a=1\033\\innocent\033]8;;\033\\ \n' '${address}'`
  const { page } = await open(
    `echo "go ${address}login?x=1 now"; ${link}; printf 'to \\033]8;;file:///etc/passwd\\033\\\\filelink\\033]8;;\\033\\\\\\n'`,
  )
  const target = page.locator('.linkTarget')
  const point = async (text: string) => {
    const { x, y } = await placeOf(page, text)
    await page.mouse.move(x + 2, y)
    await page.mouse.move(x + 12, y)
    return { x: x + 12, y }
  }
  const at = await point(`${address}login`)
  await target.getByText(`${address}login?x=1`).waitFor()
  const opened: string[] = []
  context.on('page', (other) => opened.push(other.url()))
  await page.mouse.click(at.x, at.y)
  const coming = context.waitForEvent('page')
  await page.keyboard.down('Control')
  await page.mouse.click(at.x, at.y)
  await page.keyboard.up('Control')
  const other = await coming
  expect(await other.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  expect(opened).toHaveLength(1)
  await other.close()
  await point('innocent')
  await target.getByText(`${address}assets/true?a=1`).waitFor()
  await point('filelink')
  await target.waitFor({ state: 'detached' })
})

test('a program copies nothing without consent, and a page that is opened later asks for nothing', async () => {
  const { page, id } = await open('true')
  await page.evaluate(() => navigator.clipboard.writeText('before'))
  const say = (text: string) => page.keyboard.type(`printf '\\033]52;c;${Buffer.from(text).toString('base64')}\\a'\n`)
  const question = page.getByRole('group', { name: 'A program wants to copy' })
  await say('hello\u202e\x1b\n')
  await question.getByText('wants to copy 8 characters').waitFor()
  await question.getByText('hello⟨U+202E⟩␛↵').waitFor()
  expect(await clipboardOf(page)).toBe('before')
  await question.getByRole('button', { name: 'No' }).click()
  await question.waitFor({ state: 'detached' })
  // A newer text takes the place of the one that is shown, and no click that was meant for that one counts.
  await say('harmless')
  const allow = question.getByRole('button', { name: 'Allow once' })
  await until(() => allow.isEnabled(), { what: 'the text to have been there for a moment' })
  await page.evaluate(() => {
    const changed = new MutationObserver(() => {
      const group = document.querySelector('.copyQuestion')
      if (group?.querySelector('pre')?.textContent !== 'hostile') return
      for (const button of group.querySelectorAll('button')) if (button.textContent !== 'No') button.click()
      changed.disconnect()
      document.documentElement.dataset['clicked'] = 'true'
    })
    changed.observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await say('hostile')
  await page.locator('html[data-clicked]').waitFor()
  await question.getByText('hostile').waitFor()
  expect(await clipboardOf(page)).toBe('before')
  await question.getByRole('button', { name: 'No' }).click()
  await question.waitFor({ state: 'detached' })
  await say('once')
  await question.getByRole('button', { name: 'Allow once' }).click()
  await until(async () => (await clipboardOf(page)) === 'once', { what: 'the copy' })
  await say('again')
  await question.getByRole('button', { name: 'Always for this terminal' }).click()
  await say('always')
  await until(async () => (await clipboardOf(page)) === 'always', { what: 'the copy without a question' })
  await page.keyboard.type('echo over\n')
  const later = await openPage(id)
  await shows(later, /^over$/m)
  expect(await later.getByRole('group', { name: 'A program wants to copy' }).count()).toBe(0)
  expect(await clipboardOf(later)).toBe('always')
})

test('lines are pasted only after a look at them, a huge paste arrives whole', async () => {
  const { page } = await open('true')
  await page.keyboard.type(`bind 'set enable-bracketed-paste off'; clear\n`)
  await until(async () => !/bind/.test(await textOf(page)), { what: 'an empty screen' })
  const dialog = page.getByRole('dialog')
  await paste(page, 'echo one\necho two\n')
  await dialog.getByRole('heading', { name: 'Paste 2 lines?' }).waitFor()
  await dialog.getByText('echo two').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await paste(page, 'echo one\necho two\n')
  await dialog.getByRole('button', { name: 'Paste as one line' }).click()
  await page.keyboard.press('Enter')
  await shows(page, /^one echo two$/m)
  await paste(page, 'echo \x1b[201~hidden')
  await dialog.getByText('control characters were removed').waitFor()
  await dialog.getByRole('button', { name: 'Paste', exact: true }).click()
  await page.keyboard.press('Enter')
  await shows(page, /^hidden$/m)
  await page.keyboard.type('stty raw -echo; echo go; head -c 5000000 | cksum; stty sane\n')
  await shows(page, /^go$/m)
  const huge = '0123456789abcdef'.repeat(312_500)
  await paste(page, huge)
  await shows(page, new RegExp(execFileSync('cksum', { input: huge, encoding: 'utf8' }).trim()))
})

test('the right text is selected in a tile that is drawn smaller, by the mouse and for programs', async () => {
  const { page } = await open('echo alpha beta gamma delta')
  const drag = async () => {
    const from = await placeOf(page, 'beta')
    await page.mouse.move(from.x - from.cell * 0.4, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x + from.cell * 9.4, from.y, { steps: 4 })
    await page.mouse.up()
    return await selectionOf(page)
  }
  expect(await drag()).toBe('beta gamma')
  await page.evaluate(() => {
    const stage = document.querySelector<HTMLElement>('main')
    Object.assign(stage?.style ?? {}, { transform: 'scale(0.5)', transformOrigin: '0 0' })
  })
  await page.mouse.click(900, 600)
  expect(await drag()).toBe('beta gamma')
  await page.keyboard.type(
    String.raw`printf '\033[?1000h\033[?1006h'; read -rs -d M report; echo "$report" | tr -d '\033'; printf '\033[?1000l'`,
  )
  await page.keyboard.press('Enter')
  await until(async () => (await page.locator('.enable-mouse-events').count()) === 1, { what: 'a program that hears the mouse' })
  const row = (await seenOf(page)).findIndex((line) => line.startsWith('alpha'))
  const { x, y } = await placeOf(page, 'gamma')
  await page.mouse.click(x, y)
  await shows(page, new RegExp(`\\[<0;12;${row + 1}$`, 'm'))
})

test('what is selected is copied at once where the settings say so, without the spaces at the ends of lines', async () => {
  const { page } = await open(`printf 'alpha   \nbeta  \n'`)
  await page.evaluate(() => navigator.clipboard.writeText('before'))
  const select = async () => {
    const [from, to] = [await placeOf(page, 'alpha'), await placeOf(page, 'beta')]
    await page.mouse.move(from.x - from.cell * 0.4, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x + to.cell * 6, to.y, { steps: 4 })
    await page.mouse.up()
  }
  await select()
  expect(await clipboardOf(page)).toBe('before')
  configure('copy_on_select = true')
  await until(
    async () => {
      await select()
      return (await clipboardOf(page)) === 'alpha\nbeta'
    },
    { what: 'the copy' },
  )
  configure('')
})

test('files that are dropped are sent to the daemon, and their paths typed as words of a shell; what is too large is refused', async () => {
  const { page } = await open('true')
  const drop = (type: 'dragover' | 'drop', sizes: readonly number[]) =>
    page.evaluate(
      ([kind, lengths]) => {
        const dataTransfer = new DataTransfer()
        for (const [index, length] of lengths.entries()) dataTransfer.items.add(new File(['x'.repeat(length)], `it's ${index}.txt`))
        document.querySelector('.host')?.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
      },
      [type, sizes] as const,
    )
  await page.keyboard.type('wc -c ')
  await drop('dragover', [1])
  await page.getByText('Drop to insert its path').waitFor()
  await drop('drop', [7, 70_000])
  await shows(page, /wc -c .*0\.txt.*1\.txt/)
  await page.getByText('Drop to insert its path').waitFor({ state: 'detached' })
  await page.keyboard.press('Enter')
  await shows(page, /^ *70007 total$/m)
  await drop('drop', [51 << 20])
  await page.getByText("cannot send it's 0.txt: it has 51 MB, and the limit is 50 MB.").waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
})

test('while the daemon is away the tile says so, refuses what is typed visibly, and goes on without it', async () => {
  const { page } = await open('true')
  const [go, said] = [`${home.path}/go`, `${home.path}/said`]
  const copy = `printf '\\033]52;c;bG9zdA==\\a'`
  await page.keyboard.type(`echo wait''ing; until [ -e ${go} ]; do sleep 0.02; done; ${copy}; echo was here; touch ${said}\n`)
  await shows(page, /^waiting$/m)
  killDaemon(home)
  client.close()
  await page.getByText('Offline').waitFor()
  await page.keyboard.type('lost')
  await page.getByRole('alert').getByText('Not sent: the daemon is away').waitFor()
  writeFileSync(go, '')
  await until(() => existsSync(said), { what: 'words that nobody heard' })
  expect((await run(home, ['daemon', 'start'])).code).toBe(0)
  client = await connectTo(home)
  await page.getByText('Offline').waitFor({ state: 'detached' })
  await shows(page, /^was here$/m)
  await page.keyboard.type('echo kept\n')
  await shows(page, /^kept$/m)
  expect(await textOf(page)).not.toMatch(/lost/)
  // What was said meanwhile is old: it is shown, and does nothing else.
  expect(await page.getByRole('group', { name: 'A program wants to copy' }).count()).toBe(0)
  await page.keyboard.type('exit\n')
  await page.getByLabel('This terminal is not running').waitFor()
  await page.keyboard.type('q')
  await page.locator('.shaken').getByText('Start again').waitFor()
  await page.getByRole('button', { name: 'History' }).click()
  await shows(page, /^kept$/m)
  await page
    .locator('.xterm-screen')
    .first()
    .click({ position: { x: 20, y: 20 } })
  await page.keyboard.type('q')
  await page.getByText('Not sent: no program is running here').waitFor()
})

test('colours and letters follow the settings at once, for one terminal or for all', async () => {
  const { page, id } = await open('true')
  const background = (of: Locator) => of.evaluate((element) => getComputedStyle(element).backgroundColor)
  const screen = page.locator('.screen').first()
  const becomes = (of: Locator, colour: string) => until(async () => expect(await background(of)).toBe(colour) ?? true, { what: colour })
  await page.keyboard.type('true\n') // who types gives it the size of the page
  await becomes(screen, 'rgb(14, 16, 20)')
  const rows = (await seenOf(page)).length
  configure('theme = "light"\nfont_size = 20')
  await becomes(screen, 'rgb(255, 255, 255)')
  await becomes(page.locator('body'), 'rgb(255, 255, 255)')
  await page.keyboard.type('true\n')
  await until(async () => (await seenOf(page)).length < rows, { what: 'fewer rows of larger letters' })
  await ask('terminal.theme', { terminal: id, theme: 'nord' })
  await becomes(screen, 'rgb(46, 52, 64)')
  await becomes(page.locator('body'), 'rgb(255, 255, 255)')
  configure('')
  await becomes(page.locator('body'), 'rgb(14, 16, 20)')
})

test('of ten terminals in view at most eight are drawn by the graphics card, and a lost one is drawn by the page', async () => {
  const { page, id } = await open('true')
  await until(async () => (await renderersOf(page)).join() === 'dom', { what: 'no card that only pretends' })
  for (let more = 0; more < 9; more += 1) await ask('terminal.new', { cwd: '/', env: {}, command: 'cat', args: [] })
  const drawn = await context.newPage()
  pages.add(drawn)
  await pretendCard(drawn)
  await drawn.setViewportSize({ width: 900, height: 500 }) // drawn by the processor, it costs
  await drawn.goto(`${address}#${id}`)
  const count = async (kind: 'gl' | 'dom') => (await renderersOf(drawn)).filter((each) => each === kind).length
  await until(async () => (await count('gl')) === 8 && (await count('dom')) === 2, { what: 'eight of ten' })
  await drawn.keyboard.type('echo drawn\n')
  await shows(drawn, /^drawn$/m)
  await drawn.evaluate(() => {
    for (const canvas of document.querySelectorAll('canvas')) canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext()
  })
  await until(async () => (await count('gl')) === 0, { what: 'all to be drawn by the page' })
  await drawn.keyboard.type('echo still\n')
  await shows(drawn, /^still$/m)
})

test('the browser has nothing to complain about', () => {
  expect(browser.complaints.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
})
