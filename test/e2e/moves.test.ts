import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTo, holdersOf, killDaemon, type Listed, list } from '../support/daemon.ts'
import { fixtureProgram, json, type Ran, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { isRunning } from '../support/processes.ts'

/** Putting to sleep, moving, and workspaces, through the built program, on one home. */
type Workspace = { readonly id: string; readonly name: string; readonly group: string; readonly terminals: readonly string[] }
type Placed = Listed & { readonly workspace: string; readonly run: string }

const SLEEPER = ['--', 'sh', '-c', 'echo ready; exec sleep 300']
let home: Home
const hf = (...args: string[]): Promise<Ran> => run(home, args)
const workspaces = (): Promise<Workspace[]> => json<Workspace[]>(home, ['workspace', 'ls'])
const workspace = async (name: string): Promise<Workspace | undefined> => (await workspaces()).find((each) => each.name === name)

async function start(name: string, ...args: string[]): Promise<Placed> {
  const made = await json<Placed>(home, ['new', '--name', name, ...args, ...SLEEPER])
  expect((await hf('wait', name, '--text', 'ready', '--timeout', '10')).code).toBe(0)
  return made
}

beforeAll(() => {
  home = makeHome()
  writeFileSync(`${home.path}/config.toml`, 'settle_ms = 400\n\n[web]\nport = 0\n')
})
afterAll(() => home.dispose())

test('the first workspace is the same for every daemon, from the very first on', async () => {
  const before = await workspaces()
  killDaemon(home)
  expect(await workspaces()).toEqual(before)
})

test('sleep ends the program and nothing else: id, place, screen and name stay, also for a daemon that comes later', async () => {
  const made = await start('sleepy')
  const before = await workspaces()
  const [slept] = await json<Placed[]>(home, ['sleep', '--force', 'sleepy'])
  expect(slept).toMatchObject({ id: made.id, name: 'sleepy', state: 'asleep', because: { kind: 'slept' }, run: made.run, pid: null })
  expect(isRunning(made.pid)).toBe(false)
  killDaemon(home) // what was said is on disk
  expect((await list(home)).find(({ id }) => id === made.id)).toMatchObject({ state: 'asleep', because: { kind: 'slept' } })
  expect(await workspaces()).toEqual(before)
  expect((await hf('read', 'sleepy')).stdout).toContain('ready')
  await until(() => holdersOf(home).length === 0, { what: 'the holder to leave' })
  expect(await hf('sleep', '--force', 'sleepy', 'nobody')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is not running: it was put to sleep[\s\S]*There is no terminal "nobody"/),
  })
  expect((await hf('wake', 'sleepy')).code).toBe(0)
  expect((await hf('sleep')).code).toBe(2)
})

test('a program that will not hear is ended after its time, and its terminal is asleep because it was put to sleep', async () => {
  const deaf = ['--', process.execPath, fixtureProgram('ignores-term.mjs')]
  const made = await json<Placed>(home, ['new', '--name', 'deaf', ...deaf])
  await hf('wait', 'deaf', '--text', 'ready', '--timeout', '10')
  expect(await json<Placed[]>(home, ['sleep', '--force', 'deaf'])).toMatchObject([{ state: 'asleep', because: { kind: 'slept' } }])
  expect(isRunning(made.pid)).toBe(false)
})

test('workspaces are added, renamed and closed, and the refusals say what to do', async () => {
  expect((await hf('workspace', 'new', 'side')).stdout).toMatch(/^w[0-9a-z]{10}\n$/)
  expect(await hf('workspace', 'new', 'side')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is already a workspace "side".'),
  })
  expect(await json(home, ['workspace', 'rename', 'side', 'docs'])).toMatchObject({ name: 'docs', group: 'main', terminals: [] })
  const made = await start('reader', '--workspace', 'docs')
  expect(made.workspace).toBe('docs')
  expect((await hf('workspace', 'ls')).stdout).toMatch(/docs +main +1$/m)
  expect(await hf('workspace', 'close', 'docs')).toMatchObject({ code: 1, stderr: expect.stringContaining('still has terminals') })
  expect(await hf('workspace', 'close', 'nowhere')).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no workspace') })
  expect(await json(home, ['workspace', 'close', 'docs', '--move-to', 'main'])).toEqual({ moved: [made.id] })
  expect((await workspaces()).map(({ name }) => name)).toEqual(['main'])
  expect((await workspace('main'))?.terminals).toContain(made.id)
  expect(await hf('workspace', 'close', 'main')).toMatchObject({ code: 1, stderr: expect.stringContaining('it is the only one') })
})

test('a terminal moves to a workspace and beside another one, and its program keeps running', async () => {
  const [a, b] = [await start('a'), await start('b')]
  await hf('workspace', 'new', 'far')
  const watcher = await connectTo(home)
  const told: string[] = []
  watcher.watch({
    onAll: () => undefined,
    onEvent: (event) => event.kind === 'terminal' && told.push(`${event.terminal.name} ${event.terminal.workspace}`),
  })
  expect(await json(home, ['move', 'a', '--to', 'far'])).toMatchObject({ id: a.id, workspace: 'far', pid: a.pid, state: 'live' })
  expect((await hf('move', 'b', '--beside', 'a', '--where', 'left')).code).toBe(0)
  expect((await workspace('far'))?.terminals).toEqual([b.id, a.id])
  expect((await hf('move', 'b', '--beside', 'a', '--where', 'center')).code).toBe(0)
  expect((await workspace('far'))?.terminals).toEqual([a.id, b.id])
  await until(() => told.includes('a far') && told.includes('b far'), { what: 'whoever watches to be told' })
  watcher.close()
  expect(isRunning(a.pid)).toBe(true)
  killDaemon(home)
  expect((await workspace('far'))?.terminals).toEqual([a.id, b.id])
  expect(await hf('move', 'b', '--to', 'main', '--beside', 'a')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not in the workspace "main"'),
  })
  expect((await hf('move', 'b', '--to', 'nowhere')).code).toBe(1)
  expect((await hf('move', 'b')).code).toBe(2)
  expect((await hf('move', 'b', '--where', 'left')).code).toBe(2)
})
