import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import type { CommandName, Outcome, Params } from '../../src/wire/commands/commands.ts'
import type { WorkspaceView } from '../../src/wire/topologyView.ts'
import type { LayoutNode } from '../../src/workspace/layout/layout.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { connectTo } from '../support/daemon.ts'
import { json } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/** Both views of a workspace, in a real browser. One daemon and one browser; each test has a workspace of its own. */
const WAIT_MS = 15_000 // a busy machine draws eight screens in software
const VIEWPORT = { width: 1440, height: 900 }
let home: Home
let browser: TestBrowser
let daemon: DaemonClient
let page: Page
let number = 0

async function ask<Name extends CommandName>(name: Name, params: Params<Name>): Promise<Outcome<Name>> {
  const answer = await daemon.request(name, params)
  if (!answer.ok) throw new Error(answer.refusal.message)
  return answer.value.result
}

async function openPage(): Promise<Page> {
  const opened = await browser.openPage({ viewport: VIEWPORT })
  opened.setDefaultTimeout(WAIT_MS)
  await opened.goto((await json<{ url: string }>(home, ['--no-open'])).url)
  await opened.locator('.workspaceTab').first().waitFor()
  return opened
}

/** A workspace with so many terminals, side by side, that the page shows. */
async function workspaceOf(...names: string[]): Promise<{ readonly id: string; readonly name: string }> {
  number += 1
  const made = await ask('workspace.new', { name: `ws${number}` })
  for (const [index, name] of names.entries()) {
    const beside = index === 0 ? {} : { beside: { terminal: `${names[index - 1]}${number}`, where: 'right' as const } }
    const args = ['-c', `echo ready-${name}; exec cat`]
    await ask('terminal.new', { name: `${name}${number}`, cwd: '/', env: {}, command: 'sh', args, workspace: made.id, ...beside })
  }
  if (names.length > 1) await ask('layout.balance', { workspace: made.id })
  await show(made.name)
  for (const name of names) await tile(name).waitFor()
  return made
}

const show = (name: string, on: Page = page) => on.locator('.workspaceTab').filter({ hasText: name }).click()
const tile = (name: string, on: Page = page) => on.locator(`section.tile[aria-label="${name}${number}"]`)
const header = (name: string, on: Page = page) => tile(name, on).locator('.tileHeader')
const focused = (on: Page = page): Promise<string | null> => on.locator('.tile[data-focused="true"]').getAttribute('aria-label')

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

async function boxOf(name: string, on: Page = page): Promise<Box> {
  const box = await tile(name, on).boundingBox()
  if (box === null) throw new Error(`${name} is not seen`)
  return box
}

async function viewOf(id: string): Promise<WorkspaceView> {
  const found = (await ask('group.list', {})).flatMap(({ workspaces }) => workspaces).find((each) => each.id === id)
  if (found === undefined) throw new Error(`no workspace ${id}`)
  return found
}

/** The tree in a line, by the first letters of the names. */
async function shapeOf(id: string): Promise<string> {
  const names = new Map((await ask('terminal.list', {})).map((each) => [each.id, each.name?.replace(/\d+$/, '') ?? 'new']))
  const line = (node: LayoutNode): string =>
    node.kind === 'slot'
      ? node.terminals.map((each) => names.get(each)).join('+')
      : `(${node.children.map((child) => line(child.node)).join(node.direction === 'row' ? ' | ' : ' / ')})`
  const { root } = (await viewOf(id)).layout
  return root === null ? '' : line(root)
}
const becomes = (id: string, shape: string) => settled(() => shapeOf(id), shape)

async function drag(from: { readonly x: number; readonly y: number }, to: { readonly x: number; readonly y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 })
  await page.mouse.move(to.x, to.y, { steps: 3 })
}

/** By the middle of the title bar. */
async function dragTile(name: string, to: { readonly x: number; readonly y: number }): Promise<void> {
  const box = await boxOf(name)
  await drag({ x: box.x + box.width / 3, y: box.y + 16 }, to)
}

const middle = ({ x, y, width, height }: Box) => ({ x: x + width / 2, y: y + height / 2 })

/** Waits until what is read is the value, or fulfils the condition. */
const settled = <Value>(read: () => Promise<Value>, wanted: Value | ((value: Value) => boolean), what = String(wanted)) =>
  until(
    async () => {
      const value = await read()
      const isMet = wanted instanceof Function ? wanted(value) : value === wanted
      if (!isMet) throw new Error(JSON.stringify(value))
      return true
    },
    { what, timeoutMs: WAIT_MS },
  )

/** Where nothing lies on the canvas. */
const backgroundPoint = () =>
  page.evaluate(() => {
    for (let y = 820; y > 100; y -= 20)
      for (let x = 400; x < 1400; x += 20) if (document.elementFromPoint(x, y)?.matches('.react-flow__pane')) return { x, y }
    throw new Error('no background')
  })

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  ;[browser] = await Promise.all([launchBrowser(), json(home, ['ls'])])
  daemon = await connectTo(home)
  page = await openPage()
})
afterAll(async () => {
  await daemon.close()
  await browser.close()
  await home.dispose()
})

test('a border that is dragged changes the sizes once, for both browsers and after a reload; two clicks on it balance', async () => {
  const { id, name } = await workspaceOf('a', 'b')
  const other = await openPage()
  await show(name, other)
  await tile('b', other).waitFor()
  const border = page.locator('.border')
  const line = middle((await border.boundingBox()) as Box)
  await drag(line, { x: line.x - 200, y: line.y })
  const under = await boxOf('a')
  expect((await viewOf(id)).layout.root).toMatchObject({ children: [{ size: 0.5 }, { size: 0.5 }] }) // not before it is released
  await page.mouse.up()
  await settled(
    () => viewOf(id),
    ({ layout }) => layout.root?.kind === 'split' && (layout.root.children[0]?.size ?? 1) < 0.4,
    'the sizes to be told',
  )
  await settled(
    () => boxOf('a', other),
    ({ width }) => Math.abs(width - under.width) < 3,
    'the other browser to follow',
  )
  await page.reload()
  await show(name)
  await settled(
    () => boxOf('a'),
    ({ width }) => Math.abs(width - under.width) < 3,
    'the same sizes after a reload',
  )
  expect((await ask('terminal.list', {})).find((each) => each.name === `a${number}`)?.size.cols).toBeLessThan(70)

  await border.focus()
  await page.keyboard.press('ArrowRight')
  await settled(
    () => boxOf('a'),
    ({ width }) => width > under.width + 20,
    'an arrow to move the border',
  )
  await border.dblclick()
  await settled(
    () => viewOf(id),
    ({ layout }) => layout.root?.kind === 'split' && layout.root.children[0]?.size === 0.5,
    'equal sizes',
  )
  await settled(
    () => boxOf('b', other),
    ({ width }) => Math.abs(width - under.width) > 100,
    'the other browser to balance, too',
  )
  await other.context().close()
})

test('a terminal is docked at each edge and as a tab where its title bar is dropped; Escape and its own place change nothing', async () => {
  const { id } = await workspaceOf('a', 'b', 'c')
  await becomes(id, '(a | b | c)')
  const b = await boxOf('b')
  await dragTile('c', { x: b.x + b.width / 2, y: b.y + b.height - 20 })
  await page.locator('.dropZone[data-where="bottom"]').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.dropZone').waitFor({ state: 'detached' })
  await page.mouse.up()
  await dragTile('a', { x: b.x + 12, y: middle(b).y }) // it is there already
  expect(await page.locator('.dragName').count()).toBe(1)
  expect(await page.locator('.dropZone').count()).toBe(0)
  await page.mouse.up()
  expect(await shapeOf(id)).toBe('(a | b | c)')

  await dragTile('c', { x: b.x + b.width / 2, y: b.y + b.height - 20 })
  await page.mouse.up()
  await becomes(id, '(a | (b / c))')
  await settled(
    () => boxOf('b'),
    ({ y, height }) => y + height < 600,
    'b above c',
  )
  await dragTile('a', middle(await boxOf('c')))
  await page.locator('.dropZone[data-where="center"]').waitFor()
  await page.mouse.up()
  await becomes(id, '(b / c+a)')
  await tile('a').waitFor()
  await settled(
    () => boxOf('b'),
    ({ width }) => width > 2 * b.width,
    'b over the whole width',
  )
  const top = await boxOf('b')
  await dragTile('b', { x: 0, y: 0 }) // outside of everything
  await page.mouse.up()
  const a = await boxOf('a')
  await dragTile('b', { x: a.x + a.width - 12, y: middle(a).y })
  await page.mouse.up()
  await becomes(id, '(c+a | b)')
  await settled(
    () => boxOf('b'),
    ({ width }) => width < top.width,
    'b on the right',
  )
})

test('tabs share a slot: a click, keys and arrows show one, the middle button closes one', async () => {
  const { id } = await workspaceOf('a', 'b', 'c')
  await page.getByRole('button', { name: 'Layout' }).click()
  await page.getByRole('button', { name: '1: tabs', exact: true }).click()
  await becomes(id, 'a+b+c')
  const tab = (name: string) => page.getByRole('tab', { name: `${name}${number}` })
  await tab('b').click()
  await tile('b').waitFor()
  expect([await tab('b').getAttribute('aria-selected'), await page.locator('.tile').count()]).toEqual(['true', 1])
  await page.keyboard.press('Control+Shift+PageDown')
  await tile('c').waitFor()
  await page.keyboard.press('Control+Shift+PageDown')
  await tile('a').waitFor()
  await tab('a').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await tile('b').waitFor()
  await tab('a').click({ button: 'middle' })
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click()
  await becomes(id, 'b+c')
})

test('presets, balance and zoom change what is seen, and one can go back', async () => {
  const { id } = await workspaceOf('a', 'b', 'c', 'd')
  const choose = async (label: string) => {
    await page.getByRole('button', { name: 'Layout' }).click()
    await page.getByRole('button', { name: label, exact: true }).click()
  }
  await choose('4: grid')
  await becomes(id, '((a | b) / (c | d))')
  await choose('3: one large + two')
  await becomes(id, '(a | (b / c+d))')
  await choose('6: grid')
  await becomes(id, '((a | b | c) / d)')
  await ask('layout.sizes', { workspace: id, path: [], sizes: [3, 1] })
  await settled(
    () => boxOf('d'),
    ({ height }) => height < 240,
    'd to be low',
  )
  await choose('Balance all splits')
  await settled(
    () => boxOf('d'),
    ({ height }) => height > 380,
    'd to be half as high',
  )

  await header('b').hover()
  await header('b').getByRole('button', { name: 'Zoom', exact: true }).click()
  await settled(
    () => boxOf('b'),
    ({ width }) => width > 1000,
    'b alone',
  )
  expect(await page.locator('.tile').count()).toBe(1)
  await page.getByRole('button', { name: /^3 hidden · Show all/ }).click()
  await tile('a').waitFor()
  await page.keyboard.press('Control+Shift+X')
  await settled(
    () => page.locator('.tile').count(),
    (count) => count === 1,
    'one alone by keys',
  )
  await page.keyboard.press('Control+Shift+X')
  await tile('d').waitFor()
})

test('on the canvas tiles are dragged on a grid, resized, zoomed, panned, arranged and brought into view', async () => {
  const { id } = await workspaceOf('a', 'b', 'c')
  await page.getByRole('button', { name: 'Canvas', exact: true }).click()
  await page.getByLabel('Canvas map').waitFor()
  await tile('a').locator('.xterm').waitFor()
  await page.getByRole('button', { name: 'Show at 100 %' }).click()
  await settled(
    () => page.locator('.zoomText').innerText(),
    (text) => text.startsWith('100 %'),
    'the actual size',
  )
  await page.getByRole('button', { name: 'Show all' }).click()
  await settled(
    () => page.locator('.zoomText').innerText(),
    (text) => !text.startsWith('100 %'),
    'all to be brought into view',
  )
  const rectOf = async (name: string) => {
    const terminal = (await ask('terminal.list', {})).find((each) => each.name === `${name}${number}`)
    return (await viewOf(id)).canvas[terminal?.id ?? ''] as Box
  }
  const before = await rectOf('c')
  const seen = await settledBox('c')
  await dragTile('c', { x: seen.x + seen.width / 3 + 101, y: seen.y + 16 + 67 })
  const under = await boxOf('c')
  await page.mouse.up()
  await settled(
    () => rectOf('c'),
    ({ x }) => x !== before.x,
    'the daemon to know the place',
  )
  const placed = await rectOf('c')
  expect([placed.x % 24, placed.y % 24, placed.width, placed.height]).toEqual([0, 0, before.width, before.height].map((value) => value + 0))
  expect(await boxOf('c')).toEqual(under)

  await page.keyboard.down('Alt')
  await dragTile('c', { x: under.x + under.width / 3 + 31, y: under.y + 16 })
  await page.mouse.up()
  await page.keyboard.up('Alt')
  await settled(
    () => rectOf('c'),
    ({ x }) => x !== placed.x && x % 24 !== 0,
    'a place off the grid',
  )

  const corner = await boxOf('c')
  await drag(
    { x: corner.x + corner.width, y: corner.y + corner.height },
    { x: corner.x + corner.width - 120, y: corner.y + corner.height - 60 },
  )
  await page.mouse.up()
  await settled(
    () => rectOf('c'),
    ({ width, height }) => width < before.width && height < before.height,
    'c to be smaller',
  )
  await until(async () => ((await ask('terminal.list', {})).find((each) => each.name === `c${number}`)?.size.cols ?? 999) < 80, {
    what: 'its program to know',
  })

  const wide = (await boxOf('a')).width
  const size = (await ask('terminal.list', {})).find((each) => each.name === `a${number}`)?.size
  await page.mouse.move(middle(await boxOf('a')).x, middle(await boxOf('a')).y)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -120)
  await page.keyboard.up('Control')
  await settled(
    () => boxOf('a'),
    ({ width }) => width > wide * 1.1,
    'Ctrl and the wheel to zoom, over a terminal',
  )
  const corner2 = await boxOf('a')
  await page.mouse.wheel(0, 90)
  expect(await boxOf('a')).toEqual(corner2) // without Ctrl it scrolls the terminal
  const ground = await backgroundPoint()
  await drag(ground, { x: ground.x - 60, y: ground.y - 60 })
  await page.mouse.up()
  await settled(
    () => boxOf('a'),
    ({ x }) => x < corner2.x - 40,
    'the background to be dragged',
  )
  await page.mouse.wheel(0, 90)
  await settled(
    () => boxOf('a'),
    ({ y }) => y < corner2.y - 100,
    'the wheel on the background to pan',
  )
  expect((await ask('terminal.list', {})).find((each) => each.name === `a${number}`)?.size).toEqual(size) // zoom is not size

  for (let turn = 0; turn < 8; turn += 1) await page.getByRole('button', { name: 'Zoom out' }).click()
  await page.locator('.tileCard').first().waitFor()
  expect(await page.locator('.plane .xterm').count()).toBe(0)
  await page.getByRole('button', { name: 'Arrange by repository' }).click()
  await settled(
    () => rectOf('c'),
    ({ x, y }) => y === 0 && x > 0,
    'the tiles in a row',
  )
  await page.reload()
  await page.getByLabel('Canvas map').waitFor()

  await ask('canvas.place', { terminal: `b${number}`, rect: { x: 9_000, y: 9_000, width: 720, height: 456 } })
  await settled(
    () => tile('b').count(),
    (count) => count === 0,
    'b to be far away',
  )
  await page
    .locator('.row')
    .filter({ hasText: `b${number}` })
    .click()
  await tile('b').locator('.xterm').waitFor()

  await settledBox('b')
  expect(await page.locator('.react-flow__minimap-node').count()).toBe(3)
  const onMap = middle((await page.getByLabel('Canvas map').boundingBox()) as Box)
  const shownBy = () => page.locator('.react-flow__viewport').getAttribute('style')
  const unmoved = await shownBy()
  await drag(onMap, { x: onMap.x + 20, y: onMap.y })
  await page.mouse.up()
  await settled(shownBy, (style) => style !== unmoved, 'the map to be dragged')
  await page.getByRole('button', { name: 'Split', exact: true }).click()
  await page.locator('.border').first().waitFor()
})

/** Once nothing moves any more. A busy browser draws rarely: what is compared is two frames apart. */
async function settledBox(name: string): Promise<Box> {
  const twoFrames = () => page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  let last = await boxOf(name)
  await until(
    async () => {
      await twoFrames()
      const next = await boxOf(name)
      const same = JSON.stringify(next) === JSON.stringify(last)
      last = next
      return same
    },
    { what: `${name} to stand still` },
  )
  return last
}

test('a terminal dropped on a workspace goes there, from either view, and both browsers see it at once', async () => {
  const goal = await ask('workspace.new', { name: `goal${number}` })
  const { id, name } = await workspaceOf('a', 'b', 'c')
  const other = await openPage()
  await show(name, other)
  await tile('a', other).waitFor()
  const target = async () => middle((await page.locator('.workspaceTab').filter({ hasText: goal.name }).boundingBox()) as Box)
  await dragTile('b', await target())
  await page.locator('.workspaceTab[data-drop="true"]').waitFor()
  await page.mouse.up()
  await becomes(id, '(a | c)')
  await becomes(goal.id, 'b')
  await tile('b', other).waitFor({ state: 'detached' })
  await show(name)
  await ask('workspace.view', { workspace: id, view: 'canvas' })
  await page.getByLabel('Canvas map').waitFor()
  await other.getByLabel('Canvas map').waitFor()
  await settledBox('c')
  await dragTile('c', await target())
  await page.locator('.workspaceTab[data-drop="true"]').waitFor()
  await page.mouse.up()
  await becomes(id, 'a')
  await other.context().close()
})

async function newestHasKeyboard(): Promise<void> {
  const newest = (await ask('terminal.list', {})).toSorted((a, b) => b.created - a.created)[0]?.id
  await settled(keyboardIn, newest ?? '', 'the new one to have the keyboard')
}

/** The id of the terminal that what is typed goes to. */
const keyboardIn = () =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('.host')?.closest<HTMLElement>('.tile')?.dataset['terminal'] ?? '')

test('without a mouse: new, split, go, move, zoom, rename a workspace, close', async () => {
  const { id } = await workspaceOf('a')
  await page.keyboard.press('Control+Shift+E')
  await becomes(id, '(a | new)')
  await newestHasKeyboard()
  await page.keyboard.press('Control+Shift+O')
  await becomes(id, '(a | (new / new))')
  await newestHasKeyboard()
  await page.keyboard.press('Alt+Shift+ArrowLeft')
  await settled(focused, (label) => label === `a${number}`, 'to go left')
  await page.keyboard.type('typed into a\n')
  await until(
    async () =>
      (await page.evaluate(() => (globalThis as unknown as { holdfast: { text(): string } }).holdfast.text())).includes('typed into a'),
    {
      what: 'what is typed to arrive',
    },
  )
  await page.keyboard.press('Control+Alt+Shift+ArrowRight')
  await becomes(id, '((new | a) / new)')
  await settled(
    () => page.evaluate(() => document.activeElement?.closest('.tile')?.getAttribute('aria-label')),
    (label) => label === `a${number}`,
    'it to keep the keyboard',
  )
  await page.keyboard.press('Control+Shift+X')
  await settled(
    () => page.locator('.tile').count(),
    (count) => count === 1,
    'one alone',
  )
  await page.keyboard.press('Control+Shift+X')
  await settled(
    () => page.locator('.tile').count(),
    (count) => count === 3,
    'all again',
  )
  await page.keyboard.press('Control+Shift+L')
  await page.getByLabel('Canvas map').waitFor()
  await page.keyboard.press('Control+Shift+L')
  await page.locator('.border').first().waitFor()
  await page.keyboard.press('Alt+Shift+PageUp')
  await settled(
    () => page.locator('.workspaceTab[aria-pressed="true"]').innerText(),
    (text) => text !== `ws${number}`,
    'another workspace',
  )
  await page.keyboard.press('Alt+Shift+PageDown')
  await tile('a').waitFor()
  await header('a').getByRole('button', { name: 'Close', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).focus()
  await page.keyboard.press('Enter')
  await becomes(id, '(new / new)')
})

test('workspaces are made, renamed, moved and closed in the bar; their terminals go where they are told', async () => {
  const { id, name } = await workspaceOf('a')
  await page.getByRole('button', { name: 'New workspace' }).click()
  await page.getByLabel('Name of the new workspace').fill('fresh')
  await page.keyboard.press('Enter')
  await page.locator('.workspaceTab[aria-pressed="true"]').filter({ hasText: 'fresh' }).waitFor()
  await page.getByRole('heading', { name: 'No terminals in this workspace' }).waitFor()
  await page.locator('.workspaceTab').filter({ hasText: name }).dblclick()
  await page.getByLabel('Name of this workspace').fill('renamed')
  await page.keyboard.press('Enter')
  const renamed = page.locator('.workspaceTab').filter({ hasText: 'renamed' })
  await renamed.waitFor()
  expect((await viewOf(id)).name).toBe('renamed')

  const order = async () => (await ask('workspace.list', {})).map((each) => each.name)
  const [own, first] = [middle((await renamed.boundingBox()) as Box), (await page.locator('.workspaceTab').first().boundingBox()) as Box]
  await drag(own, { x: first.x + 2, y: own.y })
  await page.mouse.up()
  await settled(order, ([head]) => head === 'renamed', 'it to be the first')

  await page.getByRole('button', { name: 'This workspace' }).click()
  await page.getByRole('menuitem', { name: 'Close workspace…' }).click()
  await page.getByLabel('Move them to').selectOption({ label: 'fresh' })
  await page.getByRole('button', { name: 'Close workspace' }).click()
  await settled(order, (names) => !names.includes('renamed'), 'the workspace to be gone')
  await show('fresh')
  await tile('a').waitFor()
})

test('nothing complained', () => {
  expect(browser.complaints).toEqual([])
})
