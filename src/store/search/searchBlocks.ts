/** The text of the index: lines that follow each other in a run, compressed together, under the key of the first one. */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { Database, SqlValue } from '../sqlite.ts'

/** Some 5 KB compressed: unpacked in a tenth of a millisecond for each line that is found. */
const BLOCK_LINES = 256
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** The keys from `id` on stand for as many lines of the run, from `line` on. `at` is when they were seen. */
export type BlockPlace = {
  readonly id: number
  readonly run: number
  readonly line: number
  readonly lines: number
  readonly at: number
}
type Block = BlockPlace & { readonly body: Uint8Array }

export const rows = <Shape>(database: Database, sql: string, ...values: SqlValue[]): readonly Shape[] =>
  database.all(sql, ...values) as readonly unknown[] as readonly Shape[]

const PLACE = 'id, run, line, lines, at'

type Added = { readonly run: number; readonly line: number; readonly at: number; readonly lines: readonly string[] }

/** Gives the key of the first line; those of the others follow. */
export function insertBlocks(database: Database, { run, line, at, lines }: Added): number {
  const next = Number(database.get('SELECT id + lines AS next FROM blocks ORDER BY id DESC LIMIT 1')?.['next'] ?? 1)
  for (let begin = 0; begin < lines.length; begin += BLOCK_LINES) {
    const part = lines.slice(begin, begin + BLOCK_LINES)
    const { bytes, body } = packed(part)
    database.run(
      'INSERT INTO blocks (id, run, line, lines, at, bytes, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[next + begin, run, line + begin, part.length, at, bytes, body],
    )
  }
  return next
}

function packed(lines: readonly string[]): { readonly bytes: number; readonly body: Uint8Array } {
  const text = Buffer.from(lines.map((line) => line.replaceAll('\n', ' ')).join('\n'))
  return { bytes: text.length, body: brotliCompressSync(text, QUICK) }
}

const unpacked = ({ body }: Block): string[] => Buffer.from(brotliDecompressSync(body)).toString().split('\n')

/** Those of a run that hold a line from this one on. */
export const blocksFrom = (database: Database, run: number, line: number): readonly BlockPlace[] =>
  rows(database, `SELECT ${PLACE} FROM blocks WHERE run = ? AND line + lines > ?`, run, line)

export function removeBlock(database: Database, { id, lines }: BlockPlace): void {
  removeWords(database, id, id + lines)
  database.run('DELETE FROM blocks WHERE id = ?', id)
}

export const removeWords = (database: Database, from: number, to: number): void =>
  database.run('DELETE FROM words WHERE rowid >= ? AND rowid < ?', from, to)

/** Only its first lines stay. */
export function cutBlock(database: Database, { id, lines }: BlockPlace, count: number): void {
  const [block] = rows<Block>(database, 'SELECT * FROM blocks WHERE id = ?', id)
  if (block === undefined) return
  removeWords(database, id + count, id + lines)
  const { bytes, body } = packed(unpacked(block).slice(0, count))
  database.run('UPDATE blocks SET lines = ?, bytes = ?, body = ? WHERE id = ?', count, bytes, body, id)
}

/** Without its text, which may be long. */
export function placeOf(database: Database, key: number): BlockPlace | null {
  const [place] = rows<BlockPlace>(database, `SELECT ${PLACE} FROM blocks WHERE id <= ? ORDER BY id DESC LIMIT 1`, key)
  return place !== undefined && key < place.id + place.lines ? place : null
}

/** Reads lines of runs, from `from` up to `to`; empty ones stand for those that are not there. */
export function makeReader(database: Database): (run: number, from: number, to: number) => string[] {
  const known = new Map<number, readonly string[]>()
  const linesOf = (block: Block): readonly string[] => {
    const lines = known.get(block.id) ?? unpacked(block)
    known.set(block.id, lines)
    return lines
  }
  return (run, from, to) => {
    const text = new Array<string>(Math.max(0, to - from)).fill('')
    const blocks = rows<Block>(
      database,
      'SELECT * FROM blocks WHERE run = ? AND line < ? AND line > ? AND line + lines > ?',
      ...[run, to, from - BLOCK_LINES, from],
    )
    for (const block of blocks) {
      const lines = linesOf(block)
      for (let number = Math.max(from, block.line); number < Math.min(to, block.line + block.lines); number += 1)
        text[number - from] = lines[number - block.line] ?? ''
    }
    return text
  }
}
