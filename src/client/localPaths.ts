/** The paths of this user's instance on this machine. The CLI and the daemon must agree on them, so they are made here. */
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { homeOf, type Paths, pathsOf } from '../wire/paths.ts'

/** Not `os.tmpdir()`: TMPDIR may differ between the shell that starts the daemon and the one that looks for it. */
const TEMPORARY = '/tmp'

export const localPaths = (env: Readonly<Record<string, string | undefined>> = process.env): Paths =>
  pathsOf({
    home: realPath(resolve(homeOf(env))),
    uid: process.getuid?.() ?? 0,
    temporary: TEMPORARY,
    // Hardly any path is so long that it needs this, and loading it takes every command 2 ms.
    hash: (text) => process.getBuiltinModule('node:crypto').createHash('sha256').update(text).digest('hex'),
  })

/** One directory is one instance, whichever path leads to it. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // not there yet
  }
}
