import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ODD_FILES, putOdd } from '../../../test/support/oddFiles.ts'
import { branchIn, findRepository } from './findRepository.ts'
import { Repositories } from './repositories.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hf-repo-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Files by their path below the root; a path that ends in / is a directory. */
function lay(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name)
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true })
    if (!name.endsWith('/')) writeFileSync(path, text)
  }
}

const viewAt = async (path: string) => (await findRepository(join(root, path)))?.view ?? null

describe('a directory', () => {
  test('is in the nearest repository above it, on the branch of its HEAD', async () => {
    lay({ 'app/.git/HEAD': 'ref: refs/heads/feature/one\n', 'app/src/deep/': '', 'app/lib/.git/HEAD': 'ref: refs/heads/main\n' })
    expect(await viewAt('app/src/deep')).toEqual({ root: join(root, 'app'), name: 'app', branch: 'feature/one', worktree: null })
    expect(await viewAt('app/lib')).toEqual({ root: join(root, 'app/lib'), name: 'lib', branch: 'main', worktree: null })
  })

  test('is in none where there is no .git, where that is empty, and where the directory is gone', async () => {
    lay({ 'plain/': '', 'broken/.git/': '', 'file/.git': 'nothing\n' })
    for (const path of ['plain', 'broken', 'file', 'gone']) expect(await viewAt(path), path).toBeNull()
  })

  test('of a worktree belongs to the repository, and has its own branch', async () => {
    lay({
      'app/.git/HEAD': 'ref: refs/heads/main\n',
      'app/.git/worktrees/fix/HEAD': 'ref: refs/heads/fix\n',
      'app/.git/worktrees/fix/commondir': '../..\n',
      'other/fix/.git': `gitdir: ${root}/app/.git/worktrees/fix\n`,
      'other/fix/src/': '',
    })
    expect(await viewAt('other/fix/src')).toEqual({ root: join(root, 'app'), name: 'app', branch: 'fix', worktree: 'fix' })
    expect(await findRepository(join(root, 'other/fix/src'))).toMatchObject({
      top: join(root, 'other/fix'),
      gitDirectory: join(root, 'app/.git/worktrees/fix'),
    })
  })

  test('of a worktree of a bare repository belongs to that', async () => {
    lay({
      'app.git/worktrees/a/HEAD': 'ref: refs/heads/a\n',
      'app.git/worktrees/a/commondir': '../..\n',
      'a/.git': 'gitdir: ../app.git/worktrees/a\n',
    })
    expect(await viewAt('a')).toEqual({ root: join(root, 'app.git'), name: 'app', branch: 'a', worktree: 'a' })
  })

  test('of a submodule is a repository of its own', async () => {
    lay({ 'app/.git/modules/lib/HEAD': '0123456789abcdef0123456789abcdef01234567\n', 'app/lib/.git': 'gitdir: ../.git/modules/lib\n' })
    expect(await viewAt('app/lib')).toEqual({ root: join(root, 'app/lib'), name: 'lib', branch: null, worktree: null })
  })

  test('is seen through a link', async () => {
    lay({ 'app/.git/HEAD': 'ref: refs/heads/main\n', 'app/src/': '' })
    symlinkSync(join(root, 'app/src'), join(root, 'short'))
    expect(await viewAt('short')).toMatchObject({ root: join(root, 'app') })
  })
})

test('what cannot be the name of a branch is none', () => {
  expect(branchIn('ref: refs/heads/a/b-c.d\n')).toBe('a/b-c.d')
  for (const head of [
    '',
    'ref: refs/heads/.invalid\n',
    'ref: refs/heads/a\x1b[31m\n',
    'ref: refs/heads/a b\n',
    'ref: refs/tags/a\n',
    'abc',
  ])
    expect(branchIn(head), JSON.stringify(head)).toBeNull()
})

describe('nobody waits for what lies where git has a file', () => {
  const ODD = Object.keys(ODD_FILES).filter((kind) => kind !== 'a directory')

  test.for(ODD)('%s', async (kind, { expect: expects }) => {
    lay({ 'app/.git/HEAD': 'ref: refs/heads/main\n', 'odd/.git/HEAD': '', 'linked/': '', 'dir/worktrees/a/HEAD': 'ref: refs/heads/a\n' })
    await putOdd(kind, join(root, 'odd/.git/HEAD'))
    await putOdd(kind, join(root, 'file/.git'))
    await putOdd(kind, join(root, 'dir/worktrees/a/commondir'))
    lay({ 'linked/.git': `gitdir: ${root}/dir/worktrees/a\n` })
    for (const path of ['odd', 'file']) expects(await viewAt(path)).toBeNull()
    expects(await viewAt('linked')).toMatchObject({ branch: 'a', worktree: null })
    const repositories = new Repositories({ used: () => [], changed: () => undefined })
    await repositories.know([join(root, 'odd'), join(root, 'app')], 10_000)
    expects(repositories.of(join(root, 'odd'))).toBeNull()
    repositories.stop()
  })
})
