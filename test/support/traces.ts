/**
 * Looks for texts in everything that a home keeps: each column of each table of each database (whichever there are, found by
 * `sqlite_master`), each blob unpacked, each word of a full-text index, each file raw and unpacked, and each name of a file. What
 * one store compresses or splits cannot hide in it.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { decodeSnapshot } from '../../src/screen/snapshot/snapshotBytes.ts'

const LARGEST_BYTES = 64 << 20

type Where = { readonly path: string }

const MAGIC = 'SQLite format 3\0'
/** An index leaves out what a word has in common with the one before it: the end of a random text is in one piece. */
const SHARED_BY_CHANCE = 5

/**
 * Where any of the texts is found: `holdfast.db terminals.record`, `runs/r…/….log`, `name of files/t…`. Ids are written as `r…`
 * and `t…`, so that places can be compared.
 */
export function tracesOf(home: Where, ...texts: readonly string[]): string[] {
  const found = new Set<string>()
  const holds = (bytes: Uint8Array): boolean => texts.some((text) => contains(bytes, text))
  for (const path of filesUnder(home.path)) {
    const name = relative(home.path, path)
    if (texts.some((text) => name.includes(text))) found.add(`name of ${name}`)
    const bytes = readIfThere(path)
    if (bytes === null) continue
    if (holds(bytes)) found.add(name)
    if (unpackings(bytes).some(holds)) found.add(`${name}, unpacked`)
    if (bytes.toString('latin1', 0, MAGIC.length) === MAGIC)
      for (const place of tracesInDatabase(path, holds)) found.add(`${name} ${place}`)
  }
  return [...found].map(withoutIds).sort()
}

const withoutIds = (place: string): string => place.replaceAll(/\b([rt])[0-9a-hjkmnp-tv-z]{10}\b/g, '$1…').replaceAll(/\d{15}/g, 'N')

function contains(bytes: Uint8Array, text: string): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.includes(text.slice(SHARED_BY_CHANCE)) || buffer.includes(Buffer.from(text, 'utf16le'))
}

function filesUnder(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name)
    const found = statSync(path, { throwIfNoEntry: false })
    return found?.isDirectory() ? filesUnder(path) : found?.isFile() ? [path] : []
  })
}

/** Null for a file that has just been removed. */
function readIfThere(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null
}

/** What can be made of bytes: unpacked, and, where that is a snapshot, as its text. */
function unpackings(bytes: Uint8Array): Uint8Array[] {
  const unpacked = unpackedOrNull(bytes)
  return [bytes, unpacked].flatMap((each) => {
    const snapshot = each === null ? null : decodeSnapshot(each)
    return [...(each === null || each === bytes ? [] : [each]), ...(snapshot === null ? [] : [Buffer.from(JSON.stringify(snapshot))])]
  })
}

/** Nobody reads where these errors come from, and to find that out would take longer than all the rest. */
function unpackedOrNull(bytes: Uint8Array): Uint8Array | null {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: LARGEST_BYTES })
  } catch {
    return null // it is not compressed
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** In a copy, together with what its WAL still holds: the daemon may have the file open. */
function tracesInDatabase(file: string, holds: (bytes: Uint8Array) => boolean): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-traces-'))
  const copy = join(directory, 'copy.db')
  try {
    for (const companion of ['', '-wal']) if (existsSync(file + companion)) copyFileSync(file + companion, copy + companion)
    const database = new DatabaseSync(copy)
    try {
      return tablesOf(database).flatMap((table) => tracesInTable(database, table, holds))
    } finally {
      database.close()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Keys of an index are larger than a number can be. */
function rowsOf(database: DatabaseSyncInstance, sql: string): Record<string, unknown>[] {
  const statement = database.prepare(sql)
  statement.setReadBigInts(true)
  return statement.all() as Record<string, unknown>[]
}

/** `isPacked`: blobs in it may be; those of an index of words are SQLite's own. */
type Table = { readonly name: string; readonly isIndexOfWords: boolean; readonly isPacked: boolean }

function tablesOf(database: DatabaseSyncInstance): Table[] {
  const tables = rowsOf(database, "SELECT name, sql FROM sqlite_master WHERE type = 'table'")
  const indexes = tables.flatMap(({ name, sql }) => (/USING fts5/i.test(String(sql)) ? [String(name)] : []))
  return tables.map(({ name }) => ({
    name: String(name),
    isIndexOfWords: indexes.includes(String(name)),
    isPacked: !indexes.some((index) => String(name).startsWith(`${index}_`)),
  }))
}

function tracesInTable(
  database: DatabaseSyncInstance,
  { name, isIndexOfWords, isPacked }: Table,
  holds: (bytes: Uint8Array) => boolean,
): string[] {
  if (isIndexOfWords) {
    database.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, '${name}', row)`)
    const words = rowsOf(database, 'SELECT term FROM temp.vocabulary').map(({ term }) => String(term))
    database.exec('DROP TABLE temp.vocabulary')
    return words.some((word) => holds(Buffer.from(word))) ? [`${name}, its words`] : []
  }
  const columns = new Set<string>()
  for (const row of rowsOf(database, `SELECT * FROM "${name}"`)) {
    for (const [column, value] of Object.entries(row)) {
      const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value))
      if (holds(bytes) || (isPacked && value instanceof Uint8Array && unpackings(bytes).some(holds))) columns.add(`${name}.${column}`)
    }
  }
  return [...columns]
}
