/** What there is to know of a repository before a worktree of it is made. */
import { done, type Result } from '../../base/refusal.ts'
import { listSome } from '../../client/regularFile.ts'
import type { RepositoryShown } from '../../wire/commands/directory.ts'
import { suggestBranch } from '../../workspace/terminal/branchName.ts'
import { findPatiently } from './findRepository.ts'
import { gitOutput } from './git.ts'
import { listWorktrees, worktreeFolder, worktreePath } from './worktrees.ts'

const MOST_BRANCHES = 1_000
const MOST_FOLDERS = 10_000

export async function showRepository(directory: string, now: Date): Promise<Result<RepositoryShown | null>> {
  const found = await findPatiently(directory)
  if (found === null) return done(null)
  const { root, name, branch } = found.view
  const [worktrees, branches] = await Promise.all([listWorktrees(found.top), branchesOf(found.top)])
  if (!worktrees.ok) return worktrees
  if (!branches.ok) return branches
  const folders = new Set((await listSome(worktreeFolder(root), MOST_FOLDERS)).entries.map((entry) => entry.name))
  const taken = new Set([...branches.value, ...worktrees.value.flatMap((worktree) => worktree.branch ?? [])])
  const suggested = suggestBranch(dayOf(now), { branches: taken, isFolderTaken: (folder) => folders.has(folder) })
  return done({
    ...{ root, name, branch },
    worktrees: worktrees.value
      .filter((worktree) => !worktree.isBare && !worktree.isGone)
      .map(({ path, branch: checkedOut, isHalfMade }) => ({ path, branch: checkedOut, isHalfMade })),
    branches: [...branches.value.slice(0, MOST_BRANCHES)],
    suggested: { branch: suggested, path: worktreePath(root, suggested) },
  })
}

/** By name: any other order would have git load every branch's commit. */
async function branchesOf(cwd: string): Promise<Result<readonly string[]>> {
  const listed = await gitOutput(['for-each-ref', '--sort=refname', '--format=%(refname:lstrip=2)', 'refs/heads'], { cwd })
  return listed.ok ? done(listed.value.split('\n').filter((line) => line !== '')) : listed
}

/** Of the clock on the wall, as in 2026-01-31. */
function dayOf(now: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
