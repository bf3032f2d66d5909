/** Looks before it leaps: a missing directory or command is a refusal with its own sentence, not a terminal that fails. */
import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import { obstacleTo } from '../../holder/order.ts'
import type { Config } from '../../wire/config/config.ts'
import type { Spec } from '../../workspace/terminal/terminal.ts'

/** The environment of whoever asks for a program; the daemon's own stands in where there is none. */
type Inherited = Readonly<Record<string, string>>

export function checkProgram({ command, cwd, env }: Pick<Spec, 'command' | 'cwd' | 'env'>, inherited: Inherited = {}): Result<null> {
  if (!isAbsolute(cwd)) return refused(refusals.cwdNotDirectory(cwd))
  const path = env['PATH'] ?? inherited['PATH'] ?? process.env['PATH'] ?? ''
  const obstacle = obstacleTo({ command, cwd, path })
  if (obstacle === null) return done(null)
  return refused(refusals[obstacle](obstacle === 'cwdMissing' || obstacle === 'cwdNotDirectory' ? cwd : command))
}

/** What runs where no command was named. */
export function shellOf(config: Config, inherited: Inherited): string {
  return config.shell || inherited['SHELL'] || process.env['SHELL'] || userInfo().shell || '/bin/sh'
}

/** For what nobody asks for: the daemon's own. */
export const ownEnvironment = (): Inherited =>
  Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
