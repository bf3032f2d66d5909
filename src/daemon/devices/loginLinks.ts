/** Links that log a browser in: each works once, for ten minutes, and is forgotten with the daemon. */
import type { Capability } from '../../wire/capability.ts'
import { findByHash, hashSecret, looksLikeSecret, makeSecret } from './secrets.ts'

export const TOKEN_LIFE_MS = 10 * 60_000 // long enough to carry a link to another window
const TOKENS_LIMIT = 32 // a script that asks for links in a loop only pushes out its own oldest ones

/** What the browser that uses the link gets. */
export type Grant = {
  readonly capability: Capability
  /** Null: named after the browser. */
  readonly name: string | null
  readonly addedBy: string | null
  /** Called when the link is used up or too old. */
  readonly over?: () => void
}

type Token = { readonly hash: string; readonly expires: number; readonly grant: Grant }

/** 256 bits cannot be guessed, so wrong tokens are refused and nobody is locked out for them. */
export class LoginLinks {
  private tokens: Token[] = []
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  make(grant: Grant): string {
    const secret = makeSecret()
    this.tokens.push({ hash: hashSecret(secret), expires: this.now() + TOKEN_LIFE_MS, grant })
    this.drop(this.tokens.slice(0, -TOKENS_LIMIT))
    return secret
  }

  /** Null for a token that is wrong, used up or too old. */
  redeem(presented: string): Grant | null {
    this.sweep()
    const token = looksLikeSecret(presented) ? findByHash(this.tokens, hashSecret(presented)) : null
    if (token === null) return null
    this.drop([token])
    return token.grant
  }

  sweep(): void {
    const now = this.now()
    this.drop(this.tokens.filter(({ expires }) => expires <= now))
  }

  close(): void {
    this.drop(this.tokens)
  }

  private drop(gone: readonly Token[]): void {
    this.tokens = this.tokens.filter((token) => !gone.includes(token))
    for (const { grant } of gone) grant.over?.()
  }
}
