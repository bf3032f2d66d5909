/** Whether a git worktree may be removed with the terminal that is in it. Nothing may be lost by that, so that one reason is enough to leave it. */
export const WORKTREE_OBSTACLES = [
  'main',
  'locked',
  'half-made',
  'other-terminals',
  'changed',
  'untracked',
  'under-way',
  'unpushed',
  'unknown',
] as const
type WorktreeObstacle = (typeof WORKTREE_OBSTACLES)[number]

export type WorktreeFacts = {
  /** It is the repository's own directory. */
  readonly isMain: boolean
  /** Why it is locked, which may be empty; null if it is not locked. */
  readonly lock: string | null
  /** git was interrupted while it made it. */
  readonly isHalfMade: boolean
  /** What other terminals that are in it are called. */
  readonly others: readonly string[]
  /** Files with changes that are not committed. */
  readonly changed: number
  readonly untracked: number
  /** Such as `a rebase`; null where nothing is. */
  readonly underWay: string | null
  /** Commits that no other branch, no remote and no tag has. */
  readonly ownCommits: number
}

/** Null: it may be removed. */
export type WorktreeVerdict = { readonly kind: WorktreeObstacle; readonly why: string } | null

export function judgeWorktree(facts: WorktreeFacts): WorktreeVerdict {
  const { lock, others, changed, untracked, underWay, ownCommits } = facts
  if (facts.isMain) return { kind: 'main', why: 'it is the repository’s own directory' }
  if (facts.isHalfMade) return { kind: 'half-made', why: 'git has not finished creating it' }
  if (lock !== null) return { kind: 'locked', why: lock === '' ? 'it is locked' : `it is locked: ${lock}` }
  if (others.length > 0) return { kind: 'other-terminals', why: `${named(others)} ${others.length === 1 ? 'is' : 'are'} also in it` }
  const loose = [counted(changed, 'file', 'with uncommitted changes'), counted(untracked, 'untracked file', '')].filter(
    (text) => text !== '',
  )
  if (loose.length > 0) return { kind: changed > 0 ? 'changed' : 'untracked', why: `it has ${loose.join(' and ')}` }
  if (underWay !== null) return { kind: 'under-way', why: `${underWay} is in progress` }
  if (ownCommits > 0) return { kind: 'unpushed', why: `it has ${counted(ownCommits, 'commit', 'on no other branch or remote')}` }
  return null
}

const MOST_NAMED = 3

function named(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => `“${name}”`)
  if (names.length > MOST_NAMED) return `${shown.join(', ')} and ${names.length - MOST_NAMED} more`
  return shown.length === 1 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** Empty for none. */
function counted(count: number, what: string, rest: string): string {
  return count === 0 ? '' : [`${count} ${what}${count === 1 ? '' : 's'}`, rest].filter((part) => part !== '').join(' ')
}
