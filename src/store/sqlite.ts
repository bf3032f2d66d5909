/**
 * The one file that knows which SQLite there is: the one inside Node where it has one (22.13 and later), else the
 * prebuilt package with the same interface. Everything else sees `Sqlite` below.
 */
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'

export type SqlValue = string | number | null | Uint8Array
export type Row = Readonly<Record<string, SqlValue>>

export type Database = {
  /** Any number of statements, without parameters or results. */
  exec(sql: string): void
  run(sql: string, ...values: SqlValue[]): void
  get(sql: string, ...values: SqlValue[]): Row | null
  all(sql: string, ...values: SqlValue[]): readonly Row[]
  /**
   * The package lets go of the file only when the statements are collected or the thread ends; a connection that has only
   * used `exec` is closed at once. Node's own always is.
   */
  close(): void
}

export type Sqlite = { open(file: string, options?: { readonly readOnly: boolean }): Database }

type Library = { readonly DatabaseSync: new (file: string, options?: { readOnly?: boolean }) => DatabaseSyncInstance }

export async function loadSqlite(): Promise<Sqlite> {
  const { DatabaseSync }: Library = builtIn() ?? (await import('@photostructure/sqlite'))
  return { open: (file, options) => wrap(new DatabaseSync(file, { readOnly: options?.readOnly ?? false })) }
}

function builtIn(): Library | null {
  const warn = process.emitWarning
  // Node calls its own SQLite experimental once per process; the user can do nothing about it.
  process.emitWarning = () => undefined
  try {
    return (process.getBuiltinModule('node:sqlite') as unknown as Library | undefined) ?? null
  } finally {
    process.emitWarning = warn
  }
}

function wrap(database: DatabaseSyncInstance): Database {
  const prepared = new Map<string, StatementSyncInstance>()
  const statement = (sql: string): StatementSyncInstance => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const made = database.prepare(sql)
    prepared.set(sql, made)
    return made
  }
  return {
    exec: (sql) => database.exec(sql),
    run: (sql, ...values) => void statement(sql).run(...values),
    get: (sql, ...values) => statement(sql).get(...values) ?? null,
    all: (sql, ...values) => statement(sql).all(...values),
    close: () => database.close(),
  }
}
