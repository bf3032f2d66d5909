/** What an open, proved link may put into the Authorization header of HTTP requests. It ends with the link. */
import type { DeviceId } from '../../base/ids.ts'
import { findByHash, hashSecret, looksLikeSecret, makeSecret } from './secrets.ts'

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
