/** Screens out of a damaged database, of either schema: those whose bytes are still what was kept. */
import { isId } from '../base/ids.ts'
import { decompressed, keepBlob, unpack } from './blobs.ts'
import { readableRows } from './salvageRows.ts'
import type { Database, Row } from './sqlite.ts'

export function copyScreens(source: Database, into: Database): void {
  for (const row of readableRows(source, 'blobs').rows) copyBlob(into, row)
  for (const row of readableRows(source, 'snapshots').rows) {
    const blob = 'bytes' in row ? blobOf(into, row) : knownBlob(into, row)
    if (blob !== null && isSnapshot(into, row))
      into.run('INSERT OR IGNORE INTO snapshots VALUES (?, ?, ?, ?)', row['run'] ?? null, row['terminal'] ?? null, row['seq'] ?? null, blob)
  }
}

const isSnapshot = (into: Database, { run, terminal, seq }: Row): boolean =>
  isId('run', String(run)) && typeof seq === 'number' && into.get('SELECT 1 FROM terminals WHERE id = ?', terminal ?? null) !== null

function copyBlob(into: Database, { hash, bytes }: Row): void {
  const unpacked = bytes instanceof Uint8Array ? soundBytes(() => unpack({ hash: String(hash), bytes }, 'a screen')) : null
  if (unpacked !== null) into.run('INSERT OR IGNORE INTO blobs VALUES (?, ?, ?)', String(hash), unpacked.length, bytes as Uint8Array)
}

const knownBlob = (into: Database, { blob }: Row): string | null =>
  into.get('SELECT 1 FROM blobs WHERE hash = ?', blob ?? null) === null ? null : String(blob)

/** Schema 1 had the bytes in the row itself. */
function blobOf(into: Database, { bytes }: Row): string | null {
  const unpacked = bytes instanceof Uint8Array ? soundBytes(() => decompressed(bytes, 'a screen')) : null
  return unpacked === null ? null : keepBlob(into, unpacked)
}

/** Null for bytes that are not what was kept: a screen less. */
function soundBytes(read: () => Uint8Array): Uint8Array | null {
  try {
    return read()
  } catch {
    return null
  }
}
