import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import { launchBrowser, type TestBrowser } from '../support/browser.ts'
import { connectTo } from '../support/daemon.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { newLink } from '../support/pages.ts'

/**
 * Which components of the page render when one terminal changes. React calls the hook of its developer tools after each commit, in
 * production builds too; the hook below notes where in the page each component stands that has rendered. The page knows nothing of it.
 */
let home: Home
let browser: TestBrowser
let client: DaemonClient

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  browser = await launchBrowser()
  await newLink(home)
  client = await connectTo(home)
})

afterAll(async () => {
  client.close()
  await browser.close()
  await home.dispose()
})

type Fiber = {
  readonly tag: number
  readonly flags: number
  readonly child: Fiber | null
  readonly sibling: Fiber | null
  readonly return: Fiber | null
  readonly alternate: Fiber | null
  readonly stateNode: unknown
}

type Counted = { renders: string[] }

function countRenders(): void {
  const [FUNCTION, HOST, SIMPLE_MEMO, PERFORMED_WORK] = [0, 5, 15, 1]
  const seen: Counted = { renders: [] }
  // Ages are written anew every twenty seconds, which is another reason to render.
  const every = globalThis.setInterval.bind(globalThis)
  Object.assign(globalThis, { setInterval: (act: () => void, ms: number) => every(act, ms === 20_000 ? 3_600_000 : ms) })
  const isHost = ({ tag, stateNode }: Fiber): boolean => tag === HOST && stateNode instanceof Element
  const hostIn = (fiber: Fiber): Element | null => {
    for (let at: Fiber | null = fiber; at !== null; at = at.child) if (isHost(at)) return at.stateNode as Element
    for (let at: Fiber | null = fiber; at !== null; at = at.return) if (isHost(at)) return at.stateNode as Element
    return null
  }
  const placeOf = (element: Element | null): string => {
    const row = element?.closest('.rowPlace')?.querySelector('[data-row]')?.getAttribute('data-row')
    if (row != null) return `row ${row}`
    const tile = element?.closest('.tile')?.getAttribute('data-terminal')
    if (tile != null && element?.closest('.tileHeader') != null) return `header ${tile}`
    return `other ${element?.tagName} ${element?.className}`
  }
  const walk = (fiber: Fiber, before: Fiber | null): void => {
    const isFunction = fiber.tag === FUNCTION || fiber.tag === SIMPLE_MEMO
    if (isFunction && (before === null || (fiber.flags & PERFORMED_WORK) !== 0)) seen.renders.push(placeOf(hostIn(fiber)))
    if (before !== null && fiber.child === before.child) return // nothing below it was visited
    for (let child = fiber.child; child !== null; child = child.sibling) walk(child, child.alternate)
  }
  Object.assign(globalThis, {
    counted: seen,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: (_: number, root: { readonly current: Fiber }) => walk(root.current, root.current.alternate),
      onCommitFiberUnmount: () => undefined,
    },
  })
}

const rendersOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => [...new Set((globalThis as unknown as { counted: Counted }).counted.renders)].sort())

const forgetRenders = (page: Page): Promise<void> =>
  page.evaluate(() => {
    ;(globalThis as unknown as { counted: Counted }).counted.renders = []
  })

/** A program that prints what it is sent, controls included. */
async function startEcho(name?: string): Promise<string> {
  const made = await client.request('terminal.new', {
    cwd: home.path,
    env: {},
    command: 'sh',
    args: ['-c', 'stty -echo -icanon; echo ready; exec cat'],
    ...(name === undefined ? {} : { name }),
  })
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value.result.id
}

async function changeTitle(page: Page, id: string, title: string): Promise<void> {
  const sent = await client.request('terminal.send', { terminal: id, text: `\u001b]0;${title}\u0007`, enter: false })
  if (!sent.ok) throw new Error(sent.refusal.message)
  await page.locator(`[data-row="${id}"]`).getByText(title).first().waitFor()
}

test('a new title renders one row of the dock and one title bar', async () => {
  const [first, second, unnamed] = [await startEcho('first'), await startEcho('second'), await startEcho()]
  const page = await browser.openPage({ viewport: { width: 1280, height: 800 } })
  await page.addInitScript(countRenders)
  await page.goto(await newLink(home))
  for (const id of [first, second, unnamed]) await page.locator(`.tile[data-terminal="${id}"] .tileHeader`).waitFor()
  await until(async () => (await page.locator('.tile .xterm-rows').count()) >= 3, { what: 'three drawings' })
  // The first title may change more than itself: the daemon looks at a program that has printed something.
  await changeTitle(page, first, 'warming up')
  await changeTitle(page, unnamed, 'warming up too')
  await until(
    async () => {
      await forgetRenders(page)
      await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
      return (await rendersOf(page)).length === 0
    },
    { what: 'a page that renders nothing' },
  )

  await changeTitle(page, first, 'compiling')
  expect(await rendersOf(page)).toEqual([`header ${first}`, `row ${first}`])

  // Without a name of its own the title is its name, and labels the tile and the borders beside it.
  await forgetRenders(page)
  await changeTitle(page, unnamed, 'testing')
  const labels = (await rendersOf(page)).filter((place) => place !== `header ${unnamed}` && place !== `row ${unnamed}`)
  for (const label of labels) expect(label).toMatch(/^other (SECTION tile|DIV border)$/)
  await page.close()
})
