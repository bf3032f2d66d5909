import { beforeEach, expect, test } from 'vitest'
import { live, runId, settling } from '../../../test/support/terminals.ts'
import type { RunId } from '../../base/ids.ts'
import type { KeptSnapshot } from '../../store/store.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { DeferredScreens, type DeferredWorld } from './deferredScreens.ts'

const run = runId(1)
const gist = { cwd: '/here', status: null, top: 40 }

type World = {
  terminal: Terminal | null
  kept: KeptSnapshot | null
  printed: number | null
  canTell: boolean
  isOpen: boolean
  awaited: number[]
  opened: RunId[]
  recalled: string[]
}
let world: World
let screens: DeferredScreens

beforeEach(() => {
  world = {
    ...{ terminal: live({ run }), kept: { run, seq: 100, bytes: Uint8Array.of(7) }, printed: 100, canTell: true, isOpen: false },
    ...{ awaited: [], opened: [], recalled: [] },
  }
  const around: DeferredWorld = {
    byRun: () => world.terminal,
    isOpen: () => world.isOpen,
    printed: () => world.printed,
    kept: () => Promise.resolve(world.kept),
    gist: (bytes) => Promise.resolve(bytes[0] === 7 ? gist : null),
    text: () => Promise.resolve('what stood there'),
    awaitOutput: (_, from) => {
      if (world.canTell) world.awaited.push(from)
      return world.canTell
    },
    recall: (_, { cwd }) => world.recalled.push(cwd),
    openBehind: (opened) => Promise.resolve(void world.opened.push(opened)),
    failed: () => undefined,
  }
  screens = new DeferredScreens(around)
})

test('a program that has printed nothing since its snapshot is left alone, and what that says is known', async () => {
  await screens.consider(run)
  expect([world.opened, world.awaited, world.recalled]).toEqual([[], [100], ['/here']])
  expect([screens.has(run), await screens.topOf(run), await screens.textOf(run)]).toEqual([true, 40, 'what stood there'])
})

test('one that has never printed is left alone without a snapshot', async () => {
  Object.assign(world, { kept: null, printed: 0 })
  await screens.consider(run)
  expect([world.opened, world.awaited, await screens.topOf(run), await screens.textOf(run)]).toEqual([[], [0], null, ''])
})

test.each([
  ['has printed more than was kept', { printed: 101 }],
  ['is not known to have printed nothing', { printed: null }],
  ['has a holder that cannot tell of output', { canTell: false }],
  ['has a snapshot that cannot be read', { kept: { run, seq: 100, bytes: Uint8Array.of(0) } }],
  ['has printed, and nothing was kept', { kept: null, printed: 1 }],
  ['is being ended', { terminal: settling({ run }) }],
  ['is not linked', { terminal: live({ run, link: { kind: 'unreachable', why: 'silence' } }) }],
])('one that %s gets its screen', async (_, changes: Partial<World>) => {
  Object.assign(world, changes)
  await screens.consider(run)
  expect([world.opened, screens.has(run)]).toEqual([[run], false])
})

test.each([
  ['is over', { terminal: null }],
  ['has a screen', { isOpen: true }],
])('one that %s is not touched', async (_, changes: Partial<World>) => {
  Object.assign(world, changes)
  await screens.consider(run)
  expect([world.opened, world.awaited]).toEqual([[], []])
})

test('the first output opens it; output of others, and of what has its screen, opens nothing', async () => {
  await screens.consider(run)
  screens.printedOn(runId(2))
  expect(world.opened).toEqual([])
  screens.printedOn(run)
  expect(world.opened).toEqual([run])
  screens.forget(run)
  screens.printedOn(run)
  expect(world.opened).toEqual([run])
})
