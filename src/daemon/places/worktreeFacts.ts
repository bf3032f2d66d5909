/** What git and its files tell about the worktree that a directory is in: whether anything would be lost with it. */
import { access } from 'node:fs/promises'
import { done, type Result, refusals, refused } from '../../base/refusal.ts'
import type { RemovedWorktree } from '../../workspace/terminal/closed.ts'
import { judgeWorktree, type WorktreeFacts, type WorktreeVerdict } from '../../workspace/terminal/worktreeVerdict.ts'
import { findPatiently, type Repository } from './findRepository.ts'
import { gitOutput } from './git.ts'
import { isWithin, listWorktrees, realPath } from './worktrees.ts'

export type InWorktree = { readonly name: string; readonly worktree: Omit<RemovedWorktree, 'commit'>; readonly verdict: WorktreeVerdict }

/** Another terminal, and where it may be. */
export type Neighbour = { readonly name: string; readonly directories: readonly string[] }

/** Null outside of any repository, and where the disk does not answer. What git cannot tell is a reason to leave it. */
export async function lookAtWorktree(directory: string, neighbours: readonly Neighbour[]): Promise<InWorktree | null> {
  const found = await findPatiently(directory)
  if (found === null) return null
  const { root, branch, worktree: linked } = found.view
  const name = linked ?? found.view.name
  const known = { name, worktree: { path: found.top, root, branch } }
  if (linked === null) return { ...known, verdict: judgeWorktree({ ...CLEAN, isMain: true }) }
  const facts = await factsOf(found, neighbours)
  const verdict: WorktreeVerdict = facts.ok ? judgeWorktree(facts.value) : { kind: 'unknown', why: said(facts.refusal.message) }
  return { ...known, verdict }
}

const CLEAN: WorktreeFacts = {
  isMain: false,
  lock: null,
  isHalfMade: false,
  others: [],
  changed: 0,
  untracked: 0,
  underWay: null,
  ownCommits: 0,
}

/** As the end of a sentence. */
const said = (message: string): string => message.replace(/\.$/, '')

async function factsOf({ top, gitDirectory, view }: Repository, neighbours: readonly Neighbour[]): Promise<Result<WorktreeFacts>> {
  const [listed, status, own, underWay, others] = await Promise.all([
    listWorktrees(top),
    // Without a look into submodules, which have configurations of their own; git itself does not remove a worktree that has some.
    gitOutput(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=normal', '--ignore-submodules=dirty'], { cwd: top }),
    ownCommits(top, view.branch),
    underWayIn(gitDirectory),
    othersIn(top, neighbours),
  ])
  if (!listed.ok) return listed
  if (!status.ok) return status
  if (!own.ok) return own
  const worktree = listed.value.find(({ path }) => path === top)
  if (worktree === undefined) return refused(refusals.gitFailed('worktree', 'it does not list this worktree'))
  const entries = status.value.split('\0').filter((entry) => entry !== '')
  const untracked = entries.filter((entry) => entry.startsWith('??')).length
  const { lock, isHalfMade } = worktree
  return done({ isMain: false, lock, isHalfMade, others, changed: entries.length - untracked, untracked, underWay, ownCommits: own.value })
}

/** The branch itself stays, but commits in a branch that is checked out nowhere are easily forgotten. */
async function ownCommits(cwd: string, branch: string | null): Promise<Result<number>> {
  const except = branch === null ? [] : [`--exclude=${literal(branch)}`]
  const counted = await gitOutput(['rev-list', '--count', 'HEAD', '--not', ...except, '--branches', '--remotes', '--tags'], { cwd })
  return counted.ok ? done(Number(counted.value.trim())) : counted
}

/** What is a pattern to git means itself. */
const literal = (branch: string): string => branch.replaceAll(/[*?[\\]/g, '\\$&')

const UNDER_WAY = [
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['BISECT_LOG', 'a bisect'],
] as const

async function underWayIn(gitDirectory: string): Promise<string | null> {
  for (const [file, what] of UNDER_WAY) {
    const isThere = await access(`${gitDirectory}/${file}`).then(
      () => true,
      () => false,
    )
    if (isThere) return what
  }
  return null
}

async function othersIn(top: string, neighbours: readonly Neighbour[]): Promise<readonly string[]> {
  const isInside = async ({ directories }: Neighbour): Promise<boolean> => {
    for (const directory of directories) if (isWithin(directory, top) || isWithin(await realPath(directory), top)) return true
    return false
  }
  const inside = await Promise.all(neighbours.map(isInside))
  return neighbours.filter((_, at) => inside[at]).map(({ name }) => name)
}
