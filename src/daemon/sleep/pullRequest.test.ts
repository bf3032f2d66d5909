import { chmodSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/support/store.ts'
import { PullRequests, pullRequestIn, pullRequestOf } from './pullRequest.ts'

const good = { number: 12, title: 'Mend it', url: 'https://github.com/ada/api/pull/12', state: 'OPEN' }
const read = (value: unknown) => pullRequestIn(JSON.stringify(value))

test('a pull request is read as gh tells it, without what commands a terminal', () => {
  expect(read({ ...good, more: 1 })).toEqual(good)
  expect(read({ ...good, title: 'Mend\u001b[2J it' })?.title).toBe('Mend[2J it')
})

test.each([
  null,
  [],
  {},
  'x',
  { ...good, number: '12' },
  { ...good, number: 1.5 },
  { ...good, url: 'javascript:alert(1)' },
  { ...good, title: null },
])('anything else is none: %j', (value) => expect(read(value)).toBeNull())

test('what is no JSON is none', () => expect(pullRequestIn('no pull requests found')).toBeNull())

/** A `gh` that does this. */
function gh(does: string): NodeJS.ProcessEnv {
  const folder = makeFolder()
  writeFileSync(`${folder}/gh`, `#!/bin/sh\n${does}\n`)
  chmodSync(`${folder}/gh`, 0o755)
  return { ...process.env, PATH: `${folder}:/bin:/usr/bin`, GIT_DIR: '/elsewhere' }
}

test('it is asked in the directory itself, without what is set for git elsewhere', async () => {
  const directory = makeFolder()
  const answer = JSON.stringify(good)
  const asked = gh(`[ "$PWD" = '${directory}' ] && [ -z "$GIT_DIR" ] && [ "$GH_PROMPT_DISABLED" = 1 ] && echo '${answer}'`)
  expect(await pullRequestOf(directory, asked)).toEqual(good)
})

test('one that fails, is not there, never answers, or has no directory to go to is none', async () => {
  const directory = makeFolder()
  const all = [
    pullRequestOf(directory, gh('echo no pull requests found >&2; exit 1')),
    pullRequestOf(directory, gh('exec sleep 60')),
    pullRequestOf(directory, { PATH: makeFolder() }),
    pullRequestOf(`${directory}/gone`, gh(`echo '${JSON.stringify(good)}'`)),
  ]
  expect(await Promise.all(all)).toEqual([null, null, null, null])
})

test('a branch is asked about every ten minutes at most, and only so many branches are', async () => {
  const asked: string[] = []
  let now = 0
  const pullRequests = new PullRequests(
    (directory) => {
      asked.push(directory)
      return Promise.resolve(good)
    },
    () => now,
  )
  const of = (branch: string) => pullRequests.of({ top: `/w/${branch}`, view: { root: '/r', name: 'r', branch, worktree: null } })
  expect(await Promise.all([of('a'), of('a')])).toEqual([good, good])
  now = 10 * 60_000 - 1
  await of('a')
  expect(asked).toEqual(['/w/a'])
  now = 10 * 60_000
  await of('a')
  expect(asked).toEqual(['/w/a', '/w/a'])
  const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => of(`b${at}`)))
  expect(answers.filter((answer) => answer !== null)).toHaveLength(29)
  expect(asked).toHaveLength(31)
})
