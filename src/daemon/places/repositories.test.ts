import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { until } from '../../../test/support/milestone.ts'
import type { Repository } from './findRepository.ts'
import { ANSWER_WITHIN_MS, Repositories } from './repositories.ts'

let used: string[]
let told: string[][]
let repositories: Repositories

const make = (find?: (directory: string) => Promise<Repository | null>) => {
  repositories = new Repositories({
    used: () => used,
    changed: (directories) => told.push([...directories]),
    ...(find === undefined ? {} : { find }),
  })
  return repositories
}

beforeEach(() => {
  used = []
  told = []
})
afterEach(() => {
  repositories.stop()
  vi.useRealTimers()
})

describe('on a real disk', () => {
  let root: string
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'hf-repos-')))
    used = [root]
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const checkOut = (branch: string): void => {
    mkdirSync(`${root}/.git`, { recursive: true })
    writeFileSync(`${root}/.git/HEAD.lock`, `ref: refs/heads/${branch}\n`)
    renameSync(`${root}/.git/HEAD.lock`, `${root}/.git/HEAD`)
  }
  const branch = () => repositories.of(root)?.view.branch ?? null

  test('a repository is found after the first question, and another branch is seen by itself', async () => {
    checkOut('one')
    make()
    expect(branch()).toBeNull()
    await until(() => branch() === 'one', { what: 'the branch' })
    expect(told).toEqual([[root]])
    for (const next of ['two', 'three', 'four']) {
      checkOut(next)
      await until(() => branch() === next, { what: `the branch ${next}`, timeoutMs: 1_500 })
    }
    expect(told).toEqual([[root], [root], [root], [root]])
  })

  test('one that is made later is found once something is printed there, and one that is removed is gone', async () => {
    make()
    await repositories.know([root], 1_000)
    expect(branch()).toBeNull()
    checkOut('main')
    repositories.printed([root])
    await until(() => branch() === 'main', { what: 'the new repository', timeoutMs: 3_500 })
    checkOut('other')
    await until(() => branch() === 'other', { what: 'another branch', timeoutMs: 1_500 })
    renameSync(`${root}/.git`, `${root}/elsewhere`)
    await until(() => branch() === null, { what: 'it to be gone', timeoutMs: 1_500 })
  })
})

const found = (branch: string): Repository => ({
  view: { root: '/r', name: 'r', branch, worktree: null },
  gitDirectory: '/nowhere/r/.git',
  top: '/r',
})

describe('with a disk that may not answer', () => {
  const asked: string[] = []
  const answers = new Map<string, (found: Repository | null) => void>()
  const find = (directory: string): Promise<Repository | null> => {
    asked.push(directory)
    if (!directory.startsWith('/dead')) return Promise.resolve(found('main'))
    return new Promise((resolve) => answers.set(directory, resolve))
  }
  beforeEach(() => {
    vi.useFakeTimers()
    asked.splice(0)
    answers.clear()
    used = ['/dead/1', '/dead/2', '/dead/3', '/well']
  })

  test('the others are looked at all the same, and a late answer is taken', async () => {
    make(find)
    for (const directory of ['/dead/1', '/well']) repositories.of(directory)
    await vi.advanceTimersByTimeAsync(ANSWER_WITHIN_MS + 10)
    expect(repositories.of('/well')?.view.branch).toBe('main')
    expect(repositories.of('/dead/1')).toBeNull()
    answers.get('/dead/1')?.(found('late'))
    await vi.advanceTimersByTimeAsync(1)
    expect(repositories.of('/dead/1')?.view.branch).toBe('late')
    expect(told).toEqual([['/well'], ['/dead/1']])
  })

  test('no more than two questions stay open, and a directory is never asked twice at once', async () => {
    make(find)
    for (const directory of used) repositories.of(directory)
    await vi.advanceTimersByTimeAsync(5 * ANSWER_WITHIN_MS)
    repositories.printed(used)
    for (const directory of used) repositories.of(directory)
    await vi.advanceTimersByTimeAsync(5 * ANSWER_WITHIN_MS)
    expect(asked).toEqual(['/dead/1', '/dead/2'])
    answers.get('/dead/1')?.(null)
    await vi.advanceTimersByTimeAsync(10 * ANSWER_WITHIN_MS)
    expect(asked.filter((directory) => directory === '/dead/2')).toEqual(['/dead/2'])
    expect(asked).toContain('/dead/3')
  })

  test('whoever waits does so for a moment only', async () => {
    make(find)
    let done = false
    void repositories.know(['/dead/1'], 150).then(() => {
      done = true
    })
    await vi.advanceTimersByTimeAsync(160)
    expect(done).toBe(true)
  })
})

test('where nothing happens nothing is looked at, and however much is printed, a look follows now and then', async () => {
  vi.useFakeTimers()
  used = ['/a']
  let looks = 0
  make(() => {
    looks += 1
    return Promise.resolve(null)
  })
  repositories.of('/a')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks).toBe(1)
  for (let at = 0; at < 10_000; at += 100) {
    repositories.printed(['/a'])
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(looks).toBeLessThanOrEqual(7)
  expect(looks).toBeGreaterThan(3)
})

test('what nobody is interested in any more is forgotten', async () => {
  vi.useFakeTimers()
  used = ['/a']
  const asked: string[] = []
  make((directory) => {
    asked.push(directory)
    return Promise.resolve(found('main'))
  })
  repositories.of('/a')
  await vi.advanceTimersByTimeAsync(100)
  used = ['/b']
  repositories.of('/b')
  await vi.advanceTimersByTimeAsync(100)
  expect(repositories.of('/a')).toBeNull()
})
