import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { buildStore, makeFolder, openOrThrow } from '../../../test/support/store.ts'
import { asleep, live, runId, terminalId } from '../../../test/support/terminals.ts'

beforeAll(buildStore)

/** A store whose thread fails in the way that is asked for. */
async function failing() {
  const folder = makeFolder()
  const trip = join(folder, 'trip')
  vi.stubEnv('HOLDFAST_TRIP', `thread:${trip}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  const store = await openOrThrow(join(folder, 'holdfast.db'))
  return { store, fail: (how: string) => writeFileSync(trip, `store ${how}`) }
}

test('a thread that ended is replaced: what was kept is there, and what is kept next is kept', async () => {
  const { store, fail } = await failing()
  await store.keepTerminal(live({ id: terminalId(1) }))
  fail('end')
  await expect(store.ping()).rejects.toThrow('closed')
  await expect(store.keepTerminal(asleep({ id: terminalId(2) }))).rejects.toThrow('closed')
  expect(await store.reopen()).toEqual({ sound: true })
  await store.ping()
  await store.keepTerminal(asleep({ id: terminalId(2) }))
  expect((await store.records()).map((record) => record.ok && record.terminal.id)).toEqual([terminalId(1), terminalId(2)])
})

test('that a thread ends is told, each time; that the store is closed is no such end', async () => {
  const { store, fail } = await failing()
  let ends = 0
  store.onEnded(() => void ends++)
  for (const times of [1, 2]) {
    fail('end')
    await expect(store.ping()).rejects.toThrow('closed')
    await until(() => ends === times, { what: 'the end to be told' })
    await store.reopen()
  }
  await store.close()
  expect(ends).toBe(2)
})

test('a thread that does not answer is left alone: ended in the midst of a write it would take everybody along', async () => {
  const { store } = await failing()
  await expect(store.reopen()).rejects.toThrow('its thread still lives')
  await store.ping()
})

test('a thread that ends while others write has kept what it promised, and nothing else is lost with it', async () => {
  const { store, fail } = await failing()
  const terminal = live({ id: terminalId(1) })
  await store.keepTerminal(terminal)
  const kept: number[] = []
  const writes = Array.from({ length: 60 }, async (_, index) => {
    if (index === 30) fail('end')
    const write = store.keepSetting(`s${index}`, 'x'.repeat(20_000))
    await write.then(
      () => kept.push(index),
      () => undefined,
    )
  })
  await Promise.all(writes)
  await until(() => store.hasEnded(), { what: 'the thread to end' })
  expect(await store.reopen()).toEqual({ sound: true })
  for (const index of kept) expect(await store.setting(`s${index}`)).toHaveLength(20_000)
  await store.keepSnapshot(terminal.id, { run: runId(1), seq: 1, bytes: new Uint8Array([1]) })
  expect((await store.snapshot(runId(1)))?.seq).toBe(1)
})

test('closed, it is not opened again', async () => {
  const { store } = await failing()
  await store.close()
  await expect(store.reopen()).rejects.toThrow('closed')
})
