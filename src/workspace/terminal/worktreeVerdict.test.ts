import { expect, test } from 'vitest'
import { judgeWorktree, type WorktreeFacts } from './worktreeVerdict.ts'

const clean: WorktreeFacts = {
  isMain: false,
  lock: null,
  isHalfMade: false,
  others: [],
  changed: 0,
  untracked: 0,
  underWay: null,
  ownCommits: 0,
}

test('a worktree that holds nothing of its own may go', () => {
  expect(judgeWorktree(clean)).toBeNull()
})

test.each<[Partial<WorktreeFacts>, string, string]>([
  [{ isMain: true }, 'main', 'it is the repository’s own directory'],
  [{ lock: '' }, 'locked', 'it is locked'],
  [{ lock: 'on a stick' }, 'locked', 'it is locked: on a stick'],
  [{ isHalfMade: true }, 'half-made', 'git has not finished creating it'],
  [{ others: ['api'] }, 'other-terminals', '“api” is also in it'],
  [{ others: ['a', 'b', 'c', 'd', 'e'] }, 'other-terminals', '“a”, “b”, “c” and 2 more are also in it'],
  [{ changed: 1 }, 'changed', 'it has 1 file with uncommitted changes'],
  [{ untracked: 2 }, 'untracked', 'it has 2 untracked files'],
  [{ changed: 3, untracked: 1 }, 'changed', 'it has 3 files with uncommitted changes and 1 untracked file'],
  [{ underWay: 'a rebase' }, 'under-way', 'a rebase is in progress'],
  [{ ownCommits: 4 }, 'unpushed', 'it has 4 commits on no other branch or remote'],
])('with %o it is left, and it is said why', (facts, kind, why) => {
  expect(judgeWorktree({ ...clean, ...facts })).toEqual({ kind, why })
})

test('one reason is enough, and what cannot be told by git is said before it', () => {
  expect(judgeWorktree({ ...clean, isMain: true, changed: 9, lock: '' })?.kind).toBe('main')
  expect(judgeWorktree({ ...clean, others: ['api'], untracked: 1 })?.kind).toBe('other-terminals')
})
