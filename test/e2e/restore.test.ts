import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RestorePlanView } from '../../src/wire/checkpointView.ts'
import { daemonsOf, killDaemon, list, programsOf } from '../support/daemon.ts'
import { json, run } from '../support/holdfast.ts'
import { copyHome, type Home, makeHome } from '../support/home.ts'
import { until } from '../support/milestone.ts'
import { powerCut, query, restore, takeCheckpoint, topologyOf } from '../support/restoring.ts'

const start = (home: Home, trip?: string) => run(home, ['daemon', 'start'], { env: { HOLDFAST_TRIP: trip } })
/** Prints what it is told. */
const ECHO = ['--', 'sh', '-c', 'echo begun; while read line; do echo "got $line"; done']

function makeQuietHome(): Home {
  const home = makeHome()
  writeFileSync(`${home.path}/config.toml`, '[web]\nport = 0\n')
  return home
}

async function told(home: Home, name: string, text: string): Promise<void> {
  await run(home, ['send', name, text, '--enter'])
  await run(home, ['wait', name, '--text', `got ${text}`, '--timeout', '10'])
}

/** `early` was told before the checkpoint and `late` after it; then everything was gone, one terminal was closed and one is new. */
async function aPastAndAPresent(home: Home): Promise<{ checkpoint: string; then: unknown; ids: string[]; now: unknown }> {
  const ids: string[] = []
  for (const name of ['one', 'two', 'three']) ids.push((await run(home, ['new', '--name', name, ...ECHO])).stdout.trim())
  await told(home, 'one', 'early')
  await told(home, 'two', 'early')
  const checkpoint = await takeCheckpoint(home)
  const then = topologyOf(home)
  await told(home, 'one', 'late')
  await run(home, ['close', '--yes', 'two'])
  await powerCut(home)
  await start(home)
  await run(home, ['new', '--name', 'stranger', ...ECHO])
  await told(home, 'stranger', 'here')
  await run(home, ['new', '--name', 'sleeper', '--', 'sh', '-c', 'echo slept'])
  await run(home, ['wait', 'sleeper', '--exit', '--timeout', '10'])
  return { checkpoint, then, ids, now: topologyOf(home) }
}

const states = async (home: Home): Promise<string[]> => (await list(home)).map(({ name, state }) => `${name} ${state}`).sort()
const screen = async (home: Home, name: string): Promise<string> => (await run(home, ['read', name, '--history', 'all'])).stdout

test('a checkpoint comes back with its screens, not later ones; what runs goes on; and it can be taken back', async () => {
  await using home = makeQuietHome()
  const { checkpoint, ids } = await aPastAndAPresent(home)
  const before = await states(home)
  const pid = (await list(home)).find(({ name }) => name === 'stranger')?.pid

  const planned = await json<RestorePlanView>(home, ['checkpoint', 'restore', checkpoint.slice(0, 8), '--plan'])
  const short = await run(home, ['checkpoint', 'restore', checkpoint.slice(0, 8), '--plan', '-f', 'json'])
  expect(JSON.parse(short.stdout)).toEqual(planned)
  expect(planned.steps.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(
    ['bringBack two', 'forget sleeper', 'keepStranger stranger', 'lost one', 'lost three'].sort(),
  )
  expect(await states(home)).toEqual(before)
  expect((await run(home, ['restore', checkpoint])).stderr).toContain('use --yes')

  const { undo } = await restore(home, checkpoint)
  expect(await states(home)).toEqual(['one asleep', 'stranger live', 'three asleep', 'two asleep'])
  expect((await list(home)).filter(({ state }) => state === 'asleep').map(({ id }) => id)).toEqual(ids)
  expect((await list(home)).find(({ name }) => name === 'stranger')?.pid).toBe(pid)
  expect(await screen(home, 'one')).toMatch(/begun\s+early\s+got early\s*$/)
  expect(await screen(home, 'two')).toContain('got early')
  await told(home, 'stranger', 'still')
  expect(query(home, "SELECT 1 FROM audit WHERE what IN ('restore', 'lost', 'bringBack', 'forget', 'keepStranger')")).toHaveLength(6)

  await run(home, ['daemon', 'stop'])
  await start(home)
  expect(await screen(home, 'one')).toMatch(/begun\s+early\s+got early\s*$/)

  await restore(home, undo)
  expect(await states(home)).toEqual(before)
  expect(await screen(home, 'one')).toContain('got late')
  expect(await screen(home, 'sleeper')).toContain('slept')
  await run(home, ['wake', 'one'])
  await told(home, 'one', 'again')
}, 180_000)

const POINTS = [
  'restore:before-checkpoint',
  'restore:after-checkpoint',
  'restore:run-written',
  'restore:before-keep',
  'restore:after-keep',
  'before:announce',
]

describe('a daemon that dies while restoring', () => {
  let prepared: Home
  let past: Awaited<ReturnType<typeof aPastAndAPresent>>
  let before: readonly string[]
  beforeAll(async () => {
    prepared = makeQuietHome()
    past = await aPastAndAPresent(prepared)
    expect(past.now).not.toEqual(past.then)
    await run(prepared, ['close', '--yes', 'stranger']) // so that the layout of then can be compared as a whole
    before = await states(prepared)
    await run(prepared, ['daemon', 'stop'])
  }, 120_000)
  afterAll(() => prepared.dispose())

  test.each(POINTS)(
    'at %s has restored everything or nothing',
    async (point) => {
      await using home = copyHome(prepared)
      const { checkpoint, then } = past
      await start(home, point)
      await run(home, ['restore', '--yes', checkpoint])
      await until(() => daemonsOf(home).length === 0, { what: 'the daemon to die' })
      killDaemon(home)
      await start(home)
      const isRestored = point === 'restore:after-keep' || point === 'before:announce'
      expect(await states(home)).toEqual(isRestored ? ['one asleep', 'three asleep', 'two asleep'] : before)
      expect(await screen(home, 'one')).toMatch(isRestored ? /got early\s*$/ : /got late\s*$/)
      if (isRestored) expect(topologyOf(home)).toEqual(then)
      expect(programsOf(home)).toEqual([])
      await restore(home, checkpoint) // and it can be done then
      expect(topologyOf(home)).toEqual(then)
      expect(await screen(home, 'one')).toMatch(/got early\s*$/)
    },
    120_000,
  )
})

test('checkpoints and workspaces that are not there are refused by name', async () => {
  await using home = makeQuietHome()
  await run(home, ['new', '--name', 'one', ...ECHO])
  expect((await run(home, ['restore', 'c00', '--yes'])).stderr).toContain('There is no checkpoint "c00".')
  await takeCheckpoint(home)
  expect((await run(home, ['restore', 'c', '--yes'])).stderr).toContain('matches several checkpoints')
  expect((await run(home, ['restore', 'latest~99', '--yes'])).stderr).toContain('There is no checkpoint "latest~99".')
  expect((await run(home, ['restore', 'latest', '--only', 'nowhere', '--yes'])).stderr).toContain('There is no workspace "nowhere".')
  expect((await restore(home, 'latest~1', '--only', 'main')).plan.steps.map(({ kind }) => kind)).toEqual(['adopt'])
  expect((await run(home, ['restore', '--set', 'maybe', 'one'])).code).toBe(2)
})
