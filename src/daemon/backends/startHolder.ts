/** Starts a holder so that it outlives the daemon, the login session and the terminal it was asked from. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { builtFile } from '../../store/thread/builtFile.ts'
import { type HolderOrder, type HolderReady, type HolderStatus, holderEnvironment, holderFlags, type TmuxOrder } from '../../wire/holder.ts'
import { type Paths, runDirectory, runSocket } from '../../wire/paths.ts'

/** A process needs built JavaScript: run from src/ (by a test), the one in build/ is taken. */
const HOLDER = fileURLToPath(builtFile('holder/main.js'))
const READY_WITHIN_MS = 10_000 // Node starts in 40 ms; a machine that swaps may need seconds

const SEGMENTS = 2 // of a run's log

export type Starting = { readonly paths: Paths; readonly logBytes: () => number }

/** What is to be started; where it is kept and reached follows from its run. */
export type ProgramOrder = Omit<HolderOrder, 'runDirectory' | 'socketPath' | 'segmentBytes' | 'tmux'>

export type Started = { readonly ok: true; readonly status: HolderStatus } | { readonly ok: false; readonly reason: string }

export function startProgram({ paths, logBytes }: Starting, order: ProgramOrder, tmux?: TmuxOrder): Promise<Started> {
  const { run } = order
  const places = { runDirectory: runDirectory(paths, run), socketPath: runSocket(paths, run) }
  const whole = { ...order, ...places, segmentBytes: Math.floor(logBytes() / SEGMENTS), ...(tmux && { tmux }) }
  return startHolder(whole, { home: paths.home, errorLog: paths.holdersLog })
}

async function startHolder(order: HolderOrder, options: { home: string; errorLog: string }): Promise<Started> {
  const scope = scopeCommand(order)
  const started = await launch(order, { ...options, prefix: scope })
  // A user manager that refuses (no bus, no rights) must not cost the terminal: a holder without a scope ends at logout.
  if (!started.ok && started.early && scope.length > 0) return await launch(order, { ...options, prefix: [] })
  return started
}

/**
 * Logging out ends the session's control group with everything in it, detached or not. A scope of the user's own
 * manager is outside of it.
 */
function scopeCommand(order: HolderOrder): string[] {
  const runtime = process.env['XDG_RUNTIME_DIR']
  if (process.platform !== 'linux' || runtime === undefined || !existsSync(`${runtime}/systemd/private`)) return []
  return ['systemd-run', '--user', '--scope', '--quiet', '--collect', `--unit=${unitOf(order)}`, '--']
}

/** The tmux that an earlier holder of the run has started is still in that one's scope. */
const unitOf = ({ run, tmux }: HolderOrder): string =>
  tmux === undefined || tmux.kind === 'new' ? `holdfast-${run}` : `holdfast-${run}-${Date.now()}`

async function launch(
  order: HolderOrder,
  options: { home: string; errorLog: string; prefix: string[] },
): Promise<Started & { early?: boolean }> {
  const [command, ...args] = [...options.prefix, process.execPath, ...holderFlags, HOLDER, order.terminal, order.run]
  const errors = openSync(options.errorLog, 'a', 0o600)
  const child = spawn(command ?? process.execPath, args, {
    detached: true,
    cwd: '/',
    stdio: ['pipe', 'pipe', errors],
    env: environmentOf(options.home),
  })
  closeSync(errors)
  const ready = await readiness(child, order)
  child.stdin?.destroy()
  child.stdout?.destroy()
  child.unref()
  return ready
}

function readiness(child: ChildProcess, order: HolderOrder): Promise<Started & { early?: boolean }> {
  return new Promise((resolve) => {
    let text = ''
    const timer = setTimeout(() => {
      child.kill('SIGTERM')
      resolve({ ok: false, reason: 'its holder did not get ready in time' })
    }, READY_WITHIN_MS)
    const finish = (outcome: Started & { early?: boolean }): void => {
      clearTimeout(timer)
      resolve(outcome)
    }
    child.on('error', (error) => finish({ ok: false, reason: error.message, early: true }))
    child.on('exit', (code, signal) => finish({ ok: false, reason: `its holder ended at once (${signal ?? code})`, early: true }))
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const end = text.indexOf('\n')
      if (end >= 0) finish(JSON.parse(text.slice(0, end)) as HolderReady)
    })
    child.stdin?.on('error', () => undefined) // the exit says why
    child.stdin?.end(JSON.stringify(order))
  })
}

/** The holder needs almost nothing: the program's environment is in the order. */
function environmentOf(home: string): Record<string, string> {
  const env: Record<string, string> = { ...holderEnvironment, HOLDFAST_HOME: home }
  for (const name of ['PATH', 'HOME', 'LANG', 'LC_ALL', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'HOLDFAST_TRIP']) {
    const value = process.env[name]
    if (value !== undefined) env[name] = value
  }
  return env
}
