/** The thread that owns the connection: a transaction may take tens of milliseconds, and no keystroke may wait for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever } from '../../base/assertNever.ts'
import { explain, failureOf, StoreFailure } from '../failure.ts'
import { watchPlace } from '../files.ts'
import { mirrorOf } from '../salvage/mirror.ts'
import { type Database, loadSqlite } from '../sqlite.ts'
import { armedThreadTrip, armedTrip } from '../trip.ts'
import { DEEDS } from './deeds.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts'
import { openDatabase } from './openDatabase.ts'
import { READS } from './reads.ts'
import { commit } from './writes.ts'

const trip = armedTrip()
const tripThread = armedThreadTrip('store')
const say = (message: FromWorker): void => parentPort?.postMessage(message)

/** The link has given a row what that row takes. */
type Row = (...given: readonly unknown[]) => unknown

type Connection = { readonly database: Database; readonly mirror: string; readonly isInPlace: () => boolean }

function reply(connection: Connection, message: ToWorker): FromWorker {
  try {
    return { kind: 'done', id: message.id, value: handle(connection, message) }
  } catch (error) {
    return { kind: 'failed', id: message.id, failure: explain(error) }
  }
}

function handle({ database, mirror, isInPlace }: Connection, message: ToWorker): unknown {
  switch (message.kind) {
    case 'write':
      // SQLite would go on writing into a file that no longer has a name, and every promise would be empty.
      return isInPlace() ? commit(database, message.writes, trip) : message.writes.map(() => failureOf('moved'))
    case 'act':
      if (!isInPlace()) throw new StoreFailure(failureOf('moved'))
      return (DEEDS[message.name] as Row)({ database, mirror, trip }, ...message.given)
    case 'ask':
      return (READS[message.name] as Row)(database, ...message.given)
    case 'close':
      return close(database)
  }
  return assertNever(message)
}

function close(database: Database): null {
  try {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)') // after a clean close the one file is everything
  } catch {
    // A full disk: the WAL stays beside the file, and nothing is lost.
  }
  database.close()
  return null
}

async function main(setup: WorkerSetup): Promise<void> {
  const opened = openDatabase(await loadSqlite(), { ...setup, trip })
  if (!opened.ok) return say({ kind: 'refused', refusal: opened.refusal })
  const { database, troubles } = opened.value
  const connection = { database, mirror: mirrorOf(setup.file), isInPlace: watchPlace(setup.file) }
  parentPort?.on('message', (message: ToWorker) => {
    tripThread()
    say(reply(connection, message))
    if (message.kind === 'close') parentPort?.close()
  })
  say({ kind: 'opened', troubles })
}

void main(workerData as WorkerSetup)
