/** The way to the daemon that a terminal's programs are given: where a sandbox hides the state directory, it is the only one. */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Paths } from '../wire/paths.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Null outside of a terminal, in one of an earlier version (whose programs hold the ordinary socket), and in one of another instance. */
export function programSocketIn(env: Environment, paths: Paths): string | null {
  const socket = env['HOLDFAST_SOCKET'] ?? ''
  const isOfThisInstance = (env['HOLDFAST_HOME'] ?? '') === '' || socket.startsWith(`${paths.sockets}/`)
  return socket === '' || socket === paths.daemonSocket || !isOfThisInstance ? null : socket
}

/** A daemon that was started there would be another one, with a state of its own that goes with the sandbox. */
export const isInSandbox = (socket: string | null, paths: Paths): boolean =>
  socket !== null && existsSync(dirname(socket)) && !existsSync(paths.lock)
