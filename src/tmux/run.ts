/** One command of tmux, answered or not within a time; and which tmux there is. The only place that starts it, besides `control.ts`. */
import { execFile } from 'node:child_process'
import { obstacleIn } from './ownSocket.ts'

/** A server answers within milliseconds; one that takes this long hangs. */
const ANSWERS_WITHIN_MS = 3_000
const LARGEST_ANSWER_BYTES = 64 << 20

/** The oldest that tells how a program ended, and that we have seen work. */
const OLDEST = { major: 3, minor: 3 } as const

export type Ran =
  | { readonly kind: 'done'; readonly text: string }
  /** tmux ran and said no: there is no such server, session or pane. Or it was not run, since the server is not the user's own. */
  | { readonly kind: 'refused'; readonly why: string }
  /** The server is there and does not answer. */
  | { readonly kind: 'silent'; readonly why: string }
  | { readonly kind: 'missing'; readonly why: string }

export function runTmux(args: readonly string[], { input = '', withinMs = ANSWERS_WITHIN_MS } = {}): Promise<Ran> {
  const foreign = obstacleIn(args)
  if (foreign !== null) return Promise.resolve({ kind: 'refused', why: foreign })
  return new Promise((resolve) => {
    const options = { timeout: withinMs, killSignal: 'SIGKILL', maxBuffer: LARGEST_ANSWER_BYTES, env: tmuxEnvironment() } as const
    const child = execFile('tmux', ['-u', ...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve({ kind: 'done', text: stdout })
      if (error.code === 'ENOENT') return resolve({ kind: 'missing', why: 'tmux is not installed' })
      if (error.killed) return resolve({ kind: 'silent', why: `tmux did not answer within ${withinMs / 1_000} s` })
      resolve({ kind: 'refused', why: stderr.trim() || error.message })
    })
    child.stdin?.on('error', () => undefined) // the exit says why
    child.stdin?.end(input)
  })
}

/** A client that finds itself in another tmux refuses to work, and a server gives its own environment to every program. */
export function tmuxEnvironment(): Record<string, string> {
  const picked = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(picked), LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' }
}

export type Installed = { readonly ok: true; readonly version: string } | { readonly ok: false; readonly why: string }

export async function installedTmux(): Promise<Installed> {
  const ran = await runTmux(['-V'])
  if (ran.kind !== 'done') return { ok: false, why: ran.why }
  const version = ran.text.trim().replace(/^tmux /, '')
  return isNewEnough(version)
    ? { ok: true, version }
    : { ok: false, why: `tmux ${version} is too old: ${OLDEST.major}.${OLDEST.minor} or newer is needed` }
}

/** As in `3.3a`, `next-3.6` or `master`; what cannot be read is a custom build, and counts as new. */
function isNewEnough(version: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined || minor === undefined) return true
  return Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor)
}
