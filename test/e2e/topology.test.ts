import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, realpathSync } from 'node:fs'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import type { CommandName, Outcome, Params } from '../../src/wire/commands/commands.ts'
import type { DaemonEvent } from '../../src/wire/daemon.ts'
import type { TopologyView, WorkspaceView } from '../../src/wire/topologyView.ts'
import { connectTo, killDaemon } from '../support/daemon.ts'
import { environment, fixtureProgram, HOLDFAST, json, type Ran, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openPty } from '../support/ptyClient.ts'
import type { TerminalRow } from '../support/terminalView.ts'

/** Where things stand, and what is marked: every change through the daemon, by any client, seen by all, kept at once. One home. */
let home: Home
let client: DaemonClient
const hf = (...args: string[]): Promise<Ran> => run(home, args)

const asked = <Name extends CommandName>(command: Name, params: Params<Name>) => client.request(command, params)

async function ask<Name extends CommandName>(command: Name, params: Params<Name>): Promise<Outcome<Name>> {
  const answer = await asked(command, params)
  if (!answer.ok) throw new Error(`${command}: ${answer.refusal.message}`)
  return answer.value.result
}

async function start(name: string, more: Partial<Params<'terminal.new'>> = {}): Promise<TerminalRow> {
  const inherited = { HOME: home.path, PATH: `${home.path}/bin:${process.env['PATH'] ?? ''}` }
  const program = { command: 'sh', args: ['-c', 'exec cat'] }
  return await ask('terminal.new', { name, cwd: home.path, env: {}, inherited, ...program, ...more })
}

const seen = async (id: string): Promise<TerminalRow | undefined> => (await ask('terminal.list', {})).find((each) => each.id === id)

/** What a client is told from now on. */
async function listening(): Promise<{ readonly told: DaemonEvent[]; close(): void }> {
  const other = await connectTo(home)
  const told: DaemonEvent[] = []
  await new Promise<void>((resolve) => other.watch({ onAll: () => resolve(), onEvent: (event) => told.push(event) }))
  return { told, close: () => other.close() }
}

/** `row(a | column(b | c))`, by the names of the terminals; tabs are joined by a plus, the one in front has a star. */
function picture({ layout: { root } }: WorkspaceView): string {
  const draw = (node: NonNullable<WorkspaceView['layout']['root']>): string =>
    node.kind === 'split'
      ? `${node.direction}(${node.children.map((child) => draw(child.node)).join(' | ')})`
      : node.terminals.map((id) => `${names.get(id)}${node.terminals.length > 1 && id === node.active ? '*' : ''}`).join('+')
  return root === null ? 'empty' : draw(root)
}
const names = new Map<string, string>()
let [a, b, c] = ['', '', '']

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  mkdirSync(`${home.path}/bin`)
  copyFileSync(fixtureProgram('talks-like-an-agent.mjs'), `${home.path}/bin/codex`)
  expect((await hf('daemon', 'start')).code).toBe(0)
  client = await connectTo(home)
  for (const name of ['a', 'b', 'c']) {
    const [last] = [...names.keys()].slice(-1)
    const beside = last === undefined ? {} : { beside: { terminal: last, where: 'right' as const } }
    names.set((await start(name, beside)).id, name)
  }
  ;[a = '', b = '', c = ''] = names.keys()
})
afterAll(async () => {
  client.close()
  await home.dispose()
})

describe('the split of a workspace', () => {
  test('takes a preset, sizes, tabs, and one terminal alone', async () => {
    expect(picture(await ask('layout.preset', { workspace: 'main', slots: 3 }))).toBe('row(a | column(b | c))')
    expect(picture(await ask('layout.preset', { workspace: 'main', slots: 2 }))).toBe('row(a | b*+c)')
    expect(picture(await ask('layout.activate', { terminal: 'c' }))).toBe('row(a | b+c*)')
    const sized = await ask('layout.sizes', { workspace: 'main', path: [], sizes: [300, 100] })
    expect(sized.layout.root).toMatchObject({ children: [{ size: 0.75 }, { size: 0.25 }] })
    expect((await ask('layout.balance', { workspace: 'main' })).layout.root).toMatchObject({ children: [{ size: 0.5 }, { size: 0.5 }] })
    expect((await ask('layout.zoom', { terminal: 'b', zoomed: true })).layout.zoomed).toBe(b)
    expect((await ask('layout.zoom', { terminal: 'a', zoomed: false })).layout.zoomed).toBeNull()
  })

  test('has a new terminal beside another one, and moves one there', async () => {
    await ask('layout.preset', { workspace: 'main', slots: 1 })
    const made = await start('d', { beside: { terminal: 'a', where: 'left' }, rect: { x: 5, y: 6, width: 300, height: 200 } })
    names.set(made.id, 'd')
    const [main] = (await ask('group.list', {}))[0]?.workspaces ?? []
    expect(main && picture(main)).toBe('row(d | a*+b+c)')
    expect(main?.canvas[made.id]).toEqual({ x: 5, y: 6, width: 300, height: 200 })
    await ask('terminal.move', { terminal: 'd', beside: { terminal: 'b', where: 'center' } })
    await ask('terminal.close', { terminal: 'd' })
  })
})

test('the canvas of a workspace takes tiles where they are drawn, within bounds, and puts them in order', async () => {
  const rect = { x: -40, y: 120, width: 900, height: 500 }
  expect((await ask('canvas.place', { terminal: 'b', rect })).canvas[b]).toEqual(rect)
  const bounded = await ask('canvas.place', { terminal: 'c', rect: { ...rect, x: 1e9, width: 1 } })
  expect(bounded.canvas[c]).toEqual({ ...rect, x: 1_000_000, width: 160 })
  await ask('dock.move', { terminal: 'c', index: 0 })
  const { canvas } = await ask('canvas.arrange', { workspace: 'main' })
  expect([canvas[c]?.x, canvas[a]?.x, canvas[b]?.x]).toEqual([0, 184, 928])
  expect((await ask('workspace.view', { workspace: 'main', view: 'canvas' })).view).toBe('canvas')
})

test('the dock has the order that it is given, and beyond the end is the end', async () => {
  expect(await ask('dock.move', { terminal: 'c', index: 0 })).toEqual({ dock: [c, a, b] })
  expect(await ask('dock.move', { terminal: 'c', index: 99 })).toEqual({ dock: [a, b, c] })
  expect((await ask('terminal.list', {})).map(({ id }) => id)).toEqual([a, b, c])
})

test('groups are added, renamed, coloured, moved and removed, and workspaces move between them', async () => {
  const work = await ask('group.new', { name: 'work', color: 'green' })
  expect(work).toMatchObject({ name: 'work', color: 'green', workspaces: [] })
  expect(await ask('group.rename', { group: 'work', name: 'office' })).toMatchObject({ id: work.id, name: 'office' })
  expect(await ask('group.color', { group: 'office', color: 'purple' })).toMatchObject({ color: 'purple' })
  await ask('group.move', { group: 'office', index: 0 })
  expect((await ask('group.list', {})).map(({ name }) => name)).toEqual(['office', 'main'])
  await ask('group.move', { group: 'office', index: 77 })
  expect(await ask('workspace.new', { name: 'side', group: 'office' })).toMatchObject({ group: 'office' })
  expect(await asked('group.close', { group: 'office' })).toMatchObject({ refusal: { code: 'group-not-empty' } })
  expect(await ask('workspace.move', { workspace: 'side', group: 'main', index: 0 })).toMatchObject({ group: 'main' })
  expect((await ask('workspace.list', {})).map(({ name }) => name)).toEqual(['side', 'main'])
  await ask('workspace.move', { workspace: 'side', index: 99 })
  expect((await ask('workspace.list', {})).map(({ name }) => name)).toEqual(['main', 'side'])
  await ask('group.close', { group: 'office' })
  expect(await asked('group.close', { group: 'main' })).toMatchObject({ refusal: { code: 'group-not-empty' } })
})

test('every refusal says what is wrong, and changes nothing', async () => {
  const before = await ask('group.list', {})
  const watcher = await listening()
  const rect = { x: 0, y: 0, width: 300, height: 200 }
  const nobody = { terminal: 'nobody' }
  const nowhere = { workspace: 'nowhere' }
  const bad: readonly (readonly [CommandName, object, string])[] = [
    ['workspace.view', { ...nowhere, view: 'split' }, 'workspace-not-found'],
    ['workspace.view', { workspace: 'main', view: 'list' }, 'params-invalid'],
    ['workspace.move', { ...nowhere, index: 0 }, 'workspace-not-found'],
    ['workspace.move', { workspace: 'main', group: 'nobody', index: 0 }, 'group-not-found'],
    ['workspace.move', { workspace: 'main', index: -1 }, 'params-invalid'],
    ['workspace.new', { name: 'other', group: 'nobody' }, 'group-not-found'],
    ['group.new', { name: '\x07' }, 'name-invalid'],
    ['group.new', { name: 'x', color: 'infrared' }, 'params-invalid'],
    ['group.rename', { group: 'nobody', name: 'x' }, 'group-not-found'],
    ['group.rename', { group: 'main', name: '' }, 'name-invalid'],
    ['group.color', { group: 'main', color: '#fff' }, 'params-invalid'],
    ['group.move', { group: 'nobody', index: 0 }, 'group-not-found'],
    ['group.close', { group: 'nobody' }, 'group-not-found'],
    ['layout.sizes', { ...nowhere, path: [], sizes: [1, 1] }, 'workspace-not-found'],
    ['layout.sizes', { workspace: 'main', path: [0, 3], sizes: [1, 1] }, 'split-not-found'],
    ['layout.sizes', { workspace: 'side', path: [], sizes: [1, 1] }, 'split-not-found'],
    ['layout.sizes', { workspace: 'main', path: [], sizes: [1, 0] }, 'params-invalid'],
    ['layout.activate', nobody, 'terminal-not-found'],
    ['layout.zoom', { ...nobody, zoomed: true }, 'terminal-not-found'],
    ['layout.balance', nowhere, 'workspace-not-found'],
    ['layout.preset', { workspace: 'main', slots: 5 }, 'params-invalid'],
    ['layout.preset', { ...nowhere, slots: 4 }, 'workspace-not-found'],
    ['canvas.place', { ...nobody, rect }, 'terminal-not-found'],
    ['canvas.place', { terminal: 'a', rect: { ...rect, width: 0 } }, 'params-invalid'],
    ['canvas.arrange', nowhere, 'workspace-not-found'],
    ['dock.move', { ...nobody, index: 0 }, 'terminal-not-found'],
    ['dock.move', { terminal: 'a', index: 0.5 }, 'params-invalid'],
    ['terminal.theme', { ...nobody, theme: 'x' }, 'terminal-not-found'],
    ['terminal.theme', { terminal: 'a', theme: 'x'.repeat(65) }, 'params-invalid'],
    ['terminal.theme', { terminal: 'a', theme: 'dusk' }, 'scheme-not-found'],
    ['terminal.pin', { ...nobody, pinned: true }, 'terminal-not-found'],
    ['terminal.mute', { ...nobody, muted: true }, 'terminal-not-found'],
    ['terminal.seen', nobody, 'terminal-not-found'],
    ['terminal.move', { terminal: 'a' }, 'params-invalid'],
    ['terminal.new', { cwd: '/', env: {}, args: [], beside: { ...nobody, where: 'left' } }, 'terminal-not-found'],
    ['terminal.new', { cwd: '/', env: {}, args: [], workspace: 'side', beside: { terminal: 'a', where: 'left' } }, 'workspace-other'],
  ]
  for (const [command, params, code] of bad)
    expect(await asked(command, params as never), `${command} ${JSON.stringify(params)}`).toMatchObject({
      refusal: { code, message: expect.stringMatching(/\w.*\.$/), hint: expect.stringMatching(/\w/) },
    })
  await ask('layout.preset', { workspace: 'main', slots: 3 })
  expect(await asked('layout.sizes', { workspace: 'main', path: [], sizes: [1, 1, 1] })).toMatchObject({ refusal: { code: 'split-parts' } })
  await ask('layout.preset', { workspace: 'main', slots: 1 })
  expect(await ask('group.list', {})).toMatchObject(before.map(({ id, name, color }) => ({ id, name, color })))
  // What the daemon finds out about itself meanwhile is none of this.
  expect(watcher.told.map(({ kind }) => kind).filter((kind) => kind !== 'health')).toEqual(['topology', 'topology'])
  watcher.close()
})

test('two clients are told the same at once, and nobody of a change that changes nothing', async () => {
  const [one, two] = [await listening(), await listening()]
  const { layout } = await ask('layout.preset', { workspace: 'main', slots: 3 })
  await ask('layout.preset', { workspace: 'main', slots: 3 })
  await ask('terminal.pin', { terminal: 'a', pinned: true })
  const toldOf = ({ told }: typeof one) => told.filter(({ kind }) => kind !== 'health') // a busy machine is no change of ours
  await until(() => [one, two].every((each) => toldOf(each).length === 2), { what: 'both to be told' })
  expect(toldOf(one)).toEqual(toldOf(two))
  expect(toldOf(one)[0]).toMatchObject({ kind: 'topology', topology: { groups: [{ workspaces: [{ layout }, {}] }], dock: [a, b, c] } })
  expect(toldOf(one)[1]).toMatchObject({ kind: 'terminal', terminal: { id: a, pinned: true } })
  for (const each of [one, two]) each.close()
})

describe('a terminal is unread', () => {
  test('when its bell rings, once, until somebody has looked', async () => {
    const watcher = await listening()
    const ring = (text: string) => ask('terminal.send', { terminal: b, text, enter: true })
    const marks = () =>
      watcher.told.flatMap((event) => (event.kind === 'terminal' && event.terminal.id === b ? [event.terminal.unread] : []))
    await ring('\x07 one') // echoed as ^G, and then printed by the program
    await until(() => marks().includes(true), { what: 'the mark' })
    await ring('\x07 two')
    await ask('terminal.wait', { terminal: b, until: { kind: 'text', pattern: 'two[\\s\\S]*two' } })
    expect(new Set(marks())).toEqual(new Set([true]))
    expect(await ask('terminal.seen', { terminal: b })).toMatchObject({ unread: false })
    await until(() => marks().at(-1) === false, { what: 'the mark to go' })
    const before = watcher.told.length
    await ask('terminal.seen', { terminal: b })
    expect(watcher.told.slice(before)).toEqual([])
    watcher.close()
  })

  test('when its agent needs somebody', async () => {
    const { id } = await start('agent', { command: 'codex', args: [] })
    await until(async () => (await seen(id))?.agent?.name === 'codex', { what: 'the agent to be seen' })
    const tell = (text: string) => ask('terminal.send', { terminal: id, text, enter: true })
    await tell('status state=working:app=codex')
    await until(async () => (await seen(id))?.agent?.state === 'working', { what: 'work' })
    expect((await seen(id))?.unread).toBe(false)
    await tell('status state=blocked:app=codex:kind=question')
    expect(await until(async () => (await seen(id))?.agent?.state === 'needs-you' && seen(id), { what: 'a question' })).toMatchObject({
      unread: true,
    })
    await ask('terminal.close', { terminal: id })
  })

  test('when its program has ended by itself, until it is woken', async () => {
    const { id } = await start('ends', { args: ['-c', 'read line; exit 3'] })
    await ask('terminal.send', { terminal: id, enter: true })
    const ended = await until(async () => (await seen(id))?.state === 'asleep' && seen(id), { what: 'its end' })
    expect(ended).toMatchObject({ unread: true })
    expect(await ask('terminal.wake', { terminal: id })).toMatchObject({ state: 'live', unread: false })
    await ask('terminal.close', { terminal: id })
  })
})

test.runIf(process.platform === 'linux')('a view says where the program is now', async () => {
  mkdirSync(`${home.path}/deep`)
  const made = await start('mover', { args: ['-c', `read line; cd deep; echo there; exec cat`] })
  expect(made.directory).toBe(home.path)
  await ask('terminal.send', { terminal: made.id, enter: true })
  const deep = realpathSync(`${home.path}/deep`)
  expect(await until(async () => (await seen(made.id))?.directory === deep && seen(made.id), { what: 'the directory' })).toMatchObject({
    cwd: home.path,
  })
  await ask('terminal.close', { terminal: made.id })
})

test('everything survives a kill of the daemon', async () => {
  await ask('layout.preset', { workspace: 'main', slots: 2 })
  await ask('layout.sizes', { workspace: 'main', path: [], sizes: [7, 1] })
  await ask('layout.zoom', { terminal: 'c', zoomed: true })
  await ask('workspace.view', { workspace: 'main', view: 'canvas' })
  await ask('canvas.place', { terminal: 'a', rect: { x: 77, y: -8, width: 333, height: 222 } })
  await ask('group.new', { name: 'kept', color: 'pink' })
  await ask('workspace.move', { workspace: 'side', group: 'kept', index: 0 })
  await ask('dock.move', { terminal: 'c', index: 0 })
  await ask('terminal.theme', { terminal: 'a', theme: 'nord' })
  await ask('terminal.pin', { terminal: 'b', pinned: true })
  await ask('terminal.mute', { terminal: 'c', muted: true })
  await ask('terminal.send', { terminal: 'b', text: '\x07', enter: true })
  await until(async () => (await seen(b))?.unread, { what: 'the mark' })
  const groups = await ask('group.list', {})
  const marks = ({ id, theme, pinned, muted, unread }: TerminalRow) => ({ id, theme, pinned, muted, unread })
  const terminals = (await ask('terminal.list', {})).map(marks)
  expect(terminals).toEqual([
    { id: c, theme: null, pinned: false, muted: true, unread: false },
    { id: a, theme: 'nord', pinned: true, muted: false, unread: false },
    { id: b, theme: null, pinned: true, muted: false, unread: true },
  ])
  killDaemon(home)
  client.close()
  expect((await hf('daemon', 'start')).code).toBe(0)
  client = await connectTo(home)
  expect(await ask('group.list', {})).toEqual(groups)
  expect((await ask('terminal.list', {})).map(marks)).toEqual(terminals)
  expect(groups).toMatchObject([
    { workspaces: [{ view: 'canvas', layout: { zoomed: c } }] },
    { color: 'pink', workspaces: [{ name: 'side' }] },
  ])
})

describe('the command line', () => {
  test('changes what the rows do', async () => {
    const group = await json<{ id: string }>(home, ['group', 'new', 'typed', '--color', 'red'])
    await hf('group', 'move', 'typed', '1')
    await hf('group', 'color', 'typed', 'grey')
    await hf('group', 'rename', 'typed', 'written')
    await hf('workspace', 'move', 'side', '--group', 'written')
    expect((await hf('group', 'list')).stdout).toMatch(new RegExp(`^${group.id} +written +grey +side\\n.+ main +blue +main\\n.+ kept`, 'm'))
    await json(home, ['workspace', 'view', 'main', 'split'])
    expect(picture(await json<WorkspaceView>(home, ['layout', 'preset', 'main', '3']))).toBe('row(a | column(b | c))')
    expect(await json(home, ['layout', 'sizes', 'main', '1', '3', '--at', '2'])).toMatchObject({
      layout: { root: { children: [{}, { node: { children: [{ size: 0.25 }, { size: 0.75 }] } }] } },
    })
    expect(await json(home, ['canvas', 'place', 'b', '--at', '-5,9'])).toMatchObject({
      canvas: { [b]: { x: -5, y: 9, width: 900, height: 500 } },
    })
    expect(await json(home, ['move', 'a', '--dock', '1'])).toEqual({ dock: [a, c, b] })
    await hf('move', 'a', '--dock', '2')
    expect(await json(home, ['pin', 'c'])).toMatchObject([{ id: c, pinned: true }])
    expect(await json(home, ['unmute', 'c'])).toMatchObject([{ id: c, muted: false }])
    expect(await json(home, ['theme', 'a', ''])).toMatchObject({ id: a, theme: null })
    expect((await hf('ls')).stdout).toMatch(/ b +live, unread, pinned /)
  })

  test('refuses with one sentence what it cannot do: 2 for what was typed wrong, 1 for what is not there', async () => {
    const typed: readonly (readonly [number, RegExp, ...string[]])[] = [
      [2, /choose one of 1, 2, 3, 4, 6, 9/, 'layout', 'preset', 'main', '5'],
      [2, /is not a position/, 'group', 'move', 'main', '0'],
      [2, /choose one of blue, green/, 'group', 'color', 'main', 'infrared'],
      [2, /choose one of split, canvas/, 'workspace', 'view', 'main', 'list'],
      [2, /is not a size/, 'layout', 'sizes', 'main', '1', '-1', '--'],
      [2, /nowhere to move/, 'workspace', 'move', 'main'],
      [2, /nothing to change/, 'canvas', 'place', 'a'],
      [2, /--where needs --beside/, 'new', '--where', 'left'],
      [2, /--dock POSITION alone/, 'move', 'a', '--dock', '1', '--to', 'main'],
      [1, /There is no split at 1/, 'layout', 'sizes', 'main', '1', '1', '--at', '1'],
      [1, /There is no group "nobody"/, 'group', 'close', 'nobody'],
      [1, /still has workspaces/, 'group', 'close', 'main'],
      [1, /There is no terminal "nobody"/, 'pin', 'nobody'],
      [1, /There is no terminal "nobody"/, 'canvas', 'place', 'nobody', '--at', '0,0'],
    ]
    const ran = await Promise.all(typed.map(([, , ...words]) => hf(...words)))
    for (const [at, [code, says, ...words]] of typed.entries())
      expect(ran[at], words.join(' ')).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) })
  })
})

test('whoever attaches has looked, also at what rings until he leaves', async () => {
  await ask('terminal.send', { terminal: b, text: '\x07', enter: true })
  await until(async () => (await seen(b))?.unread, { what: 'the mark' })
  await using person = openPty(process.execPath, { args: [HOLDFAST, 'attach', 'b'], env: environment(home), cols: 100, rows: 12 })
  await until(async () => (await seen(b))?.unread === false, { what: 'the mark to go' })
  person.type('\x07\r')
  await until(async () => (await seen(b))?.unread, { what: 'the mark to be there again' })
  person.type('\x1c\x1c')
  await person.ended
  expect((await seen(b))?.unread).toBe(false)
})

describe('ls --watch', () => {
  test('draws every change in place, says when the daemon is away, and ends with q', async () => {
    await using person = openPty(process.execPath, { args: [HOLDFAST, 'ls', '--watch'], env: environment(home), cols: 100, rows: 12 })
    await person.waitFor(/ b +live, pinned /)
    expect(person.isAlternateScreen()).toBe(true)
    await ask('terminal.send', { terminal: b, text: '\x07', enter: true })
    await person.waitFor(/ b +live, unread, pinned /)
    await ask('terminal.seen', { terminal: b })
    await person.waitFor(/ b +live, pinned /)
    await ask('terminal.rename', { terminal: b, name: 'bee' })
    await person.waitFor(/ bee +live, pinned /)
    expect(person.screen().filter((line) => line.includes('live'))).toHaveLength(3)
    killDaemon(home)
    await person.waitFor(/The daemon is away[\s\S]* bee +live/)
    client.close()
    expect((await hf('daemon', 'start')).code).toBe(0)
    client = await connectTo(home)
    await ask('terminal.rename', { terminal: b, name: 'b' })
    await person.waitFor(/^ID[\s\S]* b +live, pinned /)
    expect(person.text()).not.toContain('away')
    person.type('q')
    expect(await person.ended).toEqual({ code: 0, signal: 0 })
    expect(person.isAlternateScreen()).toBe(false)
  })

  test('prints a line of JSON for each change, for programs, and goes on with the next daemon', async () => {
    const child = spawn(process.execPath, [HOLDFAST, 'ls', '--watch', '--json'], {
      env: environment(home),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let text = ''
    child.stdout.on('data', (part: Buffer) => {
      text += part.toString()
    })
    const lines = () =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as { kind: string; topology?: TopologyView; terminals?: TerminalRow[] })
    const kinds = () => lines().map(({ kind }) => kind)
    await until(() => kinds().length === 1, { what: 'everything' })
    expect(lines()[0]).toMatchObject({ kind: 'all', topology: { dock: [c, a, b] } })
    await ask('terminal.mute', { terminal: b, muted: true })
    await ask('dock.move', { terminal: b, index: 0 })
    await until(() => kinds().length >= 3, { what: 'two changes' })
    expect(kinds()).toEqual(['all', 'terminal', 'topology'])
    killDaemon(home)
    await until(() => kinds().includes('away'), { what: 'the end of the daemon' })
    client.close()
    expect((await hf('daemon', 'start')).code).toBe(0)
    client = await connectTo(home)
    await until(() => kinds().filter((kind) => kind === 'all').length === 2, { what: 'the next daemon' })
    expect(lines().findLast(({ kind }) => kind === 'all')?.topology?.dock).toEqual([b, c, a])
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))).toBe('SIGINT')
  })
})
