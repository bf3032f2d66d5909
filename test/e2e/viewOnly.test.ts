import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ACTIONS } from '../../src/web/actions/actions.ts'
import { decodeFromDaemon, fromMessage } from '../../src/wire/daemon.ts'
import { barriers } from '../support/axe.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { newLink, PHONE, sees, shows } from '../support/pages.ts'

/** The page of a browser that may only look: it says so, and offers nothing that the daemon would refuse. */
let home: Home
let browser: TestBrowser
let page: Page
/** What the daemon has refused this page. */
let refused: string[]

const SHELL = ['--env', 'PS1=ready> ', '--', 'bash', '--norc', '--noprofile']
const ONLY_LOOKS = 'View only: this browser cannot type here.'

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  browser = await launchBrowser()
  for (const name of ['one', 'two', 'three', 'secret']) await run(home, ['new', '--name', name, ...SHELL])
  await run(home, ['new', '--name', 'asleep', ...SHELL])
  await run(home, ['sleep', '--force', 'asleep'])
  await run(home, ['layout', 'preset', 'main', '1'])
  page = await openViewOnly(['one', 'two', 'three', 'asleep'])
})
afterAll(async () => {
  await browser.close()
  await home.dispose()
})

const viewLink = async (terminals: readonly string[]): Promise<string> =>
  (await json<{ url: string }>(home, ['auth', 'link', '--view', ...terminals])).url

async function openViewOnly(terminals: readonly string[], options: Parameters<TestBrowser['openPage']>[0] = {}): Promise<Page> {
  refused = []
  const opened = await browser.openPage({ viewport: { width: 1280, height: 800 }, ...options })
  opened.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (typeof payload === 'string') return
      const message = decodeFromDaemon(fromMessage(new Uint8Array(payload)))
      if (message?.kind === 'reply' && !message.answer.ok) refused.push(`${message.answer.refusal.code}: ${message.answer.refusal.message}`)
    }),
  )
  opened.setDefaultTimeout(10_000)
  await opened.goto(await viewLink(terminals))
  await opened.waitForURL((url) => url.pathname === '/')
  await opened.locator('.viewOnly').waitFor()
  return opened
}

const row = (name: string) => page.locator('.row').filter({ hasText: name })
const choose = (name: string) => row(name).click()

test('says that it is view only, and why, and passes the accessibility rules', async () => {
  expect(await page.locator('.row .name').allInnerTexts()).toEqual(['one', 'two', 'three', 'asleep'])
  await page.getByRole('button', { name: 'View only' }).click()
  const dialog = page.getByRole('dialog', { name: 'View only' })
  await dialog.getByText('some terminals').waitFor()
  await dialog.getByText('holdfast auth link').waitFor()
  expect(await barriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  expect(await barriers(page)).toEqual([])
})

test('shows terminals as they are, and follows them', async () => {
  await choose('two')
  await sees(page, /ready>/)
  await run(home, ['send', 'two', 'echo "sum=$((40+2))"', '--enter'])
  await sees(page, /sum=42/)
  // Tabs that are brought to the front here stay where they are for others.
  const shown = await json<{ groups: unknown }>(home, ['workspace', 'ls'])
  await choose('one')
  await choose('three')
  await sees(page, /ready>/)
  expect(await json(home, ['workspace', 'ls'])).toEqual(shown)
})

test('what is typed, pasted or dropped is answered once, and never reaches the program', async () => {
  await choose('two')
  await page.locator('.host').first().click()
  await page.keyboard.type('echo typed\n')
  await page.getByText(ONLY_LOOKS).waitFor()
  await page.getByText(ONLY_LOOKS).waitFor({ state: 'detached' })
  await page.keyboard.type('more')
  expect(await page.getByText(ONLY_LOOKS).count()).toBe(0)
  const paste = () =>
    page.evaluate(() => {
      const data = new DataTransfer()
      data.setData('text/plain', 'echo pasted\n')
      document.activeElement?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    })
  await page.locator('.find').focus()
  await page.locator('.host').first().click()
  await paste()
  await page.getByText(ONLY_LOOKS).waitFor()
  const dropped = await page.evaluate(() => {
    const data = new DataTransfer()
    data.items.add(new File(['x'], 'dropped.txt'))
    const host = document.querySelector('.host')
    host?.dispatchEvent(new DragEvent('dragover', { dataTransfer: data, bubbles: true, cancelable: true }))
    const isOffered = document.querySelector('.dropTarget') !== null
    host?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    return isOffered
  })
  expect(dropped).toBe(false)
  const { stdout } = await run(home, ['read', 'two'])
  expect(stdout).not.toMatch(/typed|pasted|dropped/)
})

test('every action that the palette offers, every button and every menu does something that is allowed', { timeout: 180_000 }, async () => {
  await choose('two')
  const offered = await actionsOffered()
  expect(offered).toContain('Show terminal as text')
  expect(offered).toContain('Log out')
  expect(offered.filter((title) => /close|rename|new terminal|^settings|to sleep|paste|split|move|checkpoint/i.test(title))).toEqual([])
  for (const title of offered.filter((each) => !/^Log out|^Show or hide/.test(each))) {
    await page.keyboard.press('Control+k')
    await page.locator('.paletteField').fill(`>${title}`)
    await page.locator('.paletteRow').first().click()
    await leaveDialogs()
  }
  for (const name of ['two', 'asleep']) {
    await choose(name)
    // The terminal gets the keyboard a moment after it was chosen, which closes a menu that is open by then.
    const menu = async () => {
      await row(name).click({ button: 'right' })
      return (await page.locator('.menuBox .menuItem').allInnerTexts()).join()
    }
    await until(async () => (await menu()) === 'Show as text', { what: 'a menu of what may be chosen' })
    await page.keyboard.press('Escape')
    await clickEveryButton()
  }
  expect(refused).toEqual([])
  expect(await page.locator('.notice').count()).toBe(0)
})

test('every shortcut that there is is allowed, or does nothing', { timeout: 60_000 }, async () => {
  await choose('two')
  const keys = ACTIONS.flatMap((action) => action.keys ?? []).map((each) => each.replace('Ctrl', 'Control').replace('Mod', 'Control'))
  expect(keys.length).toBeGreaterThan(10)
  const before = await json<readonly { id: string }[]>(home, ['ls'])
  for (const each of keys) {
    await page.keyboard.press(each)
    await leaveDialogs()
    if (each === 'Control+Shift+B') await page.locator('.railOpen').click()
  }
  if ((await page.locator('.zoomHint').count()) > 0) await page.locator('.zoomHint').click()
  // F2 and a double click rename, Delete closes, Alt and an arrow move a row.
  await row('two').press('Alt+ArrowDown')
  await page.locator('.tab[data-active="true"] [role="tab"]').press('F2')
  await page.locator('.tab[data-active="true"] [role="tab"]').press('Delete')
  await page.locator('.tab[data-active="true"] [role="tab"]').dblclick()
  await page.locator('.workspaceTab').first().dblclick()
  expect(await page.locator('dialog[open], .rename').count()).toBe(0)
  expect(refused).toEqual([])
  expect(await json<readonly { id: string }[]>(home, ['ls'])).toHaveLength(before.length)
})

test('terminals of another size are framed without a button to take them over, and their size stays', async () => {
  await choose('one')
  await run(home, ['resize', 'one', '60x10'])
  const framed = page.locator('.screen[data-framed="true"]')
  await framed.waitFor()
  expect(await page.locator('.sizeNote').count()).toBe(0)
  await page.setViewportSize({ width: 1000, height: 700 })
  await framed.waitFor()
  const [one] = (await json<readonly { name: string; size: { cols: number; rows: number } }[]>(home, ['ls'])).filter(
    ({ name }) => name === 'one',
  )
  expect(one?.size).toEqual({ cols: 60, rows: 10 })
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('on a phone there are no keys to type with, and the chip is in the bar', async () => {
  const phone = await openViewOnly(['one', 'two'], PHONE)
  await phone.locator('.phoneBar .viewOnly').waitFor()
  await shows(phone, /ready>/)
  expect(await phone.locator('.softKeys').count()).toBe(0)
  expect(await phone.getByRole('button', { name: 'New terminal' }).count()).toBe(0)
  expect(await barriers(phone)).toEqual([])
  expect(refused).toEqual([])
  await phone.context().close()
})

test('says when it may do everything from now on, when it is view only again, and when it is logged out', async () => {
  const link = async (url: string) => {
    const tab = await page.context().newPage()
    await tab.goto(url)
    await tab.waitForURL((at) => at.pathname === '/')
    await tab.close()
  }
  await link(await newLink(home))
  await page.getByText('This browser now has full access.').waitFor()
  await page.locator('.viewOnly').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'New terminal' }).first().waitFor()
  await choose('secret')
  await sees(page, /ready>/)
  await page.locator('.host').first().click()
  await page.keyboard.type('echo "sum=$((50+5))"\n')
  await sees(page, /sum=55/)
  await link(await viewLink(['one', 'two']))
  await page.getByText('This browser is now view only.').waitFor()
  await page.locator('.viewOnly').waitFor()
  await until(async () => (await page.locator('.row .name').allInnerTexts()).join() === 'one,two', {
    what: 'the terminals of the new link',
  })
  expect(await page.getByRole('button', { name: 'New terminal' }).count()).toBe(0)
  await run(home, ['auth', 'revoke', '--all'])
  await page.getByText('Logged out').first().waitFor()
})

async function actionsOffered(): Promise<readonly string[]> {
  await page.keyboard.press('Control+k')
  await page.locator('.paletteField').fill('>')
  await page.locator('.paletteRow').first().waitFor()
  const titles = await page.locator('.paletteLabel').allInnerTexts()
  await page.keyboard.press('Escape')
  return titles
}

async function leaveDialogs(): Promise<void> {
  for (let at = 0; at < 3 && (await page.locator('dialog[open]').count()) > 0; at += 1) await page.keyboard.press('Escape')
}

async function clickEveryButton(): Promise<void> {
  const count = await page.locator('button:visible').count()
  for (let at = 0; at < count; at += 1) {
    const button = page.locator('button:visible').nth(at)
    if ((await button.count()) === 0) break
    if (/log out|hide /i.test(`${await button.innerText()} ${await button.getAttribute('aria-label')}`)) continue
    await button.click({ timeout: 3_000 }).catch(() => undefined) // it may be gone, or covered
    await leaveDialogs()
    await page.keyboard.press('Escape')
  }
}
