import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import { isBranchName } from '../../workspace/terminal/branchName.ts'
import { addWorktree, type WorktreeOrder } from './addWorktree.ts'
import { showRepository } from './showRepository.ts'
import { parseWorktrees } from './worktrees.ts'

let places: string
let count = 0
let root: string

const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8' })
const AUTHOR = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']

beforeAll(() => {
  places = realpathSync(mkdtempSync(join(tmpdir(), 'hf-worktrees-')))
})
afterAll(() => rmSync(places, { recursive: true, force: true }))

beforeEach(() => {
  count += 1
  root = join(places, `p${count}`, 'app')
  mkdirSync(root, { recursive: true })
  git('init', '-q', '-b', 'main')
  writeFileSync(join(root, 'one.txt'), '1\n')
  git('add', '-A')
  git(...AUTHOR, 'commit', '-q', '-m', 'first')
})

const add = (branch: string, more: Partial<WorktreeOrder> = {}) => addWorktree({ repository: root, branch, umask: 0o027, ...more })
const beside = (name: string): string => join(places, `p${count}`, 'app-worktrees', name)

describe('a worktree', () => {
  test('is made beside the repository, on a new branch or one that is there', async () => {
    git('branch', 'old')
    expect(await add('fix/login')).toEqual({ ok: true, value: { path: beside('fix-login'), branch: 'fix/login', isNewBranch: true } })
    expect(readdirSync(beside('fix-login'))).toEqual(['.git', 'one.txt'])
    expect(statSync(join(beside('fix-login'), 'one.txt')).mode & 0o777).toBe(0o640)
    expect(await add('old', { repository: beside('fix-login') })).toEqual({
      ok: true,
      value: { path: beside('old'), branch: 'old', isNewBranch: false },
    })
  })

  test('begins where it is told to', async () => {
    const first = git('rev-parse', 'HEAD').trim()
    git(...AUTHOR, 'commit', '-q', '--allow-empty', '-m', 'second')
    expect(await add('early', { base: 'HEAD~1', path: join(places, `early${count}`) })).toMatchObject({ ok: true })
    expect(git('rev-parse', 'early').trim()).toBe(first)
    expect(await add('late', { base: 'nowhere' })).toMatchObject({ refusal: { code: 'base-unknown' } })
    expect(await add('late', { base: '--help' })).toMatchObject({ refusal: { code: 'base-unknown' } })
    expect(await add('early', { base: 'main' })).toMatchObject({ refusal: { code: 'branch-taken' } })
    git('branch', 'there')
    expect(await add('there', { base: 'main' })).toMatchObject({ refusal: { code: 'branch-exists' } })
  })

  test('of a branch that only a remote has follows that one', async () => {
    const first = git('rev-parse', 'HEAD').trim()
    git('update-ref', 'refs/remotes/origin/theirs', first)
    git(...AUTHOR, 'commit', '-q', '--allow-empty', '-m', 'second')
    expect(await add('theirs')).toMatchObject({ ok: true, value: { isNewBranch: true } })
    expect(git('rev-parse', 'theirs').trim()).toBe(first)
  })
})

describe('a worktree is refused', () => {
  test('inside of its repository, also through a link', async () => {
    expect(await add('a', { path: join(root, 'a') })).toMatchObject({ refusal: { code: 'worktree-inside' } })
    expect(await add('a', { path: join(root, '.git', 'a') })).toMatchObject({ refusal: { code: 'worktree-inside' } })
    symlinkSync(root, join(places, `link${count}`))
    expect(await add('a', { path: join(places, `link${count}`, 'deep', 'a') })).toMatchObject({ refusal: { code: 'worktree-inside' } })
    expect(readdirSync(root)).toEqual(['.git', 'one.txt'])
  })

  test('where something is already', async () => {
    mkdirSync(beside('full'), { recursive: true })
    writeFileSync(join(beside('full'), 'mine.txt'), 'mine')
    writeFileSync(join(places, `file${count}`), '')
    expect(await add('full')).toMatchObject({ refusal: { code: 'worktree-exists' } })
    expect(await add('b', { path: join(places, `file${count}`) })).toMatchObject({ refusal: { code: 'worktree-exists' } })
    mkdirSync(beside('empty'), { recursive: true })
    expect(await add('empty')).toMatchObject({ ok: true })
  })

  test('on a branch that is checked out elsewhere, and it is said where', async () => {
    expect(await add('main')).toMatchObject({ refusal: { code: 'branch-taken', message: expect.stringContaining(root) } })
    await add('a')
    expect(await add('a', { path: join(places, `other${count}`) })).toMatchObject({
      refusal: { code: 'branch-taken', message: expect.stringContaining(beside('a')) },
    })
  })

  test('with a name that git does not take, outside of a repository, and before the first commit', async () => {
    for (const branch of ['-d', 'a b', 'a..b']) expect(await add(branch)).toMatchObject({ refusal: { code: 'branch-invalid' } })
    expect(await add('a', { repository: places })).toMatchObject({ refusal: { code: 'repository-not-found' } })
    const empty = join(places, `empty${count}`)
    execFileSync('git', ['init', '-q', empty])
    expect(await add('a', { repository: empty })).toMatchObject({ refusal: { code: 'repository-empty' } })
  })

  test('where there is no git', async () => {
    const path = process.env['PATH']
    process.env['PATH'] = places
    try {
      expect(await add('a')).toMatchObject({ refusal: { code: 'git-missing' } })
      expect(await showRepository(root, new Date())).toMatchObject({ refusal: { code: 'git-missing' } })
    } finally {
      process.env['PATH'] = path
    }
  })

  test('twice at once', async () => {
    const [first, second] = await Promise.all([add('a'), add('a')])
    expect([first, second].map((made) => (made.ok ? 'made' : made.refusal.code)).sort()).toEqual(['made', 'worktree-busy'])
  })
})

test('the variables of somebody else’s git are none of ours', async () => {
  process.env['GIT_DIR'] = '/nowhere'
  try {
    expect(await add('a')).toMatchObject({ ok: true })
  } finally {
    delete process.env['GIT_DIR']
  }
})

/** Stops git in the middle of the checkout, as a power cut would. */
async function interrupted(branch: string): Promise<void> {
  const marker = join(places, `marker${count}`)
  writeFileSync(join(root, '.gitattributes'), '*.slow filter=slow\n')
  writeFileSync(join(root, 'z.slow'), 'x\n')
  git('add', '-A')
  git(...AUTHOR, 'commit', '-q', '-m', 'slow')
  git('config', 'filter.slow.smudge', `touch '${marker}'; exec sleep 60`)
  const child = spawn('git', ['worktree', 'add', '-q', '-b', branch, beside(branch)], { cwd: root, detached: true, stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await until(() => existsSync(marker), { what: 'the checkout' })
  process.kill(-(child.pid ?? 0), 'SIGKILL')
  await ended
  git('config', '--unset', 'filter.slow.smudge')
}

describe('a worktree that git was interrupted in', () => {
  test('is shown as such, and made again when it is asked for', async () => {
    await interrupted('half')
    const shown = await showRepository(root, new Date())
    expect(shown).toMatchObject({
      value: { worktrees: [{ isHalfMade: false }, { path: beside('half'), branch: 'half', isHalfMade: true }] },
    })
    expect(await add('half', { path: join(places, `elsewhere${count}`) })).toMatchObject({
      refusal: { code: 'branch-taken', message: expect.stringContaining('partly created') },
    })
    expect(await add('half', { base: 'main' })).toMatchObject({ ok: true, value: { path: beside('half') } })
    expect(readdirSync(beside('half'))).toEqual(['.git', '.gitattributes', 'one.txt', 'z.slow'])
    expect(git('worktree', 'list', '--porcelain')).not.toContain('locked')
  })

  test('is left alone where somebody has put something into it', async () => {
    await interrupted('half')
    writeFileSync(join(beside('half'), 'mine.txt'), 'mine')
    expect(await add('half')).toMatchObject({ refusal: { code: 'worktree-half-made', message: expect.stringContaining(beside('half')) } })
    expect(existsSync(join(beside('half'), 'mine.txt'))).toBe(true)
  })
})

describe('a repository is shown', () => {
  test('with its worktrees, its branches, and a good name that is free', async () => {
    const day = new Date(2026, 0, 31, 23, 59)
    const shown = await showRepository(join(root), day)
    expect(shown).toEqual({
      ok: true,
      value: {
        ...{ root, name: 'app', branch: 'main', branches: ['main'] },
        worktrees: [{ path: root, branch: 'main', isHalfMade: false }],
        suggested: { branch: 'work/2026-01-31', path: beside('work-2026-01-31') },
      },
    })
    await add('work/2026-01-31')
    expect(await showRepository(beside('work-2026-01-31'), day)).toMatchObject({
      value: { root, branch: 'work/2026-01-31', suggested: { branch: 'work/2026-01-31-2' } },
    })
    expect(await showRepository(places, day)).toEqual({ ok: true, value: null })
  })
})

test('the names that are taken for branches are those that git takes', () => {
  const names = [
    'main',
    'a/b',
    'a b',
    'a..b',
    '.a',
    'a/.b',
    'a.lock',
    'a.',
    '@',
    'a@{b',
    '-a',
    'a\\b',
    'ä',
    'a/',
    '/a',
    'a//b',
    'a~',
    'HEAD',
    '@a',
  ]
  const byGit = names.filter((name) => {
    try {
      return execFileSync('git', ['check-ref-format', '--branch', name], { cwd: places, stdio: 'pipe' }).length > 0 && name !== '@'
    } catch {
      return false
    }
  })
  expect(names.filter(isBranchName)).toEqual(byGit)
})

test('what git lists is read, whatever else it says', () => {
  const text =
    'worktree /r.git\nbare\n\nworktree /a b\nHEAD 1\nbranch refs/heads/x/y\n\nworktree /c\nHEAD 2\ndetached\nlocked\nprunable gone\n\n'
  expect(parseWorktrees(text)).toEqual([
    { path: '/r.git', branch: null, isBare: true, lock: null, isHalfMade: false, isGone: false },
    { path: '/a b', branch: 'x/y', isBare: false, lock: null, isHalfMade: false, isGone: false },
    { path: '/c', branch: null, isBare: false, lock: '', isHalfMade: false, isGone: true },
  ])
})
