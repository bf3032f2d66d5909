/**
 * Browsers that are logged in. A session survives the daemon, because its hash is kept; it ends by expiry or when it is
 * revoked, and whoever holds something open for it (a WebSocket) is told.
 */
import type { Store, WebSession } from '../../store/store.ts'
import { findByHash, hashSecret, looksLikeSecret, makeSecret } from './secrets.ts'
import type { WebLog } from './webLog.ts'

export const SESSION_LIFE_MS = 30 * 24 * 60 * 60_000
const SESSIONS_LIMIT = 64 // each is compared with on every request; the oldest makes room
const LABEL_LENGTH = 120
const SHORT_ID_LENGTH = 12 // of the hash: names a session in a list without helping anyone to forge it

export type SessionStore = Pick<Store, 'webSessions' | 'keepWebSession' | 'forgetWebSession'>
export type SessionView = { readonly id: string; readonly created: number; readonly expires: number; readonly label: string }

type Options = { readonly store: SessionStore; readonly now: () => number; readonly log: WebLog }

export class WebSessions {
  private readonly sessions = new Map<string, WebSession>()
  private readonly endListeners = new Set<(hash: string) => void>()
  private readonly options: Options

  private constructor(options: Options, known: readonly WebSession[]) {
    this.options = options
    for (const session of known) this.sessions.set(session.hash, session)
  }

  static async open(options: Options): Promise<WebSessions> {
    const sessions = new WebSessions(options, await options.store.webSessions())
    sessions.endExpired()
    return sessions
  }

  /** Returns the cookie's value, which nobody remembers but the browser. */
  async begin(agent: string): Promise<string> {
    const secret = makeSecret()
    const created = this.options.now()
    const session = { hash: hashSecret(secret), created, expires: created + SESSION_LIFE_MS, label: printable(agent) }
    this.sessions.set(session.hash, session)
    for (const { hash } of this.oldestFirst().slice(0, -SESSIONS_LIMIT)) this.end(hash)
    // A full disk must not lock the user out: the session then lasts as long as this daemon.
    await this.options.store.keepWebSession(session).catch((error) => this.warn(error, 'a web session could not be kept'))
    return secret
  }

  /** A browser may send several cookies of one name; one right one is enough. */
  find(secrets: readonly string[]): WebSession | null {
    const now = this.options.now()
    let found: WebSession | null = null
    for (const secret of secrets) {
      if (!looksLikeSecret(secret)) continue
      const session = findByHash(this.sessions.values(), hashSecret(secret))
      if (session !== null && session.expires > now) found = session
    }
    return found
  }

  list(): SessionView[] {
    return this.oldestFirst().map(({ hash, created, expires, label }) => ({ id: shortId(hash), created, expires, label }))
  }

  revoke(id: string): boolean {
    const hash = [...this.sessions.keys()].find((known) => shortId(known) === id)
    if (hash === undefined) return false
    this.end(hash)
    return true
  }

  end(hash: string): void {
    if (!this.sessions.delete(hash)) return
    this.options.store.forgetWebSession(hash).catch((error) => this.warn(error, 'a revoked web session could not be forgotten on disk'))
    for (const listener of this.endListeners) listener(hash)
  }

  endExpired(): void {
    const now = this.options.now()
    for (const { hash, expires } of [...this.sessions.values()]) if (expires <= now) this.end(hash)
  }

  onEnd(listener: (hash: string) => void): void {
    this.endListeners.add(listener)
  }

  private oldestFirst(): WebSession[] {
    return [...this.sessions.values()].sort((a, b) => a.created - b.created)
  }

  private warn(error: unknown, message: string): void {
    this.options.log.warn({ error: String(error) }, message)
  }
}

export const shortId = (hash: string): string => hash.slice(0, SHORT_ID_LENGTH)

const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '').slice(0, LABEL_LENGTH)
