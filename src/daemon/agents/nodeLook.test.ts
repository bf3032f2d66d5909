import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hugeFile, ODD_FILES, putOdd } from '../../../test/support/oddFiles.ts'
import { loadSqlite } from '../../store/sqlite.ts'
import { placeLook } from './nodeLook.ts'

let folder: string
const at = (name: string): string => join(folder, name)
const look = () => placeLook({ cwd: folder, env: {}, argv: [] })

beforeEach(() => {
  folder = mkdtempSync(join(process.env['HOLDFAST_TEST_ROOT'] ?? '', 'look-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the home is that of the agent, where it has another one than we have', () => {
  expect(look().home).toBe(homedir())
  expect(placeLook({ cwd: folder, env: { HOME: '/elsewhere' }, argv: [] }).home).toBe('/elsewhere')
})

test('a file is read as a whole, or from its beginning, or from its end in whole lines', async () => {
  writeFileSync(at('rows'), 'first row\nsecond row\nthird row\n')
  expect(await look().readText(at('rows'))).toBe('first row\nsecond row\nthird row\n')
  expect(await look().readText(at('rows'), { head: 5 })).toBe('first')
  expect(await look().readText(at('rows'), { tail: 15 })).toBe('third row\n')
  expect(await look().readText(at('rows'), { tail: 1_000 })).toBe('first row\nsecond row\nthird row\n')
})

test('the end of a file that is one long line has no whole line in it', async () => {
  writeFileSync(at('rows'), 'x'.repeat(1_000))
  expect(await look().readText(at('rows'), { tail: 100 })).toBe('')
})

test('what is not there, is a directory, or is a pipe that nobody writes reads as nothing, at once', async () => {
  mkdirSync(at('directory'))
  execFileSync('mkfifo', [at('pipe')])
  expect(await Promise.all(['nothing', 'directory', 'pipe'].map((name) => look().readText(at(name))))).toEqual([null, null, null])
})

test('a directory is listed with what its files are', async () => {
  mkdirSync(at('below'))
  writeFileSync(at('file'), '12345')
  const found = (await look().list(folder)).toSorted((a, b) => a.name.localeCompare(b.name))
  expect(found).toMatchObject([
    { name: 'below', isDirectory: true },
    { name: 'file', path: at('file'), isDirectory: false, size: 5 },
  ])
  expect(Date.now() - found[1]!.modified).toBeLessThan(10_000)
  expect(await look().list(at('nowhere'))).toEqual([])
})

test('a path is told without links, and as it is where there is nothing', async () => {
  symlinkSync(folder, at('link'))
  expect(await look().real(at('link'))).toBe(await look().real(folder))
  expect(await look().real('/no/such/place')).toBe('/no/such/place')
})

test('a database is asked while its owner writes it, and after it was made anew', async () => {
  const sqlite = await loadSqlite()
  const make = (title: string) => {
    const database = sqlite.open(at('agent.db'))
    database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE session (id TEXT, title TEXT)`)
    database.exec(`INSERT INTO session VALUES ('one', '${title}')`)
    return database
  }
  const titles = () => look().query(at('agent.db'), 'SELECT title FROM session WHERE id = ?', ['one'])
  const owner = make('before')
  expect(await titles()).toMatchObject([{ title: 'before' }])
  owner.exec(`UPDATE session SET title = 'after'`)
  expect(await titles()).toMatchObject([{ title: 'after' }])
  owner.close()
  for (const name of ['agent.db', 'agent.db-wal', 'agent.db-shm']) rmSync(at(name), { force: true })
  make('another').close()
  expect(await titles()).toMatchObject([{ title: 'another' }])
})

test('a database that is none, is not there, or has another shape answers nothing', async () => {
  writeFileSync(at('text.db'), 'not a database')
  const ask = (name: string) => look().query(at(name), 'SELECT id FROM session', [])
  expect(await Promise.all([ask('text.db'), ask('nothing.db')])).toEqual([[], []])
})

test('a database beside which something lies that SQLite would wait for is not opened', async () => {
  const database = (await loadSqlite()).open(at('some.db'))
  database.run('create table t (a)')
  database.close()
  for (const suffix of ['-journal', '-wal', '-shm']) {
    await putOdd('a pipe', at(`some.db${suffix}`))
    expect(await look().query(at('some.db'), 'select count(*) as n from t', [])).toEqual([])
    rmSync(at(`some.db${suffix}`))
    expect(await look().query(at('some.db'), 'select count(*) as n from t', [])).toEqual([{ n: 0 }])
  }
})

test('of all that can lie among transcripts only files are read, and a long one by its end', async () => {
  for (const kind of Object.keys(ODD_FILES)) await putOdd(kind, at(`${kind}.jsonl`))
  hugeFile(at('huge.jsonl'))
  const texts = await Promise.all((await look().list(folder)).map(({ path }) => look().readText(path)))
  expect(new Set(texts)).toEqual(new Set([null]))
  expect(await look().readText(at('huge.jsonl'), { tail: 100 })).toBe('')
})
