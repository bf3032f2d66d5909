import { expect, test } from 'vitest'
import { pullRequestIn } from './pullRequest.ts'

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
