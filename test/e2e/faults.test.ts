import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import process from 'node:process'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { daemonsOf, killDaemon, list, status } from '../support/daemon.ts'
import { environment, fixtureProgram, run, runProcess, runProgram } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'

const SHELL = ['--', 'sh', '-c', 'echo hello from $0; while read line; do echo "got $line"; done', 'fixture']

async function twoTerminals(home: Home): Promise<{ first: string; second: string }> {
  const first = (await run(home, ['new', '--name', 'first', ...SHELL])).stdout.trim()
  const second = (await run(home, ['new', '--name', 'second', ...SHELL])).stdout.trim()
  return { first, second }
}

function changeDatabase(home: Home, sql: string, ...values: string[]): void {
  const database = new DatabaseSync(`${home.path}/holdfast.db`)
  database.prepare(sql).run(...values)
  database.close()
}

test('an undecodable record costs its details, never its program, its place or another terminal', async () => {
  await using home = makeHome()
  const { first, second } = await twoTerminals(home)
  const before = await list(home)
  await run(home, ['daemon', 'stop'])
  changeDatabase(home, 'UPDATE terminals SET record = ? WHERE id = ?', '{"state":"li', first)
  await run(home, ['daemon', 'start'])
  const after = await list(home)
  expect(after.map(({ id, pid, state }) => ({ id, pid, state }))).toEqual(before.map(({ id, pid, state }) => ({ id, pid, state })))
  expect(after.find(({ id }) => id === second)?.name).toBe('second')
  const { troubles } = await status(home)
  expect(troubles.join('\n')).toMatch(new RegExp(`The record of ${first} could not be decoded`))
  const aside = readdirSync(home.path).find((name) => name.startsWith(`undecodable-${first}`))
  expect(readFileSync(`${home.path}/${aside}`, 'utf8')).toBe('{"state":"li')
})

test('a missing directory and a missing command are refused by name, and leave no terminal', async () => {
  await using home = makeHome()
  await run(home, ['new', '--name', 'bystander', ...SHELL])
  const noDirectory = await run(home, ['new', '--cwd', '/nowhere/at/all', '--', 'sh'])
  expect(noDirectory).toMatchObject({ code: 1, stdout: '' })
  expect(noDirectory.stderr).toContain('The directory /nowhere/at/all does not exist.')
  const noCommand = await run(home, ['new', '--', 'no-such-command-here'])
  expect(noCommand.code).toBe(1)
  expect(noCommand.stderr).toContain('The command "no-such-command-here" was not found.')
  const notExecutable = await run(home, ['new', '--', '/etc/passwd'])
  expect(notExecutable.stderr).toContain('cannot execute "/etc/passwd".')
  expect((await list(home)).map(({ name }) => name)).toEqual(['bystander'])
})

test('an unreadable log is named when its history is asked for, and costs no other terminal', async () => {
  await using home = makeHome()
  await run(home, ['new', '--name', 'ended', '--', fixtureProgram('prints-and-exits.sh'), '5000'])
  await run(home, ['new', '--name', 'other', ...SHELL])
  await run(home, ['wait', 'ended', '--exit', '--timeout', '10'])
  await run(home, ['daemon', 'stop'])
  const run0 = lastRunOf(home, 'ended')
  const directory = `${home.path}/runs/${run0}`
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.log'))) {
    rmSync(`${directory}/${name}`)
    mkdirSync(`${directory}/${name}`)
  }
  await run(home, ['daemon', 'start'])
  const history = await run(home, ['read', 'ended', '--history', 'all'])
  expect(history.code).toBe(0)
  // The kept screen with what was above it, every line in its place; what only the log knew is blank.
  const shown = history.stdout.trimEnd().split('\n')
  const lost = shown.findIndex((line) => line !== '')
  expect(lost).toBeLessThan(4_500)
  expect(shown).toEqual(Array.from({ length: 5_000 }, (_, index) => (index < lost ? '' : `line ${index + 1} of 5000`)))
  expect(history.stderr).toMatch(/part of its history is lost: \d{15}\.log: it is not a file/)
  expect((await run(home, ['read', 'ended'])).code).toBe(0)
  expect((await run(home, ['read', 'other', '--history', 'all'])).stdout).toContain('hello from fixture')
})

function lastRunOf(home: Home, name: string): string {
  const database = new DatabaseSync(`${home.path}/holdfast.db`)
  const row = database.prepare('SELECT record FROM terminals WHERE record LIKE ?').get(`%"name":"${name}"%`) as { record: string }
  database.close()
  return (JSON.parse(row.record) as { lastRun: string }).lastRun
}

test('a stale socket of a killed daemon is in nobody’s way', async () => {
  await using home = makeHome()
  await twoTerminals(home)
  killDaemon(home)
  expect(readdirSync(`${home.path}/sockets`)).toContain('daemon.sock')
  expect((await list(home)).map(({ state }) => state)).toEqual(['live', 'live'])
})

test('a second daemon is refused with the pid of the first, which does not notice', async () => {
  await using home = makeHome()
  await run(home, ['daemon', 'start'])
  const { pid } = await status(home)
  const entry = new URL('../../dist/daemon/main.js', import.meta.url).pathname
  const second = await runProgram(process.execPath, [entry], { env: environment(home) })
  expect(second.code).toBe(1)
  expect(second.stderr).toContain(`A daemon is already running (pid ${pid}).`)
  expect((await status(home)).pid).toBe(pid)
  const started = await Promise.all(Array.from({ length: 6 }, () => runProcess(home, ['daemon', 'start'])))
  expect(started.map(({ code }) => code)).toEqual(Array(6).fill(0))
  expect(daemonsOf(home)).toHaveLength(1)
})

test('six callers at once start one daemon', async () => {
  await using home = makeHome()
  const started = await Promise.all(Array.from({ length: 6 }, () => runProcess(home, ['ls', '--json'])))
  expect(started.map(({ code, stdout, stderr }) => ({ code, stdout, stderr }))).toEqual(
    Array(6).fill({ code: 0, stdout: '[]\n', stderr: '' }),
  )
  await until(() => daemonsOf(home).length === 1, { what: 'one daemon to be left' })
})

test('a read-only state directory is refused in one sentence', async ({ skip }) => {
  await using home = makeHome()
  await using mounted = mount(['-t', 'tmpfs', '-o', 'ro,size=64k', 'tmpfs'], `${home.path}/state`)
  if (mounted.refused !== null) skip(`mounting is not permitted here: ${mounted.refused}`)
  const refused = await run(`${home.path}/state`, ['ls'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`cannot use the state directory ${home.path}/state: it is read-only.`)
})

test('a state directory below a file is refused in one sentence', async () => {
  await using home = makeHome()
  writeFileSync(`${home.path}/file`, '')
  const refused = await run(`${home.path}/file/state`, ['ls'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/cannot use the state directory .*: /)
})

test('permissions that others could use are taken away', async () => {
  await using home = makeHome()
  chmodSync(home.path, 0o755)
  await run(home, ['daemon', 'start'])
  expect(statSync(home.path).mode & 0o777).toBe(0o700)
  await until(() => existsSync(`${home.path}/daemon.json`), { what: 'the card, which is the last thing a start writes' })
  const files = ['holdfast.db', 'daemon.json', 'logs/daemon.log'].map((name) => statSync(`${home.path}/${name}`).mode & 0o777)
  expect(files).toEqual([0o600, 0o600, 0o600])
})

test('a full disk refuses new terminals, while running programs and their screens go on; space brings everything back', async ({
  skip,
}) => {
  await using home = makeHome()
  const state = `${home.path}/state`
  await using mounted = mount(['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs'], state)
  if (mounted.refused !== null) skip(`mounting is not permitted here: ${mounted.refused}`)
  await using inside = stopped(state)
  await run(inside.path, ['new', '--name', 'runs', ...SHELL])
  const [before] = await list(inside)
  fill(`${state}/ballast`)
  const refused = await run(state, ['new', '--name', 'late', ...SHELL])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/full|space/)
  await run(state, ['send', 'runs', 'still there', '--enter'])
  expect((await run(state, ['wait', 'runs', '--text', 'got still there', '--timeout', '10'])).code).toBe(0)
  rmSync(`${state}/ballast`)
  await until(async () => (await run(state, ['new', '--name', 'late', ...SHELL])).code === 0, {
    what: 'a new terminal once there is space',
  })
  expect((await list(inside)).map(({ name, state: now }) => `${name} ${now}`)).toEqual(['runs live', 'late live'])
  expect((await list(inside))[0]?.pid).toBe(before?.pid)
  expect((await run(state, ['read', 'runs', '--history', 'all'])).stdout).toContain('got still there')
})

test('a port that someone else has is no reason not to start', async () => {
  await using home = makeHome()
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  writeFileSync(`${home.path}/config.toml`, `[web]\nport = ${port}\n`)
  await run(home, ['daemon', 'start'])
  const { web } = await status(home)
  expect(web.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+/)
  expect(web.url).not.toContain(`:${port}`)
  server.close()
})

test('a bad config.toml is named with its line, and the last good values stay in force', async () => {
  await using home = makeHome()
  writeFileSync(`${home.path}/config.toml`, 'size = "100x30"\n')
  await run(home, ['daemon', 'start'])
  await run(home, ['daemon', 'stop'])
  writeFileSync(`${home.path}/config.toml`, '\nsiez = "90x20"\n')
  await run(home, ['daemon', 'start'])
  const { troubles } = await status(home)
  expect(troubles.join('\n')).toMatch(/config\.toml, line 2: .*siez/)
  await run(home, ['new', ...SHELL])
  expect((await list(home))[0]).toMatchObject({ size: { cols: 100, rows: 30 } })
  const check = await run(home, ['config', 'check'])
  expect(check.code).toBe(1)
  expect(check.stdout + check.stderr).toMatch(/config\.toml:2/)
})

test('a holder that is killed costs its program, never its history, and nobody else anything', async () => {
  await using home = makeHome()
  await twoTerminals(home)
  await run(home, ['wait', 'first', '--text', 'hello from fixture', '--timeout', '10'])
  const [first] = await list(home)
  process.kill(first?.holderPid ?? 0, 'SIGKILL')
  const lost = await until(async () => (await list(home)).find(({ state }) => state === 'asleep'), { what: 'the terminal to be asleep' })
  expect(lost).toMatchObject({ id: first?.id, because: { kind: 'lost' } })
  expect((await run(home, ['read', 'first'])).stdout).toContain('hello from fixture')
  expect((await run(home, ['read', 'first', '--history', 'all'])).stdout).toContain('hello from fixture')
  expect((await run(home, ['wake', 'first'])).code).toBe(0)
  expect((await list(home)).map(({ state }) => state)).toEqual(['live', 'live'])
})

test('a holder that does not answer is shown as such, is not taken for dead, and is back when it answers', async () => {
  await using home = makeHome()
  const { first } = await twoTerminals(home)
  const [before] = await list(home)
  process.kill(before?.holderPid ?? 0, 'SIGSTOP')
  try {
    killDaemon(home)
    const stopped = (await list(home)).find(({ id }) => id === first)
    expect(stopped).toMatchObject({ state: 'live', pid: before?.pid })
    expect(stopped?.trouble).toContain('does not answer')
    expect((await run(home, ['read', 'second'])).stdout).toContain('hello from fixture')
    expect((await run(home, ['close', '--yes', 'first'])).code).toBe(1)
  } finally {
    process.kill(before?.holderPid ?? 0, 'SIGCONT')
  }
  await until(async () => (await list(home)).every(({ trouble }) => trouble === null), { what: 'the holder to answer again' })
  expect((await run(home, ['read', 'first'])).stdout).toContain('hello from fixture')
})

type Mounted = AsyncDisposable & { readonly refused: string | null }

function mount(args: readonly string[], at: string): Mounted {
  mkdirSync(at)
  // Processes that were told to end may still be on their way out.
  const umount = async (): Promise<void> => {
    await until(() => execFileSync('umount', [at], { stdio: 'pipe' }) !== null, { what: `${at} to be free` })
  }
  try {
    execFileSync('mount', [...args, at], { stdio: 'pipe' })
    return { refused: null, [Symbol.asyncDispose]: umount }
  } catch (error) {
    return { refused: String((error as { stderr?: Buffer }).stderr ?? error).trim(), [Symbol.asyncDispose]: async () => {} }
  }
}

/** Stops the daemon with its programs before the disk under it goes away. */
function stopped(path: string): AsyncDisposable & { readonly path: string } {
  return { path, [Symbol.asyncDispose]: async () => void (await run(path, ['daemon', 'stop', '--all'])) }
}

function fill(file: string): void {
  for (const size of [64 << 10, 4 << 10, 512]) {
    try {
      for (let count = 0; count < 100; count++) writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
    } catch {
      // full for pieces of this size
    }
  }
}
