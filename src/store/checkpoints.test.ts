import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildStore, makeFolder, openOrThrow } from '../../test/support/store.ts'
import { asleep, live, runId, terminalId } from '../../test/support/terminals.ts'
import { checkpointId, empty, entry, placed } from '../../test/support/workspaces.ts'
import type { CheckpointId, SessionId } from '../base/ids.ts'
import { stateHashOf } from '../workspace/checkpoint/checkpoint.ts'
import type { Terminal } from '../workspace/terminal/terminal.ts'
import { blake3 } from './blake3.ts'
import { readMirror } from './salvage/mirror.ts'
import { loadSqlite } from './sqlite.ts'
import type { CheckpointDraft, Store } from './store.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const newFile = () => join(makeFolder(), 'holdfast.db')
const host = { machine: 'm', boot: 'b', name: 'here' }
const begin = (store: Store) => store.beginSession({ version: '1', host })
const withoutScreen = ({ terminal, cwd, agent, env }: ReturnType<typeof entry>) => ({ terminal, cwd, agent, env })

const draftOf = (session: SessionId, terminals: readonly Terminal[], changes: Partial<CheckpointDraft> = {}): CheckpointDraft => ({
  session,
  at: 1_000,
  kind: 'manual',
  note: null,
  topology: placed(...terminals),
  terminals: terminals.map((terminal) => withoutScreen(entry(terminal))),
  whole: true,
  ...changes,
})

async function meddle(file: string, sql: string): Promise<void> {
  const database = (await loadSqlite()).open(file)
  database.exec(sql)
  database.close()
}
const countOf = async (file: string, table: string): Promise<number> => {
  const database = (await loadSqlite()).open(file, { readOnly: true })
  const row = database.get(`SELECT count(*) AS n FROM ${table}`)
  database.close()
  return Number(row?.['n'])
}

const [one, two] = [live({ id: terminalId(1), name: 'api' }), asleep({ id: terminalId(2), lastRun: runId(2) })]

beforeAll(buildStore)

describe('a checkpoint', () => {
  test('comes back as it was kept, with the screens of that moment', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    const session = await begin(store)
    await Promise.all([store.keepTerminal(one), store.keepTerminal(two)])
    await store.keepSnapshot(one.id, { run: runId(1), seq: 7, bytes: bytes('then') })
    const seen = { cwd: '/work', agent: { agent: 'claude', conversation: 'x', details: { model: 'opus' } }, env: { LANG: 'C' } }
    const draft = draftOf(session, [one, two], { note: 'before lunch', at: 1_234.5 })
    const terminals = [{ ...withoutScreen(entry(one)), ...seen }, withoutScreen(entry(two))]
    const { id, isNew, stateHash, trouble } = await store.keepCheckpoint({ ...draft, terminals })
    expect({ isNew, trouble }).toEqual({ isNew: true, trouble: null })
    await store.keepSnapshot(one.id, { run: runId(1), seq: 9, bytes: bytes('later') })
    await store.close()

    const again = await openOrThrow(file)
    const loaded = await again.checkpoint(id)
    const screen = { run: runId(1), seq: 7, hash: blake3('then') }
    const checkpoint = loaded?.ok ? loaded.checkpoint : null
    const head = { id, session, at: 1_234.5, kind: 'manual', note: 'before lunch', stateHash, knownGood: true }
    expect(checkpoint).toEqual({
      ...head,
      bytes: expect.any(Number),
      topology: draft.topology,
      terminals: [entry(one, { ...seen, screen }), entry(two)],
    })
    expect(stateHash).toBe(checkpoint === null ? '' : stateHashOf(checkpoint, blake3))
    expect(await again.checkpointScreen(id, one.id)).toEqual({ run: runId(1), seq: 7, bytes: bytes('then') })
    expect(await again.checkpointScreen(id, two.id)).toBeNull()
    expect((await again.snapshot(runId(1)))?.bytes).toEqual(bytes('later'))
    expect(await again.checkpoints()).toEqual([{ ...head, bytes: checkpoint?.bytes, terminalCount: 2 }])
  })

  test('may bring its own screens, as an import does', async () => {
    const store = await openOrThrow(newFile())
    const session = await begin(store)
    const own = { ...withoutScreen(entry(one)), screen: { run: runId(1), seq: 3, bytes: bytes('imported') } }
    const { id } = await store.keepCheckpoint(draftOf(session, [one], { terminals: [own] }))
    expect(await store.checkpointScreen(id, one.id)).toEqual({ run: runId(1), seq: 3, bytes: bytes('imported') })
  })

  test('of an unchanged workspace is not written again, unless somebody asked for it', async () => {
    const store = await openOrThrow(newFile())
    const session = await begin(store)
    await store.keepTerminal(one)
    const first = await store.keepCheckpoint(draftOf(session, [one], { kind: 'periodic' }))
    const touched = draftOf(session, [{ ...one, touched: 99, title: 'spins', pid: 5 }], { kind: 'event', at: 2_000 })
    expect(await store.keepCheckpoint(touched)).toEqual({ ...first, isNew: false })
    expect((await store.keepCheckpoint({ ...touched, kind: 'manual' })).isNew).toBe(true)
    expect((await store.keepCheckpoint(draftOf(session, [{ ...one, name: 'web' }], { kind: 'periodic' }))).isNew).toBe(true)
    await store.keepSnapshot(one.id, { run: runId(1), seq: 1, bytes: bytes('news') })
    expect((await store.keepCheckpoint(draftOf(session, [{ ...one, name: 'web' }], { kind: 'periodic' }))).isNew).toBe(true)
    expect(await store.checkpoints()).toHaveLength(4)
  })

  test('sees what was asked for before it, even unawaited', async () => {
    const store = await openOrThrow(newFile())
    const session = await begin(store)
    const kept = [store.keepTerminal(one), store.keepSnapshot(one.id, { run: runId(1), seq: 7, bytes: bytes('now') })]
    const { id } = await store.keepCheckpoint(draftOf(session, [one]))
    expect((await store.checkpointScreen(id, one.id))?.bytes).toEqual(bytes('now'))
    await Promise.all(kept)
  })

  test('of an unknown session is rejected, and nothing of it stays', async () => {
    const store = await openOrThrow(newFile())
    await expect(store.keepCheckpoint(draftOf('s0000000009' as SessionId, [one]))).rejects.toMatchObject({ kind: 'broken' })
    expect(await store.checkpoints()).toEqual([])
  })

  test('that is deleted takes along the screens that nobody else shows', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    const session = await begin(store)
    await store.keepTerminal(one)
    await store.keepSnapshot(one.id, { run: runId(1), seq: 1, bytes: bytes('shared') })
    const first = await store.keepCheckpoint(draftOf(session, [one]))
    const second = await store.keepCheckpoint(draftOf(session, [one]))
    expect(await countOf(file, 'blobs')).toBe(1)
    await store.forgetTerminal(one.id)
    await store.deleteCheckpoint(first.id)
    expect((await store.checkpointScreen(second.id, one.id))?.bytes).toEqual(bytes('shared'))
    expect(await store.deleteCheckpoint(second.id)).toBe(true)
    expect(await store.deleteCheckpoint(second.id)).toBe(false)
    expect(await countOf(file, 'blobs')).toBe(0)
    expect(await countOf(file, 'checkpoint_terminals')).toBe(0)
  })
})

test('a snapshot that is replaced leaves no bytes behind; the same bytes are kept once', async () => {
  const file = newFile()
  const store = await openOrThrow(file)
  await Promise.all([store.keepTerminal(one), store.keepTerminal(two)])
  for (const [terminal, run] of [
    [one, 1],
    [two, 2],
  ] as const)
    await store.keepSnapshot(terminal.id, { run: runId(run), seq: 1, bytes: bytes('same') })
  expect(await countOf(file, 'blobs')).toBe(1)
  await store.keepSnapshot(one.id, { run: runId(1), seq: 2, bytes: bytes('other') })
  expect(await countOf(file, 'blobs')).toBe(2)
  await store.keepSnapshot(one.id, { run: runId(1), seq: 3, bytes: bytes('third') })
  expect(await countOf(file, 'blobs')).toBe(2)
  await store.forgetTerminal(one.id)
  await store.forgetTerminal(two.id)
  expect(await countOf(file, 'blobs')).toBe(0)
})

describe('a damaged checkpoint', () => {
  const damages = {
    record: `UPDATE checkpoint_terminals SET record = replace(record, 'api', 'apx')`,
    title: `UPDATE checkpoint_terminals SET record = replace(record, '"title":""', '"title":"x"')`,
    topology: `UPDATE checkpoints SET topology = replace(topology, 'main', 'maim')`,
    count: 'UPDATE checkpoints SET bytes = bytes + 1',
    entries: 'DELETE FROM checkpoint_terminals WHERE rowid = (SELECT max(rowid) FROM checkpoint_terminals)',
  }
  const only = (sql: string) =>
    `${sql}${sql.includes('WHERE') ? '' : ` WHERE ${sql.includes('checkpoint_terminals') ? 'checkpoint' : 'number'} = 2`}`

  test.each(Object.entries(damages))('(its %s) is reported, and the one before it is used', async (_, sql) => {
    const file = newFile()
    const store = await openOrThrow(file)
    const session = await begin(store)
    const good = await store.keepCheckpoint(draftOf(session, [one]))
    const bad = await store.keepCheckpoint(draftOf(session, [one, two]))
    await store.close()
    await meddle(file, only(sql))
    const again = await openOrThrow(file)
    expect(await again.checkpoint(bad.id)).toMatchObject({ ok: false, id: bad.id, why: expect.stringContaining('seal') })
    expect(await again.newestGoodCheckpoint()).toMatchObject({ checkpoint: { id: good.id }, damaged: [{ id: bad.id }], from: 'database' })
  })

  test('with no sound one before it is read from the copy beside the database', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    const { id } = await store.keepCheckpoint(draftOf(await begin(store), [one]))
    await store.close()
    await meddle(file, damages.count)
    const found = await (await openOrThrow(file)).newestGoodCheckpoint()
    expect(found).toMatchObject({ checkpoint: { id, terminals: [{ terminal: one }] }, damaged: [{ id }], from: 'mirror' })
  })

  test('or one that went with the newest writes is read from the copy; one that was deleted is not', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    const session = await begin(store)
    await store.keepTerminal(one)
    const before = await store.keepCheckpoint(draftOf(session, [one], { at: 1_000 }))
    await store.close()
    const older = readFileSync(file)
    const later = await openOrThrow(file)
    const newest = await later.keepCheckpoint(draftOf(await begin(later), [one, two], { at: 2_000 }))
    await later.close()
    const whole = readFileSync(file)
    writeFileSync(file, older)
    const behind = await openOrThrow(file)
    expect(await behind.newestGoodCheckpoint()).toMatchObject({ checkpoint: { id: newest.id }, from: 'mirror', isDatabaseBehind: true })
    await behind.close()
    writeFileSync(file, whole)
    const again = await openOrThrow(file)
    await again.deleteCheckpoint(newest.id)
    expect(await again.newestGoodCheckpoint()).toMatchObject({ checkpoint: { id: before.id }, from: 'database', isDatabaseBehind: false })
  })

  test('screen costs itself and says so', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    const own = { ...withoutScreen(entry(one)), screen: { run: runId(1), seq: 3, bytes: bytes('x') } }
    const { id } = await store.keepCheckpoint(draftOf(await begin(store), [one], { terminals: [own] }))
    await store.close()
    await meddle(file, `UPDATE blobs SET bytes = x'0b00807903'`)
    const again = await openOrThrow(file)
    expect(await again.checkpointScreen(id, one.id)).toBeNull()
    expect(again.troubles).toEqual([expect.stringContaining(one.id)])
  })
})

describe('an empty checkpoint', () => {
  test('is never a good one: neither it nor the copy of it takes the place of the last good one', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    const session = await begin(store)
    const { id } = await store.keepCheckpoint(draftOf(session, [one]))
    await store.keepCheckpoint(draftOf(session, [], { topology: empty }))
    await store.keepCheckpoint(draftOf(session, [two], { whole: false }))
    expect((await store.checkpoints()).map(({ knownGood }) => knownGood)).toEqual([false, false, true])
    expect((await store.newestGoodCheckpoint()).checkpoint?.id).toBe(id)
    expect(readMirror(join(file, '..', 'checkpoints')).checkpoint?.id).toBe(id)
  })

  test('does not push a good one out', async () => {
    const store = await openOrThrow(newFile(), () => 2_000)
    const session = await begin(store)
    const { id } = await store.keepCheckpoint(draftOf(session, [one], { kind: 'periodic' }))
    for (let times = 0; times < 8; times += 1) await store.keepCheckpoint(draftOf(session, [], { topology: empty, kind: 'startup' }))
    expect(await store.pruneCheckpoints({ count: 2, days: 14 })).toHaveLength(6)
    expect((await store.checkpoints()).at(-1)?.id).toBe(id)
  })
})

test('pruning drops the oldest beyond the count and keeps what was asked for', async () => {
  const store = await openOrThrow(newFile(), () => 2_000)
  const session = await begin(store)
  const kinds = ['manual', 'periodic', 'event', 'periodic', 'periodic', 'periodic'] as const
  const kept: CheckpointId[] = []
  for (const [index, kind] of kinds.entries())
    kept.push((await store.keepCheckpoint(draftOf(session, [{ ...one, name: `${index}` }], { kind }))).id)
  expect(await store.pruneCheckpoints({ count: 3, days: 14 })).toEqual([kept[2], kept[1]])
  expect((await store.checkpoints()).map(({ id }) => id)).toEqual([kept[5], kept[4], kept[3], kept[0]])
  expect(await store.pruneCheckpoints()).toEqual([])
})

describe('a session', () => {
  test('that nobody ended is found by the next one, until it is dealt with', async () => {
    const file = newFile()
    const store = await openOrThrow(file, () => 5)
    expect(await store.lastUncleanSession()).toBeNull()
    const crashed = await begin(store)
    expect(await store.lastUncleanSession()).toBeNull()
    await store.keepCheckpoint(draftOf(crashed, [one], { at: 77 }))
    await store.close()
    const next = await openOrThrow(file)
    await begin(next)
    const expected = { id: crashed, createdAt: 5, lastCheckpointAt: 77, endedAt: null, clean: false, recoveredAt: null, version: '1', host }
    expect(await next.lastUncleanSession()).toEqual({ ...expected, topology: placed(one) })
    expect((await next.newestGoodCheckpoint({ session: crashed })).checkpoint?.at).toBe(77)
    await next.markRecovered(crashed)
    expect(await next.lastUncleanSession()).toBeNull()
  })

  test('that ended cleanly leaves nothing to recover, however it is called afterwards', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    const id = await begin(store)
    await store.endSession(id, { clean: true })
    await store.endSession(id, { clean: false })
    await store.close()
    const next = await openOrThrow(file)
    expect(await next.lastUncleanSession()).toBeNull()
    expect(await next.sessions()).toMatchObject([{ id, clean: true }])
  })

  test('is forgotten in the end, but not while a checkpoint is of it', async () => {
    const store = await openOrThrow(newFile())
    const first = await begin(store)
    await store.keepCheckpoint(draftOf(first, [one]))
    for (let times = 0; times < 60; times += 1) await begin(store)
    const sessions = await store.sessions()
    expect(sessions).toHaveLength(51)
    expect(sessions.at(-1)?.id).toBe(first)
  })
})

describe('the audit', () => {
  test('tells what was decided and why, newest first, of all or of one terminal', async () => {
    const store = await openOrThrow(newFile(), () => 9)
    const session = await begin(store)
    await store.appendAudit({ session, terminal: one.id, what: 'wake', details: { why: 'asked', argv: ['claude', '--api-key', 'abc'] } })
    await Promise.all(['a', 'b'].map((what) => store.appendAudit({ session: null, terminal: null, what, details: null })))
    const all = await store.audit()
    expect(all.map(({ what }) => what)).toEqual(['b', 'a', 'wake'])
    expect(await store.audit({ terminal: one.id })).toEqual([
      { at: 9, session, terminal: one.id, what: 'wake', details: { why: 'asked', argv: ['claude', '--api-key', '[redacted]'] } },
    ])
    expect(await store.audit({ limit: 1 })).toHaveLength(1)
  })

  test('is bounded', async () => {
    const file = newFile()
    const store = await openOrThrow(file)
    await store.close()
    await meddle(
      file,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10999) INSERT INTO audit (at, what, details) SELECT 0, 'old', '1' FROM n`,
    )
    const again = await openOrThrow(file)
    await again.appendAudit({ session: null, terminal: null, what: 'new', details: 1 })
    expect(await again.audit({ limit: 20_000 })).toHaveLength(10_000)
  })
})

test('asking for what is not there is no error', async () => {
  const store = await openOrThrow(newFile())
  expect(await store.checkpoint(checkpointId(1))).toBeNull()
  expect(await store.checkpointScreen(checkpointId(1), one.id)).toBeNull()
  expect(await store.newestGoodCheckpoint()).toEqual({ checkpoint: null, damaged: [], from: null, isDatabaseBehind: false })
  expect(await store.audit()).toEqual([])
})
