/**
 * Runs a program in a directory with bounds on time and output, and without input or a terminal. The program leads its own process group,
 * which is killed as a whole when it exceeds a bound.
 */
import { type ChildProcess, spawn } from 'node:child_process'

export type Bounds = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly withinMs: number
  readonly mostBytes: number
  /** For files that are the user's: the daemon's own mask is stricter. */
  readonly umask?: number | undefined
}

export type Ran =
  | { readonly kind: 'ended'; readonly code: number; readonly output: string; readonly said: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly why: string }

/** A constant line; only its arguments differ. The shell enters the directory, because a disk that hangs would block the daemon in `spawn`. */
const LINE = 'umask "$1" || exit; cd -- "$0" || exit; shift; exec "$@"'
/** The shell's exit code where it does not find the program. */
const NOT_FOUND = 127
/** A hook of a trusted repository may leave a process in the background that holds the pipes open. */
const DRAINED_WITHIN_MS = 1_000

export function runBounded(program: string, args: readonly string[], { cwd, env, withinMs, mostBytes, umask }: Bounds): Promise<Ran> {
  const mask = (umask ?? process.umask()).toString(8)
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', LINE, cwd, mask, program, ...args], {
      ...{ cwd: '/', env: withoutRelativePaths(env), detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    })
    let why: string | null = null
    const stop = (because: string): void => {
      why ??= because
      killGroup(child)
    }
    let timer = setTimeout(() => stop('it took too long'), withinMs)
    const output = gather(child.stdout, mostBytes, () => stop('it printed too much'))
    const said = gather(child.stderr, mostBytes, () => stop('it printed too much'))
    const finish = (ran: Ran): void => {
      clearTimeout(timer)
      resolve(ran)
    }
    child.once('error', (error) => finish({ kind: 'failed', why: error.message }))
    child.once('exit', () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        for (const stream of [child.stdout, child.stderr]) stream?.destroy()
      }, DRAINED_WITHIN_MS)
    })
    child.once('close', (code, signal) => {
      if (why !== null) return finish({ kind: 'failed', why })
      if (code === NOT_FOUND) return finish({ kind: 'missing' })
      if (code === null) return finish({ kind: 'failed', why: `it was ended by ${signal}` })
      finish({ kind: 'ended', code, output: output(), said: said() })
    })
  })
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}

function gather(stream: NodeJS.ReadableStream | null, mostBytes: number, tooMuch: () => void): () => string {
  const pieces: Buffer[] = []
  let bytes = 0
  stream?.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes <= mostBytes) pieces.push(piece)
    else tooMuch()
  })
  return () => Buffer.concat(pieces).toString('utf8')
}

/** A relative entry of PATH would find programs in the directory being inspected. */
function withoutRelativePaths(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH } = env
  return PATH === undefined
    ? env
    : {
        ...env,
        PATH: PATH.split(':')
          .filter((entry) => entry.startsWith('/'))
          .join(':'),
      }
}
