import { describe, expect, test } from 'vitest'
import { terminalView } from '../../../test/support/terminalView.ts'
import { refusals } from '../../base/refusal.ts'
import type { ClosingView } from '../../wire/commands/closing.ts'
import type { Asked } from '../ui/useAsked.ts'
import { closingWords, stageOf, worktreeLine } from './closingWords.ts'

const closing = (changes: Partial<ClosingView> = {}): ClosingView => ({
  ...{ id: 't1', name: 'api', state: 'live', asks: true, goesOn: false, program: 'make all', others: 0 },
  ...{ agent: null, conversation: null, worktree: null },
  ...changes,
})
const answered = (changes: Partial<ClosingView> = {}): Asked<ClosingView> => ({ kind: 'answered', value: closing(changes) })
const asking: Asked<ClosingView> = { kind: 'asking', last: null }
const clean = { name: 'fix', path: '/w/fix', branch: 'fix', isRemovable: true, kind: null, why: null }
const live = terminalView({ name: 'api', state: 'live' })
const asleep = terminalView({ name: 'api', state: 'asleep' })
const inWorktree = terminalView({ repository: { root: '/w', name: 'w', branch: 'fix', worktree: 'fix' } })

describe('the words before a close', () => {
  test('name what ends, with what else runs there', () => {
    expect(closingWords(live, closing({ others: 2 }))).toEqual({
      title: 'Close “api”?',
      sentences: ['Closing ends make all and 2 more processes.', 'You can undo this for five minutes.'],
      verb: 'Close',
    })
  })

  test('discard what sleeps, and say where its conversation still is', () => {
    const words = closingWords(asleep, closing({ state: 'asleep', conversation: { agent: 'Claude Code', id: 'c1' } }))
    expect(words).toEqual({
      title: 'Close “api”?',
      sentences: [
        'Not running. Removes its screen and history.',
        'Its conversation stays in the files of Claude Code.',
        'You can undo this for five minutes.',
      ],
      verb: 'Close',
    })
  })

  test('say nothing of a history that a private terminal does not have', () => {
    expect(closingWords({ ...asleep, private: true }, null).sentences[0]).toBe('Not running. It is private: its output was not kept.')
  })
})

test('the line about the worktree is there from the beginning, and offers only what is clean', () => {
  expect(worktreeLine(live, asking)).toBeNull()
  expect(worktreeLine(inWorktree, asking)).toEqual({ kind: 'looking', text: 'Checking the worktree fix…' })
  expect(worktreeLine(inWorktree, answered({ worktree: clean }))).toMatchObject({ kind: 'offer', text: 'Also remove the worktree fix' })
  const kept = { ...clean, isRemovable: false, kind: 'unpushed', why: 'it has 2 commits on no other branch or remote' } as const
  expect(worktreeLine(inWorktree, answered({ worktree: kept }))).toEqual({
    kind: 'stays',
    text: 'The worktree fix stays: it has 2 commits on no other branch or remote.',
  })
})

describe('whether a close is asked about', () => {
  const stage = (quick: Asked<ClosingView>, changes: Partial<Parameters<typeof stageOf>[0]> = {}) =>
    stageOf({ quick, whole: asking, isInWorktree: false, isLate: false, ...changes })

  test('depends on whether something would be lost', () => {
    expect(stage(answered())).toBe('ask')
    expect(stage(answered({ asks: false }))).toBe('close')
    expect(stage({ kind: 'refused', refusal: refusals.terminalNotFound('x') })).toBe('ask')
  })

  test('waits a moment for the daemon, and then asks', () => {
    expect(stage(asking)).toBe('wait')
    expect(stage(asking, { isLate: true })).toBe('ask')
  })

  test('depends, in a worktree, on whether that could go too', () => {
    const idle = answered({ asks: false })
    expect(stage(idle, { isInWorktree: true })).toBe('wait')
    expect(stage(idle, { isInWorktree: true, isLate: true })).toBe('ask')
    expect(stage(idle, { isInWorktree: true, whole: answered({ worktree: clean }) })).toBe('ask')
    expect(stage(idle, { isInWorktree: true, whole: answered({ worktree: { ...clean, isRemovable: false } }) })).toBe('close')
  })
})
