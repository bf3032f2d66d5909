/** Where everything is kept, as plain string work: the callers bring the home, the user id and a hash. */
import type { RunId, TerminalId } from '../base/ids.ts'

export type Paths = {
  readonly home: string
  readonly config: string
  readonly database: string
  /** the index of all lines; it can be made again at any time */
  readonly search: string
  readonly lock: string
  /** pid, start time, version and web address of the running daemon */
  readonly daemonCard: string
  readonly logs: string
  readonly daemonLog: string
  readonly holdersLog: string
  readonly runs: string
  /** what was dropped onto terminals, a folder for each */
  readonly files: string
  /** 0700; short, because a socket's path may have 103 bytes at most */
  readonly sockets: string
  readonly daemonSocket: string
  /** of the tmux that holds programs where the configuration says so */
  readonly tmuxSocket: string
  readonly tmuxConfig: string
}

/** sockaddr_un holds 108 bytes on Linux and 104 on macOS, including the closing zero. */
export const SOCKET_PATH_LIMIT = 103
const LONGEST_SOCKET_NAME = '/r0123456789.sock'.length

export type PathSource = {
  readonly home: string
  readonly uid: number
  readonly temporary: string
  readonly hash: (text: string) => string
}

export function pathsOf({ home, uid, temporary, hash }: PathSource): Paths {
  const logs = `${home}/logs`
  const inside = `${home}/sockets`
  // The runtime directory is no alternative: it is emptied at logout, while holders live on.
  const sockets =
    inside.length + LONGEST_SOCKET_NAME <= SOCKET_PATH_LIMIT ? inside : `${temporary}/holdfast-${uid}-${hash(home).slice(0, 12)}`
  return {
    home,
    config: `${home}/config.toml`,
    database: `${home}/holdfast.db`,
    search: `${home}/search.db`,
    lock: `${home}/lock.db`,
    daemonCard: `${home}/daemon.json`,
    logs,
    daemonLog: `${logs}/daemon.log`,
    holdersLog: `${logs}/holders.log`,
    runs: `${home}/runs`,
    files: `${home}/files`,
    sockets,
    daemonSocket: `${sockets}/daemon.sock`,
    tmuxSocket: `${sockets}/tmux.sock`,
    tmuxConfig: `${home}/tmux.conf`,
  }
}

export const runDirectory = (paths: Paths, run: RunId): string => `${paths.runs}/${run}`
/** A run directory renamed to this is a closed terminal's: it gets its name back with the terminal, or is removed when that is gone for good. */
export const CLOSED_SUFFIX = '.closed'
/** One renamed to this is being removed, whatever becomes of its terminal: the next start continues the removal. */
export const REMOVED_SUFFIX = '.removed'
/**
 * Where the programs of a terminal reach the daemon. It has a directory of its own: one that is mounted into a sandbox shows the socket
 * of the next daemon too, while a mounted socket is dead with the daemon that made it.
 */
export const programSocket = (paths: Paths, terminal: TerminalId): string => `${programDirectory(paths, terminal)}/sock`
export const programDirectory = (paths: Paths, terminal: TerminalId): string => `${paths.sockets}/${terminal}`
export const runSocket = (paths: Paths, run: RunId): string => `${paths.sockets}/${run}.sock`
export const holderCardPath = (directory: string): string => `${directory}/holder.json`

/** Identity of an instance is its state directory, so this refuses to guess inside a test. */
export function homeOf(env: Readonly<Record<string, string | undefined>>): string {
  const given = env['HOLDFAST_HOME']
  if (given !== undefined && given !== '') return given.replace(/\/+$/, '') || '/'
  if (env['VITEST'] !== undefined || env['NODE_TEST_CONTEXT'] !== undefined)
    throw new Error('a test must set HOLDFAST_HOME to a directory of its own')
  const user = env['HOME']
  if (user === undefined || user === '') throw new Error('neither HOLDFAST_HOME nor HOME is set')
  return `${user.replace(/\/+$/, '')}/.holdfast`
}
