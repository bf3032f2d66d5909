/** The one file that knows who computes BLAKE3. Hashes are 64 hex digits everywhere else. */
import { blake3 as digest } from '@napi-rs/blake-hash'

export const blake3 = (input: string | Uint8Array): string =>
  digest(typeof input === 'string' ? Buffer.from(input) : Buffer.from(input.buffer, input.byteOffset, input.byteLength)).toString('hex')
