/** From a path to a search index. A damaged index, or one of another version, is deleted: it can be rebuilt from the logs. */
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { explain, failureOf, StoreFailure } from '../failure.ts'
import { ensurePrivateFile, removeDatabase } from '../files.ts'
import { transact } from '../rows/transaction.ts'
import type { Database, Sqlite } from '../sqlite.ts'
import { noTrip, type Trip } from '../trip.ts'
import { SEARCH_SCHEMA, SEARCH_VERSION } from './searchIndex.ts'

/** `why` tells why the index was begun anew; null where it is new, undefined where it was kept. */
export type OpenedSearch = { readonly database: Database; readonly why: string | null | undefined }

/** A power cut may cost the last lines, which are indexed again; it must not cost a sync for each of them. */
const SETTINGS = `
  PRAGMA busy_timeout = 2000;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA journal_size_limit = ${4 << 20};
  PRAGMA secure_delete = FAST;
  PRAGMA trusted_schema = OFF;
`

export function openSearch(sqlite: Sqlite, file: string, trip: Trip = noTrip): OpenedSearch {
  const isNew = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0
  if (isNew) return { database: begin(sqlite, file), why: null }
  try {
    return { database: goOn(sqlite, file), why: undefined }
  } catch (error) {
    const { kind, message } = explain(error)
    if (kind !== 'damaged') throw error
    trip('search:before-anew')
    return { database: begin(sqlite, file), why: `${basename(file)} could not be used: ${message}. It is made anew from the logs.` }
  }
}

function begin(sqlite: Sqlite, file: string): Database {
  removeDatabase(file)
  ensurePrivateFile(file)
  const database = sqlite.open(file)
  database.exec(SETTINGS)
  transact(database, () => database.exec(SEARCH_SCHEMA))
  return database
}

function goOn(sqlite: Sqlite, file: string): Database {
  ensurePrivateFile(file)
  const database = sqlite.open(file)
  try {
    database.exec(SETTINGS)
    const version = Number(database.get('PRAGMA user_version')?.['user_version'])
    if (version !== SEARCH_VERSION) throw new StoreFailure(failureOf('damaged', `it is of version ${version}`))
    const found = database.get('PRAGMA quick_check(1)')?.['quick_check']
    if (found !== 'ok') throw new StoreFailure(failureOf('damaged', String(found)))
    for (const table of ['runs', 'blocks', 'words']) database.get(`SELECT 1 FROM ${table}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
