/**
 * Runs a program in a directory, bounded: so long, so much output, no input, no terminal. It leads a process group of its own, which is
 * killed as a whole when it takes too long, so that nothing that it started outlives it.
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

/** A constant line; what differs are its arguments. The shell enters the directory: a disk that does not answer would hold up the daemon. */
const LINE = 'umask "$1" || exit; cd -- "$0" || exit; shift; exec "$@"'
/** What a shell ends with that does not find the program. */
const NOT_FOUND = 127

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
    const timer = setTimeout(() => stop('it took too long'), withinMs)
    const output = gather(child.stdout, mostBytes, () => stop('it said too much'))
    const said = gather(child.stderr, mostBytes, () => stop('it said too much'))
    const finish = (ran: Ran): void => {
      clearTimeout(timer)
      resolve(ran)
    }
    child.once('error', (error) => finish({ kind: 'failed', why: error.message }))
    // A program that the first one left behind may hold its pipes open: that is not waited for.
    child.once('exit', () => killGroup(child))
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

/** A relative entry of PATH would find programs in the directory that is looked at. */
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
