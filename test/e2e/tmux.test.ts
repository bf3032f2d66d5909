import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { holdersOf, killDaemonAndHolders, list, status, views } from '../support/daemon.ts'
import { tmuxServers } from '../support/faultStrikes.ts'
import { fixtureProgram, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { endProcess, isRunning } from '../support/processes.ts'

/** Programs in a tmux of ours: what they survive, what is told of it, and what is not done before somebody looks. */
const IN_TMUX = ['--backend', 'tmux']
const COUNTS = ['--', process.execPath, fixtureProgram('prints-numbers.mjs'), '--every', '30', '--prefix', 'N']
const READS = ['--', 'sh', '-c', 'stty -echo; echo ready; while read x; do echo got $x; done']

const socketOf = (home: Home): string => join(home.path, 'sockets/tmux.sock')
const tmux = (home: Home, ...args: string[]): string =>
  execFileSync('tmux', ['-S', socketOf(home), ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
const sessionsOf = (home: Home): string[] =>
  isServing(home) ? tmux(home, 'list-sessions', '-F', '#{session_name}').split('\n').filter(Boolean) : []

/** None where the server has just ended with its last session. */
function panePids(home: Home): number[] {
  try {
    return tmux(home, 'list-panes', '-a', '-F', '#{pane_pid}').trim().split('\n').map(Number)
  } catch {
    return []
  }
}

function isServing(home: Home): boolean {
  try {
    tmux(home, 'list-sessions')
    return true
  } catch {
    return false
  }
}

async function ok(home: Home, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const ran = await run(home, args, { env })
  expect(ran.stderr).toBe('')
  expect(ran.code).toBe(0)
  return ran.stdout
}

/** The one that a terminal's program is in. */
function sessionFor(home: Home, terminal: string): string {
  const lines = tmux(home, 'list-sessions', '-F', '#{session_name} #{@holdfast}').split('\n')
  return lines.find((line) => line.includes(terminal))?.split(' ')[0] ?? ''
}

const only = async (home: Home) => {
  const [first, ...others] = await list(home)
  expect(others).toEqual([])
  return first
}

describe.concurrent('when every process of Holdfast is killed', () => {
  test('programs in tmux go on; nothing is attached before somebody looks, and then once, however many look', async () => {
    await using home = makeHome()
    for (const name of ['a', 'b', 'c']) await ok(home, ['new', '--name', name, ...IN_TMUX, ...READS])
    const before = await list(home)
    await killDaemonAndHolders(home)
    for (const { pid } of before) expect(isRunning(pid)).toBe(true)
    tmux(home, 'send-keys', '-t', sessionFor(home, before.find(({ name }) => name === 'a')?.id ?? ''), 'unseen', 'Enter')

    const go = join(home.path, 'go')
    await ok(home, ['daemon', 'start'], { HOLDFAST_TRIP: `hold:attach:begun=${go}` })
    const after = await list(home)
    expect(after.map(({ id, state, pid, trouble }) => ({ id, state, pid, trouble }))).toEqual(
      before.map(({ id, pid }) => ({ id, state: 'live', pid, trouble: null })),
    )
    expect(holdersOf(home)).toEqual([])

    // Three ask in the moment in which the first one's holder is about to be started.
    const asked = [ok(home, ['read', 'a']), ok(home, ['read', 'a']), ok(home, ['wait', 'a', '--text', 'got unseen'])]
    await until(async () => (await status(home)).clients >= 3, { what: 'all three to have asked' })
    expect(holdersOf(home)).toEqual([])
    writeFileSync(go, '')
    const [first, second] = await Promise.all(asked)
    expect(first).toBe('ready\ngot unseen\n')
    expect(second).toBe(first)
    expect(holdersOf(home)).toHaveLength(1)
    // Those of the holders that were killed are on their way out.
    await until(() => tmux(home, 'list-clients').trim().split('\n').length === 1, { what: 'one client' })

    await ok(home, ['send', 'b', 'hello', '--enter'])
    await ok(home, ['wait', 'b', '--text', 'got hello'])
    expect(holdersOf(home)).toHaveLength(2)
  })

  test('what was printed meanwhile is there, as far as tmux remembers it, and the history before it', async () => {
    await using home = makeHome()
    await ok(home, ['new', '--name', 'n', ...IN_TMUX, ...COUNTS])
    await ok(home, ['wait', 'n', '--text', 'N20'])
    await killDaemonAndHolders(home)
    const session = sessionsOf(home)[0] ?? ''
    await until(() => /N80\b/.test(tmux(home, 'capture-pane', '-p', '-S', '-', '-t', session)), {
      what: 'output that nobody sees',
      timeoutMs: 20_000,
    })
    await ok(home, ['wait', 'n', '--text', 'N90'])
    const { stdout } = await run(home, ['read', 'n', '--history', 'all'])
    const numbers = stdout.split('\n').flatMap((line) => (/^N\d+$/.test(line) ? [Number(line.slice(1))] : []))
    expect(new Set(numbers.slice(numbers.lastIndexOf(1)))).toEqual(
      new Set(Array.from({ length: numbers.at(-1) ?? 0 }, (_, index) => index + 1)),
    )
  })

  test('how a program ended meanwhile is known', async () => {
    await using home = makeHome()
    await ok(home, ['new', '--name', 'e', ...IN_TMUX, '--', 'sh', '-c', 'echo last words; read x; exit 6'])
    await ok(home, ['wait', 'e', '--text', 'last words'])
    await killDaemonAndHolders(home)
    tmux(home, 'send-keys', '-t', sessionsOf(home)[0] ?? '', 'x', 'Enter')
    await until(() => tmux(home, 'list-panes', '-a', '-F', '#{pane_dead}').trim() === '1', { what: 'the program to end' }).catch(
      () => undefined,
    )
    await until(async () => (await only(home))?.state === 'asleep', { what: 'its end to be seen' })
    expect((await only(home))?.because).toEqual({ kind: 'exited', status: { code: 6 } })
    expect(await ok(home, ['read', 'e'])).toContain('last words')
    await until(() => !isServing(home), { what: 'the session to be cleared away' })
  })
})

test('a program in tmux sleeps, wakes, and is closed like any other; the server goes with the last one', async () => {
  await using home = makeHome()
  await ok(home, ['config', 'set', 'backend', 'tmux'])
  await ok(home, ['new', '--name', 's', '--', 'bash', '--norc'])
  await ok(home, ['send', 's', 'echo before', '--enter'])
  await ok(home, ['wait', 's', '--text', '^before'])
  const [{ pid } = { pid: null }] = await list(home)
  await ok(home, ['sleep', 's'])
  await until(() => !isServing(home), { what: 'the server to end with its last session' })
  expect(isRunning(pid)).toBe(false)
  expect(await ok(home, ['read', 's'])).toContain('before')
  await ok(home, ['wake', 's'])
  expect(await views(home)).toMatchObject([{ state: 'live', backend: 'tmux' }])
  expect(sessionsOf(home)).toHaveLength(1)
  await run(home, ['close', 's'])
  await until(() => !isServing(home), { what: 'the server to end again' })
})

test('the user’s own tmux is another one: neither its server nor its configuration is touched', async () => {
  await using home = makeHome()
  const folder = mkdtempSync(join(home.path, 'user-'))
  writeFileSync(join(folder, '.tmux.conf'), `run-shell "touch ${folder}/read"\n`)
  const env = { HOME: folder, TMUX_TMPDIR: folder, TMUX: `${folder}/tmux-0/default,1,0` }
  await ok(home, ['new', '--name', 'x', ...IN_TMUX, '--', 'sh', '-c', 'env | grep -c TMUX; tmux -V; read x'], env)
  expect(await ok(home, ['wait', 'x', '--text', 'tmux 3'])).toContain('tmux')
  expect((await ok(home, ['read', 'x'])).split('\n')[0]).toBe('0')
  expect(readdirSync(folder)).toEqual(['.tmux.conf'])
  expect(tmux(home, 'show-options', '-g', 'mouse').trim()).toBe('mouse off')
  expect(tmux(home, 'show-options', '-g', 'prefix').trim()).toBe('prefix None')
  expect(tmux(home, 'show-options', '-g', 'history-limit').trim()).toBe('history-limit 50000')
})

test('where tmux is missing or too old, Holdfast holds new programs itself, and says so', async () => {
  await using home = makeHome()
  const without = mkdtempSync(join(home.path, 'bin-'))
  for (const folder of ['/usr/bin', '/bin'])
    for (const name of readdirSync(folder))
      if (name !== 'tmux' && !existsSync(join(without, name))) symlinkSync(join(folder, name), join(without, name))
  symlinkSync(process.execPath, join(without, 'node-of-the-test'))
  const env = { PATH: without }
  await ok(home, ['config', 'set', 'backend', 'tmux'], env)
  await ok(home, ['new', '--name', 'm', ...READS], env)
  expect(holdersOf(home)).toHaveLength(1)
  expect((await status(home)).troubles).toEqual(['new programs run in holders instead of tmux: tmux is not installed'])
  const refused = await run(home, ['new', ...IN_TMUX], { env })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('cannot use tmux: tmux is not installed')

  writeFileSync(join(without, 'tmux'), '#!/bin/sh\necho tmux 3.1c\n', { mode: 0o755 })
  const old = await run(home, ['new', ...IN_TMUX], { env })
  expect(old.stderr).toContain('tmux 3.1c is too old: 3.3 or newer is needed')
})

describe.concurrent('when tmux itself fails', () => {
  test('killed: its programs are lost, with their last screens, and can be woken again', async () => {
    await using home = makeHome()
    await ok(home, ['new', '--name', 'k', ...IN_TMUX, ...READS])
    await ok(home, ['wait', 'k', '--text', 'ready'])
    for (const server of tmuxServers(home)) endProcess(server)
    await until(async () => (await only(home))?.because?.kind === 'lost', { what: 'the loss to be seen', timeoutMs: 20_000 })
    expect(await ok(home, ['read', 'k'])).toBe('ready\n')
    await ok(home, ['wake', 'k'])
    expect((await only(home))?.state).toBe('live')
  })

  test('hung while a daemon starts: its programs are not taken for lost, and are back when it answers', async () => {
    await using home = makeHome()
    await ok(home, ['new', '--name', 'h', ...IN_TMUX, ...READS])
    await ok(home, ['wait', 'h', '--text', 'ready'])
    await killDaemonAndHolders(home)
    const [server] = tmuxServers(home)
    expect(server).toBeDefined()
    process.kill(server?.pid ?? 0, 'SIGSTOP')
    try {
      await ok(home, ['daemon', 'start'])
      expect(await only(home)).toMatchObject({ state: 'live', trouble: expect.stringContaining('tmux does not answer') })
    } finally {
      process.kill(server?.pid ?? 0, 'SIGCONT')
    }
    await until(async () => (await only(home))?.trouble === null, { what: 'it to be back', timeoutMs: 20_000 })
    await ok(home, ['send', 'h', 'again', '--enter'])
    await ok(home, ['wait', 'h', '--text', 'got again'])
  })
})

describe.concurrent('a death in the middle of a start or of an attach leaves each program in exactly one terminal', () => {
  /** Whoever dies, the next daemon must find the program once, or nothing of it. */
  async function expectWhole(home: Home): Promise<void> {
    await until(async () => (await list(home)).every(({ state }) => state === 'live' || state === 'asleep'), {
      what: 'everything to settle',
      timeoutMs: 20_000,
    })
    const live = (await list(home)).filter(({ state }) => state === 'live')
    for (const { id } of live) await run(home, ['read', id])
    await until(() => sessionsOf(home).length === live.length, {
      what: 'a session for each live terminal, and no other',
      timeoutMs: 20_000,
    })
    expect(panePids(home).sort()).toEqual(live.map(({ pid }) => pid ?? 0).sort())
    await until(() => holdersOf(home).length === live.length, { what: 'a holder for each', timeoutMs: 20_000 })
  }

  test.each(['spawn:holder-ready', 'after:spawn', 'tmux:program-started', 'holder:before-card', 'holder:after-card'])(
    'a start: %s',
    async (trip) => {
      await using home = makeHome()
      await run(home, ['new', '--name', 't', ...IN_TMUX, ...READS], { env: { HOLDFAST_TRIP: trip } })
      await killDaemonAndHolders(home)
      await ok(home, ['daemon', 'start'])
      await expectWhole(home)
      const [found] = await list(home)
      if (found?.state === 'live') expect(await ok(home, ['wait', found.id, '--text', 'ready'])).toContain('ready')
    },
  )

  test('a start that got no further than its session: nothing has begun, and nothing is shown', async () => {
    await using home = makeHome()
    const ran = await run(home, ['new', '--name', 't', ...IN_TMUX, ...READS], { env: { HOLDFAST_TRIP: 'tmux:session-made' } })
    expect(ran.code).toBe(1)
    expect(await list(home)).toEqual([])
  })

  test.each(['revive:before-start', 'attach:holder-started', 'holder:before-card', 'holder:after-card', 'holder:mid-flush'])(
    'an attach: %s',
    async (trip) => {
      await using home = makeHome()
      await ok(home, ['new', '--name', 't', ...IN_TMUX, ...READS])
      await ok(home, ['wait', 't', '--text', 'ready'])
      const before = await only(home)
      await killDaemonAndHolders(home)
      await run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: trip } })
      await run(home, ['read', 't'], { env: { HOLDFAST_TRIP: trip } })
      await killDaemonAndHolders(home)
      await ok(home, ['daemon', 'start'])
      expect(await only(home)).toMatchObject({ id: before?.id, pid: before?.pid, state: 'live' })
      await expectWhole(home)
      await ok(home, ['send', 't', 'well', '--enter'])
      await ok(home, ['wait', 't', '--text', 'got well'])
    },
  )
})
