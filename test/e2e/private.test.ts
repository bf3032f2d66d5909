import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { loadSqlite } from '../../src/store/sqlite.ts'
import { connectTo, killDaemon, type Listed, list } from '../support/daemon.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { endProcesses, processesMentioning } from '../support/processes.ts'
import { tracesOf } from '../support/traces.ts'

/** Nothing that a private terminal shows is ever on disk; it lives as long as its holder does. */

/** Typed in two halves, so that no command line holds it. */
const SECRET = 'hunter2-swordfish'
const PRINTS = String.raw`seq 1 100; printf '\033]0;%s%s\007' hunter2- swordfish; printf '%s%s\n' hunter2- swordfish; while read -r line; do echo "heard $line"; done`

const start = async (home: Home): Promise<void> => expect((await run(home, ['daemon', 'start'])).code).toBe(0)
const isLive = async (home: Home, name: string): Promise<Listed | undefined> =>
  (await list(home)).find((terminal) => terminal.name === name && terminal.state === 'live')

function filesUnder(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name)
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isDirectory() ? filesUnder(path) : found?.isFile() ? [path] : []
  })
}

/** Snapshots are compressed, and so is what the index holds: they are asked for what they know instead. */
const filesWith = (home: Home, text: string): string[] =>
  filesUnder(home.path).filter((path) => {
    const bytes = readFileSync(path)
    return bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le'))
  })

async function runsIn(home: Home, file: string, table: string): Promise<unknown[]> {
  const database = (await loadSqlite()).open(join(home.path, file), { readOnly: true })
  try {
    return database.all(`SELECT run FROM ${table}`).map(({ run: id }) => id)
  } finally {
    database.close()
  }
}

async function make(home: Home, name: string, ...options: string[]): Promise<void> {
  const made = await run(home, ['new', '--name', name, ...options, '--', 'sh', '-c', PRINTS])
  expect(made.stderr).toBe('')
  expect((await run(home, ['wait', name, '--text', SECRET, '--timeout', '20'])).code).toBe(0)
}

const untilLogged = (home: Home): Promise<unknown> =>
  until(() => filesWith(home, SECRET).some((path) => path.endsWith('.log')), { what: 'the log of the terminal that has one' })

test('what a private terminal prints is nowhere on disk, while a usual one’s is', async () => {
  await using home = makeHomeWithOwnPort()
  await start(home)
  await make(home, 'secret', '--private')
  const privateRun = readdirSync(`${home.path}/runs`)
  await run(home, ['daemon', 'restart']) // keeps every screen that is to be kept, and takes a checkpoint
  await until(() => isLive(home, 'secret'), { what: 'the private terminal to be adopted' })
  expect((await run(home, ['read', 'secret'])).stdout).toContain(SECRET)
  expect(filesWith(home, SECRET)).toEqual([])
  expect(readdirSync(`${home.path}/runs/${privateRun[0]}`)).toEqual(['holder.json'])
  expect((await run(home, ['search', SECRET])).code).toBe(1)

  await make(home, 'usual')
  await untilLogged(home)
  await until(async () => (await run(home, ['search', SECRET])).code === 0, { what: 'the usual one to be found' })
  await until(async () => (await runsIn(home, 'search.db', 'runs')).length > 0, { what: 'its lines to be indexed' })
  await run(home, ['daemon', 'stop'])
  const names = filesWith(home, SECRET).map((path) => path.slice(home.path.length + 1))
  expect(names).toContain('holdfast.db') // its title
  expect(names.filter((name) => name.includes(String(privateRun[0])))).toEqual([])
  // Of pictures and of the index, which are compressed, there is exactly the usual one's.
  const [usualRun] = readdirSync(`${home.path}/runs`).filter((name) => !privateRun.includes(name))
  expect(await runsIn(home, 'holdfast.db', 'snapshots')).toEqual([usualRun])
  expect(await runsIn(home, 'search.db', 'runs')).toEqual([usualRun])
  await start(home)
})

test('a private terminal survives the daemon, and after its end says that nothing of it was kept', async () => {
  await using home = makeHomeWithOwnPort()
  await start(home)
  await make(home, 'secret', '--private')
  expect((await run(home, ['ls'])).stdout).toContain('live, private')
  killDaemon(home)
  await start(home)
  const before = await until(() => isLive(home, 'secret'), { what: 'the terminal to be found again' })
  await run(home, ['send', 'secret', 'hello', '--enter'])
  expect((await run(home, ['wait', 'secret', '--text', 'heard hello', '--timeout', '20'])).code).toBe(0)
  const screen = (await run(home, ['read', 'secret'])).stdout
  expect(screen).toContain(SECRET)
  process.kill(before.pid ?? 0, 'SIGKILL')
  await until(async () => (await list(home))[0]?.state === 'asleep', { what: 'its end' })
  expect((await list(home))[0]?.because).toEqual({ kind: 'exited', status: { signal: 'SIGKILL' } })
  for (const verb of [['read'], ['read', '--history', 'all'], ['read', '--lines', '1-2'], ['attach']]) {
    const { code, stdout, stderr } = await run(home, [verb[0] ?? '', 'secret', ...verb.slice(1)])
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
    if (verb[0] === 'read') expect(stderr).toContain('is private: its output was not kept.')
  }
  const client = await connectTo(home)
  const opened = await client.request('terminal.open', { terminal: 'secret', window: 4096 })
  expect(opened).toMatchObject({ ok: true, value: { result: { run: null, terminal: { private: true, title: '' } } } })
  const attached = await client.request('terminal.attach', { terminal: 'secret' })
  expect(attached).toMatchObject({ ok: false, refusal: { message: expect.stringContaining('it is private, so its output was not kept') } })
  client.close()
  expect(filesWith(home, SECRET)).toEqual([])
  // It is private still when it is woken; its arguments went with the daemon that had been given them.
  await run(home, ['wake', '--without-arguments', 'secret'])
  await run(home, ['send', 'secret', String.raw`printf '%s%s\n' hunter2- swordfish`, '--enter'])
  expect((await run(home, ['wait', 'secret', '--text', SECRET, '--timeout', '20'])).code).toBe(0)
  expect(filesWith(home, SECRET)).toEqual([])
})

test('an exit without a daemon waits for the next one', async () => {
  await using home = makeHomeWithOwnPort()
  await start(home)
  await make(home, 'secret', '--private')
  const { pid } = await until(() => isLive(home, 'secret'), { what: 'the terminal' })
  killDaemon(home)
  process.kill(pid ?? 0, 'SIGKILL')
  await start(home)
  await until(async () => (await list(home))[0]?.state === 'asleep', { what: 'its end to be taken' })
  expect((await list(home))[0]?.because).toEqual({ kind: 'exited', status: { signal: 'SIGKILL' } })
  await until(() => processesMentioning(home.path).every(({ command }) => !command.includes('holdfast-holder')), {
    what: 'its holder to leave',
  })
})

test('after a power cut a private terminal is there, asleep and without a picture', async () => {
  await using home = makeHomeWithOwnPort()
  await start(home)
  await make(home, 'secret', '--private')
  await endProcesses(home.path)
  expect(filesWith(home, SECRET)).toEqual([])
  await start(home)
  const [terminal] = await list(home)
  expect(terminal).toMatchObject({ name: 'secret', state: 'asleep', because: { kind: 'lost' } })
  expect((await run(home, ['read', 'secret'])).stderr).toContain('its output was not kept')
})

/** What is given to a private terminal, and must be in no file: an argument, and a variable that the environment’s allow-list lets through. */
const ARGUMENT = 'argqxkwvzj71fbd2c9e04'
const VALUE = 'envjzpqyxw83ca6e1d50b7'
const GIVEN = [
  '--private',
  '--env',
  `EDITOR=${VALUE}`,
  '--env',
  `TOKEN=${VALUE}`,
  '--',
  'sh',
  '-c',
  'echo ready; while read -r line; do echo "heard $line $1"; done',
  'sh',
  ARGUMENT,
]

const makeGiven = async (home: Home): Promise<void> => {
  expect((await run(home, ['new', '--name', 'secret', ...GIVEN])).stderr).toBe('')
  expect((await run(home, ['wait', 'secret', '--text', 'ready', '--timeout', '20'])).code).toBe(0)
}
const checkpoint = async (home: Home): Promise<void> => expect((await run(home, ['checkpoint', 'create'])).code).toBe(0)

test('arguments and variables of a private terminal are in no file: while it runs, asleep, closed, or after kill -9', async () => {
  await using home = makeHomeWithOwnPort()
  await start(home)
  await makeGiven(home)
  await checkpoint(home)
  expect(tracesOf(home, ARGUMENT, VALUE)).toEqual([])
  killDaemon(home)
  await start(home)
  await until(() => isLive(home, 'secret'), { what: 'the terminal to be found again' })
  await run(home, ['send', 'secret', 'hello', '--enter'])
  expect((await run(home, ['wait', 'secret', '--text', `heard hello ${ARGUMENT}`, '--timeout', '20'])).code).toBe(0)
  await checkpoint(home)
  expect(tracesOf(home, ARGUMENT, VALUE)).toEqual([])
  await run(home, ['sleep', '--force', 'secret'])
  await checkpoint(home)
  expect(tracesOf(home, ARGUMENT, VALUE)).toEqual([])
  await run(home, ['close', '--yes', 'secret'])
  await checkpoint(home)
  expect(tracesOf(home, ARGUMENT, VALUE)).toEqual([])
  // The same of a usual terminal would be found.
  await run(home, ['new', '--name', 'usual', ...GIVEN.slice(1)])
  await checkpoint(home)
  expect(tracesOf(home, ARGUMENT)).toEqual(
    expect.arrayContaining(['holdfast.db terminals.record', 'holdfast.db checkpoint_terminals.record', 'runs/r…/holder.json']),
  )
})

test('a private terminal is woken with its arguments while the daemon knows them, and refused, not started wrongly, after that', async () => {
  await using home = makeHomeWithOwnPort()
  await start(home)
  await makeGiven(home)
  await run(home, ['sleep', '--force', 'secret'])
  expect((await run(home, ['wake', 'secret'])).code).toBe(0)
  await run(home, ['send', 'secret', 'again', '--enter'])
  expect((await run(home, ['wait', 'secret', '--text', `heard again ${ARGUMENT}`, '--timeout', '20'])).code).toBe(0)
  await run(home, ['sleep', '--force', 'secret'])
  expect(tracesOf(home, ARGUMENT, VALUE)).toEqual([])
  killDaemon(home)
  await start(home)
  const refused = await run(home, ['wake', 'secret'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('is private, and its 4 arguments and 2 variables were not stored')
  expect(refused.stderr).toContain('--without-arguments')
  expect((await list(home))[0]?.state).toBe('asleep')
  expect((await run(home, ['wake', '--fresh', 'secret'])).code).toBe(1)
  expect((await run(home, ['wake', '--without-arguments', 'secret'])).code).toBe(0)
  await run(home, ['send', 'secret', 'echo "it has $# arguments"', '--enter'])
  expect((await run(home, ['wait', 'secret', '--text', 'it has 0 arguments', '--timeout', '20'])).code).toBe(0)
})

test('the same holds where a tmux holds it', async () => {
  await using home = makeHomeWithOwnPort()
  await start(home)
  expect((await run(home, ['new', '--name', 'secret', '--backend', 'tmux', ...GIVEN])).stderr).toBe('')
  expect((await run(home, ['wait', 'secret', '--text', 'ready', '--timeout', '20'])).code).toBe(0)
  await checkpoint(home)
  expect(tracesOf(home, ARGUMENT, VALUE)).toEqual([])
})

test('what is stored of a private terminal is said where one is made', async () => {
  await using home = makeHomeWithOwnPort()
  const { stdout } = await run(home, ['new', '--help'])
  expect(stdout).toContain('the command without its arguments')
})
