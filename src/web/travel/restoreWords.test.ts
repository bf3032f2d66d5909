import { expect, test } from 'vitest'
import type { RestorePlanView } from '../../wire/checkpointView.ts'
import { restoreLines } from './restoreWords.ts'

const step = (kind: RestorePlanView['steps'][number]['kind'], name: string | null) => ({
  kind,
  terminal: 't1',
  name,
  workspace: null,
  why: '',
  start: null,
})
const plan = (changes: Partial<RestorePlanView>): RestorePlanView => ({
  checkpoint: { id: 'c1', at: 0, kind: 'manual', note: null },
  only: null,
  steps: [],
  host: { name: 'here', isSame: true },
  missingPaths: [],
  lines: [],
  ...changes,
})
const told = (changes: Partial<RestorePlanView>) => restoreLines(plan(changes), () => 'vim').map(({ words, names }) => [words, ...names])

test('what comes back and what is removed is said first, one or many', () => {
  expect(told({ steps: [step('adopt', 'api'), step('forget', 'new'), step('bringBack', 'a'), step('bringBack', null)] })).toEqual([
    ['Restored, asleep:', 'a', 'vim'],
    ['Removed:', 'new'],
    ['Keeps running, moved back:', 'api'],
  ])
})

test('of one workspace alone, what stands elsewhere is not mentioned', () => {
  const steps = [step('keepStranger', 'other'), step('rest', 'one')]
  expect(told({ steps, only: 'w' })).toEqual([['Stays asleep, with its earlier screen:', 'one']])
  expect(told({ steps })).toHaveLength(2)
})

test('another machine and directories that are gone are said', () => {
  const missingPaths = [{ path: '/home/mia/gone', terminals: ['t1'] }]
  expect(told({ host: { name: 'desk', isSame: false }, missingPaths })).toEqual([
    ['The checkpoint is from another machine; this one is desk.'],
    ['Missing directory:', '~/gone'],
  ])
})
