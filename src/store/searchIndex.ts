/**
 * The index of all lines, in a database of its own: words in an FTS5 table that holds no text, the text beside it in
 * compressed blocks. Everything in it can be made again from the logs.
 *
 * A line's key is the number of its run and its own, so that no line can be there twice, a run is one range, and the lines
 * around a line are its neighbours.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { RunId, TerminalId } from '../base/ids.ts'
import { indexed } from '../workspace/searchWords.ts'
import type { Batch, Hit, IndexedRun, Lookup } from './searchMessages.ts'
import type { Database } from './sqlite.ts'
import { transact } from './transaction.ts'
import { noTrip, type Trip } from './trip.ts'

export const SEARCH_VERSION = 1

export const SEARCH_SCHEMA = `
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, terminal TEXT NOT NULL,
    first INTEGER NOT NULL, indexed INTEGER NOT NULL, whole INTEGER NOT NULL
  );
  CREATE TABLE blocks (id INTEGER PRIMARY KEY, lines INTEGER NOT NULL, at INTEGER NOT NULL, bytes INTEGER NOT NULL, body BLOB NOT NULL);
  CREATE INDEX blocks_at ON blocks (at, id);
  CREATE VIRTUAL TABLE words USING fts5(line, tokenize = 'ascii', content = '', contentless_delete = 1);
  PRAGMA user_version = ${SEARCH_VERSION};
`

const LINES_PER_RUN = 2 ** 32 // a run that prints a thousand lines a second needs fifty days for them
const BLOCK_LINES = 256 // some 5 KB compressed: unpacked in a tenth of a millisecond for each line that is found
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
/** The rest is room for what waits to be merged, and for merging, which may write most of it once more before it lets go. */
const FULL = 0.5
const SHED_BLOCKS = 64

type RunRow = { number: number; run: RunId; terminal: TerminalId; first: number; indexed: number; whole: number }
type BlockRow = { id: number; lines: number; at: number; body: Uint8Array }

const keyOf = (run: number, line: number): number => run * LINES_PER_RUN + line

export const indexedRuns = (database: Database): IndexedRun[] =>
  rows<RunRow>(database, 'SELECT * FROM runs').map(({ run, terminal, indexed: upTo, whole }) => ({
    run,
    terminal,
    indexed: upTo,
    isWhole: whole === 1,
  }))

const rows = <Shape>(database: Database, sql: string, ...values: (string | number)[]): readonly Shape[] =>
  database.all(sql, ...values) as readonly unknown[] as readonly Shape[]

/** One transaction: whoever is killed in it finds all of the batch or nothing. */
export function addBatch(database: Database, batch: Batch, { maxBytes, trip = noTrip }: { maxBytes: number; trip?: Trip }): void {
  transact(
    database,
    () => {
      const run = runRow(database, batch)
      if (batch.from < run.indexed) cutFrom(database, run.number, batch.from)
      if (batch.first > run.first) dropBefore(database, run.number, batch.first)
      const end = insertLines(database, run.number, batch)
      database.run(
        'UPDATE runs SET first = MAX(first, ?), indexed = ?, whole = ? WHERE number = ?',
        ...[batch.first, end, batch.isWhole ? 1 : 0, run.number],
      )
      shed(database, { came: batch.lines.reduce((sum, line) => sum + line.length, 0), maxBytes })
    },
    trip,
  )
}

function runRow(database: Database, { run, terminal }: Batch): RunRow {
  database.run('INSERT OR IGNORE INTO runs (run, terminal, first, indexed, whole) VALUES (?, ?, 0, 0, 0)', run, terminal)
  const [row] = rows<RunRow>(database, 'SELECT * FROM runs WHERE run = ?', run)
  if (row === undefined) throw new Error(`the run ${run} is missing`)
  return row
}

function insertLines(database: Database, run: number, { from, lines, at }: Batch): number {
  for (let begin = 0; begin < lines.length; begin += BLOCK_LINES)
    insertBlock(database, keyOf(run, from + begin), { at, lines: lines.slice(begin, begin + BLOCK_LINES) })
  for (const [offset, line] of lines.entries())
    if (line !== '') database.run('INSERT INTO words (rowid, line) VALUES (?, ?)', keyOf(run, from + offset), indexed(line))
  return from + lines.length
}

function insertBlock(database: Database, id: number, { at, lines }: { readonly at: number; readonly lines: readonly string[] }): void {
  const text = Buffer.from(lines.map((line) => line.replaceAll('\n', ' ')).join('\n'))
  const body = brotliCompressSync(text, QUICK)
  database.run('INSERT INTO blocks (id, lines, at, bytes, body) VALUES (?, ?, ?, ?, ?)', id, lines.length, at, text.length, body)
}

/** Lines that came back onto the screen may have changed since they were indexed. */
function cutFrom(database: Database, run: number, line: number): void {
  const [from, to] = [keyOf(run, line), keyOf(run + 1, 0) - 1]
  const straddling = blockOf(database, from)
  database.run('DELETE FROM words WHERE rowid BETWEEN ? AND ?', from, to)
  database.run('DELETE FROM blocks WHERE id BETWEEN ? AND ?', from, to)
  if (straddling === null || straddling.id === from) return
  database.run('DELETE FROM blocks WHERE id = ?', straddling.id)
  insertBlock(database, straddling.id, { at: straddling.at, lines: linesOf(straddling).slice(0, from - straddling.id) })
}

/** The log has let go of these. A block that reaches beyond stays for its other lines. */
function dropBefore(database: Database, run: number, line: number): void {
  const [from, to] = [keyOf(run, 0), keyOf(run, line)]
  database.run('DELETE FROM words WHERE rowid >= ? AND rowid < ?', from, to)
  database.run('DELETE FROM blocks WHERE id >= ? AND id < ? AND id + lines <= ?', from, to, to)
}

export function forgetRuns(database: Database, runs: readonly RunId[]): void {
  transact(database, () => {
    for (const run of runs) {
      const [row] = rows<RunRow>(database, 'SELECT * FROM runs WHERE run = ?', run)
      if (row === undefined) continue
      cutFrom(database, row.number, 0)
      database.run('DELETE FROM runs WHERE number = ?', row.number)
    }
  })
}

/**
 * The oldest text goes first. The pages of what was deleted come free only bit by bit, as words are merged; so twice as much
 * goes as came for as long as too little is free, and no more than that.
 */
function shed(database: Database, { came, maxBytes }: { readonly came: number; readonly maxBytes: number }): void {
  if (usedBytes(database) < maxBytes * FULL) return
  let left = 2 * came
  while (left > 0) {
    const oldest = rows<BlockRow & { bytes: number }>(database, 'SELECT id, lines, bytes FROM blocks ORDER BY at, id LIMIT ?', SHED_BLOCKS)
    if (oldest.length === 0) return
    for (const { id, lines, bytes } of oldest) {
      if (left <= 0) return
      database.run('DELETE FROM words WHERE rowid >= ? AND rowid < ?', id, id + lines)
      database.run('DELETE FROM blocks WHERE id = ?', id)
      left -= bytes
    }
  }
}

function usedBytes(database: Database): number {
  const pragma = (name: string): number => Number(database.get(`PRAGMA ${name}`)?.[name])
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
}

/** Newest first, across runs. */
export function findLines(database: Database, lookup: Lookup): Hit[] {
  const wanted = new Set(lookup.runs)
  const found = rows<RunRow>(database, 'SELECT * FROM runs')
    .filter(({ run }) => wanted.has(run))
    .flatMap((row) => keysIn(database, row, lookup).map((key) => ({ row, key, at: blockOf(database, key)?.at ?? 0 })))
  const newest = found.sort((a, b) => b.at - a.at || b.key - a.key).slice(0, lookup.limit)
  const text = makeReader(database)
  return newest.map(({ row, key, at }) => {
    const number = key - keyOf(row.number, 0)
    const first = Math.max(row.first, number - lookup.context)
    const before = text(keyOf(row.number, first), key)
    const after = text(key + 1, Math.min(keyOf(row.number, row.indexed), key + 1 + lookup.context))
    return { run: row.run, number, at, line: text(key, key + 1)[0] ?? '', before, after }
  })
}

function keysIn(database: Database, { number, first }: RunRow, { match, since, until, limit }: Lookup): number[] {
  const all = { from: keyOf(number, first), to: keyOf(number + 1, 0) - 1 }
  const bound = (condition: string, at: number): number | null =>
    database.get(`SELECT MIN(id) AS id FROM blocks WHERE id BETWEEN ? AND ? AND at ${condition} ?`, ...[keyOf(number, 0), all.to, at])?.[
      'id'
    ] as number | null
  const from = since === null ? all.from : bound('>=', since)
  const beyond = until === null ? null : bound('>', until)
  if (from === null) return []
  return rows<{ rowid: number }>(
    database,
    'SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?',
    ...[match, Math.max(all.from, from), beyond === null ? all.to : beyond - 1, limit],
  ).map(({ rowid }) => rowid)
}

function blockOf(database: Database, key: number): BlockRow | null {
  const [block] = rows<BlockRow>(database, 'SELECT * FROM blocks WHERE id <= ? ORDER BY id DESC LIMIT 1', key)
  return block !== undefined && key < block.id + block.lines ? block : null
}

const linesOf = ({ body }: BlockRow): string[] => Buffer.from(brotliDecompressSync(body)).toString().split('\n')

/** Lines by key, from `from` up to `to`; empty ones stand for those that are not there. */
function makeReader(database: Database): (from: number, to: number) => string[] {
  const unpacked = new Map<number, readonly string[]>()
  const unpack = (block: BlockRow): readonly string[] => {
    const known = unpacked.get(block.id)
    if (known !== undefined) return known
    const lines = linesOf(block)
    unpacked.set(block.id, lines)
    return lines
  }
  return (from, to) => {
    const lines: string[] = []
    for (let key = from; key < to; key += 1) {
      const block = blockOf(database, key)
      lines.push(block === null ? '' : (unpack(block)[key - block.id] ?? ''))
    }
    return lines
  }
}
