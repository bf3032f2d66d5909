/** The socket that programs of a terminal use to reach the daemon; in a sandbox that hides the state directory, the only one. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Paths } from '../wire/paths.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Null outside of a terminal, in a terminal of an earlier version (with the ordinary socket), and in one of another instance. */
export function programSocketIn(env: Environment, paths: Paths): string | null {
  const socket = env['HOLDFAST_SOCKET'] ?? ''
  const isOfThisInstance = (env['HOLDFAST_HOME'] ?? '') === '' || socket.startsWith(`${paths.sockets}/`)
  return socket === '' || socket === paths.daemonSocket || !isOfThisInstance ? null : socket
}

/** A daemon started there would be another one, whose state ends with the sandbox. */
export const isInSandbox = (socket: string | null, paths: Paths): boolean =>
  socket !== null && existsSync(dirname(socket)) && !existsSync(paths.lock)
