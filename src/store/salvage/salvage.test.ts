import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asDecodedToday, buildStore, makeFolder, openOrThrow } from '../../../test/support/store.ts'
import { asleep, live, runId, terminalId } from '../../../test/support/terminals.ts'
import { entry, placed } from '../../../test/support/workspaces.ts'
import type { DeviceId, TerminalId } from '../../base/ids.ts'
import { EVERYTHING } from '../../wire/capability.ts'
import { loadSqlite } from '../sqlite.ts'
import type { Device, Store } from '../store.ts'
import { readMirror } from './mirror.ts'

const DIES = fileURLToPath(new URL('../../../test/fixtures/store/dies-at-trip-point.mjs', import.meta.url))
const frozen = (name: string) => fileURLToPath(new URL(`../../../test/fixtures/databases/${name}`, import.meta.url))
const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const PAGE = 4_096
const COUNT = 60

const terminals = Array.from({ length: COUNT }, (_, n) =>
  live({ id: terminalId(n), run: runId(n), name: `terminal ${n}`, title: 'x'.repeat(400) }),
)
const topology = placed(...terminals)
const screenOf = (n: number) => bytes(`screen ${n} ${'.'.repeat(50)}`)
const mirrorOf = (file: string) => join(dirname(file), 'checkpoints')

const DEVICE: Device = {
  ...{ id: 'd0000000001' as DeviceId, name: 'Firefox', origin: 'http://127.0.0.1:1', key: 'key', capability: EVERYTHING },
  ...{ created: 1, used: 2, addedBy: null },
}

/** A store with everything in it, closed. The newest checkpoint says what the tables say. */
async function fill(file: string): Promise<void> {
  const store = await openOrThrow(file)
  const session = await store.beginSession({ version: '1', host: { machine: 'm', boot: 'b', name: 'n' } })
  await Promise.all([...terminals.map((terminal) => store.keepTerminal(terminal)), store.keepTopology(topology)])
  await Promise.all(terminals.map(({ id, run }, n) => store.keepSnapshot(id, { run, seq: n, bytes: screenOf(n) })))
  await store.keepSetting('token', 'kept')
  await store.keepDevice(DEVICE)
  await store.appendAuthLog({ at: 1, what: 'login', device: DEVICE.id, details: '' })
  await store.appendAudit({ session, terminal: null, what: 'noted', details: { n: 1 } })
  const draft = { session, note: null, topology, whole: true, kind: 'manual' } as const
  const entries = terminals.map((terminal) => {
    const { screen: _, ...rest } = entry(terminal)
    return rest
  })
  await store.keepCheckpoint({ ...draft, at: 1, terminals: entries.slice(0, 2) })
  await store.keepCheckpoint({ ...draft, at: 2, terminals: entries })
  await store.close()
}

/** Made once; each test works on a copy. */
let template = ''
beforeAll(buildStore)
afterAll(() => rmSync(template, { recursive: true, force: true }))
async function filled(): Promise<string> {
  const file = join(makeFolder(), 'holdfast.db')
  if (template === '') {
    await fill(file)
    template = mkdtempSync(join(tmpdir(), 'store-template-'))
    copyAll(dirname(file), template)
  } else copyAll(template, dirname(file))
  return file
}
function copyAll(from: string, to: string): void {
  mkdirSync(join(to, 'checkpoints'), { recursive: true, mode: 0o700 })
  for (const name of ['holdfast.db', 'checkpoints/latest.json', 'checkpoints/previous.json']) copyFileSync(join(from, name), join(to, name))
}

async function meddle(file: string, sql: string): Promise<void> {
  const database = (await loadSqlite()).open(file)
  database.exec(sql)
  database.close()
}

const ids = async (store: Store): Promise<readonly string[]> =>
  (await store.records()).map((record) => (record.ok ? record.terminal.id : record.id)).sort()
const allIds = terminals.map(({ id }): TerminalId => id).sort()
const asides = (file: string) => readdirSync(dirname(file)).filter((name) => /corrupt-[^-]*-[^-]*-[^-]*-[^-]*-[^-]*Z$/.test(name))

/** Overwrites pages; never the first, which says what the file is. */
function ruinPages(file: string, wanted: (page: number) => boolean): number {
  const pages = statSync(file).size / PAGE
  const content = readFileSync(file)
  let ruined = 0
  for (let page = 1; page < pages; page += 1) {
    if (!wanted(page)) continue
    content.fill(0xa5, page * PAGE, (page + 1) * PAGE)
    ruined += 1
  }
  writeFileSync(file, content)
  return ruined
}

describe('a database that is damaged in one place', () => {
  test.each(['settings', 'audit', 'devices', 'auth_log'])('(%s is gone) gives back everything else', async (table) => {
    const file = await filled()
    await meddle(file, `DROP TABLE ${table}`)
    const store = await openOrThrow(file)
    expect(await store.records()).toEqual(expect.arrayContaining(terminals.map((terminal) => ({ ok: true, terminal }))))
    expect(await store.topology()).toEqual(topology)
    for (const n of [0, 17, COUNT - 1]) expect(await store.snapshot(runId(n))).toEqual({ run: runId(n), seq: n, bytes: screenOf(n) })
    const kept = await store.checkpoints()
    expect(kept.map(({ at }) => at)).toEqual([2, 1])
    for (const { id } of kept) expect(await store.checkpoint(id)).toMatchObject({ ok: true })
    expect((await store.checkpointScreen(kept[0]?.id ?? ('' as never), terminalId(3)))?.bytes).toEqual(screenOf(3))
    expect(await store.setting('token')).toBe(table === 'settings' ? null : 'kept')
    expect((await store.audit()).map(({ what }) => what)).toEqual(table === 'audit' ? [] : ['noted'])
    expect(await store.devices()).toEqual(table === 'devices' ? [] : [DEVICE])
    expect(await store.authLog(10)).toHaveLength(table === 'auth_log' ? 0 : 1)
    expect(store.troubles).toEqual([
      expect.stringMatching(/set aside as .*, and a new one was begun with what could be read of it \(60 terminals/),
    ])
    expect(asides(file)).toHaveLength(1)
  })

  test('(the terminals are gone) has them from its newest checkpoint', async () => {
    const file = await filled()
    rmSync(mirrorOf(file), { recursive: true })
    await meddle(file, 'PRAGMA foreign_keys = OFF; DROP TABLE terminals')
    const store = await openOrThrow(file)
    expect(await ids(store)).toEqual(allIds)
    expect(await store.topology()).toEqual(topology)
    expect(store.troubles).toEqual([expect.stringContaining('and what checkpoint')])
  })

  test('(a layout that is no layout) has it from the checkpoint, and closed terminals stay closed', async () => {
    const file = await filled()
    await meddle(file, `DROP TABLE audit; UPDATE topology SET body = '[]'; DELETE FROM terminals WHERE id = '${terminalId(5)}'`)
    const store = await openOrThrow(file)
    expect(await store.topology()).toEqual(topology)
    expect(await ids(store)).toEqual(allIds.filter((id) => id !== terminalId(5)))
  })
})

describe('a database with ruined pages', () => {
  test.each([2, 3, 5, 7])(
    '(every %ith of them) loses no terminal and no layout, and gives nothing back that is not what was kept',
    async (every) => {
      const file = await filled()
      expect(ruinPages(file, (page) => page % every === 1)).toBeGreaterThan(3)
      const store = await openOrThrow(file)
      expect(await ids(store)).toEqual(allIds)
      const known = new Map(terminals.map((terminal) => [terminal.id as string, terminal]))
      for (const record of await store.records()) if (record.ok) expect(record.terminal).toEqual(known.get(record.terminal.id))
      expect(await store.topology()).toEqual(topology)
      for (const [n] of terminals.entries()) {
        const screen = await store.snapshot(runId(n))
        if (screen !== null) expect(screen.bytes).toEqual(screenOf(n))
      }
      for (const { id } of await store.checkpoints()) expect(await store.checkpoint(id)).toMatchObject({ ok: true })
      expect(store.troubles).toHaveLength(1)
    },
  )

  test('gives back rows on both sides of the damage without any checkpoint', async () => {
    const file = await filled()
    await meddle(file, 'DELETE FROM checkpoints; VACUUM')
    rmSync(mirrorOf(file), { recursive: true })
    const content = readFileSync(file)
    const middle = content.indexOf('"name":"terminal 30"')
    content.fill(0xa5, Math.floor(middle / PAGE) * PAGE, Math.floor(middle / PAGE + 1) * PAGE)
    writeFileSync(file, content)
    const found = await ids(await openOrThrow(file))
    expect(found.length).toBeGreaterThan(COUNT / 2)
    expect(found.length).toBeLessThan(COUNT)
    expect(found).toEqual(expect.arrayContaining([terminalId(0), terminalId(COUNT - 1)]))
  })
})

describe('a database of which nothing can be read', () => {
  const ruin = (file: string) => writeFileSync(file, 'dear diary\n'.repeat(1_000))

  test('is begun again from the copy of its newest good checkpoint', async () => {
    const file = await filled()
    const { checkpoint } = readMirror(mirrorOf(file))
    ruin(file)
    const store = await openOrThrow(file)
    expect(await store.records()).toEqual(expect.arrayContaining(terminals.map((terminal) => ({ ok: true, terminal }))))
    expect(await store.topology()).toEqual(topology)
    expect((await store.newestGoodCheckpoint()).checkpoint?.id).toBe(checkpoint?.id)
    expect(store.troubles).toEqual([expect.stringContaining(`nothing of it and what checkpoint ${checkpoint?.id}`)])
  })

  test('whose newest copy is damaged is begun from the one before', async () => {
    const file = await filled()
    const latest = join(mirrorOf(file), 'latest.json')
    writeFileSync(latest, readFileSync(latest, 'utf8').replace('terminal 1', 'terminal I'))
    ruin(file)
    expect(await ids(await openOrThrow(file))).toEqual([terminalId(0), terminalId(1)].sort())
  })

  test('and without a copy is begun empty', async () => {
    const file = await filled()
    rmSync(mirrorOf(file), { recursive: true })
    ruin(file)
    const store = await openOrThrow(file)
    expect(await store.records()).toEqual([])
    expect(store.troubles).toEqual([expect.stringContaining('nothing of it')])
  })

  test('because it is another program’s gives none of that program’s rows', async () => {
    const file = await filled()
    rmSync(mirrorOf(file), { recursive: true })
    await meddle(file, 'PRAGMA application_id = 1')
    expect(await (await openOrThrow(file)).records()).toEqual([])
  })
})

test('a damaged database of schema 1 gives back its terminals and screens', async () => {
  const file = join(makeFolder(), 'holdfast.db')
  copyFileSync(frozen('v1.db'), file)
  await meddle(file, 'DROP TABLE settings')
  const expected = JSON.parse(readFileSync(frozen('v1.json'), 'utf8'))
  const store = await openOrThrow(file)
  expect(await store.records()).toEqual(expected.terminals.map(asDecodedToday).map((terminal: object) => ({ ok: true, terminal })))
  expect(await store.topology()).toEqual(expected.topology)
  for (const { run, seq, text } of expected.snapshots) expect(await store.snapshot(run)).toEqual({ run, seq, bytes: bytes(text) })
})

const dieAt = (file: string, point: string, ...more: readonly string[]): void => {
  expect(spawnSync(process.execPath, [DIES, file, point, ...more], { stdio: 'inherit' }).signal, point).toBe('SIGKILL')
}

describe('kill -9', () => {
  test.each([
    ...['salvage order written', 'salvage order published', 'moved database', 'rung 1', 'rung 2', 'salvage terminals'],
    ...['salvage settings', 'salvage screens', 'salvage copied', 'salvage filled', 'filled', 'migrated', 'salvage done'],
  ])('of a salvage at "%s" costs nothing: the next opening finishes it', async (point) => {
    const file = await filled()
    await meddle(file, 'DROP TABLE audit')
    dieAt(file, point)
    const store = await openOrThrow(file)
    expect(await ids(store)).toEqual(allIds)
    expect(await store.topology()).toEqual(topology)
    expect((await store.snapshot(runId(3)))?.bytes).toEqual(screenOf(3))
    expect((await store.checkpoints()).map(({ at }) => at)).toEqual([2, 1])
    expect(store.troubles).toHaveLength(point === 'salvage done' ? 0 : 1)
    await store.close()
    expect(asides(file)).toHaveLength(1)
    expect(readdirSync(dirname(file)).filter((name) => name.includes('salvage'))).toEqual([])
    expect((await openOrThrow(file)).troubles).toEqual([])
  })

  test.each([
    ['begun', 1],
    ['applied', 1],
    ['committed', 2],
    ['mirror begun', 2],
    ['mirror written', 2],
    ['mirror before moved', 2],
    ['mirror renamed', 2],
    ['mirror synced', 2],
  ])('of keeping a checkpoint at "%s" leaves it whole or not at all, and a copy that can be read', async (point, newest) => {
    const file = join(makeFolder(), 'holdfast.db')
    dieAt(file, point, 'checkpoint')
    const copy = readMirror(mirrorOf(file))
    expect([1, newest]).toContain(copy.checkpoint?.at)
    expect(copy.troubles).toEqual([])
    const store = await openOrThrow(file)
    expect(store.troubles).toEqual([])
    const { checkpoint, damaged } = await store.newestGoodCheckpoint()
    expect([checkpoint?.at, damaged]).toEqual([newest, []])
    const screen = await store.checkpointScreen(checkpoint?.id ?? ('' as never), terminalId(32 ** 9))
    expect(screen === null ? null : Buffer.from(screen.bytes).toString()).toBe(`screen ${newest}`)
  })
})

test('the copies are private, and there are never more than two', async () => {
  const file = await filled()
  const store = await openOrThrow(file)
  const [session] = await store.sessions()
  const { screen: _, ...one } = entry(asleep())
  for (const at of [3, 4, 5]) {
    await store.keepCheckpoint({
      session: session?.id ?? ('' as never),
      at,
      kind: 'manual',
      note: null,
      topology: placed(one.terminal),
      terminals: [one],
      whole: true,
    })
  }
  const directory = mirrorOf(file)
  expect(readdirSync(directory).sort()).toEqual(['latest.json', 'previous.json'])
  expect((statSync(directory).mode & 0o777).toString(8)).toBe('700')
  for (const name of readdirSync(directory)) expect((statSync(join(directory, name)).mode & 0o777).toString(8), name).toBe('600')
  expect(readMirror(directory).checkpoint?.at).toBe(5)
  expect(existsSync(join(directory, 'next.json'))).toBe(false)
})
