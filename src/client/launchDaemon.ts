/** Starts a daemon that outlives its starter, and finds out why one did not start. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { done, type Refusal, type Result, refusals, refused } from '../base/refusal.ts'
import { systemReason } from '../base/systemReason.ts'
import type { Paths } from '../wire/paths.ts'

const DAEMON_ENTRY = fileURLToPath(new URL('../daemon/main.js', import.meta.url))
/** The file of early errors starts anew beyond this: it only ever matters for the last start. */
const START_LOG_LIMIT = 64 << 10

export type Launched = {
  /** Null while it runs; otherwise why it ended. */
  end(): Refusal | null
}

export function launchDaemon(paths: Paths, entry: string = DAEMON_ENTRY): Result<Launched> {
  const startLog = `${paths.logs}/daemon-start.log`
  try {
    mkdirSync(paths.home, { recursive: true, mode: 0o700 })
    makeDirectory(paths.logs)
    const before = sizeOf(startLog)
    const keep = before <= START_LOG_LIMIT
    const errors = openSync(startLog, keep ? 'a' : 'w', 0o600)
    const child = spawn(process.execPath, [entry], {
      detached: true,
      cwd: '/', // whatever directory the user was in must stay free to be removed or unmounted
      stdio: ['ignore', 'ignore', errors],
      env: { ...process.env, HOLDFAST_HOME: paths.home },
    })
    closeSync(errors)
    child.unref()
    return done(
      watched(child, () =>
        readFileSync(startLog)
          .subarray(keep ? before : 0)
          .toString(),
      ),
    )
  } catch (error) {
    return refused(refusals.homeUnusable(paths.home, systemReason(error)))
  }
}

/** Makes this very process the daemon: for service managers and foreground use. Never returns. */
export function becomeDaemon(paths: Paths): Promise<never> {
  process.env['HOLDFAST_HOME'] = paths.home
  process.chdir('/')
  createRequire(DAEMON_ENTRY)(DAEMON_ENTRY)
  return new Promise(() => undefined)
}

function watched(child: ChildProcess, errors: () => string): Launched {
  let end: (() => Refusal) | null = null
  child.on('exit', (code) => {
    // A daemon that exits with 0 has found another one running.
    end = () => (code === 0 ? refusals.daemonRunning(0) : startRefusal(errors()))
  })
  child.on('error', (error) => {
    end = () => refusals.daemonUnreachable(`it could not be started (${error.message})`)
  })
  return { end: () => end?.() ?? null }
}

/** A daemon that will not start says why in its last line: a refusal as JSON, or whatever Node printed. */
export function startRefusal(errors: string): Refusal {
  const lines = errors.trim().split('\n')
  for (const line of lines.toReversed()) {
    const said = refusalIn(line)
    if (said !== null) return said
  }
  const telling = lines.find((line) => /\bError\b/.test(line)) ?? lines.at(-1) ?? ''
  return refusals.daemonUnreachable(`it ended while starting${telling.trim() === '' ? '' : ` (${telling.trim()})`}`)
}

function refusalIn(line: string): Refusal | null {
  if (!line.startsWith('{')) return null
  try {
    const { refusal } = JSON.parse(line) as { refusal?: Partial<Refusal> }
    if (typeof refusal?.code !== 'string' || typeof refusal.message !== 'string') return null
    return { code: refusal.code, message: refusal.message, hint: refusal.hint ?? '' }
  } catch {
    return null // not a refusal after all, only a line that begins like one
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}

/** Not recursive: on a read-only disk that would complain of a missing directory instead. */
function makeDirectory(path: string): void {
  if (!existsSync(path)) mkdirSync(path, { mode: 0o700 })
}
