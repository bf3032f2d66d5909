/** Takes a clean worktree away, and puts it back. The branch stays; what git refuses is left as it is. */
import { done, type Result } from '../../base/refusal.ts'
import type { RemovedWorktree } from '../../workspace/terminal/closed.ts'
import { askGit, gitOutput } from './git.ts'
import { isEmptyOrGone } from './worktrees.ts'

/** Of a very large repository, on a slow disk. */
const WITHIN_MS = 10 * 60_000

export const commitOf = async (cwd: string): Promise<Result<string>> => {
  const answer = await gitOutput(['rev-parse', '--verify', 'HEAD^{commit}'], { cwd })
  return answer.ok ? done(answer.value.trim()) : answer
}

/** Never by force: git looks once more by itself. */
export async function removeWorktree({ path, root }: RemovedWorktree): Promise<Result<null>> {
  const removed = await gitOutput(['worktree', 'remove', '--', path], { cwd: root, alsoIn: path, withinMs: WITHIN_MS })
  return removed.ok ? done(null) : removed
}

/** False if the worktree was never removed. */
export async function putWorktreeBack(
  { path, root, branch, commit }: RemovedWorktree,
  { umask, isTrusted }: { readonly umask: number; readonly isTrusted: boolean },
): Promise<Result<boolean>> {
  if (!(await isEmptyOrGone(path))) return done(false)
  const made = await gitOutput(['worktree', 'add', '--quiet', ...(await wordsFor({ path, root, branch, commit }))], {
    ...{ cwd: root, withinMs: WITHIN_MS, umask, as: isTrusted ? 'trusted' : 'make' },
  })
  return made.ok ? done(true) : made
}

/** A branch that was deleted since begins again where it was. */
async function wordsFor({ path, root, branch, commit }: RemovedWorktree): Promise<readonly string[]> {
  if (branch === null) return ['--detach', '--', path, commit]
  const answer = await askGit(['rev-parse', '--verify', '--quiet', '--end-of-options', `refs/heads/${branch}`], { cwd: root })
  const isThere = answer.ok && answer.value.code === 0
  return isThere ? ['--', path, branch] : ['-b', branch, '--', path, commit]
}
