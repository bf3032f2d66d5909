import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { connectTo, killDaemon, list } from '../support/daemon.ts'
import { fixtureProgram, json, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { endProcesses, processesMentioning } from '../support/processes.ts'

/**
 * What a program has printed can be read by line, all of it that the log still holds, exactly; and the same from a living
 * holder, after the daemon was killed, and after everything was.
 */
const NUMBERS = fixtureProgram('prints-numbers.mjs')
const LONG = `${'much longer than a terminal is wide '.repeat(6)}`

type Page = { first: number; from: number; end: number; lines: string[] }

async function page(home: Home, terminal: string, asked: { before?: number; count: number; format?: 'text' | 'ansi' }): Promise<Page> {
  const client = await connectTo(home)
  try {
    const answer = await client.request('terminal.history', { terminal, format: 'text', ...asked })
    if (!answer.ok) throw new Error(answer.refusal.message)
    return answer.value.result
  } finally {
    client.close()
  }
}

const read = async (home: Home, ...args: string[]): Promise<string[]> => {
  const { code, stdout, stderr } = await run(home, ['read', ...args])
  if (code !== 0) throw new Error(stderr)
  return stdout.split('\n').slice(0, -1)
}

/** Prints as fast as it can, once for each word that is typed: `PREFIX1`, `PREFIX2`, … */
async function startPrinter(home: Home, parts: readonly { prefix: string; from: number; count: number }[], size = '100x30'): Promise<void> {
  const print = ({ prefix, from, count }: (typeof parts)[number]) =>
    `'${process.execPath}' '${NUMBERS}' --every 0 --prefix '${prefix}' --from ${from} --count ${count}`
  const script = `stty -echo; ${parts.map((part) => `read word; ${print(part)}`).join('; ')}; read word`
  const made = await run(home, ['new', '--name', 'printer', '--size', size, '--', 'sh', '-c', script])
  expect(made.stderr).toBe('')
}

async function printNext(home: Home, last: string): Promise<void> {
  await run(home, ['send', 'printer', 'go', '--enter'])
  expect((await run(home, ['wait', 'printer', '--text', `^${last}$`, '--timeout', '40'])).code).toBe(0)
}

const runDirectory = (home: Home): string => `${home.path}/runs/${readdirSync(`${home.path}/runs`)[0]}`
const filesLike = (home: Home, pattern: RegExp): string[] => readdirSync(runDirectory(home)).filter((name) => pattern.test(name))

/** Everything that is going to be on disk is there. */
async function untilKept(home: Home, last: string): Promise<void> {
  const isLogged = () => filesLike(home, /\.log$/).some((name) => readFileSync(`${runDirectory(home)}/${name}`).includes(last))
  await until(isLogged, { what: 'the last line to be in the log' })
  let before = ''
  const isSettled = () => {
    const [was, now] = [before, filesLike(home, /\.anchor/).join()]
    before = now
    return was === now && !now.includes('.new') && now !== ''
  }
  await until(isSettled, { what: 'the anchors to be written' })
}

const start = async (home: Home): Promise<void> => expect((await run(home, ['daemon', 'start'])).code).toBe(0)

async function crash(home: Home): Promise<void> {
  killDaemon(home)
  await start(home)
}

/** A power cut: everything of this home is gone at once, and the daemon is the first to be back. */
async function coldBoot(home: Home, meanwhile: () => void = () => undefined): Promise<void> {
  await endProcesses(home.path)
  meanwhile()
  await start(home)
}

const lines = (prefix: string, from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${from + index}`)

describe('a history of tens of thousands of lines', () => {
  test('is read whole, by range and by page, before and after kill -9 and a cold boot, with a resize in it', async () => {
    await using home = makeHomeWithOwnPort()
    const parts = [
      { prefix: LONG, from: 1, count: 4_000 },
      { prefix: 'short ', from: 1, count: 25_000 },
      { prefix: 'wide 日本 ', from: 1, count: 5_000 },
    ]
    const truth = parts.flatMap(({ prefix, from, count }) => lines(prefix, from, count))
    await startPrinter(home, parts)
    await printNext(home, `${LONG}4000`)
    const client = await connectTo(home)
    await client.request('terminal.resize', { terminal: 'printer', size: { cols: 57, rows: 45 } })
    await printNext(home, 'short 25000')
    await client.request('terminal.resize', { terminal: 'printer', size: { cols: 140, rows: 20 } })
    await printNext(home, 'wide 日本 5000')
    client.close()
    await untilKept(home, 'wide 日本 5000')

    const expectTruth = async () => {
      expect(await read(home, 'printer', '--history', 'all')).toEqual(truth)
      expect(await read(home, 'printer', '--history', '9000')).toEqual(truth.slice(truth.length - 9_000 - 19))
      expect(await read(home, 'printer', '--lines', '3999-4002')).toEqual(truth.slice(3_998, 4_002))
      expect(await read(home, 'printer', '--lines', '-3', '--number')).toEqual([1, 2, 3].map((number) => `${number}  ${truth[number - 1]}`))
      for (const before of [1, 50, 4_010, 15_000, 28_999, 31_500, 33_990]) {
        const count = 100
        const from = Math.max(0, before - count)
        expect(await page(home, 'printer', { before, count })).toEqual({ first: 0, from, end: 34_000, lines: truth.slice(from, before) })
      }
      expect(await page(home, 'printer', { before: 0, count: 10 })).toEqual({ first: 0, from: 0, end: 34_000, lines: [] })
      expect((await page(home, 'printer', { before: 12_000, count: 10_000 })).lines).toEqual(truth.slice(2_000, 12_000))
    }
    await expectTruth()
    expect(filesLike(home, /\.anchor$/).length).toBeGreaterThan(1)
    await crash(home)
    await expectTruth()
    await coldBoot(home)
    await expectTruth()
    expect((await list(home))[0]).toMatchObject({ state: 'asleep', because: { kind: 'lost' } })
  }, 180_000)

  test('that is longer than the log begins later, and every line that is left has its number', async () => {
    await using home = makeHomeWithOwnPort()
    writeFileSync(`${home.path}/config.toml`, 'log_bytes = 1_048_576\nscrollback_lines = 100\n[web]\nport = 0\n')
    await startPrinter(home, [
      { prefix: 'line ', from: 1, count: 70_000 },
      { prefix: 'line ', from: 70_001, count: 70_000 },
    ])
    await printNext(home, 'line 70000')
    await printNext(home, 'line 140000')
    await untilKept(home, 'line 140000')
    const left = async () => {
      const { first, end } = await page(home, 'printer', { count: 1 })
      expect(end).toBe(140_000)
      expect(first).toBeGreaterThan(0)
      expect(first).toBeLessThan(100_000)
      const text = await read(home, 'printer', '--history', 'all')
      expect(text).toEqual(lines('line ', first + 1, 140_000 - first))
      expect((await page(home, 'printer', { before: first + 3, count: 100 })).lines).toEqual(lines('line ', first + 1, 3))
      expect(await page(home, 'printer', { before: first, count: 5 })).toEqual({ first, end, from: first, lines: [] })
      return first
    }
    const first = await left()
    await crash(home)
    expect(await left()).toBe(first)
    await coldBoot(home)
    expect(await left()).toBe(first)
  }, 120_000)

  test('is the same with damaged anchors, and without any', async () => {
    await using home = makeHomeWithOwnPort()
    await startPrinter(home, [{ prefix: 'line ', from: 1, count: 120_000 }])
    await printNext(home, 'line 120000')
    await untilKept(home, 'line 120000')
    const truth = lines('line ', 1, 120_000)
    const anchors = filesLike(home, /\.anchor$/)
    expect(anchors.length).toBeGreaterThan(1)
    await coldBoot(home, () => {
      for (const [index, name] of anchors.entries()) {
        const path = `${runDirectory(home)}/${name}`
        const bytes = readFileSync(path)
        writeFileSync(path, index % 2 === 0 ? bytes.subarray(0, bytes.length >> 1) : 'not an anchor at all')
      }
    })
    expect((await page(home, 'printer', { before: 90_000, count: 100 })).lines).toEqual(truth.slice(89_900, 90_000))
    expect(await read(home, 'printer', '--history', 'all')).toEqual(truth)
    for (const name of anchors) rmSync(`${runDirectory(home)}/${name}`, { force: true })
    await crash(home)
    expect((await page(home, 'printer', { before: 90_000, count: 100 })).lines).toEqual(truth.slice(89_900, 90_000))
  }, 90_000)
})

test('a line of a megabyte is one line, and comes whole', async () => {
  await using home = makeHomeWithOwnPort()
  const script = "seq 3000; head -c 1000000 /dev/zero | tr '\\0' x; echo; seq 3001 6000; exec sleep 300"
  await run(home, ['new', '--name', 'giant', '--', 'sh', '-c', script])
  await run(home, ['wait', 'giant', '--text', '^6000$', '--timeout', '20'])
  const [before, giant, after] = await read(home, 'giant', '--lines', '3000-3002')
  expect([before, giant?.length, giant?.replaceAll('x', ''), after]).toEqual(['3000', 1_000_000, '', '3001'])
  expect((await read(home, 'giant', '--history', 'all')).length).toBe(6_001)
})

test('what a program erased above its screen is not shown again', async () => {
  await using home = makeHomeWithOwnPort()
  const script = "seq 5000; printf '\\033[2J\\033[3J\\033[H'; seq 10001 14000; exec sleep 300"
  await run(home, ['new', '--name', 'redraws', '--', 'sh', '-c', script])
  await run(home, ['wait', 'redraws', '--text', '^14000$', '--timeout', '20'])
  const truth = lines('', 10_001, 4_000)
  const { first, end } = await page(home, 'redraws', { count: 1 })
  expect(end - first).toBe(4_000)
  for (const again of [false, true]) {
    if (again) await crash(home)
    expect(await read(home, 'redraws', '--history', 'all')).toEqual(truth)
    expect((await page(home, 'redraws', { before: first + 10, count: 100 })).lines).toEqual(truth.slice(0, 10))
    expect((await page(home, 'redraws', { before: first, count: 100 })).lines).toEqual([])
  }
})

test('a client gets as much history with the screen as it asks for, and is told where that begins', async () => {
  await using home = makeHomeWithOwnPort()
  await startPrinter(home, [{ prefix: 'line ', from: 1, count: 20_000 }])
  await printNext(home, 'line 20000')
  const client = await connectTo(home)
  for (const [asked, from] of [
    [0, 19_971],
    [100, 19_871],
    [1_500, 18_471],
    [6_000, 13_971],
    [100_000, 0],
  ] as const) {
    const opened = await client.request('terminal.open', { terminal: 'printer', history: asked, window: 65_536 })
    if (!opened.ok) throw new Error(opened.refusal.message)
    expect(opened.value.result.lines).toEqual({ first: 0, from })
    const painted = new TextDecoder().decode(opened.value.blob)
    expect(painted.match(/line \d+/g)?.map((line) => Number(line.slice(5)))).toEqual(lines('', from + 1, 20_000 - from).map(Number))
    const attached = await client.request('terminal.attach', { terminal: 'printer', history: asked })
    if (!attached.ok) throw new Error(attached.refusal.message)
    expect(attached.value.result.lines).toEqual({ first: 0, from })
  }
  client.close()
})

const ANCHOR_POINTS = ['anchor:before-write', 'anchor:before-rename', 'anchor:after-rename', 'anchor:before-drop']
test.each(ANCHOR_POINTS)(
  'a daemon that dies at %s costs no line and leaves no half anchor',
  async (point) => {
    await using home = makeHomeWithOwnPort()
    writeFileSync(`${home.path}/config.toml`, 'log_bytes = 1_048_576\nscrollback_lines = 100\n[web]\nport = 0\n')
    await run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: point } })
    await startPrinter(home, [
      { prefix: 'line ', from: 1, count: 30_000 },
      { prefix: 'line ', from: 30_001, count: 90_000 },
    ])
    await run(home, ['send', 'printer', 'go', '--enter'])
    if (point === 'anchor:before-drop') {
      await run(home, ['wait', 'printer', '--text', '^line 30000$', '--timeout', '40'])
      await until(() => filesLike(home, /\.anchor$/).length > 0, { what: 'an anchor' })
      await run(home, ['send', 'printer', 'go', '--enter'])
    }
    const isDead = () => processesMentioning(home.path).every(({ command }) => !/holdfast-daemon|daemon\/main\.js/.test(command))
    await until(isDead, { what: 'the daemon to die there', timeoutMs: 20_000 })
    if (point !== 'anchor:before-drop') await run(home, ['send', 'printer', 'go', '--enter'])
    await run(home, ['wait', 'printer', '--text', '^line 120000$', '--timeout', '40'])
    await untilKept(home, 'line 120000')
    const { first } = await page(home, 'printer', { count: 1 })
    expect(await read(home, 'printer', '--history', 'all')).toEqual(lines('line ', first + 1, 120_000 - first))
    // The next daemon may be writing one of its own in this moment; what the dead one has left would stay.
    await until(() => filesLike(home, /\.new$/).length === 0, { what: 'no half anchor to be there' })
  },
  90_000,
)

test('read refuses ranges that are none, and says what goes together', async () => {
  await using home = makeHomeWithOwnPort()
  await run(home, ['new', '--name', 'short', '--', 'sh', '-c', 'echo one; echo two; exec sleep 300'])
  await run(home, ['wait', 'short', '--text', 'two'])
  for (const args of [
    ['--lines', '5-2'],
    ['--lines', 'x'],
    ['--lines', '0-3'],
    ['--number'],
    ['--lines', '1-', '--history', '3'],
    ['--lines', '1-', '--format', 'html'],
  ]) {
    const refused = await run(home, ['read', 'short', ...args])
    expect([args, refused.code, refused.stdout]).toEqual([args, 2, ''])
    expect(refused.stderr).toContain('holdfast read --help')
  }
  expect(await json(home, ['read', 'short', '--lines', '2-'])).toEqual({ first: 1, last: 2, lines: [{ number: 2, text: 'two' }] })
  const { lines: rows } = await json<{ lines: { number: number; text: string }[] }>(home, ['read', 'short'])
  expect(rows.slice(0, 2)).toMatchObject([
    { number: 1, text: 'one' },
    { number: 2, text: 'two' },
  ])
  expect(await read(home, 'short', '--lines', '7-9')).toEqual([])
})
