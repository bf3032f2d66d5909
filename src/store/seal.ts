/**
 * A file encrypted with a passphrase (scrypt, AES-256-GCM). The header is authenticated with the rest; numbers have their
 * highest byte first.
 *
 *   magic (8) · version (4) · log2 N (1) · r (1) · p (1) · salt (16) · nonce (12) · check of the key (16)
 *   · SHA-256 of all that (32) · ciphertext · tag (16)
 *
 * The check tells a wrong passphrase from a damaged file; guessing by it costs as much as guessing by the tag.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'

export type Unsealed =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly why: 'wrong passphrase' | 'damaged' | 'unknown' }

const MAGIC = Buffer.from('HFSEALED')
const VERSION = 1
/** 128 MiB and about half a second on a machine of 2024. */
const COST = { log2N: 17, r: 8, p: 1 } as const
/** A file may ask for at most this: 256 MiB, and seconds. A hostile one asks for hours. */
const MOST = { log2N: 18, r: 8, p: 4 } as const
const LEAST = { log2N: 14, r: 8, p: 1 } as const
const [SALT_BYTES, NONCE_BYTES, CHECK_BYTES, SUM_BYTES, TAG_BYTES, KEY_BYTES] = [16, 12, 16, 32, 16, 32]
const SALT_AT = MAGIC.length + 4 + 3
const NONCE_AT = SALT_AT + SALT_BYTES
const CHECK_AT = NONCE_AT + NONCE_BYTES
const SUM_AT = CHECK_AT + CHECK_BYTES
const HEADER_BYTES = SUM_AT + SUM_BYTES

type Cost = { readonly log2N: number; readonly r: number; readonly p: number }

export const isSealed = (bytes: Buffer): boolean => bytes.subarray(0, MAGIC.length).equals(MAGIC)

/** How many bytes sealing adds. */
export const SEAL_BYTES = HEADER_BYTES + TAG_BYTES

export function seal(bytes: Uint8Array, passphrase: string, cost: Cost = COST): Buffer {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)]
  const { key, check } = keyOf(passphrase, salt, cost)
  const fixed = Buffer.alloc(SALT_AT)
  MAGIC.copy(fixed)
  fixed.writeUInt32BE(VERSION, MAGIC.length)
  fixed.set([cost.log2N, cost.r, cost.p], MAGIC.length + 4)
  const head = Buffer.concat([fixed, salt, nonce, check])
  const header = Buffer.concat([head, sumOf(head)])
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(header)
  return Buffer.concat([header, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

export function unseal(sealed: Buffer, passphrase: string): Unsealed {
  const no = (why: 'wrong passphrase' | 'damaged' | 'unknown'): Unsealed => ({ ok: false, why })
  if (sealed.length < HEADER_BYTES + TAG_BYTES || !isSealed(sealed)) return no('damaged')
  const header = sealed.subarray(0, HEADER_BYTES)
  if (!sumOf(header.subarray(0, SUM_AT)).equals(header.subarray(SUM_AT))) return no('damaged')
  const [log2N = 0, r = 0, p = 0] = header.subarray(MAGIC.length + 4)
  if (header.readUInt32BE(MAGIC.length) !== VERSION || !isBearable({ log2N, r, p })) return no('unknown')
  const nonce = header.subarray(NONCE_AT, CHECK_AT)
  const { key, check } = keyOf(passphrase, header.subarray(SALT_AT, NONCE_AT), { log2N, r, p })
  if (!timingSafeEqual(check, header.subarray(CHECK_AT, SUM_AT))) return no('wrong passphrase')
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(header)
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return { ok: true, bytes: Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()]) }
  } catch {
    return no('damaged') // the key is right, the tag is not
  }
}

const isBearable = ({ log2N, r, p }: Cost): boolean =>
  (
    [
      ['log2N', log2N],
      ['r', r],
      ['p', p],
    ] as const
  ).every(([name, value]) => value >= LEAST[name] && value <= MOST[name])

/** The same letters typed on another system may come as other code points. */
function keyOf(passphrase: string, salt: Buffer, { log2N, r, p }: Cost): { readonly key: Buffer; readonly check: Buffer } {
  const N = 2 ** log2N
  const derived = scryptSync(passphrase.normalize('NFC'), salt, KEY_BYTES + CHECK_BYTES, {
    N,
    r,
    p,
    maxmem: 128 * r * (N + p + 2) + (1 << 20),
  })
  return { key: derived.subarray(0, KEY_BYTES), check: derived.subarray(KEY_BYTES) }
}

const sumOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
