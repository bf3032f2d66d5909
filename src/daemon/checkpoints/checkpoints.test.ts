import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { buildStore, makeFolder, openOrThrow } from '../../../test/support/store.ts'
import { asleep, runId, terminalId } from '../../../test/support/terminals.ts'
import { placed } from '../../../test/support/workspaces.ts'
import type { TerminalId } from '../../base/ids.ts'
import { defaultConfig } from '../../wire/config/config.ts'
import type { Terminal } from '../../workspace/terminal/terminal.ts'
import { openLog } from '../base/log.ts'
import { Checkpoints } from './checkpoints.ts'

const host = { machine: 'm', boot: 'b', name: 'here' }
const run = runId(1)
const one = asleep({ id: terminalId(1), name: 'api', lastRun: run })

beforeAll(buildStore)

/** A real store and a workspace in memory; `kept` tells when screens were kept, and may hold that up. */
async function workspace({ debounceMs = 10, intervalS = 3_600 } = {}) {
  const folder = makeFolder()
  const store = await openOrThrow(join(folder, 'holdfast.db'))
  const session = await store.beginSession({ version: '1', host })
  const terminals = new Map<TerminalId, Terminal>([[one.id, one]])
  const screens = { kept: 0, atOnce: 0, most: 0, looks: 0, hold: Promise.resolve() }
  const config = { ...defaultConfig, checkpoints: { ...defaultConfig.checkpoints, debounceMs, intervalS } }
  const checkpoints = new Checkpoints(
    {
      config,
      store,
      topology: placed(one),
      log: openLog(join(folder, 'log'), 'error'),
      registry: {
        all() {
          screens.looks += 1
          return [...terminals.values()]
        },
        get: (id) => terminals.get(id) ?? null,
      },
      screens: { cwdOf: () => null },
      runScreens: {
        async keepAll() {
          screens.kept += 1
          screens.atOnce += 1
          screens.most = Math.max(screens.most, screens.atOnce)
          await screens.hold
          screens.atOnce -= 1
        },
      },
    },
    session,
    host,
  )
  checkpoints.isWhole = true
  onTestFinished(() => checkpoints.end())
  const kinds = async () => (await store.checkpoints()).map(({ kind }) => kind)
  const set = (terminal: Terminal) => {
    terminals.set(terminal.id, terminal)
    checkpoints.changed(terminal.id)
  }
  return { checkpoints, store, screens, kinds, set }
}

test('those that are asked for are all taken, one after the other, whether anything has changed or not', async () => {
  const { checkpoints, screens, kinds } = await workspace()
  const outcomes = await Promise.all([
    checkpoints.take('manual', 'a'),
    checkpoints.take('before-destructive', 'b'),
    checkpoints.take('before-destructive', 'c'),
  ])
  expect(outcomes.every(({ isNew }) => isNew)).toBe(true)
  expect(await kinds()).toEqual(['before-destructive', 'before-destructive', 'manual'])
  expect(screens.most).toBe(1)
})

test('changes while one is under way make one that follows it, and shows them', async () => {
  const { checkpoints, store, screens, set } = await workspace({ debounceMs: 1 })
  checkpoints.begin()
  await until(async () => (await store.checkpoints()).length === 1, { what: 'the first' })
  let release = (): void => undefined
  screens.hold = new Promise((resolve) => {
    release = resolve
  })
  const slow = checkpoints.take('manual')
  for (let number = 0; number < 20; number++) set({ ...one, name: `name ${number}` })
  const before = screens.kept
  release()
  await slow
  await until(async () => (await store.checkpoints()).some(({ kind }) => kind === 'event') || screens.kept > before, { what: 'the next' })
  await checkpoints.take('manual')
  const newest = await store.newestGoodCheckpoint()
  expect(newest.checkpoint?.terminals.map(({ terminal }) => terminal.name)).toEqual(['name 19'])
  expect(screens.most).toBe(1)
  expect((await store.checkpoints()).filter(({ kind }) => kind === 'event').length).toBeLessThanOrEqual(1)
})

test('titles and resizes make none due; a name does', async () => {
  const { checkpoints, store, screens, set } = await workspace({ debounceMs: 1 })
  set(one)
  checkpoints.begin()
  await until(async () => (await store.checkpoints()).length === 1, { what: 'the first' })
  const kept = screens.kept
  set({ ...one, title: 'spins' })
  set({ ...one, spec: { ...one.spec, size: { cols: 50, rows: 9 } } })
  const longAfter = performance.now() + 100 // times the wait
  await until(() => performance.now() > longAfter, { what: 'the wait to pass many times' })
  expect(screens.kept).toBe(kept)
  set({ ...one, name: 'web' })
  await until(async () => (await store.checkpoints())[0]?.kind === 'event', { what: 'the one of the name' })
  expect(screens.kept).toBe(kept + 1)
})

test('the periodic one is only work where something may have changed', async () => {
  const { checkpoints, store, screens } = await workspace({ intervalS: 0.01 })
  checkpoints.begin()
  await until(async () => (await store.checkpoints()).length > 0 && screens.kept > 2, { what: 'the first to be taken' })
  const { looks, kept } = screens
  await until(() => screens.kept > kept + 5, { what: 'some turns' })
  expect(screens.looks).toBe(looks)
  expect((await store.checkpoints()).map(({ kind }) => kind)).toEqual(['startup'])
  await store.keepTerminal(one)
  await store.keepSnapshot(one.id, { run, seq: 1, bytes: new Uint8Array([1]) })
  checkpoints.contentChanged()
  await until(async () => (await store.checkpoints())[0]?.kind === 'periodic', { what: 'the periodic one' })
})

test('a workspace that is not whole makes no good ones', async () => {
  const { checkpoints, store } = await workspace()
  checkpoints.isWhole = false
  await checkpoints.take('manual')
  expect(await store.checkpoints()).toMatchObject([{ knownGood: false }])
})

test('one that cannot be kept is a trouble, and not forgotten', async () => {
  const { checkpoints, store } = await workspace()
  await store.close()
  await expect(checkpoints.take('manual')).rejects.toThrow()
  expect(checkpoints.trouble).toContain('cannot save checkpoints')
})

test('one that could not be kept is taken as soon as it can be; where nothing failed, none is', async () => {
  const { checkpoints, store, kinds } = await workspace()
  checkpoints.again()
  const keep = vi.spyOn(store, 'keepCheckpoint').mockRejectedValueOnce(new Error('the store is closed'))
  await expect(checkpoints.take('manual')).rejects.toThrow('the store is closed')
  expect(keep).toHaveBeenCalledTimes(1)
  checkpoints.again()
  await until(() => checkpoints.trouble === null, { what: 'the checkpoint' })
  expect(await kinds()).toEqual(['periodic'])
})
