import { describe, expect, test } from 'vitest'
import { folderOfBranch, isBranchName, suggestBranch } from './branchName.ts'

describe('the name of a branch', () => {
  test.each(['main', 'feature/one', 'work/2026-01-31-2', 'a.b', 'ä', '@a', 'a@b', 'fix#1', 'a-', 'HEADS'])('may be %s', (name) => {
    expect(isBranchName(name)).toBe(true)
  })

  test.each([
    ...['', '-a', 'a b', 'a..b', '.a', 'a/.b', 'a/', '/a', 'a//b', 'a.lock', 'a.lock/b', 'a.', 'a~1', 'a^', 'a:b', 'a?', 'a*', 'a[b'],
    ...['a\\b', '@', 'a@{1}', 'HEAD', 'a\x07', 'a\n', 'x'.repeat(201)],
  ])('is not %j', (name) => {
    expect(isBranchName(name)).toBe(false)
  })
})

test('the directory of a worktree has no slashes', () => {
  expect(folderOfBranch('feature/one/two')).toBe('feature-one-two')
})

test('a branch is suggested by the day, and a number is added until nothing is in the way', () => {
  const suggest = (branches: string[], folders: string[] = []) =>
    suggestBranch('2026-01-31', { branches: new Set(branches), isFolderTaken: (folder) => folders.includes(folder) })
  expect(suggest([])).toBe('work/2026-01-31')
  expect(suggest(['work/2026-01-31'])).toBe('work/2026-01-31-2')
  expect(suggest(['work/2026-01-31'], ['work-2026-01-31-2'])).toBe('work/2026-01-31-3')
  expect(suggest(['work'])).toBe('work-2026-01-31')
  expect(suggest(['work/2026-01-31/a'])).toBe('work/2026-01-31-2')
})
