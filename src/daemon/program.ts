/** Looks before it leaps: a missing directory or command is a refusal with its own sentence, not a terminal that fails. */
import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { done, type Result, refusals, refused } from '../base/refusal.ts'

export function checkProgram({ command, cwd, path }: { command: string; cwd: string; path: string }): Result<null> {
  if (!isAbsolute(cwd)) return refused(refusals.cwdNotDirectory(cwd))
  const directory = kindOf(cwd)
  if (directory === 'missing') return refused(refusals.cwdMissing(cwd))
  if (directory !== 'directory' || !may(cwd, constants.X_OK)) return refused(refusals.cwdNotDirectory(cwd))
  const candidates = command.includes('/') ? [resolve(cwd, command)] : path.split(':').map((part) => resolve(cwd, part || '.', command))
  const files = candidates.filter((file) => kindOf(file) === 'file')
  if (files.length === 0) return refused(refusals.commandNotFound(command))
  return files.some((file) => may(file, constants.X_OK)) ? done(null) : refused(refusals.commandNotExecutable(command))
}

function kindOf(path: string): 'directory' | 'file' | 'missing' {
  try {
    return statSync(path).isDirectory() ? 'directory' : 'file'
  } catch {
    return 'missing'
  }
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}
