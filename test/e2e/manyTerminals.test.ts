import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import type { CommandName, Outcome, Params } from '../../src/wire/commands/commands.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { connectTo, status } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { LAST_SCREEN, writeSleepers } from '../support/manyTerminals.ts'
import { until } from '../support/milestone.ts'
import { newLink, PHONE, shows, showsStill } from '../support/pages.ts'

const ASLEEP = 200
const LIVE = ['live-1', 'live-2', 'live-3']

/** A workspace of two hundred terminals: nothing of one is fetched, attached or drawn before it is looked at. */
let home: Home
let browser: TestBrowser
let daemon: DaemonClient

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  browser = await launchBrowser()
  await writeSleepers(home, ASLEEP)
  await run(home, ['daemon', 'start'])
  daemon = await connectTo(home)
  for (const name of LIVE) {
    await ask('terminal.new', { name, cwd: '/', env: {}, command: 'sh', args: ['-c', `echo this is ${name}; exec cat`] })
    await ask('terminal.wait', { terminal: name, until: { kind: 'text', pattern: `this is ${name}` } })
  }
  daemon.close()
  await run(home, ['daemon', 'stop'])
  await run(home, ['daemon', 'start'])
  daemon = await connectTo(home)
}, 60_000)

afterAll(async () => {
  daemon.close()
  await browser.close()
  await home.dispose()
})

async function ask<Name extends CommandName>(name: Name, params: Params<Name>): Promise<Outcome<Name>> {
  const answer = await daemon.request(name, params)
  if (!answer.ok) throw new Error(answer.refusal.message)
  return answer.value.result
}

/** What the page has asked for: pictures, and channels by the terminal they are of. */
type Asked = { readonly stills: string[]; readonly opened: string[] }

async function openPage(options: Parameters<TestBrowser['openPage']>[0] = {}): Promise<{ page: Page; asked: Asked }> {
  const page = await browser.openPage({ viewport: { width: 1280, height: 800 }, ...options })
  const asked: Asked = { stills: [], opened: [] }
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/still') asked.stills.push(request.url())
  })
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const text = payload.toString('latin1')
      if (text.includes('"terminal.open"')) asked.opened.push(/"terminal":"(\w+)"/.exec(text)?.[1] ?? '')
    }),
  )
  await page.goto(await newLink(home))
  await page.waitForURL((url) => url.pathname === '/')
  return { page, asked }
}

const drawn = async (page: Page) => ({ stills: await page.locator('.still').count(), drawings: await page.locator('.xterm').count() })
const screens = async () => (await status(home)).screens
const workspace = async (): Promise<string> => (await ask('workspace.list', {}))[0]?.id ?? ''
const idOf = async (name: string): Promise<string> => (await ask('terminal.list', {})).find((each) => each.name === name)?.id ?? ''

test('side by side: every row is in the dock, and where nothing could be read nothing is fetched or drawn', {
  timeout: 60_000,
}, async () => {
  const { page, asked } = await openPage()
  await until(async () => (await page.locator('[data-row]').count()) === ASLEEP + LIVE.length, { what: 'every row of the dock' })
  await until(async () => (await page.locator('.smallTile').count()) === ASLEEP + LIVE.length, { what: 'every tile' })
  await until(async () => (await screens())?.deferred === LIVE.length, { what: 'the live ones to be left alone' })
  await page.locator('[data-row]').last().scrollIntoViewIfNeeded()
  expect(await page.locator('[data-row]').last().innerText()).toContain('live-3')
  expect([asked, await drawn(page), await screens()]).toEqual([
    { stills: [], opened: [] },
    { stills: 0, drawings: 0 },
    { open: 0, opened: 0, deferred: LIVE.length },
  ])

  // One that is looked at is fetched, and no other.
  await page.locator(`[data-terminal="${await idOf('t7')}"] .smallTile`).click()
  await showsStill(page, new RegExp(LAST_SCREEN), await idOf('t7'))
  expect([asked.stills.length, asked.opened.length, await drawn(page)]).toEqual([1, 0, { stills: 1, drawings: 0 }])
  await ask('layout.zoom', { terminal: 't7', zoomed: false })
  await page.close()
})

test('on the canvas: only what is in view has a picture, a drawing and a channel, and each has one', { timeout: 60_000 }, async () => {
  await ask('workspace.view', { workspace: await workspace(), view: 'canvas' })
  const { page, asked } = await openPage()
  await page.locator('.tileCard').first().waitFor()
  expect([asked, await drawn(page)]).toEqual([
    { stills: [], opened: [] },
    { stills: 0, drawings: 0 },
  ])
  const live = await idOf('live-2')
  await page.locator(`[data-row="${live}"]`).click()
  await shows(page, /this is live-2/, { id: live })
  const inView = await page.locator('section.tile:not(.tileCard)').count()
  expect(inView).toBeLessThan(20)
  const { stills, drawings } = await drawn(page)
  expect(stills + drawings).toBeLessThanOrEqual(inView)
  expect(new Set(asked.opened).size).toBe(asked.opened.length)
  expect(asked.stills.length).toBeLessThan(40) // those it passed on its way there, too
  expect((await screens())?.opened).toBe(new Set(asked.opened).size)

  // From the canvas to a tile alone and back it is the same drawing, on the same channel.
  const before = [...asked.opened]
  await ask('layout.zoom', { terminal: live, zoomed: true })
  await until(async () => (await page.locator('.canvasView').count()) === 0, { what: 'the tile alone' })
  await shows(page, /this is live-2/, { id: live })
  await ask('layout.zoom', { terminal: live, zoomed: false })
  await page.locator('.canvasView').waitFor()
  await shows(page, /this is live-2/, { id: live })
  expect(asked.opened.filter((id) => id === live)).toEqual([live])
  expect(before).toContain(live)
  await page.close()
})

test('on a phone: one terminal is drawn, and the sheet has all of them', { timeout: 60_000 }, async () => {
  const { page, asked } = await openPage(PHONE)
  await until(async () => asked.stills.length + asked.opened.length > 0, { what: 'the one that is looked at' })
  await page.getByRole('button', { name: 'Terminals' }).first().tap()
  await until(async () => (await page.locator('[data-row]').count()) === ASLEEP + LIVE.length, { what: 'every row of the sheet' })
  expect(asked.stills.length + asked.opened.length).toBe(1)
  await page.close()
})
