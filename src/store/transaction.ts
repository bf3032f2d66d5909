/** All of a change or nothing of it. */
import type { Database } from './sqlite.ts'
import { noTrip, type Trip } from './trip.ts'

export function transact<Value>(database: Database, change: () => Value, trip: Trip = noTrip): Value {
  try {
    database.exec('BEGIN IMMEDIATE')
    trip('begun')
    const value = change()
    trip('applied')
    database.exec('COMMIT')
    trip('committed')
    return value
  } catch (error) {
    rollBack(database)
    throw error
  }
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite has rolled back by itself, as it does when the disk is full, or the transaction never began.
  }
}
