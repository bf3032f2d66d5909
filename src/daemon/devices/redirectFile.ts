/**
 * A file that leads a browser to a login link. Every user of the machine can read the arguments of every process, so a
 * browser is started with the path of this file, which only its owner can read. It goes with the link.
 */

import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

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
