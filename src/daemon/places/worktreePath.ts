/** Where worktrees are put: beside their repository, so that no tool takes them for a part of it. */
import { opendir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { folderOfBranch } from '../../workspace/branchName.ts'

export const worktreeFolder = (root: string): string => join(dirname(root), `${basename(root).replace(/\.git$/, '') || 'root'}-worktrees`)

export const worktreePath = (root: string, branch: string): string => join(worktreeFolder(root), folderOfBranch(branch))

export const isWithin = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(`${directory.replace(/\/$/, '')}/`)

/** Whether the user has said so, for it or for a directory around it. */
export const isTrustedRepository = (root: string, trusted: readonly string[], home = homedir()): boolean =>
  trusted.some((directory) => isWithin(root, resolve(directory.replace(/^~(?=\/|$)/, home))))

/** Of a path that need not be there: as far as it is. */
export async function realPath(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null)
  if (real !== null || path === dirname(path)) return real ?? path
  return join(await realPath(dirname(path)), basename(path))
}

/** An empty directory is as good as none. */
export async function isEmptyOrGone(path: string): Promise<boolean> {
  try {
    const directory = await opendir(path)
    const first = await directory.read()
    await directory.close()
    return first === null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
