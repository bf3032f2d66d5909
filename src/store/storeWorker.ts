/** The thread that owns the connection: a transaction may take tens of milliseconds, and nobody's keystroke waits for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { assertNever } from '../base/assertNever.ts'
import { explain } from './failure.ts'
import type { FromWorker, ToWorker, WorkerSetup } from './messages.ts'
import { openDatabase } from './openDatabase.ts'
import { answer } from './reads.ts'
import { type Database, loadSqlite } from './sqlite.ts'
import { commit } from './writes.ts'

const say = (message: FromWorker): void => parentPort?.postMessage(message)

function reply(database: Database, message: ToWorker): FromWorker {
  try {
    return { kind: 'done', id: message.id, value: handle(database, message) }
  } catch (error) {
    return { kind: 'failed', id: message.id, failure: explain(error) }
  }
}

function handle(database: Database, message: ToWorker): unknown {
  switch (message.kind) {
    case 'write':
      return commit(database, message.writes)
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

const opened = openDatabase(await loadSqlite(), workerData as WorkerSetup)
if (opened.ok) {
  const { database, troubles } = opened.value
  parentPort?.on('message', (message: ToWorker) => {
    say(reply(database, message))
    if (message.kind === 'close') parentPort?.close()
  })
  say({ kind: 'opened', troubles })
} else {
  say({ kind: 'refused', refusal: opened.refusal })
}
