/** What was decided and why, so that "why did it do that?" has an answer the next day. Bounded. Runs in the worker. */
import type { SessionId, TerminalId } from '../../base/ids.ts'
import type { AuthLogEntry } from '../../wire/deviceView.ts'
import type { Database } from '../sqlite.ts'
import type { AuditEntry } from '../store.ts'

const MOST_ENTRIES = 10_000 // about two megabytes: weeks of decisions
const TRIM_EVERY = 100 // trimming at every entry would cost more than the entry

export type AuditRow = {
  readonly at: number
  readonly session: string | null
  readonly terminal: string | null
  readonly what: string
  readonly details: string
}

/** An entry of a session that is forgotten loses the reference, not itself. */
export function appendAudit(database: Database, { at, session, terminal, what, details }: AuditRow): void {
  database.run(
    'INSERT INTO audit (at, session, terminal, what, details) VALUES (?, (SELECT id FROM sessions WHERE id = ?), ?, ?, ?)',
    at,
    session,
    terminal,
    what,
    details,
  )
  database.run(
    `DELETE FROM audit WHERE number <= (SELECT max(number) FROM audit) - ${MOST_ENTRIES} AND (SELECT max(number) FROM audit) % ${TRIM_EVERY} = 0`,
  )
}

export type AuditQuestion = { readonly terminal: string | null; readonly limit: number }

/** Newest first. */
export function auditOf(database: Database, { terminal, limit }: AuditQuestion): readonly AuditEntry[] {
  const rows = database.all(
    'SELECT at, session, terminal, what, details FROM audit WHERE ?1 IS NULL OR terminal = ?1 ORDER BY number DESC LIMIT ?2',
    terminal,
    limit,
  )
  return rows.map((row) => ({
    at: Number(row['at']),
    session: row['session'] as SessionId | null,
    terminal: row['terminal'] as TerminalId | null,
    what: String(row['what']),
    details: detailsOf(String(row['details'])),
  }))
}

/** Damaged text is shown as it is: the entry still says when and what. */
function detailsOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Logins, refusals and revocations. Bounded. */
const MOST_LOGINS = 1_000 // years of logins; the caller bounds the rate of refusals

export function appendAuthLog(database: Database, { at, what, device, details }: AuthLogEntry): void {
  database.run('INSERT INTO auth_log (at, what, device, details) VALUES (?, ?, ?, ?)', at, what, device, details)
  database.run(`DELETE FROM auth_log WHERE number <= (SELECT max(number) FROM auth_log) - ${MOST_LOGINS}`)
}

/** Newest first. */
export const authLogOf = (database: Database, limit: number): readonly AuthLogEntry[] =>
  database.all('SELECT at, what, device, details FROM auth_log ORDER BY number DESC LIMIT ?', limit) as readonly AuthLogEntry[]
