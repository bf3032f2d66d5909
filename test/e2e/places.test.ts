import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DaemonClient } from '../../src/client/daemonClient.ts'
import { Mirror } from '../../src/client/mirror.ts'
import type { Web } from '../../src/daemon/web/startWeb.ts'
import { DAEMON_PROTOCOL, encodeToDaemon, toMessage } from '../../src/wire/daemon.ts'
import { connectTo, daemonsOf, status } from '../support/daemon.ts'
import { deviceOf, makeKeys, type OpenSocket } from '../support/device.ts'
import { run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { ask, openSocket, originOf, postLogin, tokenOf } from '../support/web.ts'

let home: Home
let client: DaemonClient
let mirror: Mirror
let places: string

/** The user's own settings of git are none of these tests' business. */
const QUIET = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }

const CONFIG = '[web]\nport = 0\n'
const configure = (text: string) => writeFileSync(`${home.path}/config.toml`, text)

beforeAll(async () => {
  home = makeHomeWithOwnPort()
  places = realpathSync(mkdtempSync(join(tmpdir(), 'hf-places-')))
  mkdirSync(join(places, 'bin'))
  writeFileSync(join(places, 'bin', 'claude'), `#!/bin/sh\ntouch '${places}/started'\n`, { mode: 0o755 })
  await run(home, ['daemon', 'start'], { env: { PATH: `${join(places, 'bin')}:${process.env['PATH']}` } })
  client = await connectTo(home)
  mirror = new Mirror(client)
  await until(() => mirror.state.settings !== null, { what: 'the settings' })
})

afterAll(async () => {
  mirror?.close()
  client?.close()
  await home?.dispose()
  rmSync(places, { recursive: true, force: true })
})

describe('the settings of the page', () => {
  test('are told with everything else, and again as soon as the file changes', async () => {
    expect(mirror.state.settings).toMatchObject({ theme: 'system', fontSize: 13 })
    configure(`${CONFIG}[page]\ntheme = "dark"\n[page.keys]\npalette = "Ctrl+P"\n`)
    await until(() => mirror.state.settings?.theme === 'dark', { what: 'the dark page', timeoutMs: 1_500 })
    expect(mirror.state.settings?.keys).toEqual({ palette: 'Ctrl+P' })
  })

  test('stay as they were while the file is wrong, and the daemon says where', async () => {
    configure(`${CONFIG}[page]\ntheme = "dark"\nquiet_hours = "late"\n`)
    await until(async () => (await status(home)).troubles.some((why) => /config\.toml, line 5: page\.quiet_hours/.test(why)), {
      what: 'the trouble',
    })
    expect(mirror.state.settings?.theme).toBe('dark')
    configure(CONFIG)
    await until(() => mirror.state.settings?.theme === 'system', { what: 'the usual page' })
    expect((await status(home)).troubles).toEqual([])
  })
})

/** A repository with one commit on `main`. */
function makeRepository(name: string): string {
  const path = join(places, name)
  mkdirSync(path, { recursive: true })
  git(path, 'init', '-q', '-b', 'main')
  git(path, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'first')
  return path
}

const git = (cwd: string, ...words: string[]): string =>
  execFileSync('git', words, { cwd, encoding: 'utf8', env: { ...process.env, ...QUIET } })

async function start(cwd: string): Promise<string> {
  const made = await client.request('terminal.new', { cwd, env: {}, args: [], command: '/bin/sh' })
  if (!made.ok) throw new Error(made.refusal.message)
  return made.value.result.id
}

describe('a terminal in a repository', () => {
  test('says which, and on which branch it is, as soon as that changes', async () => {
    const app = makeRepository('app')
    mkdirSync(join(app, 'src'))
    const id = await start(join(app, 'src'))
    const terminal = () => mirror.terminal(id)
    await until(() => terminal() !== null, { what: 'the terminal' })
    expect(terminal()).toMatchObject({
      repository: { root: app, name: 'app', branch: 'main', worktree: null },
      project: { root: app, name: 'app' },
    })
    git(app, 'switch', '-q', '-c', 'feature/one')
    await until(() => terminal()?.repository?.branch === 'feature/one', { what: 'the other branch', timeoutMs: 2_000 })
    git(app, 'worktree', 'add', '-q', join(places, 'fix'), '-b', 'fix')
    const there = await start(join(places, 'fix'))
    await until(() => mirror.terminal(there) !== null, { what: 'the other terminal' })
    expect(mirror.terminal(there)).toMatchObject({
      repository: { root: app, name: 'app', branch: 'fix', worktree: 'fix' },
      project: { root: app, name: 'app' },
    })
  })

  test('that is none has none', async () => {
    const id = await start(places)
    await until(() => mirror.terminal(id) !== null, { what: 'the terminal' })
    expect(mirror.terminal(id)).toMatchObject({ repository: null, project: null, directory: places })
  })
})

describe('places for a new terminal', () => {
  const hf = (...words: string[]) => run(home, words)

  test('are completed, and those that were used come first', async () => {
    const completed = await client.request('directory.complete', { path: join(places, 'a'), limit: 10 })
    expect(completed).toMatchObject({
      value: { result: { directories: [{ path: join(places, 'app'), isRepository: true }], more: false } },
    })
    const recent = await client.request('directory.recent', {})
    if (!recent.ok) throw new Error(recent.refusal.message)
    const paths = recent.value.result.map(({ path }) => path)
    const newestFirst = [places, join(places, 'fix'), join(places, 'app', 'src')]
    expect(paths.filter((path) => newestFirst.includes(path))).toEqual(newestFirst)
  })

  test('are worktrees too: listed, made beside the repository, and started in', async () => {
    const api = makeRepository('api')
    const made = await hf('worktree', 'new', 'fix/login', '--from', api)
    const path = join(places, 'api-worktrees', 'fix-login')
    expect(made).toEqual({ code: 0, stdout: `${path}\n`, stderr: '' })
    expect((await hf('worktree', 'list', api)).stdout).toMatch(/^BRANCH +PATH\nmain +\S+\/api\nfix\/login +\S+-worktrees\/fix-login\n$/)
    const again = await hf('worktree', 'new', 'fix/login', '--from', api)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`is already checked out in ${path}`) })
    expect((await hf('worktree', 'list', places)).stderr).toMatch(/is not in a git repository/)
    const there = await hf('new', '--cwd', api, '--worktree', 'fix/login', '--json', '--', '/bin/sh')
    expect(JSON.parse(there.stdout)).toMatchObject({ cwd: path, repository: { root: api, branch: 'fix/login', worktree: 'fix-login' } })
    const fresh = await hf('new', '--cwd', api, '--worktree', 'spike', '--json', '--', '/bin/sh')
    expect(JSON.parse(fresh.stdout)).toMatchObject({ cwd: join(places, 'api-worktrees', 'spike'), project: { root: api, name: 'api' } })
    const json = await hf('worktree', 'new', 'two', '--from', api, '--base', 'main', '--path', join(places, 'two'), '--json')
    expect(JSON.parse(json.stdout)).toEqual({ path: join(places, 'two'), branch: 'two', isNewBranch: true })
  })
})

describe('a file that is dropped onto a terminal', () => {
  let web: Pick<Web, 'url'>
  let bearer: string
  let link: OpenSocket
  beforeAll(async () => {
    const login = await client.request('web.login', {})
    if (!login.ok) throw new Error(login.refusal.message)
    const { url } = login.value.result
    web = { url: new URL('/', url).href }
    const keys = makeKeys()
    const reply = await postLogin(web as Web, tokenOf({ url }), keys)
    link = await openSocket(web as Web, deviceOf(keys, JSON.parse(reply.body)))
    link.socket.send(toMessage(encodeToDaemon({ kind: 'hello', protocol: DAEMON_PROTOCOL, version: '', who: 'test' }))) // else it is let go
    bearer = `Bearer ${link.bearer}`
  })
  afterAll(() => link.socket.terminate())

  const drop = (terminal: string, body: string) =>
    ask(web as Web, {
      path: `/api/files?terminal=${terminal}&name=${encodeURIComponent('my notes.txt')}`,
      method: 'POST',
      headers: { Authorization: bearer, Origin: originOf(web as Web) },
      body,
    })

  test('is kept for it, also while it is closed and can be reopened', async () => {
    const id = await start(places)
    const reply = await drop(id, 'hello')
    const { path } = JSON.parse(reply.body) as { path: string }
    expect(path).toMatch(new RegExp(`^${home.path}/files/${id}/[0-9a-z]{8}-my-notes\\.txt$`))
    expect(readFileSync(path, 'utf8')).toBe('hello')
    expect(await client.request('terminal.close', { terminal: id })).toMatchObject({ ok: true })
    expect(await client.request('terminal.reopen', { terminal: id })).toMatchObject({ ok: true })
    expect(readFileSync(path, 'utf8')).toBe('hello')
  })

  test('is refused where there is no such terminal, and where it is too large: nothing is left of it', async () => {
    expect(await drop('nobody', 'hello')).toMatchObject({ status: 404, body: expect.stringContaining('There is no terminal "nobody"') })
    const id = await start(places)
    const large = await drop(id, 'x'.repeat((50 << 20) + 1))
    expect(large).toMatchObject({ status: 413, body: expect.stringContaining('50 MB') })
    const whole = await drop(id, 'x'.repeat(50 << 20))
    const { path } = JSON.parse(whole.body) as { path: string }
    expect(statSync(path).size).toBe(50 << 20)
    expect(readdirSync(join(home.path, 'files', id))).toEqual([basename(path)])
  })

  test('of a private terminal is gone when its program ends', async () => {
    const made = await client.request('terminal.new', { cwd: places, env: {}, args: [], command: '/bin/cat', private: true })
    if (!made.ok) throw new Error(made.refusal.message)
    const { id } = made.value.result
    const { path } = JSON.parse((await drop(id, 'secret')).body) as { path: string }
    expect(existsSync(path)).toBe(true)
    await client.request('terminal.sleep', { terminal: id, force: true })
    await until(() => !existsSync(path), { what: 'the file to be gone' })
  })
})

test('agents that are installed are told, without being started', async () => {
  const installed = await client.request('agent.installed', {})
  if (!installed.ok) throw new Error(installed.refusal.message)
  expect(installed.value.result).toContainEqual({
    ...{ name: 'claude', label: 'Claude Code', command: 'claude', path: join(places, 'bin', 'claude') },
  })
  expect(existsSync(join(places, 'started'))).toBe(false)
})

describe('config.toml, changed option by option,', () => {
  const file = () => readFileSync(`${home.path}/config.toml`, 'utf8')
  const hf = (...words: string[]) => run(home, words)

  test('keeps its comments, and the page has the change when the answer comes', async () => {
    configure(`# mine\n${CONFIG}\n[page]\ntheme = "light" # bright\n`)
    const set = await client.request('config.set', { key: 'page.theme', value: 'dark' })
    if (!set.ok) throw new Error(set.refusal.message)
    expect(set.value.result.options.find(({ key }) => key === 'page.theme')).toMatchObject({
      ...{ value: 'dark', default: 'system', choices: ['system', 'light', 'dark'], isSet: true, needsRestart: false },
      sentence: expect.stringMatching(/\.$/),
    })
    expect(set.value.result).toMatchObject({ file: `${home.path}/config.toml`, problems: [] })
    expect(mirror.state.settings?.theme).toBe('dark')
    expect(file()).toBe(`# mine\n${CONFIG}\n[page]\ntheme = "dark" # bright\n`)
  })

  test('is left as it is where a value or a key is wrong', async () => {
    const before = file()
    for (const change of [
      { key: 'page.font_size', value: 99 },
      { key: 'page.fnt_size', value: 9 },
    ])
      expect(await client.request('config.set', change)).toMatchObject({ ok: false, refusal: { code: 'option-refused' } })
    expect(file()).toBe(before)
  })

  test('by the CLI too, with a daemon and without one', async () => {
    expect(await hf('config', 'set', 'page.font_size', '20')).toEqual({ code: 0, stdout: 'page.font_size = 20\n', stderr: '' })
    expect(mirror.state.settings?.fontSize).toBe(20)
    expect((await hf('config', 'set', 'page.keys.palette', 'Ctrl+P')).stdout).toBe('page.keys = { palette = "Ctrl+P" }\n')
    expect(JSON.parse((await hf('config', 'unset', 'page.font_size', '--json')).stdout)).toMatchObject({ value: 13, isSet: false })
    expect((await hf('config', 'set', 'web.port', '0')).stderr).toMatch(/restart/)
    expect((await hf('config')).stdout).toMatch(/^page\.theme = "dark"/m)
    const wrong = await hf('config', 'set', 'page.theme', 'blue')
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/page\.theme must be one of system, light, dark/) })
    await using other = makeHomeWithOwnPort()
    expect((await run(other, ['config', 'set', 'env.allow', '["ACME_*"]'])).stdout).toBe('env.allow = ["ACME_*"]\n')
    expect(readFileSync(`${other.path}/config.toml`, 'utf8')).toBe(`${CONFIG}\n[env]\nallow = ["ACME_*"]\n`)
    expect(daemonsOf(other)).toEqual([])
  })

  test('shows what is wrong with it', async () => {
    configure('siez = 1\n')
    const problems = async () => {
      const shown = await client.request('config.show', {})
      return shown.ok ? shown.value.result.problems : []
    }
    await until(async () => (await problems()).length > 0, { what: 'the problem' })
    expect((await problems())[0]).toMatch(/line 1: there is no option siez/)
    configure(CONFIG)
    await until(async () => (await problems()).length === 0, { what: 'the file to be right again' })
  })
})
