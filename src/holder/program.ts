/** Whether a program could be started, found out without starting it: `exec` would only fail in the child, as text on the terminal. */
import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'

export type Obstacle = 'cwdMissing' | 'cwdNotDirectory' | 'commandNotFound' | 'commandNotExecutable'

export function obstacleTo({ command, cwd, path }: { command: string; cwd: string; path: string }): Obstacle | null {
  const place = kindOf(cwd)
  if (place === 'missing') return 'cwdMissing'
  if (place !== 'directory' || !may(cwd, constants.X_OK)) return 'cwdNotDirectory'
  const candidates = command.includes('/') ? [resolve(cwd, command)] : path.split(':').map((folder) => resolve(cwd, folder, command))
  const found = candidates.filter((candidate) => kindOf(candidate) !== 'missing')
  if (found.length === 0) return 'commandNotFound'
  return found.some((candidate) => kindOf(candidate) === 'file' && may(candidate, constants.X_OK)) ? null : 'commandNotExecutable'
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
