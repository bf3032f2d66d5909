import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import type { CommandName, Outcome, Params } from '../../src/wire/commands/commands.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { connectTo, holdersOf, programsOf } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openLoggedIn, pretendCard, shows, showsStill } from '../support/pages.ts'

/** A terminal that sleeps is a picture, and a citizen of the page like any other. One daemon and one browser. */
let home: Home
let browser: TestBrowser
let daemon: DaemonClient

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  browser = await launchBrowser()
  await run(home, ['daemon', 'start'])
  daemon = await connectTo(home)
})

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

/** Ink or none in each cell, so that no line is like another. */
const COLOURS =
  'for i in $(seq 1 18); do printf "%03d \x1b[3%dm%s\x1b[0m\n" $i $((i % 7 + 1)) "$(echo $i | sha256sum | cut -c1-40 | tr 0-7 " " | tr 89a-f "#")"; done'
/** Tidies up when it is asked to end: nothing of that is to be seen. */
const program = (says: string) => ['-c', `${says}; trap 'printf "\\033[2J\\033[Hbye"; exit' HUP TERM; sleep 1000 & wait`]
const start = (name: string, says = `echo ready-${name}`, more: Partial<Params<'terminal.new'>> = {}) =>
  ask('terminal.new', { name, cwd: '/', env: {}, command: 'bash', args: ['--norc', ...program(says)], ...more })
const sleep = (terminal: string) => ask('terminal.sleep', { terminal, force: true })
const tile = (page: Page, name: string) => page.locator(`section.tile[aria-label="${name}"]`)
const rest = (page: Page, name: string) => tile(page, name).getByLabel('This terminal is not running')
const isAsleep = async (name: string) => (await ask('terminal.list', {})).find((each) => each.name === name)?.state === 'asleep'

/** Down by so many pixels, by its left third. */
async function drag(page: Page, of: Locator, down: number): Promise<void> {
  let [box, last] = [await of.boundingBox(), '']
  while (JSON.stringify(box) !== last) [last, box] = [JSON.stringify(box), await of.boundingBox()] // it has come to rest
  const at = { x: (box?.x ?? 0) + (box?.width ?? 0) / 3, y: (box?.y ?? 0) + 16 }
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  await page.mouse.move(at.x, at.y + down, { steps: 10 })
  await page.mouse.up()
}

/** A cell of the usual font. */
const CELL = { width: 7.83, height: 18 }

/** In how many cells one picture has more or less ink than the other, which is moved by so many of them. */
function cellsThatDiffer(
  page: Page,
  pictures: readonly [string, string],
  moved: readonly (readonly [number, number])[],
): Promise<number[]> {
  return page.evaluate(
    async ({ pictures, moved, cell }) => {
      const read = async (base64: string): Promise<ImageData> => {
        const image = new Image()
        image.src = `data:image/png;base64,${base64}`
        await image.decode()
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
        context?.drawImage(image, 0, 0)
        return context?.getImageData(0, 0, image.width, image.height) ?? new ImageData(1, 1)
      }
      const inkOf = ({ data, width }: ImageData, column: number, row: number): number => {
        const [left, top] = [Math.round(column * cell.width), row * cell.height]
        let ink = 0
        for (let y = top; y < top + cell.height; y += 1)
          for (let x = left; x < left + 8; x += 1) ink += (data[(y * width + x) * 4] ?? 0) + (data[(y * width + x) * 4 + 1] ?? 0)
        return ink / (cell.height * 8 * 2)
      }
      const [a, b] = [await read(pictures[0]), await read(pictures[1])]
      return moved.map(([right, down]) => {
        let others = 0
        for (let row = 1; row < 16; row += 1)
          for (let column = 1; column < 40; column += 1)
            if (Math.abs(inkOf(a, column, row) - inkOf(b, column + right, row + down)) > 14) others += 1
        return others
      })
    },
    { pictures, moved, cell: CELL },
  )
}

test('the picture lies where the drawing was, to the cell, and shows nothing of how the program tidied up', async () => {
  await start('film', COLOURS)
  const page = await openLoggedIn(home, browser)
  await shows(page, /^018 /m)
  const box = await tile(page, 'film').locator('.drawing').boundingBox()
  const clip = { x: Math.round(box?.x ?? 0), y: Math.round(box?.y ?? 0), width: 400, height: 342 }
  const shot = async () => (await page.screenshot({ clip })).toString('base64')
  const before = await shot()
  // As it is before it is dimmed and makes room, and without what lies beside it.
  await page.addStyleTag({
    content:
      '.frost { bottom: 0 !important } .frost .still img { opacity: 1 !important; filter: none !important; transition: none !important } .rest { visibility: hidden }',
  })
  // At no moment there is nothing, or something else.
  const during: string[] = []
  const asleep = sleep('film')
  while ((await page.locator('.frost[data-frost="covered"] img').count()) === 0) during.push(await shot())
  await asleep
  await rest(page, 'film').waitFor({ state: 'attached' })
  const after = await shot()
  const [same = 0, aside = 0, below = 0] = await cellsThatDiffer(
    page,
    [before, after],
    [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
  )
  expect(aside, 'a picture that is moved by a cell is told apart').toBeGreaterThan(200)
  expect(below).toBeGreaterThan(200)
  expect(same).toBeLessThan(6)
  for (const picture of during) expect((await cellsThatDiffer(page, [before, picture], [[0, 0]]))[0]).toBeLessThan(6)
  await showsStill(page, /^018 /m)
  expect(await page.locator('.host').count()).toBe(0)
  await page.context().close()
})

test('asleep it is moved, resized, renamed, dressed, sent elsewhere and found; nothing of that wakes it, nor does going there or typing', async () => {
  const { id: workspace } = await ask('workspace.new', { name: 'desk' })
  await start('first', undefined, { workspace })
  await start('second', undefined, { workspace })
  await sleep('second')
  await ask('workspace.new', { name: 'aside' })
  const { id } = (await ask('terminal.list', {})).find(({ name }) => name === 'second') ?? expect.fail('no terminal')
  await ask('workspace.view', { workspace, view: 'canvas' })
  await ask('canvas.place', { terminal: 'first', rect: { x: 0, y: 0, width: 480, height: 300 } })
  await ask('canvas.place', { terminal: 'second', rect: { x: 504, y: 0, width: 480, height: 300 } })
  const page = await openLoggedIn(home, browser)
  await page.locator('.workspaceTab').filter({ hasText: 'desk' }).click()
  const workspaces = async () => (await ask('watch', {})).topology.groups.flatMap((group) => group.workspaces)
  const rectOf = async () => (await workspaces()).find((each) => each.id === workspace)?.canvas[id]
  await page.getByRole('button', { name: 'Show at 100 %' }).click()
  await tile(page, 'second').locator('.frost img').waitFor()
  const before = await rectOf()
  await drag(page, tile(page, 'second').locator('.tileHeader'), 120)
  await until(async () => ((await rectOf())?.y ?? 0) > (before?.y ?? 0) + 40, { what: 'the tile to have been moved' })
  const there = await rectOf()
  await page.reload()
  await tile(page, 'second').locator('.frost img').waitFor()
  expect(await rectOf()).toEqual(there)

  // Found everywhere, and nobody wakes it by going there.
  await page.locator('.terminals').getByText('first', { exact: true }).click()
  await page.keyboard.press('Control+Shift+ArrowDown')
  await until(async () => (await page.locator('.tile[data-focused="true"]').getAttribute('aria-label')) === 'second', {
    what: 'the next one',
  })
  await page.keyboard.type('make coffee')
  await page.locator('.shaken').getByText('Wake').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('second')
  await page.keyboard.press('Enter')
  await until(async () => await rest(page, 'second').evaluate((card) => card === document.activeElement), { what: 'the keyboard' })
  expect(await isAsleep('second')).toBe(true)

  const dressed = () => tile(page, 'second').locator('.frost img').getAttribute('src')
  const plain = await dressed()
  await ask('terminal.theme', { terminal: 'second', theme: 'nord' })
  await until(async () => (await dressed()) !== plain, { what: 'other colours in the picture' })
  await ask('terminal.rename', { terminal: 'second', name: 'renamed' })
  await tile(page, 'renamed').waitFor()
  await ask('terminal.move', { terminal: 'renamed', to: 'aside' })
  await tile(page, 'renamed').waitFor()
  expect(await isAsleep('renamed')).toBe(true)

  await page.getByRole('button', { name: /^Hide \d+ not running$/ }).click()
  await page.locator('.terminals').getByText('first', { exact: true }).click()
  await until(async () => (await page.locator('.terminals').getByText('renamed', { exact: true }).count()) === 0, {
    what: 'the dock without it',
  })
  await page.getByRole('button', { name: /^Show \d+ not running$/ }).click()
  await page.locator('.terminals').getByText('renamed', { exact: true }).click()
  await tile(page, 'renamed').getByRole('button', { name: 'Wake' }).last().click()
  await shows(page, /ready-second/)
  expect((await ask('terminal.list', {})).find(({ name }) => name === 'renamed')).toMatchObject({ id, state: 'live' })
  await page.context().close()
})

type Told = { readonly holdfast: { renderers(): Readonly<Record<string, 'gl' | 'dom'>> } }

/** Fifty are weighed by `npm run bench -- sleep`. */
const MANY = 12

test('terminals that were put to sleep together leave no holder, no program and no drawing, and give their memory back', async () => {
  const already = { holders: holdersOf(home).length, programs: programsOf(home).length }
  const { name: workspace } = await ask('workspace.new', { name: 'many' })
  for (let index = 0; index < MANY; index += 1) await start(`many-${index}`, `echo ready-${index}`, { workspace })
  const page = await openLoggedIn(home, browser, { viewport: { width: 900, height: 500 } }) // drawn by the processor, it costs
  await pretendCard(page)
  await page.reload()
  await page.locator('.workspaceTab').filter({ hasText: 'many' }).click()
  const drawn = () =>
    page.evaluate(() =>
      Object.values((globalThis as unknown as Told).holdfast.renderers())
        .toSorted()
        .join(),
    )
  await until(async () => (await drawn()).startsWith('dom,') && (await drawn()).endsWith(',gl'), {
    what: 'drawings by the card and by the page',
    timeoutMs: 60_000,
  })
  expect(holdersOf(home).length).toBe(already.holders + MANY)
  const held = holdersOf(home).reduce((sum, { pid }) => sum + bytesOf(pid), 0)
  const slept = await run(home, ['sleep', '--all', '--force', '--json'], { timeoutMs: 120_000 })
  const told = JSON.parse(slept.stdout) as { readonly slept: readonly object[]; readonly freedBytes: number }
  expect(told.slept.length).toBeGreaterThanOrEqual(MANY)
  await until(() => holdersOf(home).length === 0 && programsOf(home).length === 0, { what: 'no holder and no program to be left' })
  // What the kernel says that its holders alone held is less than what is said to be given back.
  expect(told.freedBytes).toBeGreaterThan(held / 2)
  await until(async () => (await page.locator('.host, .tile canvas').count()) === 0, { what: 'no drawing to be left', timeoutMs: 30_000 })
  await page.locator('.frost img').first().waitFor()
  expect(await drawn()).toBe('')
  expect(browser.complaints).toEqual([])
})

/** What a process holds for itself, shared pages divided among those who share them. */
function bytesOf(pid: number): number {
  const pss = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').match(/^Pss:\s+(\d+) kB/m)
  return Number(pss?.[1] ?? 0) * 1024
}
