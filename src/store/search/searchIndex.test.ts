import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildStore, makeFolder } from '../../../test/support/store.ts'
import { runId, terminalId } from '../../../test/support/terminals.ts'
import { matchOf, parseSearch, spansIn } from '../../workspace/searchQuery.ts'
import { type Database, loadSqlite } from '../sqlite.ts'
import { openSearch } from './openSearch.ts'
import { findLines } from './searchFind.ts'
import { addBatch, forgetRuns, indexedRuns } from './searchIndex.ts'
import type { Batch, Lookup } from './searchMessages.ts'

const INDEXES = fileURLToPath(new URL('../../../test/fixtures/store/indexes-lines.mjs', import.meta.url))
const ROOMY = { maxBytes: 1 << 30 }
const sqlite = await loadSqlite()

beforeAll(buildStore, 60_000)

function open(file = join(makeFolder(), 'search.db')): Database {
  const { database } = openSearch(sqlite, file)
  onTestFinished(() => database.close())
  return database
}

const batch = (lines: readonly string[], changes: Partial<Batch> = {}): Batch => ({
  ...{ run: runId(1), terminal: terminalId(1), first: 0, from: 0, at: 1_000, isWhole: false },
  lines,
  ...changes,
})

function find(database: Database, query: string, changes: Partial<Lookup> = {}) {
  const runs = indexedRuns(database).map(({ run }) => run)
  const lookup = { match: matchOf(parseSearch(query)), runs, since: null, until: null, limit: 100, context: 0, ...changes }
  return findLines(database, lookup)
}
const numbers = (database: Database, query: string, changes: Partial<Lookup> = {}): number[] =>
  find(database, query, changes).map(({ number }) => number)

const numbered = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, row) => `line n${from + row}`)

describe('the index', () => {
  test('gives the newest line first, with its neighbours across blocks and batches', () => {
    const database = open()
    addBatch(database, batch(numbered(0, 600)), ROOMY)
    addBatch(database, batch(numbered(600, 700), { from: 600, at: 2_000 }), ROOMY)
    expect(numbers(database, 'line', { limit: 3 })).toEqual([699, 698, 697])
    const [hit] = find(database, 'n599', { context: 2 })
    expect(hit).toEqual({
      ...{ run: runId(1), number: 599, at: 1_000, line: 'line n599' },
      ...{ before: ['line n597', 'line n598'], after: ['line n600', 'line n601'] },
    })
    expect(find(database, 'n0', { context: 2 })[0]?.before).toEqual([])
  })

  test('finds within times', () => {
    const database = open()
    for (const at of [1_000, 2_000, 3_000]) addBatch(database, batch([`word ${at}`], { from: at, at }), ROOMY)
    expect(numbers(database, 'word', { since: 2_000 })).toEqual([3_000, 2_000])
    expect(numbers(database, 'word', { until: 2_000 })).toEqual([2_000, 1_000])
    expect(numbers(database, 'word', { since: 1_500, until: 2_500 })).toEqual([2_000])
    expect(numbers(database, 'word', { since: 3_001 })).toEqual([])
  })

  test('of several runs orders by time, and looks only into those that are asked for', () => {
    const database = open()
    addBatch(database, batch(['same', 'same'], { at: 5_000 }), ROOMY)
    addBatch(database, batch(['same'], { run: runId(2), terminal: terminalId(2), at: 1_000 }), ROOMY)
    expect(find(database, 'same').map(({ run }) => run)).toEqual([runId(1), runId(1), runId(2)])
    expect(find(database, 'same', { runs: [runId(2)] }).map(({ run }) => run)).toEqual([runId(2)])
  })

  test('replaces lines that have changed after they came back onto the screen', () => {
    const database = open()
    addBatch(database, batch(numbered(0, 300)), ROOMY)
    addBatch(database, batch(['drawn anew', 'twice'], { from: 270 }), ROOMY)
    expect(numbers(database, 'n269')).toEqual([269])
    expect(numbers(database, 'n270')).toEqual([])
    expect(numbers(database, 'n299')).toEqual([])
    expect(find(database, 'drawn', { context: 1 })[0]).toMatchObject({ number: 270, before: ['line n269'], after: ['twice'] })
    expect(indexedRuns(database)).toMatchObject([{ indexed: 272 }])
  })

  test('forgets what the log has let go of, and runs that are gone', () => {
    const database = open()
    addBatch(database, batch(numbered(0, 600)), ROOMY)
    addBatch(database, batch(numbered(600, 610), { from: 600, first: 400 }), ROOMY)
    expect(numbers(database, 'line', { limit: 1_000 }).at(-1)).toBe(400)
    expect(find(database, 'n400', { context: 3 })[0]?.before).toEqual([])
    forgetRuns(database, [runId(1)])
    expect(indexedRuns(database)).toEqual([])
    expect(database.get('SELECT COUNT(*) AS count FROM blocks')).toEqual({ count: 0 })
    addBatch(database, batch(['line anew']), ROOMY)
    expect(numbers(database, 'line')).toEqual([0])
  })

  test('stays within its bytes: the oldest lines go, the newest stay', () => {
    const file = join(makeFolder(), 'search.db')
    const database = open(file)
    const maxBytes = 4 << 20
    const text = (number: number): string =>
      `line n${number} ${(number * 2_654_435_761).toString(36)} ${(number * 40_503).toString(16)}`.repeat(2)
    for (let from = 0; from < 80_000; from += 2_000)
      addBatch(
        database,
        batch(
          Array.from({ length: 2_000 }, (_, row) => text(from + row)),
          { from, at: from },
        ),
        { maxBytes },
      )
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(statSync(file).size).toBeLessThan(maxBytes)
    expect(numbers(database, 'n79999')).toEqual([79_999])
    expect(numbers(database, 'n5')).toEqual([])
  })

  test('finds exactly the lines in which the words stand, whatever is printed and whatever is typed', () => {
    const database = open()
    const words = fc.constantFrom(
      'error',
      'Größe',
      'große',
      '日本',
      '本',
      'foo_bar',
      'foo-bar',
      'x.y/z',
      'ＡＢ',
      'ab',
      '"',
      '*',
      'AND',
      'NEAR(',
      '-',
      ':',
      'e',
      'İ',
      'ﬁn',
      '\u0301',
    )
    const text = fc.oneof(
      fc.array(words, { maxLength: 6 }).map((all) => all.join(' ')),
      fc.string({ unit: 'binary', maxLength: 30 }),
    )
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), text, (lines, query) => {
        forgetRuns(database, [runId(1)])
        addBatch(database, batch(lines), ROOMY)
        const terms = parseSearch(query)
        if (terms.length === 0) return
        const expected = lines.flatMap((line, row) => (spansIn(line, terms) === null ? [] : [row]))
        expect(numbers(database, query)).toEqual(expected.reverse())
      }),
      { numRuns: 400 },
    )
  })
})

describe('the file', () => {
  const filled = (): string => {
    const file = join(makeFolder(), 'search.db')
    const { database } = openSearch(sqlite, file)
    addBatch(database, batch(numbered(0, 5_000)), ROOMY)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
    return file
  }

  test('goes on where it was, and is the owner’s alone', () => {
    const file = filled()
    expect(openSearch(sqlite, file).why).toBeUndefined()
    expect(numbers(open(file), 'n4999')).toEqual([4_999])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test.each([
    ['is no database', (bytes: Buffer) => bytes.fill('x', 0, 4_096)],
    ['is damaged inside', (bytes: Buffer) => bytes.fill(0xff, 4_096 * 3, 4_096 * 40)],
    ['is of another version', (bytes: Buffer) => bytes.writeUInt32BE(99, 60)],
    ['is cut off', (bytes: Buffer) => bytes.subarray(0, 10_000)],
  ])('that %s is begun anew, and it is said', (_, damage) => {
    const file = filled()
    const bytes = readFileSync(file)
    writeFileSync(file, damage(bytes) instanceof Buffer && bytes.length > 10_000 ? (damage(bytes) as Buffer) : bytes)
    const { database, why } = openSearch(sqlite, file)
    expect(why).toMatch(/^search\.db could not be used: .*It is made anew from the logs\.$/)
    expect(indexedRuns(database)).toEqual([])
    addBatch(database, batch(['line again']), ROOMY)
    expect(numbers(database, 'line')).toEqual([0])
    database.close()
  })

  test.each(['begun', 'applied', 'committed'])(
    'of whoever is killed when a batch has %s holds every line once after the next go',
    (point) => {
      const file = join(makeFolder(), 'search.db')
      const index = (...args: string[]) => spawnSync(process.execPath, [INDEXES, file, ...args], { stdio: 'inherit' })
      expect(index(point).signal).toBe('SIGKILL')
      const between = open(file)
      expect(indexedRuns(between)).toMatchObject([{ indexed: point === 'committed' ? 900 : 600 }])
      expect(index().status).toBe(0)
      expect(numbers(between, 'number', { limit: 5_000 })).toEqual(Array.from({ length: 1_800 }, (_, row) => 1_799 - row))
      expect(find(between, 'n900', { context: 1 })).toMatchObject([{ before: ['number n899 of many'], after: ['number n901 of many'] }])
    },
  )
})
