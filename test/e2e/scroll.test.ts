import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killDaemon, type Listed } from '../support/daemon.ts'
import { environment, fixtureProgram, HOLDFAST, json, type Ran, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openPty, type PtyClient } from '../support/ptyClient.ts'

/** Older lines while attached: in the user's own scrollback, and in scroll mode. */
const SCROLL = '\x1c['
const LINES = 30_000
let home: Home
const hf = (...args: string[]): Promise<Ran> => run(home, args)
const node = (name: string, ...args: string[]): string[] => ['--', process.execPath, fixtureProgram(name), ...args]

async function start(name: string, args: readonly string[], ready: string): Promise<Listed> {
  const made = await json<Listed>(home, ['new', '--name', name, ...args])
  expect((await hf('wait', name, '--text', ready, '--timeout', '20')).code).toBe(0)
  return made
}

const attach = (ref: string, ...args: string[]): PtyClient =>
  openPty(process.execPath, { args: [HOLDFAST, 'attach', ref, ...args], env: environment(home), cols: 80, rows: 24 })

const status = (client: PtyClient): string => client.screen().at(-1) ?? ''
const reads = (client: PtyClient, pattern: RegExp): Promise<true> =>
  until(() => pattern.test(client.screen().join('\n')), { what: `${pattern} on the screen, which shows\n${client.screen().join('\n')}` })

async function scroll(client: PtyClient): Promise<void> {
  client.type(SCROLL)
  await until(() => /^ Lines [\d,]+–/.test(status(client)), { what: 'the pager' })
}

/** Lines of many numbers, and a shell that goes on after them. */
const shellAfter = (lines: number): string[] => ['--env', 'PS1=$ ', '--', 'sh', '-c', `seq -f 'line %.0f' ${lines}; echo done; exec sh -i`]

beforeAll(async () => {
  home = makeHome()
  writeFileSync(`${home.path}/config.toml`, 'settle_ms = 300\n\n[web]\nport = 0\n')
  expect((await hf('daemon', 'start')).code).toBe(0)
})
afterAll(() => home.dispose())

test('what went before is in the user’s own scrollback, once, as much as asked for', async () => {
  await start('before', shellAfter(3_000), 'done')
  const numbers = (client: PtyClient): number[] => [...client.text().matchAll(/^line (\d+)$/gm)].map(([, number]) => Number(number))
  await using usual = attach('before')
  await usual.waitFor(/^done$/m)
  const painted = numbers(usual)
  expect(painted.length).toBeGreaterThan(990)
  expect(painted).toEqual(Array.from(painted, (_, index) => 3_001 - painted.length + index))
  await using none = attach('before', '--history', '0')
  await none.waitFor(/^done$/m)
  expect(numbers(none).length).toBeLessThan(24)
  expect(await hf('attach', 'before', '--history', 'many')).toMatchObject({ code: 2 })
})

test('every older line can be reached while the program runs on, and nothing typed there reaches it', async () => {
  await start('deep', shellAfter(LINES), 'done')
  await using client = attach('deep')
  await client.waitFor(/^done$/m)
  await scroll(client)
  expect(client.isAlternateScreen()).toBe(true)
  client.type('g')
  await reads(client, /^line 1\nline 2\n/)
  expect(status(client)).toMatch(/^ Lines 1–23 of 30,00\d · beginning of history · live output continues/)
  client.type(' ')
  await reads(client, /^line 23\nline 24\n/)
  client.type('?line 7\recho typed\rg')
  client.type('/LINE\r')
  await reads(client, /No match for “LINE” below/)
  client.type('/line 12345\r')
  await reads(client, /^line 12345$/m)
  client.type('G')
  await reads(client, /^done$/m)
  client.type('q')
  await until(() => !client.isAlternateScreen(), { what: 'the live screen' })
  client.type('echo back $((6 * 7))\r')
  await client.waitFor(/^back 42$/m)
  expect(client.screen().join('\n')).not.toMatch(/typed/)
})

test('what the program prints meanwhile is in the pager when wanted, and on the screen and in the scrollback afterwards', async () => {
  await start('prints', [...node('prints-numbers.mjs', '--every', '5', '--prefix', 'tick ')], 'tick 30')
  await using client = attach('prints')
  await client.waitFor(/^tick 30$/m)
  await scroll(client)
  await reads(client, /new output below/)
  const last = (): number =>
    Number(
      client
        .screen()
        .join('\n')
        .match(/tick (\d+)(?!.*tick)/s)?.[1],
    )
  const before = last()
  await until(async () => (await hf('read', 'prints', '--history', '1000')).stdout.includes(`tick ${before + 100}`), {
    what: 'more output',
  })
  expect(last()).toBe(before)
  client.type('G')
  await until(() => last() > before + 50, { what: 'the newer lines' })
  client.type('\x1b')
  await until(() => !client.isAlternateScreen() && last() > before + 100, { what: 'the live screen' })
  const seen = [...client.text().matchAll(/^tick (\d+)$/gm)].map(([, number]) => Number(number))
  expect(seen).toEqual(Array.from(seen, (_, index) => (seen[0] ?? 0) + index))
  expect(seen[0]).toBe(1)
})

test('a full-screen program is left alone: its modes are off meanwhile and on again afterwards, and its picture is back', async () => {
  await start('full', node('draws-alt-screen.mjs'), 'drawn')
  await using client = attach('full')
  await client.waitFor(/size 80x24/)
  const picture = client.screen()
  const began = client.output().length
  client.type(`${SCROLL}`)
  await until(() => status(client).includes('q back'), { what: 'the pager' })
  const borrowed = client.output().subarray(began).toString('latin1')
  expect(borrowed).toContain('\x1b[?1000l')
  expect(borrowed).toContain('\x1b[?2004l')
  expect(borrowed).not.toMatch(/\x1b\[\?(1000|1002|1003|2004)h/)
  client.type('jjxx~q')
  await until(() => client.screen().join('\n') === picture.join('\n'), { what: 'the program’s picture' })
  const after = client.output().toString('latin1')
  for (const mode of ['1000', '2004']) expect(after.lastIndexOf(`\x1b[?${mode}h`)).toBeGreaterThan(after.lastIndexOf(`\x1b[?${mode}l`))
  client.type('k')
  await client.waitFor(/key 6b/)
  expect(client.text()).not.toMatch(/key (6a|78|7e|71)/)
})

test('the window may change its size in the pager, long and coloured lines are kept', async () => {
  const wide = `printf '\\033[31m%s\\033[0m\\n' "$(printf 'x%.0s' $(seq 100))end"`
  await start('wide', ['--env', 'PS1=$ ', '--', 'sh', '-c', `${wide}; echo 漢字漢字; seq 200; echo done; exec sh -i`], 'done')
  await using client = attach('wide')
  await client.waitFor(/^done$/m)
  await scroll(client)
  client.type('g')
  await reads(client, /^x{80}\nx{20}end\n漢字漢字\n1\n/)
  expect(client.output().toString('latin1')).toMatch(/\x1b\[0;31mx/)
  client.resize(60, 20)
  await reads(client, /^x{60}\nx{40}end\n漢字漢字\n1\n/)
  expect(client.screen()).toHaveLength(20)
  expect(status(client)).toMatch(/^ Lines 1–/)
})

test('the detach keys work in the pager too, and leave the user’s terminal as it was', async () => {
  await using client = openPty('sh', {
    args: ['-c', 'echo "before $(stty -g)"; "$0" "$1" attach wide; echo "code $?"; echo "after $(stty -g)"', process.execPath, HOLDFAST],
    env: environment(home),
  })
  await client.waitFor(/^done$/m)
  await scroll(client)
  client.type('\x1c\x1c')
  await client.ended
  const [, before, after] =
    client
      .output()
      .toString()
      .match(/before (\S+)[\s\S]*after (\S+)/) ?? []
  expect(after).toBe(before)
  expect(client.text()).toMatch(/\[detached from wide\]\s+code 0/)
  expect(client.isAlternateScreen()).toBe(false)
})

test('without a daemon the pager says so, goes on when it is back, and the live terminal is there all the time', async () => {
  await start('away', node('echoes-raw.mjs'), 'ready')
  await using client = attach('away')
  await client.waitFor(/ready/)
  killDaemon(home)
  client.type(SCROLL)
  await reads(client, /The daemon is away/)
  client.type('q')
  await until(() => !client.isAlternateScreen(), { what: 'the live screen' })
  client.type('still here;')
  await client.waitFor(/still here;/)
  client.type(SCROLL)
  await reads(client, /The daemon is away/)
  expect((await hf('daemon', 'start')).code).toBe(0)
  await reads(client, /still here;/)
  expect(status(client)).toMatch(/^ Lines/)
  client.type('q')
  await until(() => !client.isAlternateScreen(), { what: 'the live screen again' })
  client.type('and back;')
  await client.waitFor(/still here;and back;/)
})

test('a program that ends meanwhile can still be read, and is told afterwards with its last words', async () => {
  await start('ends', ['--', 'sh', '-c', 'seq 100; read line; echo last words; exit 5'], '100')
  await using client = attach('ends')
  await client.waitFor(/^100$/m)
  await scroll(client)
  expect((await hf('send', 'ends', '--enter')).code).toBe(0)
  await reads(client, /ended: exit 5/)
  client.type('g')
  await reads(client, /^1\n2\n3\n/)
  client.type('q')
  expect((await client.ended).code).toBe(3)
  expect(client.text()).toMatch(/last words\n[\s\S]*\[ended: exit 5\]$/)
})

test('the keys are those of the configuration', async () => {
  writeFileSync(`${home.path}/config.toml`, '[web]\nport = 0\n\n[attach]\nscroll = "C-a s"\nhistory = 0\n')
  await using client = attach('before')
  await client.waitFor(/^done$/m)
  expect(client.text()).not.toMatch(/^line 2500$/m)
  client.type('\x01s')
  await until(() => /^ Lines/.test(status(client)), { what: 'the pager' })
  client.type('\x03')
  await until(() => !client.isAlternateScreen(), { what: 'the live screen' })
})
