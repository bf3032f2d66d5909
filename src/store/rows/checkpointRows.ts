/** Checkpoints as rows, sealed: what is read is what was written, or it is not used. Runs in the worker. */
import type { CheckpointId, RunId, SessionId } from '../../base/ids.ts'
import {
  type Checkpoint,
  type CheckpointKind,
  type CheckpointSummary,
  type CheckpointTerminal,
  isCheckpointKind,
  type ScreenRef,
} from '../../workspace/checkpoint/checkpoint.ts'
import { blake3 } from '../blake3.ts'
import { decodeAgent, decodeEnvironment, decodeTerminal, decodeTopology } from '../record.ts'
import type { Database, Row, SqlValue } from '../sqlite.ts'
import type { LoadedCheckpoint } from '../store.ts'

const HEADER = ['id', 'session', 'at', 'kind', 'state_hash', 'note', 'topology', 'terminal_count', 'bytes', 'known_good'] as const
const ENTRY = ['terminal', 'record', 'cwd', 'command', 'terminal_state', 'agent', 'env', 'screen', 'run', 'seq'] as const

const valuesOf = (row: Row, columns: readonly string[]): SqlValue[] => columns.map((column) => row[column] ?? null)
const placeholders = (columns: readonly string[]): string => columns.map(() => '?').join(', ')

const INSERT_HEADER = `INSERT INTO checkpoints (${HEADER.join(', ')}, seal) VALUES (${placeholders(HEADER)}, ?)`
const INSERT_ENTRY = `INSERT INTO checkpoint_terminals (${ENTRY.join(', ')}, checkpoint) VALUES (${placeholders(ENTRY)}, ?)`
const assignments = (columns: readonly string[]): string => columns.map((column) => `${column} = ?`).join(', ')
const UPDATE_HEADER = `UPDATE checkpoints SET ${assignments(HEADER)}, seal = ? WHERE number = ?`
const UPDATE_ENTRY = `UPDATE checkpoint_terminals SET ${assignments(ENTRY)} WHERE checkpoint = ? AND terminal = ?`
const SELECT_HEADER = `SELECT ${HEADER.join(', ')}, seal, number FROM checkpoints`
const SELECT_ENTRIES = `SELECT ${ENTRY.join(', ')} FROM checkpoint_terminals WHERE checkpoint = ? ORDER BY terminal`

/**
 * Returns it with its size. The caller has already kept the screens' blobs, and passes their size: what is written
 * is made into text once, because that is most of the work.
 */
export function insertCheckpoint(database: Database, checkpoint: Checkpoint): Checkpoint {
  const { header, entries, bytes } = rowsOf(checkpoint)
  database.run(INSERT_HEADER, ...header, sealOf(header, entries))
  const number = Number(database.get('SELECT max(number) AS number FROM checkpoints')?.['number'])
  for (const entry of entries) database.run(INSERT_ENTRY, ...entry, number)
  return { ...checkpoint, bytes }
}

/** In the place of the one with its id, which has all of its terminals: those that it no longer has go. It is sealed again. */
export function replaceCheckpoint(database: Database, checkpoint: Checkpoint): void {
  const { header, entries } = rowsOf(checkpoint)
  const number = Number(database.get('SELECT number FROM checkpoints WHERE id = ?', checkpoint.id)?.['number'])
  database.run(UPDATE_HEADER, ...header, sealOf(header, entries), number)
  const left = new Set(entries.map(([terminal]) => String(terminal)))
  for (const { terminal } of database.all('SELECT terminal FROM checkpoint_terminals WHERE checkpoint = ?', number))
    if (!left.has(String(terminal)))
      database.run('DELETE FROM checkpoint_terminals WHERE checkpoint = ? AND terminal = ?', number, terminal ?? null)
  // Not deleted and inserted: with its last reference a screen would go.
  for (const entry of entries) database.run(UPDATE_ENTRY, ...entry, number, entry[0] ?? null)
}

function rowsOf({ bytes: screens, ...checkpoint }: Checkpoint) {
  const entries = checkpoint.terminals.map(entryOf).sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1))
  const topology = JSON.stringify(checkpoint.topology)
  const bytes = screens + textBytesOf([[topology], ...entries])
  return { header: headerOf({ ...checkpoint, bytes }, topology), entries, bytes }
}

function headerOf({ id, session, at, kind, stateHash, note, terminals, bytes, knownGood }: Checkpoint, topology: string): SqlValue[] {
  return [id, session, at, kind, stateHash, note, topology, terminals.length, bytes, knownGood ? 1 : 0]
}

function entryOf({ terminal, cwd, agent, env, screen }: CheckpointTerminal): SqlValue[] {
  const seen = [cwd, terminal.spec.command, terminal.state, agent === null ? null : JSON.stringify(agent), JSON.stringify(env)]
  return [terminal.id, JSON.stringify(terminal), ...seen, screen?.hash ?? null, screen?.run ?? null, screen?.seq ?? null]
}

const sealOf = (header: readonly SqlValue[], entries: readonly (readonly SqlValue[])[]): string =>
  blake3(JSON.stringify([header, ...entries]))

const textBytesOf = (rows: readonly (readonly SqlValue[])[]): number =>
  rows.flat().reduce<number>((sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0), 0)

export const summariesOf = (database: Database): readonly CheckpointSummary[] =>
  database.all(`SELECT ${HEADER.join(', ')} FROM checkpoints ORDER BY number DESC`).map(summaryOf)

function summaryOf(row: Row): CheckpointSummary {
  return {
    id: String(row['id']) as CheckpointId,
    session: String(row['session']) as SessionId,
    at: Number(row['at']),
    kind: String(row['kind']) as CheckpointKind,
    note: row['note'] === null ? null : String(row['note']),
    stateHash: String(row['state_hash']),
    knownGood: row['known_good'] === 1,
    bytes: Number(row['bytes']),
    terminalCount: Number(row['terminal_count']),
  }
}

export function loadCheckpoint(database: Database, id: CheckpointId): LoadedCheckpoint | null {
  const row = database.get(`${SELECT_HEADER} WHERE id = ?`, id)
  return row === null ? null : loadFrom(row, database.all(SELECT_ENTRIES, Number(row['number'])))
}

/** Takes rows wherever they come from, also out of a damaged file. */
export function loadFrom(header: Row, entries: readonly Row[]): LoadedCheckpoint {
  const id = String(header['id']) as CheckpointId
  const sealed = sealOf(
    valuesOf(header, HEADER),
    entries.map((entry) => valuesOf(entry, ENTRY)),
  )
  if (sealed !== header['seal']) return { ok: false, id, why: 'its seal is broken: it is not what was written' }
  const { terminalCount: _, ...summary } = summaryOf(header)
  const topology = decodeTopology(String(header['topology']))
  if (!topology.ok) return { ok: false, id, why: `its topology cannot be read: ${topology.why}` }
  if (!isCheckpointKind(summary.kind)) return { ok: false, id, why: `it is of an unknown kind: ${String(header['kind'])}` }
  const terminals: CheckpointTerminal[] = []
  for (const entry of entries) {
    const decoded = decodeEntry(entry)
    if (typeof decoded === 'string') return { ok: false, id, why: `terminal ${String(entry['terminal'])} cannot be read: ${decoded}` }
    terminals.push(decoded)
  }
  return { ok: true, checkpoint: { ...summary, topology: topology.value, terminals } }
}

/** A sentence when it cannot be decoded. */
function decodeEntry(row: Row): CheckpointTerminal | string {
  const terminal = decodeTerminal(String(row['terminal']), String(row['record']))
  if (!terminal.ok) return terminal.why
  const env = decodeEnvironment(String(row['env']))
  if (!env.ok) return env.why
  const agent = row['agent'] === null ? null : decodeAgent(String(row['agent']))
  if (agent !== null && !agent.ok) return agent.why
  const cwd = row['cwd'] === null ? null : String(row['cwd'])
  return { terminal: terminal.value, cwd, agent: agent?.value ?? null, env: env.value, screen: screenOf(row) }
}

function screenOf({ screen, run, seq }: Row): ScreenRef | null {
  return typeof screen === 'string' ? { run: String(run) as RunId, seq: Number(seq), hash: screen } : null
}
