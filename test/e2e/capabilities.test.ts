import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectTo, daemonsOf, killDaemon, views } from '../support/daemon.ts'
import { HOLDFAST, json, type Ran, run } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/**
 * What a program can do through HOLDFAST_SOCKET when that is all it can reach: shells inside bwrap, which hides the state directory
 * but for the directory of the terminal's own socket. Without bwrap they are only told nothing of it.
 */
const hasBwrap = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0
const SANDBOXED = hasBwrap
  ? 'd=$(dirname "$HOLDFAST_SOCKET"); exec bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs "$HOLDFAST_HOME" --ro-bind "$d" "$d" --bind "$OUT" "$OUT" sh'
  : 'unset HOLDFAST_HOME; export HOME=/nowhere; exec sh'

let home: Home
let out = ''
let asked = 0
const ids: Record<string, string> = {}
const socketOf = (name: string): string => `${home.path}/sockets/${ids[name]}/sock`

async function start(name: string, more: readonly string[] = []): Promise<void> {
  const args = ['new', '--name', name, '--env', `OUT=${out}`, ...more, '--', 'sh', '-c', SANDBOXED]
  ids[name] = (await json<{ id: string }>(home, args)).id
}

/** Runs `holdfast` in the shell of a terminal, and gives back what it said. */
async function inside(name: string, args: string, before = ''): Promise<Ran> {
  const file = `${out}/${++asked}`
  const line = `${before} ${process.execPath} ${HOLDFAST} ${args} >${file}.stdout 2>${file}.stderr </dev/null; echo $? >${file}.code.new; mv ${file}.code.new ${file}.code`
  expect((await run(home, ['send', name, line, '--enter'])).code).toBe(0)
  const code = await until(() => existsSync(`${file}.code`) && readFileSync(`${file}.code`, 'utf8'), { what: `holdfast ${args} to end` })
  return { code: Number(code), stdout: readFileSync(`${file}.stdout`, 'utf8'), stderr: readFileSync(`${file}.stderr`, 'utf8') }
}

const report = (name: string, before = ''): Promise<Ran> => inside(name, 'agent report claude --event Stop --json', before)
const TAKEN_NOTE = { taken: false, why: 'no agent has the keyboard of this terminal' }
const REFUSED = { refusal: expect.objectContaining({ code: 'may-not' }) }

beforeAll(async () => {
  home = makeHome()
  out = `${home.path}/out`
  mkdirSync(out)
  writeFileSync(`${home.path}/config.toml`, 'settle_ms = 100\n[web]\nport = 0\n')
  await start('alpha')
  await start('bravo')
  await start('sender', ['--may', 'send'])
})
afterAll(() => home.dispose())

describe('a program that can reach nothing but HOLDFAST_SOCKET', () => {
  test('has a socket of its own terminal, which nobody else can open', async () => {
    const told = await inside('alpha', 'version', 'echo "$HOLDFAST_SOCKET" >"$OUT/socket";')
    expect(told.code).not.toBe(null)
    expect(readFileSync(`${out}/socket`, 'utf8').trim()).toBe(socketOf('alpha'))
    expect(statSync(dirname(socketOf('alpha'))).mode & 0o777).toBe(0o700)
    expect(statSync(socketOf('alpha')).mode & 0o777).toBe(0o600)
  })

  test('reports about its own terminal, and about no other', async () => {
    expect(JSON.parse((await report('alpha')).stdout)).toEqual(TAKEN_NOTE)
    expect(JSON.parse((await report('alpha', `HOLDFAST_TERMINAL_ID=${ids['bravo']}`)).stdout)).toEqual(REFUSED)
    expect(JSON.parse((await report('alpha', 'HOLDFAST_TERMINAL_ID=bravo')).stdout)).toEqual(REFUSED)
  })

  test('is refused everything else, and told what it may and how to allow more', async () => {
    for (const args of [
      'send bravo y --enter',
      'send alpha y',
      'ls',
      'read alpha',
      'new -- true',
      'daemon stop',
      'ls --watch',
      'search y',
    ]) {
      const { code, stderr } = await inside('alpha', args)
      if (args === 'daemon stop') continue // it finds no daemon at the ordinary place
      expect([code, stderr], args).toEqual([1, expect.stringContaining(`Programs in the terminal ${ids['alpha']} may only report on it`)])
      expect(stderr, args).toMatch(/holdfast new --may \w+, or set may = "\w+" under \[programs\]/)
    }
    expect(daemonsOf(home)).toHaveLength(1)
    expect((await run(home, ['read', 'bravo'])).stdout).not.toContain('y\n')
  })

  test('types into its own terminal where it was started with --may send, and into no other', async () => {
    expect(await inside('sender', 'read sender')).toMatchObject({ code: 0, stderr: '' })
    expect(await inside('sender', "send sender ': typed-by-itself'")).toMatchObject({ code: 0 })
    expect((await run(home, ['wait', 'sender', '--text', 'typed-by-itself', '--timeout', '15'])).code).toBe(0)
    await run(home, ['send', 'sender', '--enter'])
    for (const args of ['send bravo y', 'read bravo', `send ${ids['bravo']} y`, 'close sender', 'rename sender other'])
      expect(await inside('sender', args), args).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('report on it, read it and type'),
      })
    expect(JSON.parse((await inside('sender', 'ls --json')).stdout)).toMatchObject([{ id: ids['sender'], may: 'send' }])
  })

  test('may more at once when the configuration says so, but for what its terminal says', async () => {
    writeFileSync(`${home.path}/config.toml`, 'settle_ms = 100\n[web]\nport = 0\n[programs]\nmay = "read"\n')
    const mays = async () => Object.fromEntries((await views(home)).map(({ name, may }) => [name, may]))
    await until(async () => (await mays())['alpha'] === 'read', { what: 'the configuration to be heard' })
    expect(await mays()).toEqual({ alpha: 'read', bravo: 'read', sender: 'send' })
    expect(await inside('alpha', 'read alpha')).toMatchObject({ code: 0 })
    expect(await inside('alpha', 'send alpha y')).toMatchObject({ code: 1 })
    writeFileSync(`${home.path}/config.toml`, 'settle_ms = 100\n[web]\nport = 0\n')
    await until(async () => (await mays())['alpha'] === 'report', { what: 'the configuration to be heard' })
  })

  test('reaches the next daemon by the same way after a kill -9, and starts none of its own', async () => {
    const directory = statSync(dirname(socketOf('alpha'))).ino
    const file = `${out}/down`
    await run(home, [
      'send',
      'alpha',
      `while [ ! -e ${file} ]; do sleep 0.02; done; ${process.execPath} ${HOLDFAST} ls 2>${file}.stderr; echo $? >${file}.code`,
      '--enter',
    ])
    killDaemon(home)
    await until(() => daemonsOf(home).length === 0, { what: 'the daemon to be gone' })
    writeFileSync(file, '')
    if (hasBwrap) {
      await until(() => existsSync(`${file}.code`) && readFileSync(`${file}.code`, 'utf8') === '1\n', { what: 'a refusal' })
      expect(readFileSync(`${file}.stderr`, 'utf8')).toContain('its state directory cannot be seen from inside this sandbox')
      expect(daemonsOf(home)).toEqual([])
    }
    expect((await run(home, ['ls'])).code).toBe(0)
    expect(statSync(dirname(socketOf('alpha'))).ino).toBe(directory)
    expect(JSON.parse((await report('alpha')).stdout)).toEqual(TAKEN_NOTE)
    expect(JSON.parse((await report('alpha', `HOLDFAST_TERMINAL_ID=${ids['bravo']}`)).stdout)).toEqual(REFUSED)
    expect(await inside('sender', "send sender ': again'")).toMatchObject({ code: 0 })
    await run(home, ['send', 'sender', '--enter'])
    expect(await inside('sender', 'send bravo y')).toMatchObject({ code: 1 })
  })
})

describe('the socket of a terminal', () => {
  test('goes when the terminal sleeps, and comes back with it', async () => {
    await start('sleeper')
    expect(existsSync(socketOf('sleeper'))).toBe(true)
    expect((await run(home, ['sleep', 'sleeper', '--force'])).code).toBe(0)
    await until(() => !existsSync(dirname(socketOf('sleeper'))), { what: 'its directory to go' })
    expect((await run(home, ['wake', 'sleeper'])).code).toBe(0)
    expect(JSON.parse((await report('sleeper')).stdout)).toEqual(TAKEN_NOTE)
    expect((await run(home, ['close', 'sleeper', '--yes'])).code).toBe(0)
    await until(() => !existsSync(dirname(socketOf('sleeper'))), { what: 'its directory to go' })
  })

  test('is not needed by who can reach the ordinary one, as the user can and programs of earlier versions do', async () => {
    const typed = { HOLDFAST_SOCKET: socketOf('alpha'), HOLDFAST_TERMINAL_ID: ids['alpha'] ?? '' }
    expect((await run(home, ['send', 'bravo', ': by hand', '--enter'], { env: typed })).code).toBe(0)
    const earlier = { HOLDFAST_SOCKET: `${home.path}/sockets/daemon.sock`, HOLDFAST_TERMINAL_ID: ids['alpha'] ?? '' }
    const reported = await run(home, ['agent', 'report', 'claude', '--event', 'Stop', '--json'], { env: earlier })
    expect(JSON.parse(reported.stdout)).toEqual(TAKEN_NOTE)
    expect((await run(home, ['ls'], { env: earlier })).code).toBe(0)
  })

  test('of another instance is left alone', async () => {
    await using other = makeHome()
    writeFileSync(`${other.path}/config.toml`, '[web]\nport = 0\n')
    const { code, stdout } = await run(other, ['ls', '--json'], { env: { HOLDFAST_SOCKET: socketOf('sender') } })
    expect([code, JSON.parse(stdout)]).toEqual([0, []])
  })

  test('does as much as everything where the terminal was started with --may all', async () => {
    await start('trusted', ['--may', 'all'])
    expect(await inside('trusted', 'rename bravo renamed')).toMatchObject({ code: 0 })
    const client = await connectTo(home)
    const listed = await client.request('terminal.list', {})
    client.close()
    expect(listed.ok && listed.value.result.find(({ id }) => id === ids['bravo'])?.name).toBe('renamed')
  })
})
