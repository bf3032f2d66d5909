/** The thread that owns the search index, so that no keystroke waits for it. */
import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever } from '../../base/assertNever.ts'
import { explain, failureOf, StoreFailure } from '../failure.ts'
import { watchPlace } from '../files.ts'
import { type Database, loadSqlite, type Sqlite } from '../sqlite.ts'
import { armedThreadTrip } from '../trip.ts'
import { openSearch } from './openSearch.ts'
import { findLines } from './searchFind.ts'
import { addBatch, forgetRuns, indexedRuns, purge } from './searchIndex.ts'
import type { FromSearch, SearchAsk, SearchSetup, ToSearch } from './searchMessages.ts'

const NICE = 10 // below the screens: what is searched later may wait for what is shown now
const setup = workerData as SearchSetup
const say = (message: FromSearch): void => parentPort?.postMessage(message)
const trip = (point: string): void => {
  const name = point.startsWith('search:') ? point : `search:${point}`
  if (process.env['HOLDFAST_TRIP'] === name) process.kill(process.pid, 'SIGKILL')
}

const tripThread = armedThreadTrip('search')

type Opened = { readonly database: Database; readonly isInPlace: () => boolean }

function open(sqlite: Sqlite): Opened {
  const { database, why } = openSearch(sqlite, setup.file, trip)
  if (why !== undefined) say({ kind: 'begun', why })
  return { database, isInPlace: watchPlace(setup.file) }
}

function handle({ database, isInPlace }: Opened, ask: SearchAsk): unknown {
  // SQLite would go on writing into a file that no longer has a name.
  if (ask.kind !== 'close' && !isInPlace()) throw new StoreFailure(failureOf('moved'))
  switch (ask.kind) {
    case 'runs':
      return indexedRuns(database)
    case 'add':
      addBatch(database, ask.batch, { maxBytes: setup.maxBytes, trip })
      return null
    case 'forget':
      forgetRuns(database, ask.runs)
      return null
    case 'purge':
      purge(database, ask.purged)
      return null
    case 'find':
      return findLines(database, ask.lookup)
    case 'ping':
      return null
    case 'close':
      database.close()
      return null
  }
  return assertNever(ask)
}

async function main(): Promise<void> {
  if (platform() === 'linux') setPriority(0, NICE)
  const sqlite = await loadSqlite()
  let opened = open(sqlite)
  parentPort?.on('message', ({ id, ask }: ToSearch) => {
    tripThread()
    try {
      say({ kind: 'done', id, value: handle(opened, ask) })
    } catch (error) {
      const failure = explain(error)
      // Found only now: it is opened again, which begins a new one.
      if (failure.kind === 'damaged' || failure.kind === 'moved') opened = openAgain(opened, sqlite)
      say({ kind: 'failed', id, failure })
    }
    if (ask.kind === 'close') parentPort?.close()
  })
}

function openAgain(opened: Opened, sqlite: Sqlite): Opened {
  opened.database.close()
  return open(sqlite)
}

void main()
