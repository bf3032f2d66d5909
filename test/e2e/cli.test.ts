import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTo, daemonsOf, type Listed, list } from '../support/daemon.ts'
import { environment, HOLDFAST, json, type Ran, type RunOptions, run, runProcess, runProgram } from '../support/holdfast.ts'
import { type Home, makeHome } from '../support/home.ts'
import { openPty } from '../support/ptyClient.ts'

/** What the command line promises to people and scripts, through the built program as a process, on one home. */
const SLEEPER = ['--', 'sh', '-c', 'echo ready; exec sleep 300']
const VERBS = ['new', 'ls', 'attach', 'send', 'read', 'wait', 'rename', 'wake', 'close', 'daemon', 'doctor', 'config', 'completion']
const SUBVERBS = [
  ...['start', 'stop', 'restart', 'status', 'logs'].map((name) => ['daemon', name]),
  ...['show', 'path', 'check', 'example'].map((name) => ['config', name]),
]
const ESC = '\x1b'

let home: Home
const hf = (args: readonly string[], options: RunOptions = {}): Promise<Ran> => runProcess(home, args, options)

async function start(name: string, args: readonly string[] = SLEEPER): Promise<string> {
  const { code, stdout, stderr } = await hf(['new', '--name', name, ...args])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim()
}

const named = async (name: string): Promise<Listed | undefined> => (await list(home)).find((terminal) => terminal.name === name)

beforeAll(async () => {
  home = makeHome()
  writeFileSync(`${home.path}/config.toml`, 'settle_ms = 300\n\n[web]\nport = 0\n')
  expect((await hf(['daemon', 'start'])).code).toBe(0)
})
afterAll(() => home.dispose())

test('every verb explains itself with --help and an example, and starts nothing', async () => {
  await using other = makeHome()
  const all = [[], ...VERBS.map((name) => [name]), ...SUBVERBS]
  const helps = await Promise.all(all.map((words) => run(other, [...words, '--help'])))
  for (const [at, { code, stdout, stderr }] of helps.entries()) {
    const usage = ['holdfast', ...(all[at] ?? [])].join(' ')
    expect({ code, stderr }, usage).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`Usage: ${usage}`)
    expect(stdout).toMatch(/Example:\n {2}\$ /)
    expect(stdout, `the example of ${usage}`).toContain(usage)
  }
  for (const name of VERBS) expect(helps[0]?.stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'))
  expect(daemonsOf(other)).toEqual([])
})

/** Most tests run commands without a process for each. */
test.each([
  [['--version']],
  [['ls', '--json']],
  [['lss']],
  [['read', 'nobody']],
  [['read', 'nobody', '--json']],
  [['close', '--yes']],
  [['config', 'show']],
])('%j says the same and ends with the same code in a process of its own and inside a test', async (words) => {
  expect(await run(home, words)).toEqual(await runProcess(home, words))
})

test('ls and daemon status print for programs what was promised to them', async () => {
  expect(await json(home, ['ls'])).toEqual([])
  const id = await start('shape', ['--size', '90x20', ...SLEEPER])
  const listed = await json<Record<string, unknown>[]>(home, ['ls'])
  expect(listed).toHaveLength(1)
  expect(listed[0]).toMatchObject({
    ...{ id, name: 'shape', state: 'live', because: null, command: 'sh', args: ['-c', 'echo ready; exec sleep 300'], cwd: process.cwd() },
    ...{ size: { cols: 90, rows: 20 }, workspace: 'main', agent: null, conversation: null },
    ...{ pid: expect.any(Number), holderPid: expect.any(Number) },
  })
  const status = await json<Record<string, unknown>>(home, ['daemon', 'status'])
  expect(status).toMatchObject({ pid: daemonsOf(home)[0]?.pid, startedAt: expect.any(Number), home: home.path })
  expect(status).toMatchObject({
    version: (await hf(['--version'])).stdout.trim(),
    web: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/) },
  })
  const text = (await hf(['daemon', 'status'])).stdout
  expect(text).toContain(`pid ${status['pid']}`)
  expect(text).toContain('1 live')
})

test('each exit code means one thing: 0 done, 1 refused, 2 usage, 3 the program has ended, 4 timeout', async () => {
  await start('codes')
  await start('over', ['--', 'true'])
  await hf(['wait', 'over', '--exit', '--timeout', '10'])
  const codes = await Promise.all(
    [['read', 'codes'], ['read', 'nobody'], ['read'], ['send', 'over', 'x'], ['wait', 'codes', '--exit', '--timeout', '0.05']].map((args) =>
      hf(args),
    ),
  )
  expect(codes.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4])
})

test('a terminal is named by its id, by a unique beginning of it, or by its name', async () => {
  const [first, second] = [await start('by name'), await start('other')]
  const shared = [...first].findIndex((letter, at) => letter !== second[at]) // both begin with the same letter
  for (const ref of [first, 'by name']) expect((await hf(['read', ref])).stdout).toContain('ready')
  const others = (await list(home)).map(({ id }) => id).filter((id) => id !== first)
  const unique = Array.from({ length: first.length }, (_, at) => first.slice(0, at + 1)).find(
    (start) => !others.some((id) => id.startsWith(start)),
  )
  expect((await hf(['read', unique ?? ''])).code).toBe(0)
  const ambiguous = await hf(['close', first.slice(0, Math.min(shared, 1)), '--json'])
  expect(ambiguous.code).toBe(1)
  expect(JSON.parse(ambiguous.stderr)).toMatchObject({ refusal: { code: 'terminal-ambiguous' } })
  expect(ambiguous.stdout).toBe('[]\n')
  for (const ref of ['', 'x'.repeat(10_000)]) {
    const refused = await hf(['read', ref])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toMatch(/^holdfast: There is no terminal "/)
    expect(refused.stderr.length).toBeLessThan(1_000)
  }
})

test('new places a program where it was told to, in its size and with its variables', async () => {
  mkdirSync(`${home.path}/some where`)
  const print = 'pwd; stty size; echo "$GREETING and $HANDED"; echo "$@"; exec sleep 300'
  const options = [
    '--cwd',
    `${home.path}/some where`,
    '--workspace',
    'main',
    '--size',
    '101x33',
    '--env',
    'GREETING=a=b c',
    '--env',
    'HANDED',
  ]
  const made = await json<Listed>(home, ['new', '--name', 'placed', ...options, '--', 'sh', '-c', print, 'sh', '--name', '--json'], {
    env: { HANDED: 'over' },
  })
  expect(made).toMatchObject({
    name: 'placed',
    state: 'live',
    cwd: `${home.path}/some where`,
    size: { cols: 101, rows: 33 },
    workspace: 'main',
  })
  expect((await hf(['wait', 'placed', '--text', '--json$', '--timeout', '10'])).code).toBe(0)
  expect((await hf(['read', 'placed'])).stdout.trimEnd().split('\n')).toEqual([
    `${home.path}/some where`,
    '33 101',
    'a=b c and over',
    '--name --json',
  ])
  const relative = await json<{ cwd: string }>(home, ['new', '--cwd', 'some where', ...SLEEPER], { cwd: home.path })
  expect(relative.cwd).toBe(`${home.path}/some where`)
  const bare = await json<Listed>(home, ['new'], { env: { SHELL: '/bin/sh' } })
  expect(bare).toMatchObject({ name: null, command: '/bin/sh', args: [], size: { cols: 120, rows: 40 } })
  expect(await hf(['new', '--workspace', 'nowhere', ...SLEEPER])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no workspace "nowhere".'),
  })
})

test('a name belongs to one terminal, however many ask for it at once', async () => {
  const id = await start('only')
  const again = await hf(['new', '--name', 'only', ...SLEEPER])
  expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('There is already a terminal "only".') })
  const client = await connectTo(home)
  const params = { name: 'wanted', cwd: '/', env: {}, command: 'sleep', args: ['300'] }
  const asked = await Promise.all(Array.from({ length: 5 }, () => client.request('terminal.new', params)))
  client.close()
  expect(asked.filter(({ ok }) => ok)).toHaveLength(1)
  expect(asked.flatMap((answer) => (answer.ok ? [] : [answer.refusal.code]))).toEqual(Array(4).fill('name-taken'))
  expect((await list(home)).filter(({ name }) => name === 'wanted')).toHaveLength(1)

  expect((await hf(['rename', 'only', 'wanted'])).code).toBe(1)
  expect((await hf(['rename', 'only', ' renamed '])).code).toBe(0)
  expect((await named('renamed'))?.id).toBe(id)
  expect((await hf(['rename', 'renamed', ''])).code).toBe(0)
  expect((await list(home)).find((terminal) => terminal.id === id)?.name).toBe(null)
  expect(await json(home, ['rename', id, 'only'])).toMatchObject({ id, name: 'only' })
})

test('hostile input is refused in one short, harmless sentence, and leaves no terminal', async () => {
  const before = (await list(home)).map(({ id }) => id)
  const names = [`red${ESC}[31m`, 'two\nlines', '\x07', ' ', 'x'.repeat(65), 'x'.repeat(100_000), 't0123456789', '\u202eright']
  const refused = await Promise.all(names.map((name) => hf(['new', '--name', name, ...SLEEPER])))
  for (const { code, stderr } of refused) {
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^holdfast: ".*" is not a valid name\.\n {2}Use 1 to 64 .*\n$/),
    })
    expect(stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\u202e]/)
    expect(stderr.length).toBeLessThan(1_000)
  }
  const usages = [
    ...['0x0', '1x1', '80', 'x', '1001x10', '-1x5', '80x24x2', '1e2x40'].map((size) => ['--size', size]),
    ...['NOT_SET_ANYWHERE', '=value', 'A B=1', '1A=1', ''].map((entry) => ['--env', entry]),
  ]
  for (const { code, stderr } of await Promise.all(usages.map((options) => hf(['new', ...options, ...SLEEPER])))) {
    expect(code, stderr).toBe(2)
    expect(stderr).toMatch(/^holdfast: .+\n {2}.+\n$/)
  }
  const strange = await hf(['read', `${ESC}]0;owned\x07`])
  expect(strange.code).toBe(1)
  expect(strange.stderr).not.toContain(ESC)
  expect((await hf([`${ESC}[31mverb`])).stderr).not.toContain(ESC)
  expect((await list(home)).map(({ id }) => id)).toEqual(before)
})

test('a mistyped verb or option is told with a suggestion, for people and for programs', async () => {
  const [verb, option, sub, missing, extra, machine] = await Promise.all(
    [['lss'], ['ls', '--jsn'], ['daemon', 'sttus'], ['daemon'], ['ls', 'a', 'b'], ['new', '--nmae', 'x', '--json']].map((args) => hf(args)),
  )
  expect(verb).toEqual({ code: 2, stdout: '', stderr: "holdfast: unknown command 'lss' (Did you mean ls?)\n  See holdfast --help.\n" })
  expect(option).toMatchObject({ code: 2, stderr: expect.stringMatching(/Did you mean --json\?[\s\S]*See holdfast ls --help\./) })
  expect(sub).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean status?') })
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('start|stop|restart|status|logs') })
  expect(extra).toMatchObject({ code: 2, stdout: '' })
  expect(machine?.code).toBe(2)
  expect(JSON.parse(machine?.stderr ?? '')).toMatchObject({ refusal: { code: 'usage', message: expect.stringContaining('--nmae') } })
})

test('colours are for people: not in pipes, not with NO_COLOR, and never what a program chose', async () => {
  await start('painted', ['--', 'sh', '-c', 'exec sleep 300', `${ESC}[31mred`])
  const piped = await hf(['ls'])
  expect(piped.stdout).toMatch(/^ID +NAME +STATE +COMMAND +CWD +AGE\n/)
  expect(piped.stdout).not.toContain(ESC)
  const look = async (env: RunOptions['env']): Promise<string> => {
    await using shown = openPty(process.execPath, { args: [HOLDFAST, 'ls'], env: environment(home, env), cols: 60 })
    await shown.ended
    expect(
      Math.max(
        ...shown
          .text()
          .split('\n')
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(60)
    return shown.output().toString()
  }
  const coloured = await look({ NO_COLOR: '' })
  expect(coloured).toContain(`${ESC}[32mlive`)
  expect(coloured).not.toContain(`${ESC}[31m`)
  expect(await look({ NO_COLOR: '1' })).not.toContain(ESC)
  const closed = await runProgram('bash', ['-c', 'set -o pipefail; "$0" "$1" completion bash | head -1', process.execPath, HOLDFAST], {
    env: environment(home),
  })
  expect(closed).toMatchObject({ code: 0, stderr: '' })
})

test('config shows every option, says where the file is, finds what is wrong and prints an example that is right', async () => {
  const file = `${home.path}/config.toml`
  expect((await hf(['config', 'path'])).stdout).toBe(`${file}\n`)
  expect(await json(home, ['config', 'path'])).toEqual({ path: file })
  const shown = (await hf(['config', 'show'])).stdout
  expect(shown).toMatch(/^settle_ms = 300 +# default: 2500\n {4}Time that a program/m)
  expect(await json(home, ['config', 'show'])).toMatchObject({ settleMs: 300, web: { port: 0, enabled: true }, attach: { escape: '~.' } })
  expect(await hf(['config', 'check'])).toEqual({ code: 0, stdout: `${file} is valid.\n`, stderr: '' })
  const example = (await hf(['config', 'example'])).stdout
  writeFileSync(`${home.path}/example.toml`, example)
  writeFileSync(`${home.path}/wrong.toml`, 'settle_ms = "soon"\n\nsiez = "1x1"\n')
  expect((await hf(['config', 'check', 'example.toml'], { cwd: home.path })).code).toBe(0)
  const wrong = await hf(['config', 'check', `${home.path}/wrong.toml`])
  expect(wrong.code).toBe(1)
  expect(wrong.stdout).toMatch(/wrong\.toml:1: .*settle_ms[\s\S]*wrong\.toml:3: .*siez/)
  expect((await hf(['config', 'check', '/no/such.toml'])).code).toBe(1)
})

test('doctor has a line for everything, says what to do about what is bad, and starts nothing', async () => {
  const well = await hf(['doctor'])
  expect(well.code).toBe(0)
  for (const name of ['node', 'pty library', 'sqlite', 'state directory', 'sockets', 'disk', 'config', 'daemon', 'page', 'holders'])
    expect(well.stdout).toMatch(new RegExp(`^ok +${name} +\\S`, 'm'))
  await using other = makeHome()
  writeFileSync(`${other.path}/config.toml`, '\nport = 1\n')
  const ill = await run(other, ['doctor'])
  expect(ill.code).toBe(1)
  expect(ill.stdout).toMatch(/^bad +config +.*config\.toml:2: .*port.*\n +Correct the line/m)
  expect(ill.stdout).toMatch(/^ok +daemon +not running/m)
  const findings = JSON.parse((await run(other, ['doctor', '--json'])).stdout) as object[]
  expect(findings).toContainEqual({
    name: 'config',
    level: 'bad',
    detail: expect.stringContaining(':2:'),
    advice: expect.stringContaining('Correct'),
  })
  expect(daemonsOf(other)).toEqual([])
})

test('completion knows verbs, options, values and the names of terminals, in a real bash', async () => {
  await start('complete me')
  const script = `source <("$HF_NODE" "$HF" completion bash)
    holdfast() { "$HF_NODE" "$HF" "$@"; }
    try() { COMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _holdfast; printf '%s|' "\${COMPREPLY[@]}"; echo; }
    try holdfast da; try holdfast daemon st; try holdfast read --format h; try holdfast new --na; try holdfast attach compl; try holdfast new -- /et`
  const { stdout, stderr } = await runProgram('bash', ['--norc', '-c', script], {
    env: environment(home, { HF: HOLDFAST, HF_NODE: process.execPath }),
  })
  expect(stderr).toBe('')
  expect(stdout.split('\n')).toEqual(['daemon|', 'start|stop|status|', 'html|', '--name|', 'complete\\ me|', '/etc|', ''])
  for (const shell of ['zsh', 'fish']) expect((await hf(['completion', shell])).stdout).toContain('holdfast')
  expect((await hf(['completion', 'tcsh'])).code).toBe(2)
})

test('a directory that is gone under the caller is no reason to fail', async () => {
  const gone = `${home.path}/gone`
  mkdirSync(gone)
  const script =
    'rmdir "$PWD" && "$0" "$1" ls >/dev/null && "$0" "$1" new --cwd / -- sleep 300 >/dev/null; echo "code $?"; "$0" "$1" new -- sleep 300'
  const ran = await runProgram('sh', ['-c', script, process.execPath, HOLDFAST], { env: environment(home), cwd: gone })
  rmSync(gone, { recursive: true, force: true })
  expect(ran.stdout).toBe('code 0\n')
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/^holdfast: The (current )?directory .*does not exist/m) })
})
