import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemonsOf, holdersOf, killDaemon, killDaemonAndHolders, type Listed, list, views } from '../support/daemon.ts'
import { type FakeAgents, installFakeAgents } from '../support/fakeAgent.ts'
import { json, type Ran, run } from '../support/holdfast.ts'
import { copyHome, type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { openOrThrow } from '../support/store.ts'

/** How asleep terminals go on where they were, and what a resume that fails leaves behind: with real processes, on real disks. */

const AGENTS = ['claude', 'codex', 'gemini', 'tool']
const NO_CONVERSATION = 'No conversation found with session ID: 0198f7c1'
const CONFIG = 'settle_ms = 300\n\n[web]\nport = 0\n'

class Bench implements AsyncDisposable {
  readonly agents: FakeAgents

  constructor(readonly home: Home = makeHome()) {
    this.agents = installFakeAgents(home, AGENTS)
    this.configure('')
  }

  configure(more: string): void {
    writeFileSync(`${this.home.path}/config.toml`, `${CONFIG}${more}`)
  }

  /** Agents are resumed by a login shell: it must not read the start files of whoever runs the tests. */
  get env(): Readonly<Record<string, string>> {
    return { HOME: this.home.path, PATH: this.agents.path }
  }

  hf(...args: string[]): Promise<Ran> {
    return run(this.home, args, { env: this.env })
  }

  start(trip?: string): Promise<Ran> {
    return run(this.home, ['daemon', 'start'], { env: { ...this.env, HOLDFAST_TRIP: trip } })
  }

  async of(name: string): Promise<Listed> {
    const found = (await list(this.home)).find((terminal) => terminal.name === name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }

  /** A new agent that has printed its arguments. */
  async make(name: string, ...command: string[]): Promise<void> {
    expect((await this.hf('new', '--name', name, '--', ...command)).code).toBe(0)
    await this.shows(name)
  }

  async shows(name: string): Promise<string> {
    expect((await this.hf('wait', name, '--text', 'ready', '--timeout', '20')).code).toBe(0)
    return (await this.hf('read', name)).stdout
  }

  async sleepAll(): Promise<void> {
    const live = (await list(this.home)).filter(({ state }) => state === 'live')
    expect((await this.hf('sleep', '--force', ...live.map(({ id }) => id))).code).toBe(0)
  }

  /** The same, and another daemon, which knows only what was kept. */
  async sleepAllAndRestart(): Promise<void> {
    expect((await this.hf('daemon', 'stop', '--all')).code).toBe(0)
    expect((await this.start()).code).toBe(0)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.home.dispose()
  }
}

const ONE = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d01'
const TWO = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d02'
const WRONG = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2dff'
/** A script is started by its path, as its process was seen. */
const resumedWith = (words: string): RegExp => new RegExp(`^agent resumed with (?:/\\S+/codex )?${words}\\n$`)
const NONE_KNOWN = 'new conversation: none was known for this terminal'
const NOTHING_SAID = 'new conversation: the one before was empty'
/** The user's own choice, for what must resume without a known conversation. */
const NEWEST = '\n[resume]\ncodex = ["resume", "--last"]\n'

test('a terminal begins anew under another id, where its agent has written a file without a word, and goes on once something was said', async () => {
  await using bench = new Bench()
  await bench.start()
  const project = realpathSync(bench.home.path)
  const chats = `${project}/.gemini/tmp/one/chats`
  mkdirSync(chats, { recursive: true })
  writeFileSync(`${project}/.gemini/projects.json`, JSON.stringify({ projects: { [project]: 'one' } }))
  const writeChat = (id: string | null, ...rows: object[]) => {
    const all = [{ sessionId: id, startTime: new Date().toISOString(), kind: 'main' }, ...rows]
    writeFileSync(`${chats}/session-2026-11-18T02-50-${id?.slice(0, 8)}.jsonl`, all.map((row) => `${JSON.stringify(row)}\n`).join(''))
  }
  const context = { $set: { messages: [{ type: 'user', content: [{ text: '<session_context>Today is' }] }] } }
  const place = ['--cwd', project, '--env', `GEMINI_CLI_HOME=${project}`]
  await bench.hf('new', '--name', 'silent', ...place, '--', 'gemini', '--model', 'x')
  await bench.shows('silent')
  const { conversation: first } = await bench.of('silent')
  writeChat(first, context)
  await bench.hf('send', 'silent', 'looked at again', '--enter')
  await until(async () => (await views(bench.home)).some(({ agent }) => agent !== null), { what: 'gemini to be seen' })
  await bench.sleepAllAndRestart()
  expect(await bench.of('silent')).toMatchObject({ conversation: first, back: { kind: 'new-conversation', text: NOTHING_SAID } })
  expect((await bench.hf('wake', 'silent')).stdout).toBe(`silent ${NOTHING_SAID}\n`)
  expect(await bench.shows('silent')).toMatch(/argv: \[--session-id\] \[[0-9a-f-]{36}\] \[--model\] \[x\]/)
  const { conversation: second } = await bench.of('silent')
  expect(second).not.toBe(first)
  expect(await bench.shows('silent')).toContain(`[${second}]`)
  writeChat(second, context, { type: 'user', content: [{ text: 'hello' }] })
  await bench.sleepAllAndRestart()
  expect((await bench.hf('wake', 'silent')).stdout).toContain(`--resume ${second} --model x\n`)
})

test('a conversation is not opened in a second terminal, whether its own one runs or sleeps, until that one is closed', async () => {
  await using bench = new Bench()
  await bench.start()
  const config = `${bench.home.path}/claude`
  for (const name of ['owner', 'other']) {
    expect((await bench.hf('new', '--name', name, '--env', `CLAUDE_CONFIG_DIR=${config}`, '--', 'claude')).code).toBe(0)
    await bench.shows(name)
  }
  const [{ conversation: id }, { conversation: own }] = [await bench.of('owner'), await bench.of('other')]
  mkdirSync(`${config}/projects/any`, { recursive: true })
  writeFileSync(`${config}/projects/any/${id}.jsonl`, '{}\n')
  const said = new RegExp(`The conversation ${id} belongs to the terminal owner\\.\\n.*holdfast wake owner`)
  const taken = { code: 1, stdout: '', stderr: expect.stringMatching(said) }
  await bench.hf('sleep', '--force', 'other')
  expect(await bench.hf('wake', '--conversation', `${id}`, 'other')).toEqual(taken)
  await bench.hf('sleep', '--force', 'owner')
  expect(await bench.hf('wake', '--conversation', `${id}`, 'other')).toEqual(taken)
  expect(await bench.of('other')).toMatchObject({ state: 'asleep', because: { kind: 'slept' }, conversation: own })
  await bench.hf('close', '--yes', 'owner')
  expect(await bench.hf('wake', '--conversation', `${id}`, 'other')).toMatchObject({ code: 0, stderr: '' })
  expect(await bench.shows('other')).toContain(`argv: [--resume] [${id}]`)
})

describe('a terminal that sleeps', () => {
  let bench: Bench
  beforeAll(async () => {
    bench = new Bench()
    await bench.start()
    await bench.make('agent', 'codex', 'fix the bug')
    await bench.make('other', 'claude', '--model', 'x', 'fix the bug')
    await bench.make('plain', 'tool', 'a b')
  })
  afterAll(() => bench.home.dispose())

  test('begins a new conversation where none is known, without its prompt, and says so before and after; or is started as at first', async () => {
    await bench.sleepAllAndRestart()
    expect(await bench.of('agent')).toMatchObject({
      offers: { resume: 'codex', conversation: true, fresh: "codex 'fix the bug'" },
      back: { kind: 'new-conversation', agent: 'Codex', text: NONE_KNOWN },
    })
    expect(await bench.of('plain')).toMatchObject({
      offers: { resume: null, conversation: false, fresh: "tool 'a b'" },
      back: { kind: 'started' },
    })
    expect(await bench.hf('wake', 'agent', 'plain')).toEqual({
      code: 0,
      stdout: `agent ${NONE_KNOWN}\nplain started fresh\n`,
      stderr: '',
    })
    expect(await bench.shows('agent')).toMatch(/^argv:$/m)
    expect(await bench.shows('plain')).toContain('argv: [a b]')
    expect(await bench.of('agent')).toMatchObject({ offers: null, back: { kind: 'new-conversation' } })
  })

  test('has a conversation from its first start on, where its agent takes an id, and begins it again until something was said', async () => {
    const { conversation: id } = await bench.of('other')
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect((await bench.hf('wake', 'other')).stdout).toBe(`other ${NOTHING_SAID}\n`)
    expect(await bench.shows('other')).toContain(`argv: [--session-id] [${id}] [--model] [x]`)
  })

  test('starts afresh with its original arguments, when asked to', async () => {
    await bench.sleepAll()
    const [woken] = await json<object[]>(bench.home, ['wake', '--fresh', 'agent'], { env: bench.env })
    expect(woken).toMatchObject({ state: 'live', started: { from: 'original' } })
    expect(await bench.shows('agent')).toContain('argv: [fix the bug]')
    const { conversation: id } = await bench.of('other')
    expect((await bench.hf('wake', '--fresh', 'other')).stdout).toBe('other new conversation: started fresh\n')
    expect(await bench.shows('other')).toMatch(/argv: \[--session-id\] \[[0-9a-f-]{36}\] \[--model\] \[x\] \[fix the bug\]/)
    expect(await bench.shows('other')).not.toContain(id)
  })

  test('resumes as config.toml says, from the moment it is written', async () => {
    await bench.sleepAll()
    bench.configure('\n[resume]\ncodex = ["resume", "the last one"]\ntool = []\n')
    await until(async () => (await bench.of('plain')).offers?.resume === 'tool', { what: 'the new table to be in force' })
    expect((await bench.hf('wake', '--resume', 'agent', 'plain')).stdout).toBe(
      "agent resumed with resume 'the last one'\nplain resumed with tool\n",
    )
    expect(await bench.shows('agent')).toContain('argv: [resume] [the last one]')
    expect(await bench.shows('plain')).toMatch(/^argv:$/m)
  })

  test('names what is wrong with the table by its line, and keeps to the last good one', async () => {
    bench.configure('\n[resume]\ncodex = "resume"\n')
    const checked = await bench.hf('config', 'check')
    expect(checked.code).toBe(1)
    expect(checked.stdout + checked.stderr).toMatch(/config\.toml:7: resume\.codex must be a list of arguments/)
    const doctor = await bench.hf('doctor')
    expect(doctor.stdout + doctor.stderr).toMatch(/resume\.codex must be a list/)
    bench.configure('')
    expect((await bench.hf('config', 'check')).code).toBe(0)
    expect((await bench.hf('config', 'show')).stdout).toMatch(/^\[resume\]$/m)
    await bench.sleepAll()
  })

  test('resumes another conversation by its id, and from then on that one', async () => {
    expect((await bench.hf('wake', '--conversation', ONE, 'agent')).stdout).toMatch(resumedWith(`resume ${ONE}`))
    expect(await bench.shows('agent')).toContain(`argv: [resume] [${ONE}]`)
    expect((await bench.of('agent')).conversation).toBe(ONE)
    await bench.sleepAllAndRestart()
    expect((await bench.of('agent')).back).toEqual({ kind: 'resumed', agent: 'Codex', text: `resumed: conversation ${ONE}` })
    expect((await bench.hf('wake', 'agent')).stdout).toMatch(resumedWith(`resume ${ONE}`))
    await bench.sleepAll()
  })

  test('is left as it is when the conversation cannot be one, or the program has no way to it', async () => {
    const refusals = [
      [['--conversation', '--dangerous', 'agent'], /"--dangerous" is not a valid conversation id/],
      [['--conversation', 'a b', 'agent'], /"a b" is not a valid conversation id/],
      [['--conversation', 'ses_123456789', 'agent'], /"ses_123456789" is not a valid conversation id of Codex/],
      [['--conversation', ONE, 'plain'], /"tool" cannot resume a conversation by its id[\s\S]*claude, codex/],
      [['--fresh', '--conversation', ONE, 'agent'], /use only one of --resume/],
    ] as const
    for (const [args, words] of refusals) {
      const refused = await bench.hf('wake', ...args)
      expect(refused, args.join(' ')).toMatchObject({ stdout: '', stderr: expect.stringMatching(words) })
      expect(refused.code).not.toBe(0)
    }
    expect((await list(bench.home)).map(({ state }) => state)).toEqual(['asleep', 'asleep', 'asleep'])
  })
})

test('a resume that fails three times costs neither the last screen nor the conversation; the fresh start is the user’s', async () => {
  await using bench = new Bench()
  await bench.start()
  await bench.make('agent', 'codex', 'the first prompt')
  await bench.sleepAll()
  expect((await bench.hf('wake', '--conversation', ONE, 'agent')).code).toBe(0)
  await bench.shows('agent')
  await bench.sleepAllAndRestart()
  const screen = (await bench.hf('read', 'agent')).stdout
  expect(screen).toContain(`argv: [resume] [${ONE}]`)
  bench.agents.breakResume(1, NO_CONVERSATION)
  for (const args of [['agent'], ['--resume', 'agent'], ['--conversation', WRONG, 'agent']]) {
    const failed = await bench.hf('wake', ...args)
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toMatch(/cannot resume "agent": it ended with code 1 .*and said: No conversation found/)
    expect(failed.stderr).toMatch(/holdfast wake agent again, .*--conversation ID, .*--fresh/)
    const now = await bench.of('agent')
    expect(now).toMatchObject({ state: 'asleep', because: { kind: 'failed' }, conversation: ONE, offers: { conversation: true } })
    expect(now.because?.reason).toMatch(/said: No conversation found with session ID: 0198f7c1$/)
    expect((await bench.hf('read', 'agent')).stdout).toBe(screen)
  }
  await bench.hf('daemon', 'restart')
  expect(await bench.of('agent')).toMatchObject({ because: { kind: 'failed' }, conversation: ONE })
  expect((await bench.hf('read', 'agent')).stdout).toBe(screen)
  expect((await bench.hf('wake', '--fresh', 'agent')).stdout).toBe('agent new conversation: started fresh\n')
  expect(await bench.shows('agent')).toContain('argv: [the first prompt]')
  expect((await bench.of('agent')).conversation).toBe(ONE)
  bench.agents.mend()
  await bench.sleepAll()
  expect((await bench.hf('wake', 'agent')).stdout).toMatch(resumedWith(`resume ${ONE}`))

  await bench.hf('daemon', 'stop', '--all')
  const audit = await (await openOrThrow(`${bench.home.path}/holdfast.db`)).audit()
  const wakes = audit.filter(({ what }) => what === 'wake').map(({ details }) => details as { mode: string; from: string; argv: string[] })
  expect(wakes.map(({ mode, from, argv }) => `${mode} ${from} ${argv.slice(1).join(' ')}`).reverse()).toEqual([
    `resume conversation resume ${ONE}`,
    `resume conversation resume ${ONE}`,
    `resume conversation resume ${ONE}`,
    `resume conversation resume ${WRONG}`,
    'fresh original the first prompt',
    `resume conversation resume ${ONE}`,
  ])
})

test('the newest conversation is not resumed while another terminal could own it, also one that was closed', async () => {
  await using bench = new Bench()
  bench.configure(NEWEST)
  await bench.start()
  await bench.make('one', 'codex')
  await bench.make('two', 'codex')
  await bench.sleepAll()
  expect((await bench.of('one')).back).toMatchObject({ kind: 'asks', text: expect.stringContaining('could open a conversation of "two"') })
  const refused = await bench.hf('wake', 'one')
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/"codex resume --last" could open .*"two"[\s\S]*--fresh/),
  })
  expect((await bench.hf('close', '--yes', 'two')).code).toBe(0)
  expect((await bench.hf('wake', 'one')).stderr).toContain('"two"')
  expect((await bench.of('one')).state).toBe('asleep')
  expect((await bench.hf('wake', '--fresh', 'one')).stdout).toBe('one new conversation: started fresh\n')
})

test('a resumed agent that ends well leaves the user in a shell in its directory', async () => {
  await using bench = new Bench()
  const { home } = bench
  bench.configure(NEWEST)
  await bench.start()
  mkdirSync(`${home.path}/project`)
  expect((await bench.hf('new', '--name', 'agent', '--cwd', `${home.path}/project`, '--', 'codex')).code).toBe(0)
  await bench.shows('agent')
  await bench.sleepAll()
  bench.agents.breakResume(0, 'goodbye')
  expect((await bench.hf('wake', 'agent')).code).toBe(0)
  await bench.hf('send', 'agent', 'echo "left in $(pwd -P)"', '--enter')
  expect((await bench.hf('wait', 'agent', '--text', `^left in ${realpathSync(`${home.path}/project`)}`, '--timeout', '10')).code).toBe(0)
  expect((await bench.hf('read', 'agent')).stdout).toContain('goodbye')
  await bench.hf('daemon', 'stop', '--all')
  expect((await bench.of('agent')).because).toMatchObject({ kind: 'slept' })
})

/** Between the record of the wake and the program's life. */
const RESUMING = ['before:keep', 'after:keep', 'before:spawn', 'spawn:holder-ready', 'after:spawn', 'before:announce']

const FAILING = ['spawn:holder-ready', 'before:hearLastWords', 'after:hearLastWords', 'before:releaseHolder', 'after:releaseHolder']

describe('a daemon that dies', () => {
  let prepared: Bench
  beforeAll(async () => {
    prepared = new Bench()
    await prepared.make('agent', 'codex', 'the first prompt')
    await prepared.hf('daemon', 'stop', '--all')
  })
  afterAll(() => prepared.home.dispose())

  test.concurrent.each(RESUMING)('at %s of a resume leaves it going on, or asleep with its screen', async (point) => {
    await using bench = new Bench(copyHome(prepared.home))
    await bench.start(point)
    await bench.hf('wake', '--conversation', TWO, 'agent') // refused or not: the daemon is gone before or after
    killDaemon(bench.home)
    await until(() => daemonsOf(bench.home).length === 0, { what: 'the daemon to be gone' })
    await bench.start()
    await until(async () => ['live', 'asleep'].includes((await bench.of('agent')).state), { what: 'the terminal to be live or asleep' })
    // A holder that had just been started may show itself a moment later.
    await until(async () => holdersOf(bench.home).length === ((await bench.of('agent')).state === 'live' ? 1 : 0), {
      what: 'a live terminal to have its holder, and an asleep one none',
      timeoutMs: 20_000,
    })
    const now = await bench.of('agent')
    if (now.state === 'live') expect(await bench.shows('agent')).toContain(`argv: [resume] [${TWO}]`)
    else {
      expect(now).toMatchObject({ conversation: null, back: { kind: 'new-conversation' } })
      expect((await bench.hf('read', 'agent')).stdout).toContain('argv: [the first prompt]')
      expect((await bench.hf('wake', 'agent')).stdout).toBe(`agent ${NONE_KNOWN}\n`)
    }
  })

  test.concurrent.each(FAILING)('at %s of a resume that fails still knows that it failed, and what was there before', async (point) => {
    await using bench = new Bench(copyHome(prepared.home))
    bench.configure(NEWEST)
    bench.agents.breakResume(3, NO_CONVERSATION)
    await bench.start(point)
    await bench.hf('wake', 'agent')
    killDaemon(bench.home)
    await until(() => daemonsOf(bench.home).length === 0, { what: 'the daemon to be gone' })
    await bench.start()
    const now = await until(
      async () => {
        const seen = await bench.of('agent')
        return seen.because?.kind === 'failed' && seen
      },
      { what: 'the resume to have failed' },
    )
    expect(now.because?.reason).toMatch(/^it ended with code 3/)
    expect((await bench.hf('read', 'agent')).stdout).toContain('argv: [the first prompt]')
    await until(() => holdersOf(bench.home).length === 0, { what: 'its holder to leave', timeoutMs: 20_000 })
    expect((await bench.of('agent')).because?.kind).toBe('failed')
    bench.agents.mend()
    expect((await bench.hf('wake', 'agent')).stdout).toBe('agent resumed with resume --last\n')
  })
})

test('a shell goes on in the directory it was in, after a sleep and after a power cut; a fresh start begins where it began', async () => {
  await using bench = new Bench()
  const { home } = bench
  mkdirSync(`${home.path}/deep/down`, { recursive: true })
  await bench.start()
  expect((await bench.hf('new', '--name', 'shell', '--cwd', home.path, '--', 'sh')).code).toBe(0)
  const says = async (text: string): Promise<void> => {
    await bench.hf('send', 'shell', 'pwd -P', '--enter')
    expect((await bench.hf('wait', 'shell', '--text', `^${text}$`, '--timeout', '10')).code, text).toBe(0)
  }
  const deep = realpathSync(`${home.path}/deep`)
  await bench.hf('send', 'shell', 'cd deep', '--enter')
  await says(deep)
  expect((await bench.hf('sleep', 'shell')).code).toBe(0)
  expect((await bench.hf('wake', 'shell')).code).toBe(0)
  await says(deep)
  await bench.hf('send', 'shell', 'cd down', '--enter')
  await says(`${deep}/down`)
  await bench.hf('checkpoint', 'create')
  await killDaemonAndHolders(home)
  await bench.start()
  expect((await bench.hf('wake', 'shell')).code).toBe(0)
  await says(`${deep}/down`)
  expect((await bench.hf('sleep', 'shell')).code).toBe(0)
  expect((await bench.hf('wake', '--fresh', 'shell')).code).toBe(0)
  await says(realpathSync(home.path))
})
