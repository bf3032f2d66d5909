/** The worktrees of a repository, as git lists them. */
import { done, type Result } from '../../base/refusal.ts'
import { gitOutput } from './git.ts'

export type Worktree = {
  readonly path: string
  readonly branch: string | null
  readonly isBare: boolean
  /** Why somebody has locked it, which may be empty; null where nobody has. */
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
