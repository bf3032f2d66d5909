/** Rung 2: sessions, checkpoints and the audit; screens move into blobs that snapshots and checkpoints share. */
import { blake3 } from '../blake3.ts'
import type { Database } from '../sqlite.ts'
import { decompressed } from './blobs.ts'

const BEFORE = `
  CREATE TABLE blobs (hash TEXT PRIMARY KEY, size INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT; -- size: unpacked; bytes: brotli
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    created_at REAL NOT NULL,
    last_checkpoint_at REAL,
    ended_at REAL,
    shutdown_clean INTEGER NOT NULL DEFAULT 0 CHECK (shutdown_clean IN (0, 1)),
    recovered_at REAL,
    topology TEXT, -- of its last checkpoint
    version TEXT NOT NULL,
    host_id TEXT NOT NULL
  ) STRICT;
  CREATE TABLE checkpoints (
    number INTEGER PRIMARY KEY AUTOINCREMENT, -- their order, which a clock that jumps does not change
    id TEXT NOT NULL UNIQUE,
    session TEXT NOT NULL REFERENCES sessions (id),
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    state_hash TEXT NOT NULL,
    seal TEXT NOT NULL, -- of everything below and of its terminals: what is read must be what was written
    note TEXT,
    topology TEXT NOT NULL,
    terminal_count INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    known_good INTEGER NOT NULL CHECK (known_good IN (0, 1))
  ) STRICT;
  CREATE INDEX checkpoints_of_session ON checkpoints (session);
  CREATE TABLE checkpoint_terminals (
    checkpoint INTEGER NOT NULL REFERENCES checkpoints (number) ON DELETE CASCADE,
    terminal TEXT NOT NULL,
    record TEXT NOT NULL,
    cwd TEXT,
    command TEXT NOT NULL,
    terminal_state TEXT NOT NULL,
    agent TEXT,
    env TEXT NOT NULL, -- redacted
    screen TEXT REFERENCES blobs (hash),
    run TEXT,
    seq INTEGER,
    PRIMARY KEY (checkpoint, terminal)
  ) STRICT;
  CREATE INDEX checkpoint_terminals_of_screen ON checkpoint_terminals (screen);
  CREATE TABLE audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at REAL NOT NULL,
    session TEXT REFERENCES sessions (id) ON DELETE SET NULL,
    terminal TEXT,
    what TEXT NOT NULL,
    details TEXT NOT NULL
  ) STRICT;
  CREATE INDEX audit_of_terminal ON audit (terminal);
  CREATE INDEX audit_of_session ON audit (session);
  ALTER TABLE snapshots RENAME TO snapshots_before;
  DROP INDEX snapshots_of_terminal;
  CREATE TABLE snapshots (
    run TEXT PRIMARY KEY,
    terminal TEXT NOT NULL REFERENCES terminals (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    blob TEXT NOT NULL REFERENCES blobs (hash)
  ) STRICT;
  CREATE INDEX snapshots_of_terminal ON snapshots (terminal);
  CREATE INDEX snapshots_of_blob ON snapshots (blob);
`

const UNUSED = (blob: string): string => `
  DELETE FROM blobs WHERE hash = ${blob}
    AND NOT EXISTS (SELECT 1 FROM snapshots WHERE blob = ${blob})
    AND NOT EXISTS (SELECT 1 FROM checkpoint_terminals WHERE screen = ${blob});
`

const AFTER = `
  DROP TABLE snapshots_before;
  CREATE TRIGGER snapshot_replaced AFTER UPDATE OF blob ON snapshots WHEN old.blob <> new.blob BEGIN ${UNUSED('old.blob')} END;
  CREATE TRIGGER snapshot_removed AFTER DELETE ON snapshots BEGIN ${UNUSED('old.blob')} END;
  CREATE TRIGGER checkpoint_screen_removed AFTER DELETE ON checkpoint_terminals WHEN old.screen IS NOT NULL
    BEGIN ${UNUSED('old.screen')} END;
`

export function version2(database: Database): void {
  database.exec(BEFORE)
  // One at a time: a database of many screens is larger than what a migration may hold in memory.
  for (const { run } of database.all('SELECT run FROM snapshots_before ORDER BY rowid')) moveSnapshot(database, String(run))
  database.exec(AFTER)
}

function moveSnapshot(database: Database, run: string): void {
  const row = database.get('SELECT terminal, seq, bytes FROM snapshots_before WHERE run = ?', run)
  if (row === null) return
  const packed = row['bytes'] as Uint8Array
  const { hash, size } = addressOf(packed)
  database.run('INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)', hash, size, packed)
  database.run('INSERT INTO snapshots VALUES (?, ?, ?, ?)', run, row['terminal'] ?? null, row['seq'] ?? null, hash)
}

/** A blob that cannot be unpacked is kept under an address that says so: reading it reports the damage, as before. */
function addressOf(packed: Uint8Array): { readonly hash: string; readonly size: number } {
  try {
    const bytes = decompressed(packed, 'a snapshot')
    return { hash: blake3(bytes), size: bytes.length }
  } catch {
    return { hash: `damaged ${blake3(packed)}`, size: 0 }
  }
}
