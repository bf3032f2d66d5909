import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTo, daemonsOf, holdersOf, type Listed, list, status } from '../support/daemon.ts'
import { environment, fixtureProgram, HOLDFAST, json, type Ran, run } from '../support/holdfast.ts'
import { type Home, makeHome, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { isRunning, processesMentioning } from '../support/processes.ts'
import { openPty } from '../support/ptyClient.ts'

/** How terminals and the daemon begin and end, through the built program, on one home. */
const GRACE_MS = 400
const node = (name: string, ...args: string[]): string[] => ['--', process.execPath, fixtureProgram(name), ...args]
const SLEEPER = ['--', 'sh', '-c', 'echo ready; exec sleep 300']

let home: Home
const hf = (...args: string[]): Promise<Ran> => run(home, args)
const named = async (name: string): Promise<Listed | undefined> => (await list(home)).find((terminal) => terminal.name === name)

async function start(name: string, args: readonly string[] = SLEEPER): Promise<Listed> {
  const made = await json<Listed>(home, ['new', '--name', name, ...args])
  expect((await hf('wait', name, '--text', 'ready|tree|line', '--timeout', '10')).code).toBe(0)
  return made
}

beforeAll(async () => {
  home = makeHome()
  writeFileSync(`${home.path}/config.toml`, `settle_ms = ${GRACE_MS}\n\n[web]\nport = 0\n`)
  expect((await hf('daemon', 'start')).code).toBe(0)
})
afterAll(() => home.dispose())

test('a terminal whose program ended keeps its screen, and wakes in its place under its id', async () => {
  const made = await start('again', ['--', 'sh', '-c', 'echo ready in $$; read line; echo "last words"; exit 4'])
  expect((await hf('wake', 'again')).code).toBe(1)
  await hf('send', 'again', '--enter')
  await hf('wait', 'again', '--exit', '--timeout', '10')
  expect(await named('again')).toMatchObject({
    id: made.id,
    state: 'asleep',
    because: { kind: 'exited', status: { code: 4 } },
    pid: null,
    holderPid: null,
  })
  expect((await hf('ls')).stdout).toMatch(/again +asleep \(exit 4\)/)
  expect((await hf('read', 'again')).stdout).toContain('last words')
  for (const args of [
    ['send', 'again', 'x'],
    ['attach', 'again'],
  ].slice(0, 1))
    expect((await hf(...args)).code).toBe(3)
  const [woken] = await json<Listed[]>(home, ['wake', 'again'])
  expect(woken).toMatchObject({ id: made.id, name: 'again', state: 'live', because: null })
  expect(woken?.pid).not.toBe(made.pid)
  await hf('wait', 'again', '--text', 'ready', '--timeout', '10')
  expect((await hf('read', 'again')).stdout).not.toContain('last words')
  const several = await hf('wake', 'nobody', 'again')
  expect(several).toMatchObject({ code: 1, stderr: expect.stringMatching(/There is no terminal "nobody"[\s\S]*already running/) })
})

test('close ends what runs, takes away what sleeps, and does its part when one of several is unknown', async () => {
  const live = await start('live one')
  await start('sleeping', ['--', 'sh', '-c', 'echo ready'])
  await hf('wait', 'sleeping', '--exit', '--timeout', '10')
  const third = await start('third')
  expect(await hf('close', 'live one', 'nobody', 'sleeping')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^Closed live one\. Undo within five minutes: holdfast reopen t\w{10}\.\nClosed sleeping\. /),
    stderr: expect.stringContaining('There is no terminal "nobody".'),
  })
  const left = (await list(home)).map(({ name }) => name)
  expect(left).not.toContain('live one')
  expect(left).not.toContain('sleeping')
  expect(isRunning(live.pid)).toBe(false)
  expect(await json(home, ['close', third.id.slice(0, 8)])).toEqual([
    { id: third.id, goesOn: false, until: expect.any(Number), worktree: null },
  ])
  expect((await hf('read', third.id)).code).toBe(1)
  expect((await hf('close', 'nobody')).code).toBe(1)
  expect((await hf('close')).code).toBe(2)
})

test('close asks a person before it ends a running program, and takes anything but yes for no', async () => {
  const made = await start('precious')
  const answer = async (text: string): Promise<number> => {
    await using person = openPty(process.execPath, { args: [HOLDFAST, 'close', 'precious'], env: environment(home) })
    await person.waitFor(/precious: .* ends\n[\s\S]*Close it\? \[y\/N\]/)
    person.type(text)
    return (await person.ended).code
  }
  for (const text of ['\r', 'no\r', '\x04']) expect(await answer(text)).toBe(1)
  expect((await named('precious'))?.pid).toBe(made.pid)
  expect(await answer('y\r')).toBe(0)
  expect(await named('precious')).toBe(undefined)
})

test('a program that ignores every polite signal gets its grace and no more, with all of its children', async () => {
  const stubborn = await start('stubborn', node('ignores-term.mjs'))
  const family = await start('family', node('forks-children.mjs', '--depth', '2', '--detached', '--stubborn'))
  const [, tree = ''] = (await hf('read', 'family')).stdout.match(/^tree (.*)$/m) ?? []
  const pids = [stubborn.pid, ...tree.split(' ').map(Number)]
  expect(pids).toHaveLength(4)
  expect(pids).toContain(family.pid)
  const began = performance.now()
  expect((await hf('close', 'stubborn', 'family')).code).toBe(0)
  expect(performance.now() - began).toBeGreaterThan(2 * GRACE_MS)
  await until(() => !pids.some(isRunning), { what: 'the whole family to be gone' })
})

test('daemon stop leaves every program running, and the next daemon finds it with its screen', async () => {
  const made = await start('stays', ['--', 'sh', '-c', 'echo ready; while read line; do echo "got $line"; done'])
  const before = await status(home)
  expect(await hf('daemon', 'start')).toMatchObject({ code: 0, stdout: expect.stringContaining(`pid ${before.pid}`) })
  const stopped = await hf('daemon', 'stop')
  expect(stopped.stdout).toMatch(/^Stopped\. \d+ programs? keeps? running; the next start reconnects (it|them)\.\n$/)
  expect(daemonsOf(home)).toEqual([])
  expect(isRunning(made.pid)).toBe(true)
  expect(await hf('daemon', 'status')).toMatchObject({ code: 1, stderr: expect.stringContaining('The daemon is not running.') })
  expect(daemonsOf(home)).toEqual([])
  expect(await json(home, ['daemon', 'stop'])).toEqual({ wasRunning: false, ended: 0 })
  expect(await named('stays')).toMatchObject({ pid: made.pid, holderPid: made.holderPid, state: 'live' })
  expect((await hf('read', 'stays')).stdout).toContain('ready')
  const restarted = await json<{ pid: number }>(home, ['daemon', 'restart'])
  expect(restarted.pid).toBe((await status(home)).pid)
  expect(restarted.pid).not.toBe(before.pid)
  await hf('send', 'stays', 'through', '--enter')
  expect((await hf('wait', 'stays', '--text', 'got through', '--timeout', '10')).code).toBe(0)
  expect((await named('stays'))?.pid).toBe(made.pid)
})

test('SIGTERM is a graceful stop: everything is kept, nothing lies about, every program runs on', async () => {
  const made = await start('termed')
  const { pid } = await status(home)
  process.kill(pid, 'SIGTERM')
  await until(() => daemonsOf(home).length === 0, { what: 'the daemon to be gone' })
  for (const file of ['daemon.json', 'sockets/daemon.sock']) expect(existsSync(`${home.path}/${file}`), file).toBe(false)
  expect(readFileSync(`${home.path}/logs/daemon.log`, 'utf8').trimEnd().split('\n').at(-1)).toContain('the daemon has stopped')
  expect(isRunning(made.pid)).toBe(true)
  expect((await named('termed'))?.pid).toBe(made.pid)
})

test('daemon stop --all ends a program that is just starting, too', async () => {
  await using own = makeHomeWithOwnPort()
  await run(own, ['new', '--name', 'late', '--', 'sh', '-c', 'exec sleep 600'])
  await run(own, ['sleep', '--force', 'late'])
  const client = await connectTo(own)
  const waking = client.request('terminal.wake', { terminal: 'late' })
  const stopped = await client.request('daemon.stop', { all: true })
  expect([(await waking).ok, stopped.ok && stopped.value.result.ended]).toEqual([true, 1])
  client.close()
  await until(() => holdersOf(own).length === 0, { what: 'no holder to be left' })
})

test('daemon stop --all lets programs say their last words, keeps them, and leaves the terminals asleep', async () => {
  const agent = await start('agent', node('says-id-on-term.mjs', '--id', 'c0ffee', '--delay', '150'))
  await start('deaf', node('ignores-term.mjs'))
  const ended = (await list(home)).filter(({ state }) => state === 'live').length
  expect(await json(home, ['daemon', 'stop', '--all'])).toMatchObject({
    ...{ wasRunning: true, ended, running: 0, unsettled: [] },
    terminals: expect.arrayContaining([{ id: agent.id, name: 'agent', conversation: null, ms: expect.any(Number) }]),
  })
  await until(() => processesMentioning(home.path).length === 0, { what: 'every process of this home to be gone', timeoutMs: 3_000 })
  const [now] = (await list(home)).filter(({ name }) => name === 'agent')
  expect(now).toMatchObject({ id: agent.id, state: 'asleep', because: { kind: 'slept' }, pid: null })
  expect((await hf('read', 'agent', '--history', 'all')).stdout).toMatch(/got SIG\w+\nTo continue: program --resume c0ffee/)
  expect((await hf('read', 'agent')).stdout).not.toContain('got SIG') // its picture is the one from before
  expect((await hf('read', 'deaf', '--history', 'all')).stdout).toContain('ignored SIGHUP')
  expect((await list(home)).every(({ state }) => state === 'asleep')).toBe(true)
  expect((await hf('wake', 'agent')).code).toBe(0)
})

test('daemon logs prints the end of the log, for people or as it is, and follows it', async () => {
  expect((await hf('daemon', 'logs', '-n', '3')).stdout.trimEnd().split('\n')).toHaveLength(3)
  const lines = (await hf('daemon', 'logs', '-n', '2', '--json')).stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ msg: expect.any(String) }),
    expect.objectContaining({ level: expect.any(Number) }),
  ])
  await using follower = openPty(process.execPath, {
    args: [HOLDFAST, 'daemon', 'logs', '-f', '-n', '1'],
    env: environment(home),
    cols: 200,
  })
  await follower.waitFor(/\S/)
  await hf('daemon', 'restart')
  await follower.waitFor(/the daemon has stopped[\s\S]*the daemon is ready/)
  expect((await hf('daemon', 'logs', '-n', '0')).code).toBe(2)
  await using other = makeHome()
  expect(await run(other, ['daemon', 'logs'])).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no log yet') })
})
