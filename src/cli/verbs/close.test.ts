import { expect, test } from 'vitest'
import type { ClosingView } from '../../wire/commands/closing.ts'
import { closingLines } from './close.ts'

const closing: ClosingView = {
  ...{ id: 't0000000001', name: 'api', state: 'live', asks: true, goesOn: false, program: 'make all', others: 0 },
  ...{ agent: null, conversation: null, worktree: null },
}
const worktree = { name: 'fix', path: '/w/fix', branch: 'fix', isRemovable: true, kind: null, why: null }
const lines = (changes: Partial<ClosingView>) => closingLines({ ...closing, ...changes }, 0)

test('the question says what ends, what is discarded, and what stays', () => {
  expect(lines({})).toEqual(['  api: make all ends'])
  expect(lines({ name: null, program: null, others: 2 })).toEqual(['  t0000000001: a shell ends, with 2 more processes'])
  expect(lines({ state: 'asleep', conversation: { agent: 'Claude Code', id: 'x' } })).toEqual([
    '  api: is asleep; its last screen and its history are removed',
    '    Its conversation stays in the files of Claude Code.',
  ])
})

test('a worktree is spoken of where it could go, or why it cannot', () => {
  expect(lines({ worktree })[1]).toBe('    Its worktree fix is clean; use --remove-worktree to remove it too.')
  expect(lines({ worktree: { ...worktree, isRemovable: false, kind: 'untracked', why: 'it has 1 untracked file' } })[1]).toBe(
    '    Its worktree fix stays: it has 1 untracked file.',
  )
  expect(lines({ worktree: { ...worktree, isRemovable: false, kind: 'main', why: 'it is the main one' } })).toHaveLength(1)
})

test('a guest is let go, and its program goes on', () => {
  expect(closingLines({ ...closing, goesOn: true }, 0)[0]).toContain('is released; its program keeps running in your tmux')
})
