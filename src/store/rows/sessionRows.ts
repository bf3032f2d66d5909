/** The lives of the daemon, one row each. A row without an end belongs to a daemon that died. Runs in the worker. */
import type { SessionId } from '../../base/ids.ts'
import type { HostId } from '../../workspace/checkpoint/checkpointHost.ts'
import { decodeHostId, decodeTopology } from '../record.ts'
import type { Database, Row } from '../sqlite.ts'
import type { Session } from '../store.ts'

const REMEMBERED = 50 // beyond these, a session is kept only while a checkpoint of it is

export type SessionStart = { readonly id: SessionId; readonly at: number; readonly version: string; readonly host: HostId }

/** The setting that names the machine on which the records were last at home, as a host id. */
export const MACHINE = 'machine'

export function beginSession(database: Database, { id, at, version, host }: SessionStart): null {
  // In the same transaction: from now on the newest session is one of this machine, also for a daemon that starts after a crash.
  database.run('INSERT OR IGNORE INTO settings SELECT ?, host_id FROM sessions ORDER BY rowid DESC LIMIT 1', MACHINE)
  database.run('INSERT INTO sessions (id, created_at, version, host_id) VALUES (?, ?, ?, ?)', id, at, version, JSON.stringify(host))
  forgetOldSessions(database)
  return null
}

/** A session ends once; what was said first about how it ended stays. */
export function endSession(
  database: Database,
  { id, at, clean }: { readonly id: SessionId; readonly at: number; readonly clean: boolean },
) {
  database.run('UPDATE sessions SET ended_at = ?, shutdown_clean = ? WHERE id = ? AND ended_at IS NULL', at, clean ? 1 : 0, id)
  return null
}

/** So that the same crash is not told again at every start. */
export function markRecovered(database: Database, { id, at }: { readonly id: SessionId; readonly at: number }): null {
  database.run('UPDATE sessions SET recovered_at = ? WHERE id = ? AND shutdown_clean = 0', at, id)
  return null
}

function forgetOldSessions(database: Database): void {
  database.run(
    `DELETE FROM sessions WHERE id NOT IN (SELECT session FROM checkpoints)
       AND id NOT IN (SELECT id FROM sessions ORDER BY rowid DESC LIMIT ${REMEMBERED})`,
  )
}

const COLUMNS = 'id, created_at, last_checkpoint_at, ended_at, shutdown_clean, recovered_at, topology, version, host_id'

export const sessionsOf = (database: Database): readonly Session[] =>
  database.all(`SELECT ${COLUMNS} FROM sessions ORDER BY rowid DESC`).map(sessionOf)

/** `current` is the caller's own session: it has not ended, and is no crash. */
export function lastUncleanSession(database: Database, current: SessionId | null): Session | null {
  const row = database.get(
    `SELECT ${COLUMNS} FROM sessions WHERE shutdown_clean = 0 AND recovered_at IS NULL AND id <> ? ORDER BY rowid DESC LIMIT 1`,
    current ?? '',
  )
  return row === null ? null : sessionOf(row)
}

export function sessionBefore(database: Database, current: SessionId | null): Session | null {
  const row = database.get(`SELECT ${COLUMNS} FROM sessions WHERE id <> ? ORDER BY rowid DESC LIMIT 1`, current ?? '')
  return row === null ? null : sessionOf(row)
}

/** Of the newest checkpoint there ever was, also if it has been deleted since. */
export const lastCheckpointAt = (database: Database): number | null =>
  numberOrNull(database.get('SELECT max(last_checkpoint_at) AS at FROM sessions')?.['at'] ?? null)

function sessionOf(row: Row): Session {
  const topology = row['topology'] === null ? null : decodeTopology(String(row['topology']))
  return {
    id: String(row['id']) as SessionId,
    createdAt: Number(row['created_at']),
    lastCheckpointAt: numberOrNull(row['last_checkpoint_at']),
    endedAt: numberOrNull(row['ended_at']),
    clean: row['shutdown_clean'] === 1,
    recoveredAt: numberOrNull(row['recovered_at']),
    topology: topology?.ok ? topology.value : null,
    version: String(row['version']),
    host: decodeHostId(String(row['host_id'])),
  }
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)
