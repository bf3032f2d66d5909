/**
 * Bytes under the hash of their contents, each once, however many snapshots and checkpoints show them. The schema's
 * triggers remove one when the last that refers to it goes.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { blake3 } from '../blake3.ts'
import { failureOf, StoreFailure } from '../failure.ts'
import type { Database } from '../sqlite.ts'

/** The ratio of higher qualities is not worth ten times the time. */
const FASTEST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

/** The caller must refer to the hash in the same transaction; otherwise the bytes are never removed. */
export function keepBlob(database: Database, bytes: Uint8Array): string {
  const hash = blake3(bytes)
  if (database.get('SELECT 1 FROM blobs WHERE hash = ?', hash) === null)
    database.run('INSERT INTO blobs VALUES (?, ?, ?)', hash, bytes.length, brotliCompressSync(bytes, FASTEST))
  return hash
}

/** `what` is named in the failure when they are not the bytes that were kept. */
export function unpack(row: { readonly hash: string; readonly bytes: Uint8Array }, what: string): Uint8Array {
  const bytes = decompressed(row.bytes, what)
  if (blake3(bytes) !== row.hash) throw new StoreFailure(failureOf('damaged', `${what} is not what was kept`))
  return bytes
}

export function decompressed(bytes: Uint8Array, what: string): Uint8Array {
  try {
    return brotliDecompressSync(bytes)
  } catch (cause) {
    throw new StoreFailure(failureOf('damaged', `${what} cannot be unpacked: ${String(cause)}`), { cause })
  }
}
