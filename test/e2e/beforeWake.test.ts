import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { connectTo, type Listed, list } from '../support/daemon.ts'
import { environment, HOLDFAST, json, type Ran, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openLoggedIn, seenOf, textOf } from '../support/pages.ts'
import { openPty, type PtyClient } from '../support/ptyClient.ts'

/** What stood before a wake is above in the history, marked; and how far a wake is. */
const MARK = /^── asleep for .+, woken \w{3} \d+ \w{3} \d\d:\d\d ──$/
let home: Home
let path = ''
const hf = (...args: string[]): Promise<Ran> => run(home, args, { env: { PATH: path } })
const client = (...args: string[]): PtyClient =>
  openPty(process.execPath, { args: [HOLDFAST, ...args], env: environment(home, { PATH: path }), cols: 80, rows: 24 })

const numbered = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix} ${index + 1}`)
/** The lines that count, in their order. */
const linesIn = (text: string): string[] => text.split('\n').filter((line) => /^(old|new) \d+$|^──/.test(line))
const WHOLE = [...numbered('old', 300), expect.stringMatching(MARK), ...numbered('new', 50)]

/** Prints old lines in its first run and new ones in the next, and is a shell after that. */
async function wakeOnce(name: string): Promise<void> {
  const script = `if [ -e seen ]; then seq -f 'new %.0f' 50; echo again; else touch seen; seq -f 'old %.0f' 300; echo done; fi; exec sh -i`
  const place = `${home.path}/${name}`
  mkdirSync(place)
  await json<Listed>(home, ['new', '--name', name, '--cwd', place, '--env', 'PS1=$ ', '--', 'sh', '-c', script])
  expect((await hf('wait', name, '--text', 'done', '--timeout', '20')).code).toBe(0)
  expect((await hf('sleep', '--force', name)).code).toBe(0)
  expect((await hf('wake', name)).code).toBe(0)
  expect((await hf('wait', name, '--text', 'again', '--timeout', '20')).code).toBe(0)
}

beforeAll(async () => {
  home = makeHome()
  const folder = `${home.path}/bin`
  mkdirSync(folder)
  path = `${folder}:${process.env['PATH'] ?? ''}`
  // Resumed, it paints when it is told to, or says that it cannot.
  const slow = `#!/bin/sh
if [ "$1" = --go-on ]; then
  if [ -e "$0.broken" ]; then echo 'nothing to go on with'; exit 3; fi
  while [ ! -e "$0.paint" ]; do sleep 0.05; done
fi
echo painted; while :; do sleep 0.05; done
`
  writeFileSync(`${folder}/slow`, slow)
  chmodSync(`${folder}/slow`, 0o755)
  writeFileSync(`${home.path}/config.toml`, 'settle_ms = 300\n\n[web]\nport = 0\n\n[resume]\nslow = ["--go-on"]\n')
  expect((await hf('daemon', 'start')).code).toBe(0)
})
afterAll(() => home.dispose())

test('who reads more than a woken program has printed finds what stood before, behind a line that says so', async () => {
  await wakeOnce('woken')
  expect(linesIn((await hf('read', 'woken', '--history', 'all')).stdout)).toEqual(WHOLE)
  expect(linesIn((await hf('read', 'woken', '--history', '40')).stdout).at(-1)).toBe('new 50')
  expect((await hf('read', 'woken', '--lines', '1-2', '--number')).stdout).toBe('1  new 1\n2  new 2\n')
  expect((await hf('read', 'woken')).stdout).not.toContain('old')
  // What was printed by another program is nothing that this one has printed.
  expect((await hf('wait', 'woken', '--text', 'old 300', '--timeout', '0.3')).code).not.toBe(0)

  await using attached = client('attach', 'woken')
  await attached.waitFor(/^again$/m)
  expect(linesIn(attached.text())).toEqual(WHOLE)
  attached.type('\x1c[')
  await until(() => /^ Lines /.test(attached.screen().at(-1) ?? ''), { what: 'the pager' })
  attached.type('?asleep for\r')
  await until(() => attached.screen().some((line) => MARK.test(line)), { what: 'the line between' })
  attached.type('g')
  await until(() => attached.screen()[0] === 'old 1', { what: 'the first line of all' })
  attached.type('q')
  await until(() => !attached.isAlternateScreen(), { what: 'the live screen' })

  // A program erases its own history, and no more.
  attached.type("clear; printf '\\033[3J'; echo erased\r")
  await attached.waitFor(/^erased$/m)
  await until(async () => !(await hf('read', 'woken', '--history', 'all')).stdout.includes('new 50'), { what: 'the history to be erased' })
  expect(linesIn((await hf('read', 'woken', '--history', 'all')).stdout)).toEqual(WHOLE.slice(0, 301))
  await using again = client('attach', 'woken')
  await again.waitFor(/^erased$/m)
  again.type('\x1c[')
  await until(() => /^ Lines /.test(again.screen().at(-1) ?? ''), { what: 'the pager' })
  again.type('g')
  await until(() => again.screen()[0] === 'old 1', { what: 'the first line of all' })
})

async function wheelUp(page: Page, id: string): Promise<void> {
  await page.locator(`section[data-terminal="${id}"]`).hover()
  await page.mouse.wheel(0, -300)
}

test('in the page, whoever scrolls up comes through that line to the first one of before, also after the program has erased its history', async () => {
  await wakeOnce('drawn')
  await using browser = await launchBrowser()
  const page = await openLoggedIn(home, browser, { viewport: { width: 1000, height: 700 } })
  const id = (await list(home)).find(({ name }) => name === 'drawn')?.id ?? ''
  const whole = async (): Promise<string[]> => linesIn(await textOf(page, id))
  await page.locator(`section[data-terminal="${id}"]`).click()
  await until(async () => (await textOf(page, id)).includes('again'), { what: 'the terminal' })
  const isAtFirst = async (): Promise<boolean> => {
    await page.keyboard.press('Control+Shift+Home') // each time it is pressed, older lines may have come
    return (await seenOf(page, id))[0] === 'old 1'
  }
  await until(isAtFirst, { what: 'the first line of before' })
  expect(await whole()).toEqual(WHOLE)

  await page.keyboard.press('Control+Shift+End')
  await page.keyboard.type("clear; printf '\\033[3J'; echo erased\n")
  await until(async () => /^erased$/m.test(await textOf(page, id)) && !(await textOf(page, id)).includes('new 50'), {
    what: 'an erased history',
  })
  await until(
    async () => {
      await wheelUp(page, id)
      return (await whole()).length === 301
    },
    { what: 'what stood before, once more' },
  )
  expect(await whole()).toEqual(WHOLE.slice(0, 301))
  expect(browser.complaints).toEqual([])
})

test('a wake tells how far it is until its program paints, nobody can wake it twice, and after one that failed it can be tried again', async () => {
  const slow = `${home.path}/bin/slow`
  expect((await hf('new', '--name', 'slow', '--', 'slow')).code).toBe(0)
  expect((await hf('wait', 'slow', '--text', 'painted', '--timeout', '20')).code).toBe(0)
  expect((await hf('sleep', '--force', 'slow')).code).toBe(0)
  const watcher = await connectTo(home)
  const phases: (string | null)[] = []
  watcher.watch({
    onAll: () => undefined,
    onEvent: (event) => {
      if (event.kind === 'terminal' && event.terminal.name === 'slow' && phases.at(-1) !== event.terminal.wakePhase)
        phases.push(event.terminal.wakePhase)
    },
  })
  try {
    writeFileSync(`${slow}.broken`, '')
    expect((await hf('wake', 'slow')).stderr).toMatch(/nothing to go on with/)
    await until(() => phases.at(-1) === null, { what: 'the end of a wake that failed' })
    expect(phases.filter((phase) => phase !== 'resuming')).toEqual(['checking', 'starting', null]) // it may end before it is seen to live
    rmSync(`${slow}.broken`)
    phases.splice(0)
    await using waking = client('wake', 'slow')
    await waking.waitFor(/slow: checking what can be resumed…\nslow: starting its program…\nslow: resuming; no output yet…/)
    expect(phases).toEqual(['checking', 'starting', 'resuming'])
    expect((await hf('wake', 'slow')).stderr).toMatch(/already/)
    writeFileSync(`${slow}.paint`, '')
    await until(() => phases.at(-1) === null, { what: 'the first picture' })
    await waking.waitFor(/slow resumed with/)
    // Who comes while it starts waits for it.
    expect((await hf('sleep', '--force', 'slow')).code).toBe(0)
    phases.splice(0)
    const begun = watcher.request('terminal.wake', { terminal: 'slow', mode: 'resume' })
    await until(() => phases.includes('starting'), { what: 'its start' })
    const asked = { terminal: 'slow', until: { kind: 'text', pattern: 'painted' }, timeoutMs: 20_000 } as const
    expect(await watcher.request('terminal.wait', asked)).toMatchObject({ ok: true, value: { result: { matched: 'painted' } } })
    await begun
    // A fresh start has nothing to resume.
    expect((await hf('sleep', '--force', 'slow')).code).toBe(0)
    phases.splice(0)
    const fresh = await hf('wake', '--fresh', '--json', 'slow')
    expect([fresh.code, fresh.stderr]).toEqual([0, ''])
    expect(phases).toEqual(['checking', 'starting', null])
  } finally {
    watcher.close()
  }
})
