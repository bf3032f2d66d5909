/** Links that log a browser in: each works once, for ten minutes, and is forgotten with the daemon. */

import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
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

/** 256 bits cannot be guessed, so a wrong token is refused without a lockout. */
export class LoginLinks {
  private tokens: Token[] = []

  constructor(private readonly now: () => number) {}

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

/**
 * A file that leads a browser to a login link. Every user of the machine can read the arguments of every process, so a
 * browser is started with the path of this file, which only its owner can read. It goes with the link.
 */
const NAME = /^holdfast-login-[0-9a-f]+\.html$/

/** A browser in a snap reads nothing but its own folder. */
export const directoryFor = (snap: string | null, usual: string): string =>
  snap === null ? usual : join(homedir(), 'snap', snap, 'common')

export function writeRedirect(directory: string, url: string): { readonly path: string; readonly remove: () => void } {
  const path = join(directory, `holdfast-login-${randomBytes(8).toString('hex')}.html`)
  writeFileSync(path, pageFor(url), { mode: 0o600, flag: 'wx' })
  return { path, remove: () => rmSync(path, { force: true }) }
}

/** What a daemon that was killed has left; its links died with it. */
export function removeOldRedirects(directory: string): void {
  try {
    for (const name of readdirSync(directory)) if (NAME.test(name)) rmSync(join(directory, name), { force: true })
  } catch {
    // no such directory, or not ours
  }
}

/** The address is made of letters, digits and a few signs: nothing in it can end the text it stands in. */
const pageFor = (url: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Holdfast</title>
<script>location.replace(${JSON.stringify(url)})</script>
<noscript>Holdfast needs JavaScript.</noscript>
</html>
`
