/**
 * The index of all lines, in a database of its own: words in an FTS5 table that holds no text, the text beside it in
 * compressed blocks. Everything in it can be made again from the logs.
 *
 * Lines get their keys in the order in which they are indexed, whatever their run: the newest of all are found first, without
 * looking into every run. A block knows which lines of which run its keys stand for, and no line is in two of them.
 */
import type { RunId, TerminalId } from '../../base/ids.ts'
import { indexed } from '../../workspace/searchQuery.ts'
import { compact, transact } from '../rows/transaction.ts'
import type { Database } from '../sqlite.ts'
import { noTrip, type Trip } from '../trip.ts'
import { type BlockPlace, blocksFrom, cutBlock, insertBlocks, removeBlock, removeWords, rows } from './searchBlocks.ts'
import type { Batch, IndexedRun, Purged } from './searchMessages.ts'

export const SEARCH_VERSION = 1

export const SEARCH_SCHEMA = `
  CREATE TABLE runs (
    number INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, terminal TEXT NOT NULL,
    first INTEGER NOT NULL, indexed INTEGER NOT NULL, whole INTEGER NOT NULL
  );
  CREATE TABLE blocks (
    id INTEGER PRIMARY KEY, run INTEGER NOT NULL, line INTEGER NOT NULL, lines INTEGER NOT NULL,
    at INTEGER NOT NULL, bytes INTEGER NOT NULL, body BLOB NOT NULL
  );
  CREATE UNIQUE INDEX blocks_line ON blocks (run, line);
  CREATE INDEX blocks_at ON blocks (at, id);
  CREATE VIRTUAL TABLE words USING fts5(line, tokenize = 'ascii', content = '', contentless_delete = 1);
  PRAGMA user_version = ${SEARCH_VERSION};
`

/** The rest is room for what waits to be merged, and for merging, which may write most of it once more before it lets go. */
const FULL = 0.5
const SHED_BLOCKS = 64

export type RunRow = { number: number; run: RunId; terminal: TerminalId; first: number; indexed: number; whole: number }

export const runRows = (database: Database): readonly RunRow[] => rows<RunRow>(database, 'SELECT * FROM runs')

export const indexedRuns = (database: Database): IndexedRun[] =>
  runRows(database).map(({ run, terminal, indexed: upTo, whole }) => ({ run, terminal, indexed: upTo, isWhole: whole === 1 }))

/** One transaction: after a kill, all of the batch is there or none of it. */
export function addBatch(database: Database, batch: Batch, { maxBytes, trip = noTrip }: { maxBytes: number; trip?: Trip }): void {
  transact(
    database,
    () => {
      const run = runRow(database, batch)
      if (batch.from < run.indexed) cutFrom(database, run.number, batch.from)
      if (batch.first > run.first) dropBefore(database, run.number, batch.first)
      insertLines(database, run.number, batch)
      database.run(
        'UPDATE runs SET first = MAX(first, ?), indexed = ?, whole = ? WHERE number = ?',
        ...[batch.first, batch.from + batch.lines.length, batch.isWhole ? 1 : 0, run.number],
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

function insertLines(database: Database, run: number, { from, lines, at }: Batch): void {
  const next = insertBlocks(database, { run, line: from, at, lines })
  for (const [offset, line] of lines.entries())
    if (line !== '') database.run('INSERT INTO words (rowid, line) VALUES (?, ?)', next + offset, indexed(line))
}

/** Lines that came back onto the screen may have changed since they were indexed. */
function cutFrom(database: Database, run: number, line: number): void {
  for (const block of blocksFrom(database, run, line)) {
    if (block.line >= line) removeBlock(database, block)
    else cutBlock(database, block, line - block.line)
  }
}

/** The log has let go of these. A block that reaches beyond stays for its other lines. */
function dropBefore(database: Database, run: number, line: number): void {
  const before = rows<BlockPlace>(database, 'SELECT id, run, line, lines, at FROM blocks WHERE run = ? AND line < ?', run, line)
  for (const block of before) {
    if (block.line + block.lines <= line) removeBlock(database, block)
    else removeWords(database, block.id, block.id + line - block.line)
  }
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

/** As `forgetRuns`, also for runs that only the index knows; and nothing of their words is left in the file. */
export function purge(database: Database, { runs, terminals }: Purged): void {
  const gone = new Set<string>([...runs, ...terminals])
  forgetRuns(
    database,
    runRows(database).flatMap(({ run, terminal }) => (gone.has(run) || gone.has(terminal) ? [run] : [])),
  )
  // A deleted line is only marked: its words stay in the index until everything is merged.
  database.exec("INSERT INTO words (words) VALUES ('optimize')")
  compact(database)
}

/**
 * The oldest text goes first. The pages of what was deleted come free only bit by bit, as words are merged; so twice as much
 * goes as came for as long as too little is free, and no more than that.
 */
function shed(database: Database, { came, maxBytes }: { readonly came: number; readonly maxBytes: number }): void {
  if (usedBytes(database) < maxBytes * FULL) return
  let left = 2 * came
  while (left > 0) {
    const oldest = rows<BlockPlace & { bytes: number }>(
      database,
      'SELECT id, run, line, lines, at, bytes FROM blocks ORDER BY at, id LIMIT ?',
      SHED_BLOCKS,
    )
    if (oldest.length === 0) return
    for (const block of oldest) {
      if (left <= 0) return
      removeBlock(database, block)
      left -= block.bytes
    }
  }
}

function usedBytes(database: Database): number {
  const pragma = (name: string): number => Number(database.get(`PRAGMA ${name}`)?.[name])
  return (pragma('page_count') - pragma('freelist_count')) * pragma('page_size')
}
