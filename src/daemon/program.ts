/** Looks before it leaps: a missing directory or command is a refusal with its own sentence, not a terminal that fails. */
import { isAbsolute } from 'node:path'
import { done, type Result, refusals, refused } from '../base/refusal.ts'
import { obstacleTo } from '../holder/program.ts'

export function checkProgram({ command, cwd, path }: { command: string; cwd: string; path: string }): Result<null> {
  if (!isAbsolute(cwd)) return refused(refusals.cwdNotDirectory(cwd))
  const obstacle = obstacleTo({ command, cwd, path })
  if (obstacle === null) return done(null)
  return refused(refusals[obstacle](obstacle === 'cwdMissing' || obstacle === 'cwdNotDirectory' ? cwd : command))
}
