/** Who logged in, who was refused and who was revoked. Bounded. Runs in the worker. */
import type { AuthLogEntry } from '../wire/deviceView.ts'
import type { Database } from './sqlite.ts'

const MOST_ENTRIES = 1_000 // years of logins; the caller bounds the rate of refusals

export function appendAuthLog(database: Database, { at, what, device, details }: AuthLogEntry): void {
  database.run('INSERT INTO auth_log (at, what, device, details) VALUES (?, ?, ?, ?)', at, what, device, details)
  database.run(`DELETE FROM auth_log WHERE number <= (SELECT max(number) FROM auth_log) - ${MOST_ENTRIES}`)
}

/** Newest first. */
export const authLogOf = (database: Database, limit: number): readonly AuthLogEntry[] =>
  database.all('SELECT at, what, device, details FROM auth_log ORDER BY number DESC LIMIT ?', limit) as readonly AuthLogEntry[]
