/** Links that log a browser in: each works once, for ten minutes, and is forgotten with the daemon. */
import { findByHash, hashSecret, looksLikeSecret, makeSecret } from './secrets.ts'

export const TOKEN_LIFE_MS = 10 * 60_000 // long enough to carry a link to another window
const TOKENS_LIMIT = 32 // a script that asks for links in a loop only pushes out its own oldest ones
export const FAILURES_LIMIT = 10 // a person who pastes the wrong thing needs a few tries; a guesser needs 2^255
export const FAILURES_WINDOW_MS = 60_000

export type Redeemed = { readonly kind: 'right' } | { readonly kind: 'wrong' } | { readonly kind: 'tooMany'; readonly retryMs: number }

type Token = { readonly hash: string; readonly expires: number }

export class LoginTokens {
  private tokens: Token[] = []
  private failures: number[] = []
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  make(): string {
    const secret = makeSecret()
    this.tokens.push({ hash: hashSecret(secret), expires: this.now() + TOKEN_LIFE_MS })
    this.tokens = this.tokens.slice(-TOKENS_LIMIT)
    return secret
  }

  redeem(presented: string): Redeemed {
    const now = this.now()
    this.tokens = this.tokens.filter((token) => token.expires > now)
    this.failures = this.failures.filter((at) => at > now - FAILURES_WINDOW_MS)
    const [oldest] = this.failures
    if (oldest !== undefined && this.failures.length >= FAILURES_LIMIT)
      return { kind: 'tooMany', retryMs: oldest + FAILURES_WINDOW_MS - now }
    const token = looksLikeSecret(presented) ? findByHash(this.tokens, hashSecret(presented)) : null
    if (token === null) {
      this.failures.push(now)
      return { kind: 'wrong' }
    }
    this.tokens = this.tokens.filter((other) => other !== token)
    return { kind: 'right' }
  }
}
