import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TerminalView } from '../../src/wire/view.ts'
import { daemonsOf, holdersOf, killDaemon, programsOf } from '../support/daemon.ts'
import { type FakeAgents, HABITS, installFakeAgents } from '../support/fakeAgent.ts'
import { json, type Ran, run } from '../support/holdfast.ts'
import { type Home, makeHomeWithOwnPort } from '../support/home.ts'
import { until } from '../support/milestone.ts'

/** How agents are asked to leave, with programs under their names that leave in their own ways, or do not. */
const CODEX_ID = '0198f7c1-9c1e-7f50-b111-0c2b7e1a2d01'
const CLAUDE_ID = '0198f7c1-9c1e-4f50-b111-0c2b7e1a2d02'
const CODEX_HINT = `To continue this session, run:\\n  codex resume ${CODEX_ID}`
const CLAUDE_HINT = `Resume this session with:\\nclaude --resume ${CLAUDE_ID}`

class Scene implements AsyncDisposable {
  readonly home: Home = makeHomeWithOwnPort()
  readonly agents: FakeAgents = installFakeAgents(this.home, ['claude', 'codex'])
  private readonly files = { CLAUDE_CONFIG_DIR: join(this.home.path, 'claude'), CODEX_HOME: join(this.home.path, 'codex') }

  constructor() {
    // Only what has a transcript can be resumed; that of Codex lies by the day that its id was made.
    const project = join(this.files.CLAUDE_CONFIG_DIR, 'projects', this.home.path.replace(/[^A-Za-z0-9]/g, '-'))
    const day = join(this.files.CODEX_HOME, 'sessions/2025/08/29')
    for (const folder of [project, day]) mkdirSync(folder, { recursive: true })
    writeFileSync(join(project, `${CLAUDE_ID}.jsonl`), '{}\n')
    writeFileSync(join(day, `rollout-2025-08-29T10-00-00-${CODEX_ID}.jsonl`), '{}\n')
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

  async of(name: string): Promise<TerminalView> {
    const found = (await json<TerminalView[]>(this.home, ['ls'])).find((view) => view.name === name)
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

test('an agent that is put to sleep leaves by its own keys, and what it says then is its conversation', async () => {
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

test('many leave at the same time, and each says its own', async () => {
  await using scene = new Scene()
  scene.agents.behave('codex', HABITS.needsTwoInterrupts(CODEX_HINT))
  scene.agents.behave('claude', HABITS.saysIdOnTerm(CLAUDE_HINT))
  await Promise.all([scene.open('one', 'codex'), scene.open('two', 'claude')])
  expect((await scene.hf('daemon', 'stop', '--all')).code).toBe(0)
  expect((await scene.of('one')).conversation).toBe(CODEX_ID)
  expect((await scene.of('two')).conversation).toBe(CLAUDE_ID)
})

test('an agent that a terminal was made for is heard too, although its end is the end of the run', async () => {
  await using scene = new Scene()
  scene.agents.behave('codex', HABITS.needsTwoInterrupts(CODEX_HINT))
  await scene.openAlone('api', 'codex')
  await scene.hf('sleep', '--force', 'api')
  expect(await scene.of('api')).toMatchObject({ because: { kind: 'slept' }, conversation: CODEX_ID })
})

test.each(['ignoresTerm', 'ignoresEverything'] as const)(
  'an agent that %s is asleep in the end, and nothing of it is left',
  async (habit) => {
    await using scene = new Scene()
    scene.agents.behave('claude', HABITS[habit])
    await scene.open('api', 'claude')
    expect((await scene.hf('sleep', '--force', 'api')).code).toBe(0)
    expect(await scene.of('api')).toMatchObject({ state: 'asleep', because: { kind: 'slept' } })
    expect(programsOf(scene.home)).toEqual([])
  },
)

const LEAVING = ['before:settle', 'settle:before-way-out', 'settle:asked', 'settle:gone', 'settle:heard', 'settle:hung-up', 'after:settle']
const STAYING = ['settle:before-term', 'settle:after-term', 'before:kill', 'after:kill']

test.each([
  ...LEAVING.map((point) => ({ point, habit: HABITS.saysIdOnTerm(CLAUDE_HINT), isAlone: false })),
  ...STAYING.map((point) => ({ point, habit: HABITS.ignoresEverything, isAlone: true })),
])('a daemon that dies at $point of putting an agent to sleep is followed by one that finishes it, once', async ({ point, ...agent }) => {
  await using scene = new Scene()
  scene.agents.behave('claude', agent.habit)
  await scene.start()
  await (agent.isAlone ? scene.openAlone('api', 'claude') : scene.open('api', 'claude'))
  killDaemon(scene.home)
  await scene.start(point)
  await until(async () => (await scene.of('api')).agent?.name === 'claude', { what: 'claude to be seen', timeoutMs: 20_000 })
  await scene.hf('sleep', '--force', 'api')
  await until(() => daemonsOf(scene.home).length === 0, { what: 'the daemon to die', timeoutMs: 20_000 })
  await scene.start()
  if ((await scene.of('api')).state === 'live') await scene.hf('sleep', '--force', 'api')
  await until(async () => (await scene.of('api')).state === 'asleep', { what: 'the terminal to be asleep', timeoutMs: 20_000 })
  const isGone = (): boolean => holdersOf(scene.home).length === 0 && programsOf(scene.home).length === 0
  await until(isGone, { what: 'everything to be gone', timeoutMs: 20_000 })
  expect((await json<TerminalView[]>(scene.home, ['ls'])).map(({ name }) => name)).toEqual(['api'])
})
