import { expect, test } from 'vitest'
import { done, refusals, refused } from '../../../base/refusal.ts'
import { emptyDraft } from './draft.ts'
import { submit } from './submit.ts'

const repository = { root: '/src/app', name: 'app', branch: 'main', worktrees: [], branches: [], suggested: { branch: 'a', path: '/w/a' } }
const draft = { ...emptyDraft('/src/app', null), worktree: { branch: ' fix ', path: '' } }

function pageThat(answers: { readonly worktree?: unknown; readonly terminal?: unknown }) {
  const asked: unknown[] = []
  const page = {
    ask: (name: string, params: unknown) => {
      asked.push([name, params])
      return Promise.resolve(answers.worktree)
    },
    tryCreate: (wish: unknown) => {
      asked.push(wish)
      return Promise.resolve(answers.terminal ?? done({}))
    },
  }
  return { page: page as never, asked }
}

test('the worktree is made first, and the terminal starts in it', async () => {
  const { page, asked } = pageThat({ worktree: done({ path: '/w/fix', branch: 'fix', isNewBranch: true }) })
  expect(await submit(page, draft, { repository, size: null })).toEqual({ kind: 'made' })
  expect(asked).toEqual([
    ['repository.addWorktree', { repository: '/src/app', branch: 'fix' }],
    { cwd: '/w/fix', args: [], isPrivate: false, size: null },
  ])
})

test('without its worktree no terminal is started', async () => {
  const { page, asked } = pageThat({ worktree: refused({ code: 'worktree-exists', message: 'There is one.', hint: '' } as never) })
  expect(await submit(page, draft, { repository, size: null })).toMatchObject({ kind: 'refused', faults: { worktree: 'There is one. ' } })
  expect(asked).toHaveLength(1)
})

test('a worktree that was made is not made again when the terminal was refused', async () => {
  const made = done({ path: '/w/fix', branch: 'fix', isNewBranch: true })
  const { page } = pageThat({ worktree: made, terminal: refused(refusals.nameTaken('x')) })
  expect(await submit(page, draft, { repository, size: null })).toMatchObject({
    kind: 'refused',
    faults: { name: expect.any(String) },
    draft: { directory: '/w/fix', worktree: null },
  })
})

test('nothing is asked while something is wrong that can be seen', async () => {
  const { page, asked } = pageThat({})
  expect(await submit(page, emptyDraft('', null), { repository, size: null })).toMatchObject({ kind: 'refused' })
  expect(asked).toEqual([])
})
