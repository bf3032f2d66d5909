/** Finds lines in the index, the newest first. */

import type { Database } from '../sqlite.ts'
import { type BlockPlace, makeReader, placeOf, rows } from './searchBlocks.ts'
import { type RunRow, runRows } from './searchIndex.ts'
import type { Hit, Lookup } from './searchMessages.ts'

/** How many are looked at in one go: at first a few more than a client asks for, ten times as many whenever they were not enough. */
const FIRST_PAGE = 256
const GROWTH = 10

type Candidate = { readonly run: RunRow; readonly number: number; readonly at: number }

export function findLines(database: Database, lookup: Lookup): Hit[] {
  const wanted = new Set(lookup.runs)
  const runs = new Map(runRows(database).flatMap((row) => (wanted.has(row.run) ? [[row.number, row] as const] : [])))
  // Keys follow the time, but for runs that were indexed late: the times themselves have the last word.
  const newest = candidates(database, lookup, runs).sort((a, b) => b.at - a.at || b.number - a.number)
  const read = makeReader(database)
  return newest.slice(0, lookup.limit).map(({ run, number, at }) => ({
    ...{ run: run.run, number, at, line: read(run.number, number, number + 1)[0] ?? '' },
    before: read(run.number, Math.max(run.first, number - lookup.context), number),
    after: read(run.number, number + 1, Math.min(run.indexed, number + 1 + lookup.context)),
  }))
}

function candidates(database: Database, lookup: Lookup, runs: ReadonlyMap<number, RunRow>): Candidate[] {
  const found: Candidate[] = []
  const oldest = lookup.since === null ? 0 : oldestKey(database, lookup.since)
  if (oldest === null || runs.size === 0) return found
  const judge = makeJudge(database, lookup, runs)
  let before = Number.MAX_SAFE_INTEGER
  for (let size = FIRST_PAGE; found.length < lookup.limit; size *= GROWTH) {
    const keys = keysBefore(database, lookup.match, { oldest, before, size })
    for (const key of keys) {
      const candidate = judge(key)
      if (candidate !== null) found.push(candidate)
    }
    if (keys.length < size) break
    before = keys.at(-1) ?? 0
  }
  return found
}

const oldestKey = (database: Database, since: number): number | null =>
  (database.get('SELECT MIN(id) AS id FROM blocks WHERE at >= ?', since)?.['id'] ?? null) as number | null

type Page = { readonly oldest: number; readonly before: number; readonly size: number }

const keysBefore = (database: Database, match: string, { oldest, before, size }: Page): number[] =>
  rows<{ rowid: number }>(
    database,
    'SELECT rowid FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?',
    ...[match, oldest, before, size],
  ).map(({ rowid }) => rowid)

function makeJudge(database: Database, { since, until }: Lookup, runs: ReadonlyMap<number, RunRow>): (key: number) => Candidate | null {
  let place: BlockPlace | null = null
  return (key) => {
    if (place === null || key < place.id) place = placeOf(database, key)
    const run = place === null ? undefined : runs.get(place.run)
    if (place === null || run === undefined) return null
    if (place.at < (since ?? 0) || place.at > (until ?? Number.POSITIVE_INFINITY)) return null
    return { run, number: place.line + key - place.id, at: place.at }
  }
}
