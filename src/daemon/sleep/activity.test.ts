import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/support/store.ts'
import { asleep, live, runId, settling, terminalId } from '../../../test/support/terminals.ts'
import type { AgentState } from '../../agents/state.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { Activity } from './activity.ts'

const [id, run] = [terminalId(1), runId(1)]

/** One terminal whose log was written at these times, in seconds. */
function scene(terminal: Terminal, written: readonly number[], agent: { state: AgentState; since: number } | null = null) {
  const runs = makeFolder()
  mkdirSync(`${runs}/${run}`)
  const write = (at: number, index: number): void => {
    writeFileSync(`${runs}/${run}/${index}.log`, '')
    utimesSync(`${runs}/${run}/${index}.log`, at, at)
  }
  for (const [index, at] of written.entries()) write(at, index)
  const registry = { all: () => [terminal], byRun: () => terminal }
  const surroundings = { registry, agents: { summary: () => agent }, paths: { runs } }
  return { write, activity: new Activity(surroundings as unknown as ConstructorParameters<typeof Activity>[0]) }
}

test('what was printed is told by the newest of the log, when somebody asks', async () => {
  const terminal = live({ id, run })
  const { activity, write } = scene(terminal, [100, 200])
  expect(activity.of(terminal)).toBeNull()
  await activity.look()
  expect(activity.of(terminal)).toBe(200_000)
  write(300, 1)
  expect(activity.of(terminal)).toBe(200_000)
  await activity.look()
  expect(activity.of(terminal)).toBe(300_000)
})

test('what is typed counts too, and a run without a log is known by it alone', async () => {
  const terminal = live({ id, run })
  const { activity } = scene(terminal, [])
  await activity.look()
  expect(activity.of(terminal)).toBeNull()
  const before = Date.now()
  activity.typed(id)
  expect(activity.of(terminal)).toBeGreaterThanOrEqual(before)
})

test.each(['idle', 'done'] as const)('of an agent that is %s it counts since when, however often it draws', async (state) => {
  const terminal = live({ id, run })
  const { activity } = scene(terminal, [500], { state, since: 50_000 })
  await activity.look()
  expect(activity.of(terminal)).toBe(50_000)
})

test('an agent that works is as active as its output', async () => {
  const terminal = live({ id, run })
  const { activity } = scene(terminal, [500], { state: 'working', since: 50_000 })
  await activity.look()
  expect(activity.of(terminal)).toBe(500_000)
})

test('what a program prints while it is ended is not what it did', async () => {
  const { activity, write } = scene(settling({ id, run }), [100])
  await activity.freeze(live({ id, run }))
  write(900, 0)
  await activity.look()
  expect(activity.of(asleep({ id, lastRun: run }))).toBe(100_000)
})

test('of a private run, which leaves nothing on disk, only what was heard tells', async () => {
  const terminal = live({ id, run, private: true })
  const { activity } = scene(terminal, [100])
  await activity.look()
  expect(activity.of(terminal)).toBeNull()
  activity.printed([{ run }])
  expect(activity.of(terminal)).toBeGreaterThan(100_000)
})
