import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemonsOf, holdersOf, killDaemon, programsOf, views } from '../support/daemon.ts'
import { type FakeAgents, HABITS, installFakeAgents } from '../support/fakeAgent.ts'
import { type Ran, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import type { TerminalRow } from '../support/terminalView.ts'

/** How agents are asked to leave, with programs under their names that leave in their own ways, or do not. */
const CODEX_ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d01'
const CLAUDE_ID = '0198f7c1-9c1e-4f50-b111-0c2b7e1a2d02'
const CODEX_HINT = `To continue this session, run:\\n  codex resume ${CODEX_ID}`
const claudeHint = (id: string): string => `Resume this session with:\\nclaude --resume ${id}`
const CLAUDE_HINT = claudeHint(CLAUDE_ID)

class Scene implements AsyncDisposable {
  readonly home: Home = makeHomeWithOwnPort()
  readonly agents: FakeAgents = installFakeAgents(this.home, ['claude', 'codex'])
  private readonly files = { CLAUDE_CONFIG_DIR: join(this.home.path, 'claude'), CODEX_HOME: join(this.home.path, 'codex') }

  /** `settleMs`: little is enough for who would not leave in any time. */
  constructor(settleMs?: number) {
    if (settleMs !== undefined) writeFileSync(join(this.home.path, 'config.toml'), `settle_ms = ${settleMs}\n\n[web]\nport = 0\n`)
    // Only what has a transcript can be resumed; that of Codex lies by the day that its id was made.
    const day = join(this.files.CODEX_HOME, 'sessions/2025/08/29')
    mkdirSync(day, { recursive: true })
    this.hasConversation(CLAUDE_ID)
    writeFileSync(join(day, `rollout-2025-08-29T10-00-00-${CODEX_ID}.jsonl`), '{}\n')
  }

  hasConversation(id: string): void {
    const project = join(this.files.CLAUDE_CONFIG_DIR, 'projects', this.home.path.replace(/[^A-Za-z0-9]/g, '-'))
    mkdirSync(project, { recursive: true })
    writeFileSync(join(project, `${id}.jsonl`), '{}\n')
  }

  hf(...args: string[]): Promise<Ran> {
    return run(this.home, args)
  }

  /** An agent that somebody has started in a shell. */
  async open(name: string, agent: string): Promise<void> {
    await this.make(name, '/bin/bash', '--norc', '--noprofile')
    await this.hf('send', name, agent, '--enter')
    await this.isSeen(name, agent)
  }

  async openAlone(name: string, agent: string): Promise<void> {
    await this.make(name, agent)
    await this.isSeen(name, agent)
  }

  private async make(name: string, ...command: string[]): Promise<void> {
    const env = Object.entries({ PATH: this.agents.path, ...this.files }).flatMap(([key, value]) => ['--env', `${key}=${value}`])
    const made = await this.hf('new', '--name', name, '--cwd', this.home.path, ...env, '--', ...command)
    if (made.code !== 0) throw new Error(made.stderr)
  }

  private async isSeen(name: string, agent: string): Promise<void> {
    await until(async () => (await this.of(name)).agent?.name === agent, { what: `${agent} to be seen`, timeoutMs: 20_000 })
  }

  async of(name: string): Promise<TerminalRow> {
    const found = (await views(this.home)).find((view) => view.name === name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }

  start(trip?: string): Promise<Ran> {
    return run(this.home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: trip } })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.home.dispose()
  }
}

test.concurrent('an agent that is put to sleep leaves by its own keys, and what it says then is its conversation', async () => {
  await using scene = new Scene()
  scene.agents.behave('codex', HABITS.needsTwoInterrupts(CODEX_HINT))
  await scene.open('api', 'codex')
  expect((await scene.of('api')).conversation).toBeNull()
  expect((await scene.hf('sleep', '--force', 'api')).code).toBe(0)
  expect(await scene.of('api')).toMatchObject({
    state: 'asleep',
    because: { kind: 'slept' },
    conversation: CODEX_ID,
    provenance: 'printed',
  })
  expect(programsOf(scene.home)).toEqual([])
})

test.concurrent('many leave at the same time, and each says its own', async () => {
  await using scene = new Scene()
  scene.agents.behave('codex', HABITS.needsTwoInterrupts(CODEX_HINT))
  scene.agents.behave('claude', HABITS.saysIdOnTerm(CLAUDE_HINT))
  await Promise.all([scene.open('one', 'codex'), scene.open('two', 'claude')])
  expect((await scene.hf('daemon', 'stop', '--all')).code).toBe(0)
  expect((await scene.of('one')).conversation).toBe(CODEX_ID)
  expect((await scene.of('two')).conversation).toBe(CLAUDE_ID)
})

test.concurrent('an agent that a terminal was made for is heard too, although its end is the end of the run', async () => {
  await using scene = new Scene()
  scene.agents.behave('codex', HABITS.needsTwoInterrupts(CODEX_HINT))
  await scene.openAlone('api', 'codex')
  await scene.hf('sleep', '--force', 'api')
  expect(await scene.of('api')).toMatchObject({ because: { kind: 'slept' }, conversation: CODEX_ID })
})

const STUBBORN_MS = 600

test.concurrent.each(['ignoresTerm', 'ignoresEverything'] as const)(
  'an agent that %s is asleep in the end, and nothing of it is left',
  async (habit) => {
    await using scene = new Scene(STUBBORN_MS)
    scene.agents.behave('claude', HABITS[habit])
    await scene.open('api', 'claude')
    expect((await scene.hf('sleep', '--force', 'api')).code).toBe(0)
    expect(await scene.of('api')).toMatchObject({ state: 'asleep', because: { kind: 'slept' } })
    expect(programsOf(scene.home)).toEqual([])
  },
)

const LEAVING = ['before:settle', 'settle:before-way-out', 'settle:asked', 'settle:gone', 'settle:heard', 'settle:hung-up', 'after:settle']
const STAYING = ['settle:before-term', 'settle:after-term', 'before:kill', 'after:kill']

/** All points in one home: what an earlier death left must stay whole at the later ones, too. */
describe.each([
  { who: 'leaves', points: LEAVING, isStubborn: false },
  { who: 'does not leave', points: STAYING, isStubborn: true },
])('while an agent that $who is put to sleep', ({ points, isStubborn }) => {
  let scene: Scene
  let count = 0
  beforeAll(async () => {
    scene = new Scene(isStubborn ? STUBBORN_MS : undefined)
    await scene.start()
  })
  afterAll(() => scene[Symbol.asyncDispose]())

  test.each(points)('a daemon that dies at %s is followed by one that finishes it, once', async (point) => {
    const name = `api ${++count}`
    const id = CLAUDE_ID.replace(/..$/, String(10 + count)) // a conversation belongs to one terminal
    scene.hasConversation(id)
    scene.agents.behave('claude', isStubborn ? HABITS.ignoresEverything : HABITS.saysIdOnTerm(claudeHint(id)))
    const before = (await views(scene.home)).map((view) => view.name)
    await (isStubborn ? scene.openAlone(name, 'claude') : scene.open(name, 'claude'))
    killDaemon(scene.home)
    await scene.start(point)
    await until(async () => (await scene.of(name)).agent?.name === 'claude', { what: 'claude to be seen', timeoutMs: 20_000 })
    await scene.hf('sleep', '--force', name)
    await until(() => daemonsOf(scene.home).length === 0, { what: 'the daemon to die', timeoutMs: 20_000 })
    await scene.start()
    if ((await scene.of(name)).state === 'live') await scene.hf('sleep', '--force', name)
    await until(async () => (await scene.of(name)).state === 'asleep', { what: 'the terminal to be asleep', timeoutMs: 20_000 })
    const isGone = (): boolean => holdersOf(scene.home).length === 0 && programsOf(scene.home).length === 0
    await until(isGone, { what: 'everything to be gone', timeoutMs: 20_000 })
    expect((await views(scene.home)).map((view) => view.name)).toEqual([...before, name])
  })
})
