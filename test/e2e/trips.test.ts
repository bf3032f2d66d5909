import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemonsOf, holdersOf, killDaemon, list, programsOf, status } from '../support/daemon.ts'
import { fixtureProgram, json, type Ran, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { endProcess } from '../support/processes.ts'
import { change, powerCut, query } from '../support/restoring.ts'

/**
 * The daemon dies at every point of every operation, as if the power had gone; the next one must find each terminal
 * once, each program in exactly one terminal, and nothing half done.
 */
const CREATION = ['before:keep', 'after:keep', 'before:spawn', 'spawn:holder-ready', 'after:spawn']
const CLOSING = [
  'before:keepScreen',
  'before:keep',
  'before:settle',
  'after:settle',
  'before:forget',
  'forget:runs-renamed',
  'forget:record-gone',
  'after:forget',
  'before:releaseHolder',
]
const EXIT = ['before:keepScreen', 'after:keepScreen', 'before:keep', 'after:keep', 'before:releaseHolder', 'after:releaseHolder']
/** The second record that is kept is the one that says that it sleeps. */
const SLEEPING = [
  'sleep:context-gathered',
  'after:keepScreen',
  'before:settle',
  'after:settle',
  'before:keep#2',
  'after:keep#2',
  'after:releaseHolder',
]
const REOPENING = ['reopen:before-keep', 'reopen:after-keep', 'reopen:runs-back']
const EXPIRING = ['expire:before-forget', 'expire:record-gone']
const STARTING_OVER = ['startOver:settled', 'restore:before-keep', 'restore:after-keep']
const BOOT = ['boot:holders-linked', 'before:announce', 'before:keep']

const start = (home: Home, trip?: string): Promise<Ran> => run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: trip } })
const logsIn = ({ path }: Home): string[] =>
  readdirSync(join(path, 'runs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.log'))
    .map((name) => join(path, 'runs', name))
const SLEEPER = ['--', 'sh', '-c', 'echo here I am; exec sleep 300']

/** Every live terminal has its one program, and every program its one terminal. */
async function expectWhole(home: Home): Promise<void> {
  const terminals = await until(
    async () => {
      const seen = await list(home)
      return seen.every(({ state }) => state === 'live' || state === 'asleep') && seen
    },
    { what: 'every terminal to be live or asleep' },
  )
  const live = terminals.filter(({ state }) => state === 'live')
  const pids = (items: readonly { readonly pid: number | null }[]): string =>
    items
      .map(({ pid }) => pid)
      .sort()
      .join()
  await until(() => pids(programsOf(home)) === pids(live), { what: 'programs and live terminals to be the same' })
  // A holder whose exit nobody took stays a moment for those who are about to ask.
  await until(() => holdersOf(home).length === live.length, { what: 'holders without a program to leave', timeoutMs: 20_000 })
}

/** All points of one operation in one home: what an earlier death left must stay whole at the later ones, too. */
function inOneHome(title: string, tests: (home: () => Home) => void): void {
  describe(title, () => {
    let home: Home
    beforeAll(async () => {
      home = makeHome()
      expect((await run(home, ['new', '--name', 'bystander', ...SLEEPER])).code).toBe(0)
    })
    afterAll(() => home.dispose())
    tests(() => home)
  })
}

async function restart(home: Home, trip: string): Promise<void> {
  await run(home, ['daemon', 'stop'])
  await start(home, trip)
  await status(home) // it lives through its start: only what comes next reaches the point
}

inOneHome('while making a terminal', (homeOf) => {
  test.each(CREATION)('a daemon that dies at %s loses no program and doubles none', async (point) => {
    const home = homeOf()
    const before = (await list(home)).map(({ name }) => name)
    await restart(home, point)
    await run(home, ['new', '--name', `victim ${point}`, ...SLEEPER]) // refused or not: the daemon is gone before or after
    killDaemon(home)
    await start(home)
    await expectWhole(home)
    const names = (await list(home)).map(({ name }) => name)
    expect([before, [...before, `victim ${point}`]]).toContainEqual(names)
  })
})

test('a daemon that dies at before:announce of its first terminal loses no program and doubles none', async () => {
  await using home = makeHome() // with a terminal in it, the start of the daemon would announce that one
  await start(home, 'before:announce')
  await status(home)
  await run(home, ['new', '--name', 'victim', ...SLEEPER])
  await until(() => daemonsOf(home).length === 0, { what: 'the daemon to die' })
  await start(home)
  await expectWhole(home)
  expect((await list(home)).map(({ name }) => name)).toEqual(['victim'])
})

test('a terminal whose program never began is asleep and empty, and can be read and woken', async () => {
  await using home = makeHome()
  await start(home, 'before:spawn')
  await run(home, ['new', '--name', 'victim', ...SLEEPER])
  await start(home)
  await until(async () => (await list(home))[0]?.state === 'asleep', { what: 'the terminal to be asleep' })
  expect(await run(home, ['read', 'victim', '--history', 'all'])).toEqual({ code: 0, stdout: '', stderr: '' })
  expect((await run(home, ['wake', 'victim'])).code).toBe(0)
  expect((await run(home, ['wait', 'victim', '--text', 'here I am', '--timeout', '10'])).code).toBe(0)
})

test('a wake that began and was lost with daemon and holder shows what it printed, not what was there before', async () => {
  await using home = makeHome()
  const words = join(home.path, 'words')
  writeFileSync(words, 'the first run')
  await run(home, ['new', '--name', 'victim', '--', 'sh', '-c', 'cat "$0"; exec sleep 300', words])
  await run(home, ['wait', 'victim', '--text', 'first', '--timeout', '10'])
  await run(home, ['sleep', '--force', 'victim'])
  writeFileSync(words, 'the second run')
  killDaemon(home)
  await start(home, 'spawn:holder-ready')
  await run(home, ['wake', 'victim'])
  const logs = (): string[] => logsIn(home).map((path) => readFileSync(path, 'latin1'))
  await until(() => logs().some((log) => log.includes('the second run')), { what: 'the output to be on disk' })
  killDaemon(home)
  for (const holder of holdersOf(home)) endProcess(holder)
  await start(home)
  expect((await list(home))[0]).toMatchObject({ state: 'asleep', because: { kind: 'lost' } })
  expect((await run(home, ['read', 'victim'])).stdout).toContain('the second run')
})

inOneHome('while closing a terminal', (homeOf) => {
  test.each(CLOSING)('a daemon that dies at %s closes it in the end and nothing else', async (point) => {
    const home = homeOf()
    await run(home, ['new', '--name', 'victim', ...SLEEPER])
    await restart(home, point)
    await run(home, ['close', '--yes', 'victim'])
    killDaemon(home)
    await start(home)
    if ((await list(home)).some(({ name, state }) => name === 'victim' && state === 'live')) await run(home, ['close', '--yes', 'victim'])
    await until(async () => (await list(home)).every(({ name }) => name !== 'victim'), { what: 'the terminal to be closed' })
    await expectWhole(home)
    expect((await list(home)).map(({ name, state }) => ({ name, state }))).toEqual([{ name: 'bystander', state: 'live' }])
  })
})

inOneHome('while putting a terminal to sleep', (homeOf) => {
  test.each(SLEEPING)(
    'a daemon that dies at %s is followed by one that finishes it, with context and picture from before',
    async (point) => {
      const home = homeOf()
      await run(home, ['new', '--name', 'victim', '--', process.execPath, fixtureProgram('tidies-up-slowly.mjs'), '--for', '200'])
      await run(home, ['wait', 'victim', '--text', 'from before', '--timeout', '10'])
      await restart(home, point)
      const victimOf = async () => (await list(home)).find(({ name }) => name === 'victim')
      const { id } = (await victimOf()) ?? {}
      await run(home, ['sleep', '--force', 'victim'])
      await until(() => daemonsOf(home).length === 0, { what: 'the daemon to die' })
      await start(home)
      if ((await victimOf())?.state === 'live') await run(home, ['sleep', '--force', 'victim']) // it was not known yet that it was to sleep
      await until(async () => (await victimOf())?.state === 'asleep', { what: 'the terminal to be asleep' })
      expect(await victimOf()).toMatchObject({
        id,
        because: { kind: 'slept', context: { directory: process.cwd() } },
      })
      const read = (await run(home, ['read', 'victim'])).stdout
      expect(read).toContain('the picture from before')
      expect(read).not.toContain('tidied up')
      await expectWhole(home)
      await run(home, ['close', '--yes', 'victim'])
      expect((await list(home)).map(({ name, state }) => ({ name, state }))).toEqual([{ name: 'bystander', state: 'live' }])
    },
  )
})

test.each([
  { point: 'before:forget', isThere: true },
  { point: 'forget:runs-renamed', isThere: true },
  { point: 'forget:record-gone', isThere: false },
])(
  'a daemon that dies at $point while closing an asleep terminal has closed it, or left it with all it printed',
  async ({ point, isThere }) => {
    await using home = makeHome()
    await start(home, point)
    await run(home, ['new', '--name', 'victim', '--', 'sh', '-c', 'echo last words'])
    await until(async () => (await list(home))[0]?.state === 'asleep', { what: 'the terminal to be asleep' })
    await run(home, ['close', '--yes', 'victim'])
    killDaemon(home)
    expect((await list(home)).map(({ name }) => name)).toEqual(isThere ? ['victim'] : [])
    expect((await run(home, ['reopen', 'victim'])).code).toBe(isThere ? 1 : 0)
    expect((await run(home, ['read', 'victim', '--history', 'all'])).stdout).toContain('last words')
    expect(readdirSync(`${home.path}/runs`)).toHaveLength(1)
  },
)

inOneHome('while reopening a terminal', (homeOf) => {
  test.each(REOPENING)('a daemon that dies at %s has it closed or there, once, with all it printed', async (point) => {
    const home = homeOf()
    await run(home, ['new', '--name', `victim ${point}`, ...SLEEPER])
    await run(home, ['wait', `victim ${point}`, '--text', 'here I am', '--timeout', '10'])
    await run(home, ['close', '--yes', `victim ${point}`])
    await restart(home, point)
    expect((await run(home, ['reopen'])).code).toBe(1)
    await start(home)
    const closed = await json<{ name: string }[]>(home, ['reopen', '--list'])
    const there = (await list(home)).filter(({ name }) => name === `victim ${point}`)
    expect([...closed, ...there].map(({ name }) => name)).toEqual([`victim ${point}`])
    if (there.length === 0) expect((await run(home, ['reopen'])).code).toBe(0)
    expect((await run(home, ['read', `victim ${point}`])).stdout).toContain('here I am')
    expect(readdirSync(`${home.path}/runs`).filter((name) => name.endsWith('.closed'))).toEqual([])
    await expectWhole(home)
  })

  test.each(EXPIRING)(
    'a daemon that dies at %s, when the time to reopen it is over, is followed by one that has nothing of it',
    async (point) => {
      const home = homeOf()
      const before = (await list(home)).length
      await run(home, ['new', '--name', `victim ${point}`, ...SLEEPER])
      await run(home, ['close', '--yes', `victim ${point}`])
      killDaemon(home)
      change(home, "UPDATE terminals SET closed = json_set(closed, '$.until', 1) WHERE closed IS NOT NULL")
      await start(home, point)
      await until(() => daemonsOf(home).length === 0, { what: 'the daemon to die' })
      await start(home)
      expect(await list(home)).toHaveLength(before)
      expect((await run(home, ['reopen', `victim ${point}`])).stderr).toMatch(/five minutes/)
      await until(() => readdirSync(`${home.path}/runs`).length === before, { what: 'its files to be gone' })
      expect(query(home, 'SELECT 1 FROM terminals')).toHaveLength(before)
    },
  )
})

test.each(STARTING_OVER)(
  'a daemon that dies at %s while it starts over has closed everything or nothing, and it can be taken back',
  async (point) => {
    await using home = makeHome()
    for (const name of ['one', 'two']) await run(home, ['new', '--name', name, ...SLEEPER])
    await run(home, ['wait', 'two', '--text', 'here I am', '--timeout', '10'])
    await restart(home, point)
    expect((await run(home, ['start-over', '--confirm', 'start over'])).code).toBe(1)
    await start(home)
    const names = async (): Promise<string> => (await list(home)).map(({ name }) => name).join()
    const left = await names()
    expect(['', 'one,two']).toContain(left)
    const checkpoints = await json<{ id: string; note: string | null }[]>(home, ['checkpoint', 'ls'])
    const undo = checkpoints.find(({ note }) => note === 'before starting over')
    if (left === '') expect((await run(home, ['restore', '--yes', undo?.id ?? ''])).code).toBe(0)
    expect(await names()).toBe('one,two')
    expect((await run(home, ['read', 'two'])).stdout).toContain('here I am')
  },
)

inOneHome('when a program ends', (homeOf) => {
  test.each(EXIT)('a daemon that dies at %s still knows how it ended and what it showed', async (point) => {
    const home = homeOf()
    const name = `victim ${point}`
    await run(home, ['new', '--name', name, '--', 'sh', '-c', 'read line; echo "last words: $line"; exit 7'])
    await restart(home, point)
    await run(home, ['send', name, 'goodbye', '--enter'])
    await until(() => daemonsOf(home).length === 0, { what: 'the daemon to die' })
    await start(home)
    const victim = await until(async () => (await list(home)).find((seen) => seen.name === name && seen.state === 'asleep'), {
      what: 'the terminal to be asleep',
    })
    expect(victim.because).toEqual({ kind: 'exited', status: { code: 7 } })
    expect((await run(home, ['read', name])).stdout).toContain('last words: goodbye')
    await expectWhole(home)
  })
})

inOneHome('while starting', (homeOf) => {
  test.each(BOOT)('a daemon that dies at %s is followed by one that finds everything', async (point) => {
    const home = homeOf()
    await run(home, ['new', '--name', `before ${point}`, ...SLEEPER])
    const before = await list(home)
    killDaemon(home)
    await start(home, point)
    killDaemon(home)
    await start(home)
    await expectWhole(home)
    expect((await list(home)).map(({ name, state, pid }) => ({ name, state, pid }))).toEqual(
      before.map(({ name, pid }) => ({ name, state: 'live', pid })),
    )
  })
})

test.each([
  { point: 'recovery:before-answer', left: 2 },
  { point: 'recovery:before-wake', left: 0 },
])(
  'a daemon that dies at $point of waking what was lost is followed by one that asks $left of 2, and wakes none',
  async ({ point, left }) => {
    await using home = makeHome()
    for (const name of ['one', 'two']) await run(home, ['new', '--name', name, ...SLEEPER])
    await powerCut(home)
    await start(home, point)
    await run(home, ['wake', '--lost'])
    killDaemon(home)
    await start(home)
    await expectWhole(home)
    expect((await list(home)).map(({ state }) => state)).toEqual(['asleep', 'asleep'])
    expect((await json<{ left: string[] }>(home, ['wake', '--lost', '--later'])).left).toHaveLength(left)
  },
)
