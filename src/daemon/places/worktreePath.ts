/** Where worktrees are put: beside their repository, so that no tool takes them for a part of it. */
import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { folderOfBranch } from '../../workspace/branchName.ts'

export const worktreeFolder = (root: string): string => join(dirname(root), `${basename(root).replace(/\.git$/, '') || 'root'}-worktrees`)

export const worktreePath = (root: string, branch: string): string => join(worktreeFolder(root), folderOfBranch(branch))

export const isWithin = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(`${directory.replace(/\/$/, '')}/`)

/** Of a path that need not be there: as far as it is. */
export async function realPath(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null)
  if (real !== null || path === dirname(path)) return real ?? path
  return join(await realPath(dirname(path)), basename(path))
}
