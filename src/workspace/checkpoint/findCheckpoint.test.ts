import { expect, test } from 'vitest'
import { findCheckpoint } from './findCheckpoint.ts'

const three = [{ id: 'cab1' }, { id: 'cab2' }, { id: 'cx' }]
const idOf = (ref: string, list = three) => {
  const found = findCheckpoint(ref, list)
  return found.ok ? found.value.id : found.refusal.code
}

test.each([
  ['cab2', 'cab2'],
  ['cx', 'cx'],
  ['latest', 'cab1'],
  ['latest~0', 'cab1'],
  ['latest~2', 'cx'],
  ['latest~3', 'checkpoint-not-found'],
  ['latest~', 'checkpoint-not-found'],
  ['latest~-1', 'checkpoint-not-found'],
  ['ca', 'checkpoint-ambiguous'],
  ['', 'checkpoint-not-found'],
  ['zz', 'checkpoint-not-found'],
])('"%s" is %s', (ref, id) => expect(idOf(ref)).toBe(id))

test('where there is none, the refusal says so', () => {
  const found = findCheckpoint('latest', [])
  expect(found.ok ? '' : found.refusal.message).toBe('There is no checkpoint yet.')
})

test('an id that is the beginning of another one is itself', () => expect(idOf('ca', [{ id: 'ca' }, { id: 'cab' }])).toBe('ca'))
