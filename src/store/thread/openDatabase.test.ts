import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildStore, makeFolder } from '../../../test/support/store.ts'
import { LADDER, migrate, versionOf } from '../rows/migrations.ts'
import { type Database, loadSqlite } from '../sqlite.ts'
import { type Opened, openDatabase } from './openDatabase.ts'
import { READS } from './reads.ts'
import { commit } from './writes.ts'

const sqlite = await loadSqlite()
const NOON = Date.UTC(2026, 0, 2, 12)
const DIES = fileURLToPath(new URL('../../../test/fixtures/store/dies-at-trip-point.mjs', import.meta.url))
const permissions = (path: string): string => (statSync(path).mode & 0o777).toString(8)

function open(file: string): Opened {
  const opened = openDatabase(sqlite, { file, now: NOON })
  if (!opened.ok) throw new Error(opened.refusal.message)
  onTestFinished(() => opened.value.database.close())
  return opened.value
}

/** A filled database at `file`. A copy, because connections of this process linger on the file they were made for. */
function fill(file: string): void {
  const template = join(makeFolder(), 'template.db')
  const { database } = open(template)
  commit(
    database,
    Array.from({ length: 200 }, (_, n) => ({ kind: 'setting', key: `key ${n}`, value: 'v'.repeat(100) })),
  )
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  copyFileSync(template, file)
}

/** The same, changed by statements. */
function fillAnd(file: string, sql: string): void {
  const template = join(makeFolder(), 'template.db')
  fill(template)
  const database = sqlite.open(template)
  database.exec(sql)
  database.close()
  copyFileSync(template, file)
}

const setting = (database: Database, key: string) => READS.setting(database, key)

beforeAll(buildStore)

describe('a new database', () => {
  test('is private to its owner, with all its companions', () => {
    const file = join(makeFolder(), 'home', 'holdfast.db')
    open(file)
    expect(permissions(join(file, '..'))).toBe('700')
    for (const name of readdirSync(join(file, '..'))) expect(permissions(join(file, '..', name)), name).toBe('600')
    expect(existsSync(`${file}-wal`)).toBe(true)
  })

  test('syncs at every commit, keeps references and uses a WAL', () => {
    const { database } = open(join(makeFolder(), 'holdfast.db'))
    const pragma = (name: string) => Object.values(database.get(`PRAGMA ${name}`) ?? {})[0]
    expect(pragma('synchronous')).toBe(2) // FULL
    expect(pragma('foreign_keys')).toBe(1)
    expect(pragma('journal_mode')).toBe('wal')
    expect(Number(pragma('busy_timeout'))).toBeGreaterThan(0)
    expect(versionOf(database)).toBe(LADDER.length)
  })

  test('that others could read is made private again', () => {
    const file = join(makeFolder(), 'holdfast.db')
    fill(file)
    chmodSync(file, 0o644)
    open(file)
    expect(permissions(file)).toBe('600')
  })
})

describe('a newer database', () => {
  const NEWER = `PRAGMA user_version = ${LADDER.length + 1}`

  test('is refused and left untouched, byte for byte', () => {
    const folder = makeFolder()
    const file = join(folder, 'holdfast.db')
    fillAnd(file, NEWER)
    const before = readFileSync(file)
    expect(openDatabase(sqlite, { file, now: NOON })).toMatchObject({ ok: false, refusal: { code: 'store-newer' } })
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readdirSync(folder)).toEqual(['holdfast.db'])
  })

  test('is recognised even when its version is still in the WAL', () => {
    const folder = makeFolder()
    const file = join(folder, 'holdfast.db')
    const source = join(makeFolder(), 'source.db')
    fill(source)
    const database = sqlite.open(source)
    database.exec(NEWER)
    for (const companion of ['', '-wal']) copyFileSync(source + companion, file + companion)
    database.close()
    const before = ['', '-wal'].map((companion) => readFileSync(file + companion))
    expect(openDatabase(sqlite, { file, now: NOON })).toMatchObject({ ok: false, refusal: { code: 'store-newer' } })
    expect(['', '-wal'].map((companion) => readFileSync(file + companion))).toEqual(before)
    expect(readdirSync(folder)).toEqual(['holdfast.db', 'holdfast.db-wal'])
  })
})

/** Each leaves a file that must not be used. */
const damages: Record<string, (file: string) => void> = {
  'is not a database': (file) => writeFileSync(file, 'dear diary\n'.repeat(1_000)),
  'is a few bytes': (file) => writeFileSync(file, 'SQLite'),
  'has lost its end': (file) => writeFileSync(file, readFileSync(file).subarray(0, 8_192)),
  'has foreign pages': (file) => {
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0xa5, 4_096, bytes.length - 4_096))
  },
  'lacks a table': (file) => fillAnd(file, 'DROP TABLE settings'),
  'belongs to another program': (file) => fillAnd(file, 'PRAGMA application_id = 1'),
}

describe('a damaged database', () => {
  test.each(Object.entries(damages))('that %s is set aside with a sentence, and a new one is begun', (_, damage) => {
    const folder = makeFolder()
    const file = join(folder, 'holdfast.db')
    fill(file)
    damage(file)
    const broken = readFileSync(file)
    const { database, troubles } = open(file)
    expect(commit(database, [{ kind: 'setting', key: 'a', value: '1' }])).toEqual([null])
    const aside = 'holdfast.db.corrupt-2026-01-02T12-00-00.000Z'
    expect(readFileSync(join(folder, aside)).equals(broken)).toBe(true)
    expect(troubles).toEqual([expect.stringContaining(aside)])
  })

  test('takes its WAL along, and a second one of the same moment gets a name of its own', () => {
    const folder = makeFolder()
    const file = join(folder, 'holdfast.db')
    for (const text of ['one', 'two']) {
      writeFileSync(file, text)
      writeFileSync(`${file}-wal`, `wal of ${text}`)
      openDatabase(sqlite, { file, now: NOON })
      rmSync(`${file}-shm`, { force: true })
    }
    const names = readdirSync(folder).filter((name) => name.includes('corrupt'))
    const contents = names.filter((name) => !name.endsWith('-shm')).map((name) => readFileSync(join(folder, name), 'latin1'))
    expect(contents.sort()).toEqual(['one', 'two', 'wal of one', 'wal of two'])
  })
})

test('a path that is a directory is refused and not set aside', () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'holdfast.db'))
  expect(openDatabase(sqlite, { file: join(folder, 'holdfast.db'), now: NOON })).toMatchObject({
    ok: false,
    refusal: { code: 'home-unusable' },
  })
  expect(readdirSync(folder)).toEqual(['holdfast.db'])
})

test('a database that another program writes to is refused and not set aside', () => {
  const folder = makeFolder()
  const file = join(folder, 'holdfast.db')
  fill(file)
  const other = sqlite.open(file)
  other.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  onTestFinished(() => other.close())
  const opened = openDatabase(sqlite, { file, now: NOON })
  expect(opened).toMatchObject({ ok: false, refusal: { code: 'home-unusable', message: expect.stringContaining('another program') } })
  expect(readdirSync(folder).filter((name) => name.includes('corrupt'))).toEqual([])
})

describe('the ladder', () => {
  test('climbs only what is missing', () => {
    const { database } = open(join(makeFolder(), 'holdfast.db'))
    const climbed: number[] = []
    const ladder = [...LADDER, () => climbed.push(1), () => climbed.push(2)]
    migrate(database, ladder)
    migrate(database, ladder)
    expect(climbed).toEqual([1, 2])
    expect(versionOf(database)).toBe(LADDER.length + 2)
  })

  test('leaves everything as it was when a rung fails', () => {
    const { database } = open(join(makeFolder(), 'holdfast.db'))
    const ladder = [
      ...LADDER,
      (on: Database) => on.exec('CREATE TABLE extra (a TEXT)'),
      () => {
        throw new Error('no')
      },
    ]
    expect(() => migrate(database, ladder)).toThrow('no')
    expect(versionOf(database)).toBe(LADDER.length)
    expect(() => database.get('SELECT * FROM extra')).toThrow('no such table')
  })
})

describe('kill -9', () => {
  const dieAt = (file: string, point: string): void => {
    expect(spawnSync(process.execPath, [DIES, file, point], { stdio: 'inherit' }).signal, point).toBe('SIGKILL')
  }

  test.each(['begun', 'applied', 'committed'])('of a commit that has %s leaves all of it or nothing', (point) => {
    const file = join(makeFolder(), 'holdfast.db')
    dieAt(file, point)
    const { database, troubles } = open(file)
    expect(troubles).toEqual([])
    expect([setting(database, 'a'), setting(database, 'b')]).toEqual(point === 'committed' ? ['2', '2'] : ['1', null])
  })

  test.each(['rung 1', 'rung 2', 'rung 3', 'filled', 'migrated'])('of a migration at "%s" costs nothing', (point) => {
    const file = join(makeFolder(), 'holdfast.db')
    dieAt(file, point)
    expect(open(file).troubles).toEqual([])
  })

  test.each(['rung 2', 'rung 3', 'filled', 'migrated'])('of the climb from version 1 at "%s" costs nothing', (point) => {
    const file = join(makeFolder(), 'holdfast.db')
    copyFileSync(fileURLToPath(new URL('../../../test/fixtures/databases/v1.db', import.meta.url)), file)
    dieAt(file, point)
    const { database, troubles } = open(file)
    expect([troubles, versionOf(database)]).toEqual([[], LADDER.length])
    expect(READS.records(database)).toHaveLength(4)
    expect(READS.snapshot(database, 'r0000000001')).toMatchObject({ seq: expect.any(Number) })
  })

  test.each(['moved -wal', 'moved -shm', 'moved database', 'rung 1'])(
    'of setting a damaged one aside at "%s" loses none of its parts',
    (point) => {
      const folder = makeFolder()
      const file = join(folder, 'holdfast.db')
      for (const companion of ['', '-wal', '-shm']) writeFileSync(file + companion, `part ${companion}`)
      dieAt(file, point)
      const { database } = open(file)
      expect(commit(database, [{ kind: 'setting', key: 'a', value: '1' }])).toEqual([null])
      const aside = readdirSync(folder).filter((name) => name.includes('corrupt'))
      expect(aside.map((name) => readFileSync(join(folder, name), 'latin1')).sort()).toEqual(['part ', 'part -shm', 'part -wal'])
    },
  )
})
