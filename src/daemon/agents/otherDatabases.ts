/**
 * Databases that agents write, opened to be read and for nothing else. One that is looked at often stays open for a while,
 * because opening it costs more than asking it.
 */
import { stat } from 'node:fs/promises'
import { type Database, loadSqlite, type Row, type Sqlite, type SqlValue } from '../../store/sqlite.ts'

const LET_GO_AFTER_MS = 60_000

type Opened = { readonly database: Database; readonly file: string; readonly timer: NodeJS.Timeout }

export class OtherDatabases {
  private sqlite: Promise<Sqlite> | null = null
  private readonly opened = new Map<string, Opened>()

  /** None where it cannot be read now: it is being made, somebody else has locked it, or it has another shape than was thought. */
  async rows(path: string, sql: string, values: readonly SqlValue[]): Promise<readonly Row[]> {
    try {
      const database = await this.open(path)
      return database === null ? [] : database.all(sql, ...values)
    } catch {
      return []
    }
  }

  private async open(path: string): Promise<Database | null> {
    const found = await stat(path).catch(() => null)
    if (found === null || !found.isFile() || !(await hasOnlyRegularFiles(path))) return this.close(path)
    // A database that was removed and made again is another one under the same name.
    const file = `${found.dev} ${found.ino}`
    const known = this.opened.get(path)
    if (known?.file === file) {
      known.timer.refresh()
      return known.database
    }
    this.close(path)
    this.sqlite ??= loadSqlite()
    const database = (await this.sqlite).open(path, { readOnly: true })
    this.opened.set(path, { database, file, timer: setTimeout(() => this.close(path), LET_GO_AFTER_MS).unref() })
    return database
  }

  private close(path: string): null {
    const known = this.opened.get(path)
    this.opened.delete(path)
    clearTimeout(known?.timer)
    known?.database.close()
    return null
  }
}

/** SQLite opens these by itself, and would wait for a pipe in the place of one. */
async function hasOnlyRegularFiles(path: string): Promise<boolean> {
  const beside = await Promise.all(['-journal', '-wal', '-shm'].map((suffix) => stat(path + suffix).catch(() => null)))
  return beside.every((found) => found === null || found.isFile())
}
