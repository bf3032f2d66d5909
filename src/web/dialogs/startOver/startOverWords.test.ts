import { expect, test } from 'vitest'
import { terminalView } from '../../../../test/support/terminalView.ts'
import { doneWords, goesWords, introWords, progressOf } from './startOverWords.ts'

const live = terminalView({ name: 'api', state: 'live', command: '/bin/sh', args: [], foreground: 'make' })
const asleep = terminalView({ name: 'old', state: 'asleep', because: { kind: 'slept' } })

test('it is said what would go, and that it can be taken back', () => {
  expect(introWords(1)).toMatch(/^Closes one terminal and .* undo this\.$/)
  expect([live, asleep].map(goesWords)).toEqual(['api: sh › make', 'old: asleep'])
  expect(doneWords(3)).toBe('3 terminals were closed. The workspace is empty.')
})

test('progress counts those that still run, then speaks of the checkpoint', () => {
  expect(progressOf([live, asleep], 2)).toBe('Ending programs: 1 of 2 still running…')
  expect(progressOf([asleep, asleep], 2)).toBe('Saving a checkpoint…')
  expect(progressOf([], 2)).toBe('Saving a checkpoint…')
})
