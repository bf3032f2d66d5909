import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTo, daemonsOf, type Listed, list } from '../support/daemon.ts'
import { environment, HOLDFAST, json, type Ran, type RunOptions, run, runProgram } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { processesMentioning } from '../support/processes.ts'

/** What a program finds in its environment, what it must not find there, and who can see it, on one home. */
const DAEMON_SECRET = 'daemon-secret-5f1c'
const MARKERS = {
  ...{
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_SSE_PORT: '1234',
    CODEX_SANDBOX: 'seatbelt',
    GEMINI_CLI: '1',
    OPENCODE: '1',
  },
  ...{ TMUX: '/tmp/tmux-0/default,1,0', STY: '1.x', NODE_OPTIONS: '--no-warnings', npm_lifecycle_event: 'test', TERM_PROGRAM: 'outer' },
}
const OUTER = {
  HOLDFAST_TERMINAL_ID: 'touter00000',
  HOLDFAST_SOCKET: '/outer/daemon.sock',
  HOLDFAST_TRIP: 'nowhere',
  HOLDFAST_OTHER: 'outer',
}

let home: Home
const hf = (args: readonly string[], options: RunOptions = {}): Promise<Ran> => run(home, args, options)

/** Starts a program that writes down its environment, and reads it. */
async function environmentOf(name: string, options: RunOptions & { readonly more?: readonly string[] } = {}): Promise<Map<string, string>> {
  const { more = [], ...how } = options
  const made = await json<Listed>(home, ['new', '--name', name, ...more, '--', 'sh', '-c', dump(name)], how)
  const written = await dumped(name)
  expect(written.get('HOLDFAST_TERMINAL_ID')).toBe(made.id)
  return written
}

const dump = (name: string): string =>
  `env -0 > '${home.path}/${name}.new' && mv '${home.path}/${name}.new' '${home.path}/${name}.env'; exec sleep 300`

async function dumped(name: string): Promise<Map<string, string>> {
  const text = await until(() => readFileSync(`${home.path}/${name}.env`, 'utf8'), { what: 'the program to write its environment' })
  return new Map(
    text
      .split('\0')
      .flatMap((entry) => (entry === '' ? [] : [[entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const])),
  )
}

beforeAll(async () => {
  home = makeHome()
  writeFileSync(`${home.path}/config.toml`, 'settle_ms = 300\n\n[env]\nallow = ["MY_ALLOWED", "ACME_*"]\n\n[web]\nport = 0\n', {
    mode: 0o600,
  })
  expect((await hf(['daemon', 'start'], { env: { ...MARKERS, DATABASE_PASSWORD: DAEMON_SECRET, HOLDFAST_OTHER: 'outer' } })).code).toBe(0)
})
afterAll(() => home.dispose())

test('a program knows its terminal, its instance and what its terminal can do', async () => {
  const env = await environmentOf('told', { env: { TERM: 'dumb', COLORTERM: 'no', LANG: 'C.UTF-8', EDITOR: 'ed' } })
  expect(env.get('TERM')).toBe('xterm-256color')
  expect(env.get('COLORTERM')).toBe('truecolor')
  expect(env.get('HOLDFAST_HOME')).toBe(home.path)
  expect(env.get('HOLDFAST_SOCKET')).toBe(`${home.path}/sockets/${env.get('HOLDFAST_TERMINAL_ID')}/sock`)
  expect(env.get('LANG')).toBe('C.UTF-8')
  expect(env.get('EDITOR')).toBe('ed')
  expect(env.get('PATH')).toBe(process.env['PATH'])
})

test('marks of an agent, a multiplexer or another Holdfast around the caller are left behind', async () => {
  const env = await environmentOf('nested', { env: { ...MARKERS, ...OUTER } })
  for (const name of Object.keys(MARKERS)) expect(env.get(name), name).toBe(undefined)
  expect(env.get('HOLDFAST_SOCKET')).toBe(`${home.path}/sockets/${env.get('HOLDFAST_TERMINAL_ID')}/sock`)
  for (const name of ['HOLDFAST_TRIP', 'HOLDFAST_OTHER']) expect(env.get(name), name).toBe(undefined)
})

test('only what is on the allow-list, in the configuration or asked for is inherited, from the caller', async () => {
  const caller = {
    MY_ALLOWED: 'yes',
    ACME_KEY: 'yes',
    ACME: 'no',
    DATABASE_PASSWORD: 'callers',
    HANDED: 'over',
    SSH_AUTH_SOCK: '/tmp/agent',
  }
  const env = await environmentOf('listed', {
    env: caller,
    more: ['--env', 'HANDED', '--env', 'TERM=vt100', '--env', 'HOLDFAST_HOME=/elsewhere'],
  })
  const found = Object.fromEntries(Object.keys(caller).map((name) => [name, env.get(name)]))
  expect(found).toEqual({
    MY_ALLOWED: 'yes',
    ACME_KEY: 'yes',
    ACME: undefined,
    DATABASE_PASSWORD: undefined,
    HANDED: 'over',
    SSH_AUTH_SOCK: '/tmp/agent',
  })
  expect(env.get('TERM')).toBe('vt100')
  expect(env.get('HOLDFAST_HOME')).toBe(home.path)
})

test('the daemon’s own environment does not leak, not even to a program that was asked for without one', async () => {
  const client = await connectTo(home)
  const made = await client.request('terminal.new', { name: 'bare', cwd: '/', env: {}, command: 'sh', args: ['-c', dump('bare')] })
  client.close()
  expect(made.ok).toBe(true)
  const env = await dumped('bare')
  expect([...env.values()].join('\n')).not.toContain(DAEMON_SECRET)
  for (const name of [...Object.keys(MARKERS), 'HOLDFAST_OTHER']) expect(env.get(name), name).toBe(undefined)
  expect(env.get('HOLDFAST_HOME')).toBe(home.path)
})

test('a wake builds the environment anew: what the caller has now, and what was set for the terminal', async () => {
  const write = `printf '%s %s' "$SSH_AUTH_SOCK" "$SET" > '${home.path}/woken.'"$$"; echo ready`
  await hf(['new', '--name', 'woken', '--env', 'SET=once', '--', 'sh', '-c', write], { env: { SSH_AUTH_SOCK: '/tmp/old' } })
  await hf(['wait', 'woken', '--exit', '--timeout', '10'])
  await hf(['wake', 'woken'], { env: { SSH_AUTH_SOCK: '/tmp/new' } })
  await hf(['wait', 'woken', '--exit', '--timeout', '10'])
  const written = readdirSync(home.path).filter((name) => name.startsWith('woken.'))
  expect(written.map((name) => readFileSync(`${home.path}/${name}`, 'utf8')).sort()).toEqual(['/tmp/new once', '/tmp/old once'])
})

test('values of variables are in no command line, no card, no log; inherited ones in no file at all', async () => {
  const secrets = { inherited: 'sk-inherited-77ab', set: 'sk-set-91cd' }
  const more = ['--env', `TOKEN=${secrets.set}`]
  const made = await json<Listed>(home, ['new', '--name', 'secret', ...more, '--', 'sh', '-c', 'echo ready; exec sleep 300'], {
    env: { ANTHROPIC_API_KEY: secrets.inherited },
  })
  expect((await hf(['wait', 'secret', '--text', 'ready', '--timeout', '10'])).code).toBe(0)
  expect(readFileSync(`/proc/${made.pid}/environ`, 'utf8')).toContain(secrets.inherited)
  const lines = processesMentioning(home.path).map(({ command }) => command)
  expect(lines.length).toBeGreaterThan(2)
  for (const secret of Object.values(secrets)) {
    expect(lines.join('\n')).not.toContain(secret)
    const holding = filesOf(home.path).filter((file) => lstatSync(file).isFile() && readFileSync(file).includes(secret))
    expect(
      holding
        .map((file) => file.slice(home.path.length + 1))
        .filter((file) => secret === secrets.inherited || !file.startsWith('holdfast.db')),
    ).toEqual([])
  }
  for (const { pid } of [...daemonsOf(home), { pid: made.holderPid }])
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('sk-')
  expect(JSON.stringify(await json(home, ['ls']))).not.toContain('sk-')
})

function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) => `${entry.parentPath}/${entry.name}`)
}

test('nobody else can read anything in the home', async () => {
  await environmentOf('private')
  const made = filesOf(home.path).filter((path) => !/\.(env|\d+)$/.test(path)) // those are the programs' own
  const open = made.filter((path) => (lstatSync(path).mode & 0o777) !== (lstatSync(path).isDirectory() ? 0o700 : 0o600))
  expect(open).toEqual([])
  expect(made.map((path) => path.slice(home.path.length + 1))).toEqual(
    expect.arrayContaining(['holdfast.db', 'sockets/daemon.sock', 'logs/daemon.log']),
  )
  expect(made.filter((path) => /\.sock$/.test(path)).length).toBeGreaterThan(1)
})

test('a program keeps the file mask of its user', async () => {
  const { stdout } = await runProgram('sh', ['-c', 'umask'], { env: environment(home) })
  await hf(['new', '--name', 'mask', '--', 'sh', '-c', 'umask; echo ready; exec sleep 300'])
  await hf(['wait', 'mask', '--text', 'ready', '--timeout', '10'])
  expect((await hf(['read', 'mask'])).stdout).toBe(`${stdout}ready\n`)
})

test('holdfast typed inside a terminal speaks to the instance that the terminal is in', async () => {
  const inside = `"${process.execPath}" "${HOLDFAST}" ls --json > '${home.path}/inside.env'; echo "code $?"; exec sleep 300`
  await hf(['new', '--name', 'inside', '--', 'sh', '-c', inside], { env: { HOLDFAST_SOCKET: '/outer/daemon.sock' } })
  expect((await hf(['wait', 'inside', '--text', 'code 0', '--timeout', '15'])).code).toBe(0)
  const seen = JSON.parse(readFileSync(`${home.path}/inside.env`, 'utf8')) as Listed[]
  expect(seen.map(({ id }) => id)).toEqual((await list(home)).map(({ id }) => id))
  expect(daemonsOf(home)).toHaveLength(1)
})
