import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { FILTER, type Planted, plant, springWithPlainGit, sprungIn, TRAPS, type Trap } from '../../../test/support/hostileRepository.ts'
import { pullRequestOf } from '../sleep/pullRequest.ts'
import { addWorktree } from './addWorktree.ts'
import { completeDirectory } from './directories.ts'
import { findRepository } from './findRepository.ts'
import { isInert } from './gitGuard.ts'
import { commitOf, putWorktreeBack, removeWorktree } from './removeWorktree.ts'
import { showRepository } from './showRepository.ts'
import { lookAtWorktree } from './worktreeFacts.ts'
import { isTrustedRepository } from './worktrees.ts'

let places: string
beforeAll(() => {
  places = realpathSync(mkdtempSync(join(tmpdir(), 'hf-hostile-')))
})
afterAll(() => rmSync(places, { recursive: true, force: true }))

let count = 0
function planted(...traps: readonly Trap[]): Planted & { readonly sprung: string } {
  count += 1
  const place = join(places, String(count))
  const sprung = join(place, 'sprung')
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  return { ...plant(traps, { folder: places, place, sprung }), sprung }
}

/** A `gh` that asks git what the real one asks it. */
function ghThatAsksGit(): NodeJS.ProcessEnv {
  const tools = join(places, 'tools')
  mkdirSync(tools, { recursive: true })
  const lines = [
    'remote -v',
    'symbolic-ref --quiet HEAD',
    'config --get-regexp ^branch\\.',
    'status --porcelain',
    'log -1',
    'rev-parse HEAD',
  ]
  writeFileSync(join(tools, 'gh'), ['#!/bin/sh', ...lines.map((line) => `git ${line}`), ''].join('\n'))
  chmodSync(join(tools, 'gh'), 0o755)
  return { ...process.env, PATH: `${tools}:${process.env['PATH']}` }
}

/** Everything that Holdfast asks about a directory, or does in it with git. */
async function lookAtEverything({ root, linked }: Planted): Promise<void> {
  const umask = 0o022
  await completeDirectory(`${root}/`, { home: root, limit: 50 })
  await findRepository(linked)
  await showRepository(root, new Date())
  await lookAtWorktree(linked, [])
  await commitOf(linked)
  await pullRequestOf(linked, ghThatAsksGit())
  await addWorktree({ repository: linked, branch: 'new', base: 'main', umask })
  const removed = { path: linked, root, branch: 'linked', commit: 'main' }
  await removeWorktree(removed)
  rmSync(linked, { recursive: true, force: true })
  await putWorktreeBack(removed, { umask, isTrusted: false })
}

/** Those that are settings alone do not get into each other's way. */
const ALONE = TRAPS.filter((trap) => trap.plant !== undefined).map((trap) => ({ name: trap.name, traps: [trap] }))
const TOGETHER = TRAPS.filter((trap) => trap.plant === undefined)

describe('a repository has nothing run by a look at it, nor by a worktree that is made of it or taken away', () => {
  test.for([...ALONE, { name: TOGETHER.map(({ name }) => name).join(', '), traps: TOGETHER }])(
    '$name',
    async ({ traps }, { expect: expects }) => {
      const { sprung, ...repository } = planted(...traps)
      await lookAtEverything(repository)
      expects(sprungIn(sprung)).toEqual([])
    },
  )
})

/** Some two hundred processes, on machines that may be busy. */
const SPRINGING_MS = 60_000

test(
  'the traps spring where somebody looks with a plain git',
  () => {
    const dangerous = TRAPS.filter(({ sprungBy }) => sprungBy !== undefined)
    const sprung = dangerous.flatMap((trap) => {
      const repository = planted(trap)
      springWithPlainGit(trap, repository)
      return sprungIn(repository.sprung)
    })
    expect(sprung).toEqual(dangerous.map(({ name }) => name))
  },
  SPRINGING_MS,
)

const git = (cwd: string, ...args: readonly string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8', stdio: 'pipe' })
const UMASK = 0o022
/** The user's own, for as long as the test runs. */
function home(gitconfig: string): void {
  const before = process.env['HOME']
  const folder = join(places, `home${count}`)
  mkdirSync(folder)
  writeFileSync(join(folder, '.gitconfig'), gitconfig)
  process.env['HOME'] = folder
  onTestFinished(() => {
    if (before === undefined) delete process.env['HOME']
    else process.env['HOME'] = before
  })
}

describe('a repository that needs a filter', () => {
  test('is not judged by guessing: whether its worktree is clean is not known', async () => {
    const { linked } = planted(FILTER)
    expect((await lookAtWorktree(linked, []))?.verdict).toEqual({ kind: 'unknown', why: expect.stringContaining("filter 'evil' failed") })
  })

  test('gets no worktree with other contents instead, and no branch is left behind', async () => {
    const { root, sprung } = planted(FILTER)
    expect(await addWorktree({ repository: root, branch: 'new', umask: UMASK })).toMatchObject({
      refusal: { code: 'repository-untrusted', message: expect.stringContaining('“evil”'), hint: expect.stringContaining(root) },
    })
    expect(git(root, 'branch', '--list', 'new')).toBe('')
    expect([existsSync(join(root, '../app-worktrees/new')), sprungIn(sprung)]).toEqual([false, []])
  })

  test('gets one where the user trusts it, with its hooks', async () => {
    const { root, sprung } = planted(FILTER)
    writeFileSync(join(root, '.git/hooks/post-checkout'), `#!/bin/sh\n: > '${sprung}/hook'\n`, { mode: 0o755 })
    const isTrusted = (repository: string) => isTrustedRepository(repository, [join(root, '..')])
    expect(await addWorktree({ repository: root, branch: 'new', umask: UMASK, isTrusted })).toMatchObject({ ok: true })
    expect(sprungIn(sprung)).toEqual([FILTER.name, 'hook'])
  })

  test('that is the user’s own gets one with that filter, and the repository cannot put another in its place', async () => {
    for (const trap of [undefined, FILTER]) {
      const { root, sprung } = planted(...(trap === undefined ? [] : [trap]))
      home('[filter "evil"]\n\tsmudge = sed s/1/one/\n\tclean = sed s/one/1/\n')
      if (trap === undefined) writeFileSync(join(root, '.git/info/attributes'), '* filter=evil\n')
      const made = await addWorktree({ repository: root, branch: 'new', umask: UMASK })
      if (trap === undefined) expect(readFileSync(join(root, '../app-worktrees/new/one.txt'), 'utf8')).toBe('one\n')
      else expect(made).toMatchObject({ refusal: { code: 'repository-untrusted' } })
      expect(sprungIn(sprung)).toEqual([])
    }
  })
})

/** With a name in place of what stands for one. */
const knownKeys = (): readonly string[] =>
  git(places, 'help', '--config')
    .split('\n')
    .map((key) => key.trim().replaceAll(/<[^>]+>|\*/g, 'x'))
    .filter((key) => /^[a-z][a-z0-9-]*\.(.*\.)?[a-z0-9-]+$/i.test(key))

test('no setting that names a program counts as inert, as far as git knows them', () => {
  const names =
    /(cmd|command|program|helper|hook|hookspath|editor|pager|driver|\.textconv|clean|smudge|process|proxy|askpass|vcs|pack|external)$/i
  const data = /^(advice|column|color|http|completion)\.|^remote\..*proxy$|^gc\.|^core\.gitproxyx$|^repack\.|^pack\./i
  const suspects = knownKeys().filter((key) => (names.test(key) || /^(alias|pager)\./.test(key)) && !data.test(key))
  expect(suspects.length).toBeGreaterThan(25)
  expect(suspects.filter((key) => isInert(key.toLowerCase()))).toEqual([])
})

test('a repository that sets everything that git knows is looked at all the same', async () => {
  const { root, linked } = planted()
  const text = knownKeys()
    .filter((key) => !isInert(key.toLowerCase()))
    .flatMap((key) => {
      const [, section, , sub, name] = /^([^.]+)(\.(.*))?\.([^.]+)$/.exec(key) ?? []
      return [`[${section}${sub === undefined ? '' : ` "${sub}"`}]`, `\t${name} = 1`]
    })
  writeFileSync(join(root, '.git/config'), `${readFileSync(join(root, '.git/config'), 'utf8')}${text.join('\n')}\n`)
  expect(await showRepository(root, new Date())).toMatchObject({ value: { branches: ['linked', 'main', 'other'] } })
  expect(await lookAtWorktree(linked, [])).toMatchObject({ verdict: null })
  expect(await addWorktree({ repository: root, branch: 'new', umask: UMASK })).toMatchObject({ ok: true })
})

test('git is not looked for in the directory itself', async () => {
  const { root, linked, sprung } = planted()
  for (const place of [root, linked]) writeFileSync(join(place, 'git'), `#!/bin/sh\n: > '${sprung}/git'\n`, { mode: 0o755 })
  const before = process.env['PATH']
  process.env['PATH'] = `.::${before}`
  try {
    await lookAtEverything({ root, linked })
  } finally {
    process.env['PATH'] = before
  }
  expect(sprungIn(sprung)).toEqual([])
})

test.runIf(process.getuid?.() === 0)('a repository that belongs to another user is not known, and nothing of it runs', async () => {
  const { root, linked, sprung } = planted(FILTER)
  execFileSync('chown', ['-R', '12345', join(root, '..')])
  expect(await showRepository(root, new Date())).toMatchObject({ refusal: { message: expect.stringContaining('dubious ownership') } })
  expect(await lookAtWorktree(linked, [])).toMatchObject({ verdict: { kind: 'unknown' } })
  expect(sprungIn(sprung)).toEqual([])
})

test('a repository whose configuration never ends, or never answers, is given up on', async () => {
  const { root } = planted()
  execFileSync('git', ['config', 'include.path', '/dev/zero'], { cwd: root })
  expect(await showRepository(root, new Date())).toMatchObject({ ok: false })
})

test('a git from before lazy fetches could be switched off has nothing fetched either', async () => {
  const tools = join(places, 'older')
  mkdirSync(tools)
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  writeFileSync(join(tools, 'git'), `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec '${real}' "$@"\n`, { mode: 0o755 })
  const before = process.env['PATH']
  const all = TRAPS.filter(({ name }) => /^(remote|url|core\.(ssh|gitProxy))/.test(name)).map((trap) => planted(trap))
  process.env['PATH'] = `${tools}:${before}`
  try {
    for (const { root, linked } of all) {
      await showRepository(root, new Date())
      await lookAtWorktree(linked, [])
      await addWorktree({ repository: root, branch: 'missing', umask: UMASK })
    }
  } finally {
    process.env['PATH'] = before
  }
  expect([all.length, all.flatMap(({ sprung }) => sprungIn(sprung))]).toEqual([6, []])
})
