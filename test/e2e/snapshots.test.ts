import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createScreen, type Screen } from '../../src/screen/screen.ts'
import { connectTo, killDaemon, status } from '../support/daemon.ts'
import { environment, HOLDFAST, json, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openPty } from '../support/ptyClient.ts'

/** The check of every snapshot is made to fail; whoever looks must see the exact screen all the same, by the log. */
const CONFIG = 'settle_ms = 300\nsnapshot_interval_s = 1\n\n[web]\nport = 0\n'
const INEXACT = { HOLDFAST_TRIP: 'snapshot:inexact' }

let home: Home
const read = async (name: string): Promise<string> => (await run(home, ['read', name])).stdout.trimEnd()

beforeAll(async () => {
  home = makeHome()
  writeFileSync(`${home.path}/config.toml`, CONFIG)
  expect((await run(home, ['daemon', 'start'])).code).toBe(0)
  await run(home, ['new', '--name', 'shell', '--env', 'PS1=$ ', '--', 'sh', '-i'])
  await run(home, ['send', 'shell', 'echo first; printf "\\033[31mred\\n"', '--enter'])
  expect((await run(home, ['wait', 'shell', '--text', '^red', '--timeout', '15'])).code).toBe(0)
  await run(home, ['daemon', 'stop']) // keeps an exact snapshot
  expect((await run(home, ['daemon', 'start'], { env: INEXACT })).code).toBe(0)
  await run(home, ['send', 'shell', 'printf "\\033[32msecond\\n"', '--enter'])
  expect((await run(home, ['wait', 'shell', '--text', '^second', '--timeout', '15'])).code).toBe(0)
})
afterAll(() => home.dispose())

/** What the page does: the snapshot, then the log from its seq. */
async function shownByChannel(): Promise<{ screen: Screen; seq: number }> {
  const client = await connectTo(home)
  let screen = createScreen({ cols: 80, rows: 24 })
  let from = 0
  await new Promise<void>((resolve, reject) => {
    client.openChannel({
      terminal: 'shell',
      window: 1 << 20,
      handlers: {
        onSnapshot: ({ bytes, seq, size }) => {
          from = seq
          screen = createScreen(size)
          void screen.feed(bytes)
        },
        onOutput: (bytes, consumed) => void screen.feed(bytes.slice()).then(consumed),
        onResized: (size) => void screen.resize(size),
        onExited: () => undefined,
        onLink: () => undefined,
        onRefused: (refusal) => reject(new Error(refusal.message)),
        onCaughtUp: resolve,
      },
    })
  })
  client.close()
  return { screen, seq: from }
}

test('a page that is given an earlier snapshot shows the exact screen, by the log since it', async () => {
  const { screen, seq } = await shownByChannel()
  expect(screen.text().trimEnd()).toBe(await read('shell'))
  const client = await connectTo(home)
  const opened = await client.request('terminal.attach', { terminal: 'shell' })
  client.close()
  if (!opened.ok) throw new Error(opened.refusal.message)
  expect(opened.value.result.seq).toBe(seq)
  expect(Buffer.from(opened.value.blob).toString()).not.toContain('second')
})

test('attach shows the exact screen', async () => {
  await using client = openPty(process.execPath, { args: [HOLDFAST, 'attach', 'shell'], env: environment(home) })
  await client.waitFor(/^second/m)
  expect(client.text().match(/^red$/gm)).toHaveLength(1)
  expect(client.text().match(/^second$/gm)).toHaveLength(1)
})

test('it is counted, said once, and doctor warns of it', async () => {
  await until(async () => (await status(home)).snapshots.inexact >= 2, { what: 'two snapshots that are not exact' })
  const { snapshots } = await status(home)
  expect(snapshots.inexact).toBe(snapshots.taken)
  expect((await run(home, ['daemon', 'status'])).stdout).toMatch(/^snapshots \d+ taken, \d+ not exact$/m)
  const findings = await json<{ name: string; level: string }[]>(home, ['doctor'])
  expect(findings.find(({ name }) => name === 'snapshots')).toMatchObject({ level: 'warn' })
  const said = readFileSync(`${home.path}/logs/daemon.log`, 'utf8').match(/would not come back exactly/g)
  expect(said).toHaveLength(1)
})

test('it is not kept: after a crash the screen is the earlier snapshot and the log since it', async () => {
  const before = await read('shell')
  killDaemon(home)
  expect((await run(home, ['daemon', 'start'])).code).toBe(0)
  expect(await read('shell')).toBe(before)
  const { screen } = await shownByChannel()
  expect(screen.text().trimEnd()).toBe(before)
  await run(home, ['send', 'shell', 'echo third', '--enter'])
  await until(async () => (await status(home)).snapshots.taken > 0, { what: 'a snapshot' })
  expect((await status(home)).snapshots.inexact).toBe(0)
  expect((await run(home, ['daemon', 'status'])).stdout).toMatch(/^snapshots \d+ taken, all exact$/m)
})
