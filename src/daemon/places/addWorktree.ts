/**
 * Makes a worktree beside its repository: everything is judged first, then git makes it in one go. One that git was
 * interrupted in is removed and made again, unless it has files that git did not put there.
 */

import { execFile } from 'node:child_process'
import { opendir, readdir, readFile, rmdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { done, type Refusal, type Result, refusals, refused } from '../../base/refusal.ts'
import { isBranchName } from '../../workspace/terminal/branchName.ts'
import { findPatiently, type Repository } from './findRepository.ts'
import { askGit, gitOutput } from './git.ts'
import { isEmptyOrGone, isWithin, listWorktrees, realPath, type Worktree, worktreePath } from './worktrees.ts'

/** A checkout of a very large repository, on a slow disk. */
const MADE_WITHIN_MS = 10 * 60_000

export type WorktreeOrder = {
  /** Any directory of the repository. */
  readonly repository: string
  readonly branch: string
  readonly path?: string | undefined
  readonly base?: string | undefined
  /** The mask of the user's own programs. */
  readonly umask: number
  /** In a trusted repository git runs hooks and filters, and fetches missing objects. */
  readonly isTrusted?: (root: string) => boolean
}
export type MadeWorktree = { readonly path: string; readonly branch: string; readonly isNewBranch: boolean }

const underWay = new Set<string>()

export async function addWorktree(order: WorktreeOrder): Promise<Result<MadeWorktree>> {
  if (!isBranchName(order.branch)) return refused(refusals.branchInvalid(order.branch))
  const found = await findPatiently(order.repository)
  if (found === null) return refused(refusals.repositoryNotFound(order.repository))
  const path = await realPath(order.path === undefined ? worktreePath(found.view.root, order.branch) : resolve(order.path))
  if (underWay.has(path)) return refused(refusals.worktreeBusy(path))
  underWay.add(path)
  try {
    return await judgeAndMake(found, { ...order, path })
  } finally {
    underWay.delete(path)
  }
}

type Order = WorktreeOrder & { readonly path: string }

async function judgeAndMake({ top: cwd, view }: Repository, order: Order): Promise<Result<MadeWorktree>> {
  const listed = await listWorktrees(cwd)
  if (!listed.ok) return listed
  const half = listed.value.find((worktree) => worktree.isHalfMade && worktree.path === order.path)
  const cleared = half === undefined ? done(null) : await clearHalfMade(half, cwd)
  if (!cleared.ok) return cleared
  const others = listed.value.filter((worktree) => worktree !== half)
  const obstacle = await obstacleTo(others, { ...order, root: view.root })
  if (obstacle !== null) return refused(obstacle)
  const start = await startOf(order, { cwd, isBegun: half?.branch === order.branch })
  const as = order.isTrusted?.(view.root) === true ? 'trusted' : 'make'
  return start.ok ? await make(order, { cwd, root: view.root, start: start.value, as }) : start
}

async function clearHalfMade(half: Worktree, cwd: string): Promise<Result<null>> {
  if (await isWorktreeBeingMade(half.path)) return refused(refusals.worktreeBusy(half.path))
  if (!(await hasOnlyWhatGitPut(half, cwd))) return refused(refusals.worktreeHalfMade(half.path))
  await rmdir(half.path).catch(() => undefined) // git does not remove one that has not even a .git
  const removed = await gitOutput(['worktree', 'remove', '--force', '--force', '--', half.path], { cwd })
  return removed.ok ? done(null) : removed
}

async function obstacleTo(worktrees: readonly Worktree[], order: Order & { readonly root: string }): Promise<Refusal | null> {
  const { branch, path } = order
  const other = worktrees.find((worktree) => worktree.branch === branch)
  if (other !== undefined) return other.isHalfMade ? refusals.branchHalfMade(branch, other.path) : refusals.branchTaken(branch, other.path)
  const around = worktrees.find((worktree) => !worktree.isBare && isWithin(path, worktree.path))
  if (around !== undefined) return around.path === path ? refusals.worktreeExists(path) : refusals.worktreeInside(path, around.path)
  if (worktrees.some(({ isBare }) => isBare) && order.root.endsWith('.git') && isWithin(path, order.root))
    return refusals.worktreeInside(path, order.root)
  return (await isEmptyOrGone(path)) ? null : refusals.worktreeExists(path)
}

type Begun = {
  readonly cwd: string
  /** The branch is there because of an earlier try, and begins where it was to. */
  readonly isBegun: boolean
}

/** Null for a branch that is there; else the commit that a new one begins with. */
async function startOf({ branch, base }: Order, { cwd, isBegun }: Begun): Promise<Result<string | null>> {
  const exists = await isThere(`refs/heads/${branch}`, cwd)
  if (!exists.ok) return exists
  if (exists.value) return base === undefined || isBegun ? done(null) : refused(refusals.branchExists(branch))
  if (base === undefined) return await usualStart(branch, cwd)
  const known = base.startsWith('-') ? done(false) : await isThere(`${base}^{commit}`, cwd)
  if (!known.ok) return known
  return known.value ? done(base) : refused(refusals.baseUnknown(base))
}

/** A branch that only a remote has begins where that one is, as with git itself; any other where the repository is. */
async function usualStart(branch: string, cwd: string): Promise<Result<string>> {
  const remote = await gitOutput(['for-each-ref', '--format=%(refname:lstrip=2)', `refs/remotes/*/${branch}`], { cwd })
  if (!remote.ok) return remote
  const [only, ...others] = remote.value.split('\n').filter((line) => line !== '')
  if (only !== undefined && others.length === 0) return done(only)
  const hasCommit = await isThere('HEAD^{commit}', cwd)
  if (!hasCommit.ok) return hasCommit
  return hasCommit.value ? done('HEAD') : refused(refusals.repositoryEmpty(cwd))
}

async function isThere(name: string, cwd: string): Promise<Result<boolean>> {
  const answer = await askGit(['rev-parse', '--verify', '--quiet', '--end-of-options', name], { cwd })
  return answer.ok ? done(answer.value.code === 0) : answer
}

type Making = { readonly cwd: string; readonly root: string; readonly start: string | null; readonly as: 'make' | 'trusted' }

async function make({ branch, path, umask }: Order, { cwd, root, start, as }: Making): Promise<Result<MadeWorktree>> {
  const words = start === null ? ['--', path, branch] : ['-b', branch, '--', path, start]
  const made = await gitOutput(['worktree', 'add', '--quiet', ...words], { cwd, withinMs: MADE_WITHIN_MS, umask, as })
  if (made.ok) return done({ path, branch, isNewBranch: start !== null })
  await rmdir(dirname(path)).catch(() => undefined) // only if it was made for this one, and is empty
  if (start !== null) await dropBranch(branch, { cwd, start })
  const why = as === 'make' ? untrustedReason(made.refusal.message) : null
  return why === null ? made : refused(refusals.repositoryUntrusted(root, why))
}

/** git makes the branch first: a branch left from a failed try would block the next one. */
async function dropBranch(branch: string, { cwd, start }: { readonly cwd: string; readonly start: string }): Promise<void> {
  const begun = await gitOutput(['rev-parse', '--verify', '--end-of-options', `${start}^{commit}`], { cwd })
  if (begun.ok) await gitOutput(['update-ref', '-d', `refs/heads/${branch}`, begun.value.trim()], { cwd })
}

/** What git lacked because the repository is not trusted; null where it failed for another reason. */
function untrustedReason(message: string): string | null {
  const [, filter] = /filter '?([^']+?)'? failed/.exec(message) ?? []
  if (filter !== undefined) return `its files need the git filter “${filter}”`
  if (/conditional includes|odd key|too large/.test(message)) return message.replace(/^.*failed: /, '').replace(/\.$/, '')
  return /promisor|lazy|unable to read sha1|missing (blob|object)|could not fetch/i.test(message)
    ? 'git would have to fetch missing objects'
    : null
}

/** What there is in a worktree that git was interrupted in. */
const MOST_FILES = 1_000_000

/** Whether every file in it has a path that its branch has too; git writes its own list of them only at the end. */
async function hasOnlyWhatGitPut({ path, branch }: Worktree, cwd: string): Promise<boolean> {
  const files = await filesBelow(path)
  if (files === null) return false
  if (files.length === 0) return true
  if (branch === null) return false
  const listed = await askGit(['ls-tree', '-r', '-z', '--name-only', `refs/heads/${branch}`], { cwd })
  if (!listed.ok || listed.value.code !== 0) return false
  const known = new Set(listed.value.output.split('\0'))
  return files.every((file) => known.has(file))
}

/** Null where it cannot be looked at as a whole; none where it is not there. */
async function filesBelow(path: string): Promise<readonly string[] | null> {
  try {
    const files: string[] = []
    for await (const entry of await opendir(path, { recursive: true })) {
      if (entry.isDirectory()) continue
      files.push(relative(path, join(entry.parentPath ?? entry.path, entry.name)))
      if (files.length > MOST_FILES) return null
    }
    return files.filter((file) => file !== '.git')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? [] : null
  }
}

/** Whether a running git is making a worktree of this name: then a half-made worktree may still be completed. */
async function isWorktreeBeingMade(path: string): Promise<boolean> {
  const commands = process.platform === 'linux' ? await linuxCommands() : await psCommands()
  // The path may be written relative to any directory, but it ends alike.
  return commands.some((command) => /(^|\/)git\s(.*\s)?worktree\sadd\s/.test(command) && command.includes(basename(path)))
}

async function linuxCommands(): Promise<readonly string[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const read = (pid: string): Promise<string> => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') // it has ended
  return (await Promise.all(pids.map(read))).map((text) => text.replaceAll('\0', ' '))
}

const psCommands = (): Promise<readonly string[]> =>
  new Promise((resolve) => execFile('ps', ['-axo', 'args='], { maxBuffer: 16 << 20 }, (_error, output) => resolve(output.split('\n'))))
