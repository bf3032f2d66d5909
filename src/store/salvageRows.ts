/** Reads what can still be read of a damaged table, row by row: from its beginning, from its end, then what lies between. */
import { explain } from './failure.ts'
import type { Database, Row, SqlValue } from './sqlite.ts'

export type ReadableRows = {
  readonly rows: readonly Row[]
  /** False when a part of the table could not be read, so that rows may be missing. */
  readonly isWhole: boolean
}

const MOST_PROBES = 50_000 // single look-ups in a gap; each takes microseconds
const MOST_ERRORS = 1_000 // one after another: a damaged page of 4 KB has a few hundred rows at most, so that all beyond is gone too

export function readableRows(source: Database, table: string): ReadableRows {
  if (attempt(() => source.get(`SELECT rowid FROM ${table} LIMIT 0`)) === undefined) return { rows: [], isWhole: false } // no such table
  const forward = walk(source, { table, below: Number.MAX_SAFE_INTEGER, above: 0, direction: 'ASC' })
  if (forward.isWhole) return forward
  const above = lastRow(forward.rows) ?? 0
  const backward = walk(source, { table, below: Number.MAX_SAFE_INTEGER, above, direction: 'DESC' })
  const below = lastRow(backward.rows) ?? above + MOST_PROBES
  const between = probe(source, { table, above, below })
  return { rows: [...forward.rows, ...between, ...backward.rows.toReversed()], isWhole: false }
}

type Range = { readonly table: string; readonly above: number; readonly below: number }

function walk(source: Database, { table, above, below, direction }: Range & { readonly direction: 'ASC' | 'DESC' }): ReadableRows {
  const rows: Row[] = []
  const sql = `SELECT rowid AS salvage_row, * FROM ${table} WHERE rowid > ? AND rowid < ? ORDER BY rowid ${direction} LIMIT 1`
  let [from, to] = [above, below]
  for (;;) {
    const row = attempt(() => source.get(sql, from, to))
    if (row === undefined) return { rows, isWhole: false }
    if (row === null) return { rows, isWhole: true }
    rows.push(row)
    if (direction === 'ASC') from = Number(row['salvage_row'])
    else to = Number(row['salvage_row'])
  }
}

function probe(source: Database, { table, above, below }: Range): readonly Row[] {
  const rows: Row[] = []
  const end = Math.min(below, above + MOST_PROBES)
  let errors = 0
  for (let number = above + 1; number < end && errors < MOST_ERRORS; number += 1) {
    const row = attempt(() => source.get(`SELECT rowid AS salvage_row, * FROM ${table} WHERE rowid = ?`, number))
    errors = row === undefined ? errors + 1 : 0
    if (row !== undefined && row !== null) rows.push(row)
  }
  return rows
}

const lastRow = (rows: readonly Row[]): number | null => (rows.length === 0 ? null : Number(rows.at(-1)?.['salvage_row']))

/** Undefined when the disk's contents make no sense there. */
function attempt(read: () => Row | null): Row | null | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A row that does not fit its table is not a row of ours any more; a disk that fails is another matter. */
export function take(
  into: Database,
  { table, row, columns }: { readonly table: string; readonly row: Row; readonly columns: readonly string[] },
): void {
  const values: SqlValue[] = columns.map((column) => row[column] ?? null)
  try {
    into.run(`INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`, ...values)
  } catch (error) {
    if (explain(error).kind !== 'broken') throw error
  }
}
