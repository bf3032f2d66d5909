/**
 * Removes terminals and runs from every table, and from every copy of a layout. A checkpoint that showed one is what it would be
 * without it, sealed again; nothing else of it changes. Runs in the worker.
 */
import type { RunId, TerminalId } from '../../base/ids.ts'
import { type Checkpoint, stateHashOf } from '../../workspace/checkpoint/checkpoint.ts'
import { type Topology, withoutTerminals } from '../../workspace/layout/topology.ts'
import { blake3 } from '../blake3.ts'
import { FORGETTING, type ForgetOrder, type PastTerminal, type Traces } from '../forgetOrder.ts'
import { decodeTopology } from '../record.ts'
import type { Database } from '../sqlite.ts'
import { loadCheckpoint, replaceCheckpoint } from './checkpointRows.ts'
import { deleteCheckpoint, screenBytesOf } from './keepCheckpoint.ts'

/** Called within one transaction. */
export function forgetRows(database: Database, order: ForgetOrder): null {
  if (order.before !== null) forgetBefore(database, order.before)
  for (const id of checkpointsShowing(database, order)) forgetInCheckpoint(database, id, order)
  for (const run of order.runs) database.run('DELETE FROM snapshots WHERE run = ?', run)
  for (const id of order.terminals) {
    database.run('DELETE FROM snapshots WHERE terminal = ?', id)
    database.run('DELETE FROM terminals WHERE id = ?', id)
  }
  forgetInLayouts(database, order.terminals)
  for (const id of [...order.terminals, ...order.runs]) forgetMentions(database, id)
  // The triggers do not see a checkpoint that lets go of a screen and stays.
  database.exec(
    'DELETE FROM blobs WHERE hash NOT IN (SELECT blob FROM snapshots) AND hash NOT IN (SELECT screen FROM checkpoint_terminals WHERE screen IS NOT NULL)',
  )
  return null
}

/** The layout of a session is that of its last checkpoint. */
function forgetBefore(database: Database, before: number): void {
  database.run('DELETE FROM checkpoints WHERE at < ?', before)
  database.run('DELETE FROM audit WHERE at < ?', before)
  database.run('UPDATE sessions SET topology = NULL WHERE coalesce(last_checkpoint_at, created_at) < ?', before)
}

function checkpointsShowing(database: Database, { terminals, runs }: ForgetOrder): readonly string[] {
  const gone = new Set<string>([...terminals, ...runs])
  const entries = database.all('SELECT id, terminal, run FROM checkpoint_terminals JOIN checkpoints ON number = checkpoint')
  const showing = entries.filter(({ terminal, run }) => gone.has(String(terminal)) || gone.has(String(run)))
  const layouts = database.all('SELECT id, topology FROM checkpoints').filter(({ topology }) => mentions(String(topology), terminals))
  return [...new Set([...showing, ...layouts].map(({ id }) => String(id)))]
}

const mentions = (text: string, ids: readonly string[]): boolean => ids.some((id) => text.includes(id))

/** A damaged checkpoint can be neither used nor cut, so it is deleted. */
function forgetInCheckpoint(database: Database, id: string, { terminals, runs }: ForgetOrder): void {
  const loaded = loadCheckpoint(database, id as Parameters<typeof loadCheckpoint>[1])
  if (loaded === null) return
  if (!loaded.ok) return void deleteCheckpoint(database, loaded.id)
  const left = checkpointWithout(loaded.checkpoint, { terminals, runs, before: null })
  replaceCheckpoint(database, { ...left, bytes: screenBytesOf(database, left.terminals) })
}

/** Null where it goes altogether. An empty one is never a good one. */
export function checkpointWithout(checkpoint: Checkpoint, order: ForgetOrder & { readonly before: null }): Checkpoint
export function checkpointWithout(checkpoint: Checkpoint, order: ForgetOrder): Checkpoint | null
export function checkpointWithout(checkpoint: Checkpoint, { terminals: gone, runs, before }: ForgetOrder): Checkpoint | null {
  if (before !== null && checkpoint.at < before) return null
  const terminals = checkpoint.terminals
    .filter(({ terminal }) => !gone.includes(terminal.id))
    .map((entry) => (entry.screen !== null && runs.includes(entry.screen.run) ? { ...entry, screen: null } : entry))
  const state = { topology: withoutTerminals(checkpoint.topology, gone), terminals }
  return { ...checkpoint, ...state, knownGood: checkpoint.knownGood && terminals.length > 0, stateHash: stateHashOf(state, blake3) }
}

/** Those of the workspace, of sessions, and of what other terminals that were closed would go back to. */
function forgetInLayouts(database: Database, terminals: readonly TerminalId[]): void {
  for (const { body } of database.all('SELECT body FROM topology'))
    if (mentions(String(body), terminals)) {
      const topology = cut(String(body), terminals)
      if (topology !== null) database.run('UPDATE topology SET body = ?', JSON.stringify(topology))
    }
  for (const { id, topology } of database.all('SELECT id, topology FROM sessions WHERE topology IS NOT NULL'))
    if (mentions(String(topology), terminals)) {
      const left = cut(String(topology), terminals)
      database.run('UPDATE sessions SET topology = ? WHERE id = ?', left === null ? null : JSON.stringify(left), id ?? null)
    }
  for (const { id, closed } of database.all('SELECT id, closed FROM terminals WHERE closed IS NOT NULL'))
    if (mentions(String(closed), terminals))
      database.run('UPDATE terminals SET closed = ? WHERE id = ?', cutClosed(String(closed), terminals), id ?? null)
}

/** Null for a record that cannot be read. */
function cut(text: string, terminals: readonly TerminalId[]): Topology | null {
  const decoded = decodeTopology(text)
  return decoded.ok ? withoutTerminals(decoded.value, terminals) : null
}

/** A record that cannot be read cannot be reopened either, so it is deleted. */
function cutClosed(text: string, terminals: readonly TerminalId[]): string {
  try {
    const closed = JSON.parse(text) as Record<string, unknown>
    return JSON.stringify({ ...closed, before: cut(JSON.stringify(closed['before']), terminals) })
  } catch {
    return '{}'
  }
}

/** Entries about others may name it, and what was set aside may hold its record. */
function forgetMentions(database: Database, id: string): void {
  database.run('DELETE FROM audit WHERE terminal = ?1 OR instr(details, ?1) > 0', id)
  database.run('DELETE FROM settings WHERE key <> ?2 AND (instr(value, ?1) > 0 OR instr(key, ?1) > 0)', id, FORGETTING)
}

/** What `forgetRows` would remove. */
export function tracesOf(database: Database, order: ForgetOrder): Traces {
  const before = order.before ?? Number.NEGATIVE_INFINITY
  const ids = new Set<string>([...order.terminals, ...order.runs])
  const removed = new Set(database.all('SELECT id, at FROM checkpoints').flatMap(({ id, at }) => (Number(at) < before ? [String(id)] : [])))
  const hashes = new Set<string>()
  for (const { run, terminal, blob } of database.all('SELECT run, terminal, blob FROM snapshots'))
    if (ids.has(String(run)) || ids.has(String(terminal))) hashes.add(String(blob))
  const shown = database.all('SELECT id, terminal, run, screen FROM checkpoint_terminals JOIN checkpoints ON number = checkpoint')
  for (const { id, run, terminal, screen } of shown)
    if (screen !== null && (removed.has(String(id)) || ids.has(String(run)) || ids.has(String(terminal)))) hashes.add(String(screen))
  const audit = database.all('SELECT at, terminal, details FROM audit')
  return {
    checkpoints: { removed: removed.size, changed: checkpointsShowing(database, order).filter((id) => !removed.has(id)).length },
    screens: hashes.size,
    auditEntries: audit.filter(
      ({ at, terminal, details }) => Number(at) < before || ids.has(String(terminal)) || mentions(String(details), [...ids]),
    ).length,
    bytes: [...hashes].reduce(
      (sum, hash) => sum + Number(database.get('SELECT length(bytes) AS n FROM blobs WHERE hash = ?', hash)?.['n'] ?? 0),
      0,
    ),
  }
}

/** Every terminal that a checkpoint, a screen or the audit still knows, and the runs of it that are known. */
export function pastTerminals(database: Database): readonly PastTerminal[] {
  const known = new Map<string, { name: string | null; lastSeen: number; runs: Set<string> }>()
  const of = (id: string) => {
    const entry = known.get(id) ?? { name: null, lastSeen: 0, runs: new Set<string>() }
    known.set(id, entry)
    return entry
  }
  const shown = database.all(
    'SELECT terminal, run, record, at FROM checkpoint_terminals JOIN checkpoints ON number = checkpoint ORDER BY number',
  )
  for (const { terminal, run, record, at } of shown) {
    const entry = of(String(terminal))
    entry.lastSeen = Math.max(entry.lastSeen, Number(at))
    entry.name = nameIn(String(record)) ?? entry.name
    if (run !== null) entry.runs.add(String(run))
  }
  for (const { terminal, at } of database.all('SELECT terminal, max(at) AS at FROM audit WHERE terminal IS NOT NULL GROUP BY terminal'))
    of(String(terminal)).lastSeen = Math.max(of(String(terminal)).lastSeen, Number(at))
  for (const { terminal, run } of database.all('SELECT terminal, run FROM snapshots')) of(String(terminal)).runs.add(String(run))
  return [...known].map(([id, { name, lastSeen, runs }]) => ({ id: id as TerminalId, name, lastSeen, runs: [...runs] as RunId[] }))
}

function nameIn(record: string): string | null {
  try {
    const { name } = JSON.parse(record) as { name?: unknown }
    return typeof name === 'string' ? name : null
  } catch {
    return null // damaged: it has an id
  }
}
