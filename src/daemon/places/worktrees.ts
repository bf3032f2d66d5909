/** The worktrees of a repository: as git lists them, and where ours are put. */

import { opendir, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { done, type Result } from '../../base/refusal.ts'
import { folderOfBranch } from '../../workspace/terminal/branchName.ts'
import { gitOutput } from './git.ts'

export type Worktree = {
  readonly path: string
  readonly branch: string | null
  readonly isBare: boolean
  /** Why it is locked, which may be empty; null if it is not. */
  readonly lock: string | null
  /** git was interrupted while it made it. */
  readonly isHalfMade: boolean
  /** Its directory is gone. */
  readonly isGone: boolean
}

/** The repository's own comes first. */
export async function listWorktrees(cwd: string): Promise<Result<readonly Worktree[]>> {
  const listed = await gitOutput(['worktree', 'list', '--porcelain'], { cwd })
  return listed.ok ? done(parseWorktrees(listed.value)) : listed
}

export function parseWorktrees(output: string): readonly Worktree[] {
  return output.split(/\n\n+/).flatMap((block) => {
    const lines = block.split('\n')
    const value = (name: string): string | null =>
      lines.find((line) => line === name || line.startsWith(`${name} `))?.slice(name.length + 1) ?? null
    const path = value('worktree')
    if (path === null) return []
    const branch = value('branch')?.replace(/^refs\/heads\//, '') ?? null
    const lock = value('locked')
    return [{ path, branch, isBare: value('bare') !== null, lock, isHalfMade: lock === INITIALIZING, isGone: value('prunable') !== null }]
  })
}

/** git locks a worktree with this word while it makes it. */
const INITIALIZING = 'initializing'

/** Where worktrees are put: beside their repository, so that no tool takes them for a part of it. */
export const worktreeFolder = (root: string): string => join(dirname(root), `${basename(root).replace(/\.git$/, '') || 'root'}-worktrees`)

export const worktreePath = (root: string, branch: string): string => join(worktreeFolder(root), folderOfBranch(branch))

export const isWithin = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(`${directory.replace(/\/$/, '')}/`)

/** Whether the user has said so, for it or for a directory around it. */
export const isTrustedRepository = (root: string, trusted: readonly string[], home = homedir()): boolean =>
  trusted.some((directory) => isWithin(root, resolve(directory.replace(/^~(?=\/|$)/, home))))

/** The real path; of a path that does not exist, with its existing part resolved. */
export async function realPath(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null)
  if (real !== null || path === dirname(path)) return real ?? path
  return join(await realPath(dirname(path)), basename(path))
}

/** Whether there is nothing at this path, or an empty directory. */
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
