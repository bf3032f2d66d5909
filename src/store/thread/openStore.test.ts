import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { asDecodedToday, buildStore, makeFolder, openOrThrow } from '../../../test/support/store.ts'
import { asleep, groupId, live, runId, terminalId, workspaceId } from '../../../test/support/terminals.ts'
import type { DeviceId, RunId, TerminalId } from '../../base/ids.ts'
import { EVERYTHING } from '../../wire/capability.ts'
import type { AuthLogEntry } from '../../wire/deviceView.ts'
import { emptyTopology } from '../../workspace/layout/topology.ts'
import { loadSqlite } from '../sqlite.ts'
import type { Device } from '../store.ts'
import { openStore } from './openStore.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const newFile = () => join(makeFolder(), 'holdfast.db')
const topology = emptyTopology({ group: groupId(1), workspace: workspaceId(1) })

/** Changes a closed database behind the store's back, as a bug or a person would. */
async function meddle(file: string, sql: string): Promise<void> {
  const database = (await loadSqlite()).open(file)
  database.exec(sql)
  database.close()
}

beforeAll(buildStore)

const device = (n: number): Device => ({
  ...{ id: `d000000000${n}` as DeviceId, name: `device ${n}`, origin: 'http://127.0.0.1:1', key: 'key', capability: EVERYTHING },
  ...{ created: 1, used: 2, addedBy: null },
})
const logged = (n: number): AuthLogEntry => ({ at: n, what: 'login', device: null, details: `number ${n}` })

test('what is kept is there for the next one who opens the store', async () => {
  const file = newFile()
  const store = await openOrThrow(file)
  const [one, two] = [live({ id: terminalId(1) }), asleep({ id: terminalId(2), name: 'web' })]
  const snapshot = { run: runId(1), seq: 5_000_000_000, bytes: bytes('screen\0\xff') }
  await Promise.all([
    store.keepTerminal(one),
    store.keepTerminal(two),
    store.keepTopology(topology),
    store.keepSnapshot(one.id, snapshot),
    store.keepDevice(device(1)),
    store.appendAuthLog(logged(1)),
    store.keepSetting('token', 'secret'),
  ])
  await store.close()
  const again = await openOrThrow(file)
  expect(await again.records()).toEqual([one, two].map((terminal) => ({ ok: true, terminal })))
  expect(await again.topology()).toEqual(topology)
  expect(await again.snapshot(runId(1))).toEqual(snapshot)
  expect(await again.devices()).toEqual([device(1)])
  expect(await again.authLog(10)).toEqual([logged(1)])
  expect(await again.setting('token')).toBe('secret')
  expect(again.troubles).toEqual([])
})

test('a new store holds nothing, and says so', async () => {
  const store = await openOrThrow(newFile())
  expect(await store.records()).toEqual([])
  expect(await store.topology()).toBeNull()
  expect(await store.snapshot(runId(1))).toBeNull()
  expect(await store.setting('nothing')).toBeNull()
})

test('a question sees what was asked for before it, even unawaited, and the newest of it', async () => {
  const store = await openOrThrow(newFile())
  const kept = ['a', 'b', 'c'].map((name) => store.keepTerminal(asleep({ name })))
  expect(await store.records()).toEqual([{ ok: true, terminal: asleep({ name: 'c' }) }])
  await Promise.all(kept)
})

test('forgetting a terminal takes its snapshots along, and a late one does not come back', async () => {
  const store = await openOrThrow(newFile())
  const [gone, stays] = [asleep({ id: terminalId(1) }), asleep({ id: terminalId(2) })]
  await Promise.all([store.keepTerminal(gone), store.keepTerminal(stays)])
  for (const [terminal, run] of [
    [gone, 1],
    [gone, 2],
    [stays, 3],
  ] as const) {
    await store.keepSnapshot(terminal.id, { run: runId(run), seq: 1, bytes: bytes('x') })
  }
  await store.forgetTerminal(gone.id)
  await store.keepSnapshot(gone.id, { run: runId(2), seq: 2, bytes: bytes('late') })
  expect(await Promise.all([1, 2, 3].map(async (run) => (await store.snapshot(runId(run)))?.seq ?? null))).toEqual([null, null, 1])
  expect(await store.records()).toEqual([{ ok: true, terminal: stays }])
})

test('keeping a record again leaves its snapshots alone; a newer snapshot replaces the older one of its run', async () => {
  const store = await openOrThrow(newFile())
  await store.keepTerminal(asleep())
  await store.keepSnapshot(asleep().id, { run: runId(1), seq: 1, bytes: bytes('old') })
  await store.keepSnapshot(asleep().id, { run: runId(1), seq: 2, bytes: bytes('new') })
  await store.keepTerminal(asleep({ name: 'again' }))
  expect(await store.snapshot(runId(1))).toEqual({ run: runId(1), seq: 2, bytes: bytes('new') })
})

test('a terminal keeps the snapshots of its two newest runs', async () => {
  const store = await openOrThrow(`${makeFolder()}/holdfast.db`)
  const terminal = live({ id: terminalId(1), run: runId(3) })
  await store.keepTerminal(terminal)
  for (const run of [1, 2, 3, 2]) await store.keepSnapshot(terminal.id, { run: runId(run), seq: run, bytes: bytes('screen') })
  expect(await Promise.all([1, 2, 3].map(async (run) => (await store.snapshot(runId(run)))?.seq ?? null))).toEqual([null, 2, 3])
})

test.each([
  ['shows', asleep({ id: terminalId(1), lastRun: runId(1) })],
  ['would go back to', live({ id: terminalId(1), run: runId(4), previousRun: runId(1) })],
])('a terminal keeps the snapshot that it %s, however many runs failed since', async (_, terminal) => {
  const store = await openOrThrow(`${makeFolder()}/holdfast.db`)
  await store.keepTerminal(terminal)
  for (const run of [1, 2, 3, 4]) await store.keepSnapshot(terminal.id, { run: runId(run), seq: run, bytes: bytes('screen') })
  expect(await Promise.all([1, 2, 3, 4].map(async (run) => (await store.snapshot(runId(run)))?.seq ?? null))).toEqual([1, null, 3, 4])
})

test('the caller may reuse its buffer at once, and a snapshot is kept compressed', async () => {
  const file = newFile()
  const store = await openOrThrow(file)
  const buffer = Buffer.alloc(1 << 20, 'a line of a screen ')
  const before = Buffer.from(buffer)
  const kept = [store.keepTerminal(asleep()), store.keepSnapshot(asleep().id, { run: runId(1), seq: 1, bytes: buffer })]
  buffer.fill(0)
  await Promise.all(kept)
  expect(before.equals((await store.snapshot(runId(1)))?.bytes ?? Buffer.alloc(0))).toBe(true)
  await store.close()
  expect(readFileSync(file).length).toBeLessThan(200_000)
})

test('devices are kept until they are forgotten, and one that cannot be decoded is none', async () => {
  const file = newFile()
  const store = await openOrThrow(file)
  await Promise.all([device(1), device(2), device(3)].map((each) => store.keepDevice(each)))
  await store.keepDevice({ ...device(2), used: 9 })
  await store.forgetDevice(device(3).id)
  expect(await store.devices()).toEqual([device(1), { ...device(2), used: 9 }])
  await store.close()
  await meddle(file, `UPDATE devices SET record = replace(record, 'everything', 'anything') WHERE id = '${device(1).id}'`)
  await meddle(file, `INSERT INTO devices SELECT '${device(3).id}', record FROM devices WHERE id = '${device(2).id}'`)
  expect(await (await openOrThrow(file)).devices()).toEqual([{ ...device(2), used: 9 }])
})

test('of logins the newest thousand are kept', async () => {
  const store = await openOrThrow(newFile())
  await Promise.all(Array.from({ length: 1_010 }, (_, n) => store.appendAuthLog(logged(n))))
  const all = await store.authLog(5_000)
  expect([all.length, all[0], all.at(-1)]).toEqual([1_000, logged(1_009), logged(10)])
})

describe('what cannot be decoded', () => {
  test('is a record that comes back as such, stays in the table, and costs no other', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    await Promise.all([store.keepTerminal(asleep({ id: terminalId(1) })), store.keepTerminal(asleep({ id: terminalId(2) }))])
    await store.close()
    await meddle(file, `UPDATE terminals SET record = '{"state":"dreaming"}' WHERE id = '${terminalId(1)}'`)
    for (let times = 0; times < 2; times += 1) {
      const again = await openOrThrow(file)
      const bad = { ok: false, id: terminalId(1), raw: '{"state":"dreaming"}', why: expect.stringContaining('state') }
      expect(await again.records()).toEqual([bad, { ok: true, terminal: asleep({ id: terminalId(2) }) }])
      await again.close()
    }
  })

  test('is a layout that is set aside with a sentence', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    await store.keepTopology(topology)
    await store.close()
    await meddle(file, `UPDATE topology SET body = '[]'`)
    const again = await openOrThrow(file, () => 0)
    expect(await again.topology()).toBeNull()
    expect(again.troubles).toEqual([expect.stringContaining('The layout could not be read')])
    expect(await again.setting('topology.unreadable.1970-01-01T00:00:00.000Z')).toBe('[]')
    await again.close()
    expect((await openOrThrow(file)).troubles).toEqual([])
  })

  test('is a snapshot that is lost with a sentence', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    await store.keepTerminal(asleep())
    await store.keepSnapshot(asleep().id, { run: runId(1), seq: 1, bytes: bytes('screen') })
    await store.close()
    await meddle(file, `UPDATE blobs SET bytes = x'ffff'`)
    const again = await openOrThrow(file)
    expect(await again.snapshot(runId(1))).toBeNull()
    expect(again.troubles).toEqual([expect.stringContaining(runId(1))])
  })
})

describe('closing', () => {
  test('keeps what is still waiting and leaves one file', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    const kept = store.keepSetting('last', 'word')
    await store.close()
    await kept
    expect(readdirSync(dirname(file))).toEqual(['holdfast.db'])
    expect(await (await openOrThrow(file)).setting('last')).toBe('word')
  })

  test('twice is closing once; asking after it is rejected with a clear error', async () => {
    const store = await openOrThrow(newFile())
    await Promise.all([store.close(), store.close()])
    await expect(store.keepSetting('a', 'b')).rejects.toThrow('the store is closed')
    await expect(store.records()).rejects.toThrow('the store is closed')
  })
})

test('a database that is damaged is replaced, and the store says so', async () => {
  const file = newFile()
  copyFileSync(fileURLToPath(import.meta.url), file)
  const store = await openOrThrow(file)
  expect(store.troubles).toEqual([expect.stringMatching(/^holdfast\.db could not be read: .* was set aside as holdfast\.db\.corrupt-/)])
  await store.keepSetting('a', 'b')
})

test('a newer database is refused', async () => {
  const file = newFile()
  await meddle(file, 'PRAGMA user_version = 1000')
  const before = readFileSync(file)
  expect(await openStore({ file, now: Date.now })).toMatchObject({ ok: false, refusal: { code: 'store-newer' } })
  expect(readFileSync(file).equals(before)).toBe(true)
  expect(existsSync(`${file}-wal`)).toBe(false)
})

test.each([1, 2, 3, 4])('the frozen database of version %i is read as it was written', async (version) => {
  const frozen = (ending: string) => fileURLToPath(new URL(`../../../test/fixtures/databases/v${version}.${ending}`, import.meta.url))
  const expected = JSON.parse(readFileSync(frozen('json'), 'utf8'))
  const terminals = expected.terminals.map(asDecodedToday)
  const file = newFile()
  copyFileSync(frozen('db'), file)
  const store = await openOrThrow(file)
  expect(store.troubles).toEqual([])
  expect(await store.records()).toEqual(terminals.map((terminal: object) => ({ ok: true, terminal })))
  expect(await store.topology()).toEqual(expected.topology)
  for (const { run, seq, text } of expected.snapshots as { terminal: TerminalId; run: RunId; seq: number; text: string }[]) {
    expect(await store.snapshot(run)).toEqual({ run, seq, bytes: bytes(text) })
  }
  // The cookies of before open nothing any more: browsers log in again.
  expect(await store.devices()).toEqual(expected.devices ?? [])
  expect(await store.authLog(10)).toEqual((expected.authLog ?? []).toReversed())
  for (const [key, value] of Object.entries(expected.settings)) expect(await store.setting(key)).toBe(value)
  expect(await store.closed()).toEqual((expected.closed ?? []).map((closed: object) => ({ ok: true, closed })))
  if (version === 1) return
  const [kept] = await store.checkpoints()
  const loaded = kept === undefined ? null : await store.checkpoint(kept.id)
  const { at, kind, note } = expected.checkpoint.head
  expect(loaded).toMatchObject({ ok: true, checkpoint: { at, kind, note, knownGood: true, topology: expected.topology } })
  const entries = loaded?.ok ? loaded.checkpoint.terminals : []
  expect(entries.map(({ terminal }) => terminal)).toEqual(terminals)
  for (const { cwd, agent, env } of entries) expect({ cwd, agent, env }).toEqual(expected.checkpoint.seen)
  expect((await store.lastUncleanSession())?.host).toEqual(expected.session.host)
  expect((await store.audit()).map(({ terminal, what, details }) => ({ terminal, what, details }))).toEqual(expected.audit)
})
