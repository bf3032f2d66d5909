/** The thread that owns the connection: a transaction may take tens of milliseconds, and nobody's keystroke waits for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever } from '../base/assertNever.ts'
import { perform } from './deeds.ts'
import { explain, failureOf, StoreFailure } from './failure.ts'
import { watchPlace } from './files.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts'
import { mirrorOf } from './mirror.ts'
import { openDatabase } from './openDatabase.ts'
import { answer } from './reads.ts'
import { type Database, loadSqlite } from './sqlite.ts'
import { armedThreadTrip, armedTrip } from './trip.ts'
import { commit } from './writes.ts'

const trip = armedTrip()
const tripThread = armedThreadTrip('store')
const say = (message: FromWorker): void => parentPort?.postMessage(message)

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
      return perform({ database, mirror, trip }, message.deed)
    case 'ask':
      return answer(database, message.question)
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
