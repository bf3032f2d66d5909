/** Secrets leave this process once, when they are made; what is remembered, compared or kept is their SHA-256. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { DeviceId } from '../../base/ids.ts'

const SECRET_BYTES = 32 // 256 bits: cannot be guessed, so a fast hash is enough
const SECRET_SHAPE = /^[A-Za-z0-9_-]{43}$/

export const makeSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')
export const looksLikeSecret = (text: string): boolean => SECRET_SHAPE.test(text)
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Looks at every candidate, so that the time taken says nothing about which one fits or how far it fits. */
export function findByHash<Item extends { readonly hash: string }>(items: Iterable<Item>, hash: string): Item | null {
  const wanted = Buffer.from(hash, 'hex')
  let found: Item | null = null
  for (const item of items) {
    const candidate = Buffer.from(item.hash, 'hex')
    if (candidate.length === wanted.length && timingSafeEqual(candidate, wanted)) found = item
  }
  return found
}

/** What an open, proved link may put into the Authorization header of HTTP requests. It ends with the link. */
const PREFIX = 'Bearer '

export class Bearers {
  private readonly known = new Set<{ readonly hash: string; readonly device: DeviceId }>()

  issue(device: DeviceId): { readonly bearer: string; readonly end: () => void } {
    const bearer = makeSecret()
    const entry = { hash: hashSecret(bearer), device }
    this.known.add(entry)
    return { bearer, end: () => this.known.delete(entry) }
  }

  /** `header` is the value of Authorization. */
  find(header: string): DeviceId | null {
    if (!header.startsWith(PREFIX)) return null
    const presented = header.slice(PREFIX.length)
    return looksLikeSecret(presented) ? (findByHash(this.known, hashSecret(presented))?.device ?? null) : null
  }
}
