import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import type { CommandName, Outcome, Params } from '../../src/wire/commands.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { connectTo, holdersOf, programsOf } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openLoggedIn, shows, showsStill } from '../support/pages.ts'

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

const COLOURS =
  'for i in $(seq 1 18); do printf "\\033[3%dm%03d \\033[0mfn main() { return 0x%04x; } \\033[1;7m key \\033[0m ─┼─ λ\\n" $((i % 8)) $i $((i * 977)); done'
/** Tidies up when it is asked to end: nothing of that is to be seen. */
const program = (says: string) => ['-c', `${says}; trap 'printf "\\033[2J\\033[Hbye"; exit' HUP TERM; while :; do sleep 0.1; done`]
const start = (name: string, says = `echo ready-${name}`, more: Partial<Params<'terminal.new'>> = {}) =>
  ask('terminal.new', { name, cwd: '/', env: {}, command: 'bash', args: ['--norc', ...program(says)], ...more })
const sleep = (terminal: string) => ask('terminal.sleep', { terminal, force: true })
const tile = (page: Page, name: string) => page.locator(`section.tile[aria-label="${name}"]`)
const rest = (page: Page, name: string) => tile(page, name).getByLabel('This terminal is not running')
const isAsleep = async (name: string) => (await ask('terminal.list', {})).find((each) => each.name === name)?.state === 'asleep'

type Picture = { readonly width: number; readonly height: number; readonly data: readonly number[] }

/** How many of the pixels of one picture are others in the second, which is moved by so many pixels. */
function compared(page: Page, pictures: readonly [string, string], moved: readonly (readonly [number, number])[]): Promise<number[]> {
  return page.evaluate(
    async ({ pictures, moved }) => {
      const read = async (base64: string): Promise<ImageData> => {
        const image = new Image()
        image.src = `data:image/png;base64,${base64}`
        await image.decode()
        const canvas = new OffscreenCanvas(image.width, image.height)
        const context = canvas.getContext('2d')
        context?.drawImage(image, 0, 0)
        return context?.getImageData(0, 0, image.width, image.height) ?? new ImageData(1, 1)
      }
      const [a, b] = [await read(pictures[0]), await read(pictures[1])]
      const inkAt = ({ data, width }: Picture, x: number, y: number) => {
        const at = (y * width + x) * 4
        return (data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0)
      }
      return moved.map(([right, down]) => {
        let others = 0
        for (let y = 20; y < a.height - 20; y += 1)
          for (let x = 20; x < a.width - 20; x += 1)
            if (Math.abs(inkAt(a as unknown as Picture, x, y) - inkAt(b as unknown as Picture, x + right, y + down)) > 150) others += 1
        return others
      })
    },
    { pictures, moved },
  )
}

test('the picture lies where the drawing was, to the cell, and shows nothing of how the program tidied up', async () => {
  await start('film', COLOURS)
  const page = await openLoggedIn(home, browser)
  await shows(page, /^018 fn main/m)
  const body = tile(page, 'film').locator('.drawing')
  const box = await body.boundingBox()
  const clip = { x: box?.x ?? 0, y: box?.y ?? 0, width: 420, height: 330 }
  const before = (await page.screenshot({ clip })).toString('base64')
  // Taken at every step of the way: at no moment there is nothing, or something else.
  const during: string[] = []
  const asleep = sleep('film')
  while ((await page.locator('.frost[data-frost="covered"] img').count()) === 0)
    during.push((await page.screenshot({ clip })).toString('base64'))
  await asleep
  await rest(page, 'film').waitFor()
  // As it is before it is dimmed, and without what lies beside it.
  await page.addStyleTag({
    content:
      '.frost .still img { opacity: 1 !important; filter: none !important; transition: none !important } .rest { visibility: hidden }',
  })
  const after = (await page.screenshot({ clip })).toString('base64')
  const CELL = { width: 8, height: 18 }
  const [same = 0, aside = 0, below = 0] = await compared(
    page,
    [before, after],
    [
      [0, 0],
      [CELL.width, 0],
      [0, CELL.height],
    ],
  )
  expect(same * 3, 'a cell to the side is something else').toBeLessThan(aside)
  expect(same * 3, 'a cell below is something else').toBeLessThan(below)
  for (const shot of during) {
    const [then = 0] = await compared(page, [before, shot], [[0, 0]])
    expect(then * 2).toBeLessThan(aside)
  }
  await showsStill(page, /^018 fn main/m)
  expect(await page.locator('.host').count()).toBe(0)
  await page.context().close()
})

test('asleep it is moved, resized, renamed, dressed, sent elsewhere and found; nothing of that wakes it, nor does going there or typing', async () => {
  await start('first')
  await start('second')
  await sleep('second')
  await ask('workspace.new', { name: 'aside' })
  const { id } = (await ask('terminal.list', {})).find(({ name }) => name === 'second') ?? expect.fail('no terminal')
  const [workspace] = await ask('workspace.list', {})
  await ask('workspace.view', { workspace: workspace?.id ?? '', view: 'canvas' })
  await ask('canvas.place', { terminal: 'first', rect: { x: 0, y: 0, width: 480, height: 300 } })
  await ask('canvas.place', { terminal: 'second', rect: { x: 504, y: 0, width: 480, height: 300 } })
  const page = await openLoggedIn(home, browser)
  const rectOf = async () => (await ask('watch', {})).topology.groups[0]?.workspaces[0]?.canvas[id]
  await tile(page, 'second').locator('.frost img').waitFor()
  const grip = await tile(page, 'second').locator('.tileHeader').boundingBox()
  const before = await rectOf()
  await page.mouse.move((grip?.x ?? 0) + 150, (grip?.y ?? 0) + 10)
  await page.mouse.down()
  await page.mouse.move((grip?.x ?? 0) + 150, (grip?.y ?? 0) + 130, { steps: 8 })
  await page.mouse.up()
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

  await ask('terminal.theme', { terminal: 'second', theme: 'solarized' }).catch(() => undefined)
  const dressed = () => tile(page, 'second').locator('.frost img').getAttribute('src')
  const plain = await dressed()
  await ask('config.set', { key: 'page.font_size', value: 17 })
  await until(async () => (await dressed()) !== plain, { what: 'larger letters in the picture' })
  await ask('config.set', { key: 'page.font_size', value: 13 })
  await ask('terminal.rename', { terminal: 'second', name: 'renamed' })
  await tile(page, 'renamed').waitFor()
  await ask('terminal.move', { terminal: 'renamed', to: 'aside' })
  await tile(page, 'renamed').waitFor()
  expect(await isAsleep('renamed')).toBe(true)

  await page.getByRole('button', { name: /^Hide \d+ asleep$/ }).click()
  await page.locator('.terminals').getByText('first', { exact: true }).click()
  await until(async () => (await page.locator('.terminals').getByText('renamed', { exact: true }).count()) === 0, {
    what: 'the dock without it',
  })
  await page.getByRole('button', { name: /^Show \d+ asleep$/ }).click()
  await page.locator('.terminals').getByText('renamed', { exact: true }).click()
  await tile(page, 'renamed').getByRole('button', { name: 'Wake' }).last().click()
  await shows(page, /ready-second/)
  expect((await ask('terminal.list', {})).find(({ name }) => name === 'renamed')).toMatchObject({ id, state: 'live' })
  await page.context().close()
})

const MANY = 50

test('fifty terminals that were put to sleep leave no holder, no program and no drawing, and give their memory back', async () => {
  const already = { holders: holdersOf(home).length, programs: programsOf(home).length }
  const { name: workspace } = await ask('workspace.new', { name: 'many' })
  for (let index = 0; index < MANY; index += 1) await start(`many-${index}`, `echo ready-${index}`, { workspace })
  await ask('workspace.view', { workspace, view: 'canvas' })
  const page = await openLoggedIn(home, browser)
  // A card that only pretends to be one is not used otherwise.
  await page.addInitScript(() => {
    const { getParameter } = WebGL2RenderingContext.prototype
    WebGL2RenderingContext.prototype.getParameter = function (this: WebGL2RenderingContext, name: number) {
      const value: unknown = getParameter.call(this, name)
      return typeof value === 'string' && value.includes('SwiftShader') ? 'A card' : value
    }
  })
  await page.reload()
  await page.locator('.workspaceTab').filter({ hasText: 'many' }).click()
  await tile(page, 'many-0').locator('.host').waitFor()
  expect(holdersOf(home).length).toBe(already.holders + MANY)
  const held = holdersOf(home).reduce((sum, { pid }) => sum + bytesOf(pid), 0)
  const slept = await run(home, ['sleep', '--all', '--force', '--json'], { timeoutMs: 60_000 })
  const told = JSON.parse(slept.stdout) as { readonly slept: readonly object[]; readonly freedBytes: number }
  expect(told.slept.length).toBeGreaterThanOrEqual(MANY)
  expect(holdersOf(home)).toEqual([])
  expect(programsOf(home)).toEqual([])
  // What the kernel says that its holders alone held is less than what is said to be given back.
  expect(told.freedBytes).toBeGreaterThan(held / 2)
  await until(async () => (await page.locator('.host, .tile canvas').count()) === 0, { what: 'no drawing to be left' })
  await tile(page, 'many-0').locator('.frost img').first().waitFor()
  expect(await page.evaluate(() => (globalThis as unknown as { holdfast: { renderers(): object } }).holdfast.renderers())).toEqual({})
  expect(browser.complaints).toEqual([])
})

/** What a process holds for itself, shared pages divided among those who share them. */
function bytesOf(pid: number): number {
  const pss = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').match(/^Pss:\s+(\d+) kB/m)
  return Number(pss?.[1] ?? 0) * 1024
}
